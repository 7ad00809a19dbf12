// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/hidden_fields.hpp"

#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "regions/called_arguments.hpp"
#include "regions/called_code.hpp"

namespace hpcc::regions {

bool noteHidden(NodePtr call, HiddenFields& hidden) {
    const auto called = calledCode(call);
    const CalledCode* const code = std::get_if<CalledCode>(&called);
    const Symbol* const owner = code ? code->objectClass : nullptr;
    if (!owner || !owner->declaration || !owner->members ||
        !owner->members->findHere("(constructor)") ||
        owner->declaration->span().text != call->span().text)
        return false;
    bool isFound = false;
    for (const NodePtr name : ast::allOf<ast::Identifier>(code->function)) {
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
