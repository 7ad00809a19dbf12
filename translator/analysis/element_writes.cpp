// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/element_writes.hpp"

#include "analysis/object_writes.hpp"

namespace hpcc::analysis {

ElementWrites::ElementWrites(NodePtr root) {
    ObjectWrites functions(nullptr);
    *this = ElementWrites(root, functions);
}

ElementWrites::ElementWrites(NodePtr root, ObjectWrites& functions) {
    for (const ObjectWrite& each : functions.of(root)) {
        if (!each.object.isElement()) continue;
        const NodePtr access = each.object.root;
        const bool isThere = each.place->span().contains(access->span());
        writes_[each.site].push_back(
            {access, each.object.steps, isThere ? access : each.place, each.writing, each.site});
    }
}

const std::vector<ElementWrite>& ElementWrites::at(NodePtr node) const {
    static const std::vector<ElementWrite> none;
    const auto found = writes_.find(node);
    return found == writes_.end() ? none : found->second;
}

}  // namespace hpcc::analysis
