// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/hidden_fields.hpp"

#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "regions/called_arguments.hpp"

namespace hpcc::regions {

bool noteHidden(const CalledCode& code, NodePtr call, HiddenFields& hidden) {
    const Symbol* const owner = code.objectClass;
    if (!owner || !owner->declaration || !owner->members ||
        !owner->members->findHere("(constructor)") ||
        owner->declaration->span().text != call->span().text)
        return false;
    bool isFound = false;
    for (const NodePtr name : ast::allOf<ast::Identifier>(code.function)) {
        const Symbol* const field = name->symbol;
        const bool isField = field && field->kind == ast::SymbolKind::Field;
        const std::string_view access = isField ? accessOf(field, owner) : "";
        if (access.empty() || access == "public") continue;
        hidden.emplace(field, owner);
        isFound = true;
    }
    return isFound;
}

}  // namespace hpcc::regions
