// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/fixed_elements.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "ast/print.hpp"

namespace hpcc::nests {

using ast::NodePtr;

std::vector<NodePtr> FixedElements::before(const Loop& loop) {
    std::vector<NodePtr> result;
    if (plan_.forms.at(&loop).kind != Form::Kind::Independent) return result;
    std::map<std::string, std::string> known;  // by the text of the element
    for (const size_t k : loop.accesses) {
        const Access& access = plan_.nest->accesses[k];
        if (!isSameThroughout(access, loop) || !reaches_.isSurelyMade(access)) continue;
        std::string& name = known[ast::print(access.node)];
        if (!name.empty()) continue;
        name = context_.fresh(elements_.nameOf(access) + "_value");
        result.push_back(context_.statement(
            "const auto $v = $e;",
            {{"$v", context_.identifier(name, access.node)}, {"$e", elements_.element(access)}},
            loop.statement));
    }
    for (const size_t k : loop.accesses) {
        const Access& access = plan_.nest->accesses[k];
        const auto found = known.find(ast::print(access.node));
        if (found != known.end() && isSameThroughout(access, loop))
            names_[access.node] = found->second;
    }
    return result;
}

const std::string* FixedElements::inPlaceOf(NodePtr access) const {
    const auto found = names_.find(access);
    return found == names_.end() ? nullptr : &found->second;
}

/// A check is made where the access stands.
bool FixedElements::isSameThroughout(const Access& access, const Loop& loop) const {
    if (access.writes) return false;
    for (size_t r = 0; r < access.slots.size(); ++r)
        if (test_.unchecked().contains({access.node, r})) return false;
    return std::ranges::none_of(ast::namesIn(access.node), [&](std::string_view name) {
        return loop.assigned.contains(name) || loop.declared.contains(name) ||
               loop.variable == name;
    });
}

}  // namespace hpcc::nests
