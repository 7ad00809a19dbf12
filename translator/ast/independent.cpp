// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/independent.hpp"

#include <algorithm>

namespace hpcc::ast {

bool isAssertedIndependent(NodePtr statement) {
    if (!is<Attributed>(statement)) return false;
    return std::ranges::any_of(
        statement->child(Attributed::attributes)->children(), [](NodePtr each) {
            return is<HpspmdAttribute>(each) &&
                   each->child(HpspmdAttribute::name)->text() == "independent";
        });
}

}  // namespace hpcc::ast
