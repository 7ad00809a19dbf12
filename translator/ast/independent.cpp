// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/independent.hpp"

#include "ast/attributes.hpp"

namespace hpcc::ast {

bool isAssertedIndependent(NodePtr statement) { return hasAttribute(statement, "independent"); }

std::vector<Promise> promisesOf(NodePtr statement) {
    std::vector<Promise> promises;
    for (const Attribute& attribute : attributesOf(statement)) {
        if (attribute.name != "promised") continue;
        for (const std::string_view part : parts(attribute.arguments)) {
            const std::size_t sign = part.find('=');
            promises.push_back({trimmed(part.substr(0, sign)), trimmed(part.substr(sign + 1))});
        }
    }
    return promises;
}

}  // namespace hpcc::ast
