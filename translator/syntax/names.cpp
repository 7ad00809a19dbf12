// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/names.hpp"

namespace hpcc::syntax {

Names::Names() {
    for (const char* word :
         {"overall", "at", "on", "override", "final", "hpspmd", "module", "import"})
        id(word);
}

NameId Names::id(std::string_view name) {
    const auto [entry, isNew] = ids_.try_emplace(name, static_cast<NameId>(texts_.size()));
    if (isNew) texts_.push_back(name);
    return entry->second;
}

}  // namespace hpcc::syntax
