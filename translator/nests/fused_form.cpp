// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/fused_form.hpp"

#include <algorithm>

#include "nests/entry_test.hpp"

namespace hpcc::nests {

using ast::NodePtr;

bool cannotFail(Context& context, const Nest& nest) {
    Reaches reaches(context, nest);
    EntryTest test(context, nest, reaches);
    test.requireReady();
    return test.unchecked().empty();
}

void addConditions(Context& context, Fused& fused, const Nest& nest, const NamePairs& apart) {
    const auto isGone = [&](size_t array) {
        return std::ranges::find(fused.contracted, array, &Contraction::array) !=
               fused.contracted.end();
    };
    for (size_t k = 0; k < nest.arrays.size(); ++k)
        for (size_t l = k + 1; l < nest.arrays.size(); ++l) {
            const std::string &left = nest.arrays[k].text, &right = nest.arrays[l].text;
            if (!isGone(k) && !isGone(l) && apart.contains(std::minmax(left, right)))
                fused.apart.emplace_back(left, right);
        }
    Nest vanished = nest;
    std::erase_if(vanished.accesses, [&](const Access& access) { return !isGone(access.array); });
    if (vanished.accesses.empty()) return;
    Reaches reaches(context, nest);
    EntryTest test(context, vanished, reaches);
    test.requireReady();
    fused.condition = test.condition();
    fused.declarations = reaches.takeDeclarations();
}

}  // namespace hpcc::nests
