// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/class_arguments.hpp"

#include <optional>

#include "analysis/called_types.hpp"
#include "ast/search.hpp"

namespace hpcc::regions {

using ast::NodePtr;

namespace {

// The name is that of a parameter of the template that declares the class; its number.
std::optional<std::size_t> numberOf(const ast::Symbol* name, const ast::Symbol& owner) {
    const NodePtr head =
        name && name->kind == ast::SymbolKind::TemplateParameter ? name->head : nullptr;
    if (!head || !owner.declaration || !head->span().contains(owner.declaration->span()))
        return std::nullopt;
    const auto all = head->child(ast::Template::parameters)->children();
    for (std::size_t k = 0; k < all.size(); ++k)
        if (all[k]->child(0) && all[k]->child(0)->symbol == name) return k;
    return std::nullopt;
}

// It means the same at the call.
bool isKnownAt(const ast::Type* argument, NodePtr call) {
    if (!argument || argument->spelled.empty()) return false;
    return argument->isDependent
               ? argument->classSymbol && analysis::isTemplateRound(*argument->classSymbol, call)
               : ast::isNumber(argument);
}

}  // namespace

std::map<const ast::Symbol*, std::string> classArguments(const ast::Type& type, NodePtr member,
                                                         NodePtr call) {
    std::map<const ast::Symbol*, std::string> result;
    if (type.arguments.empty() || !type.classSymbol) return result;
    for (const NodePtr name : ast::allOf<ast::Identifier>(member)) {
        const auto number = numberOf(name->symbol, *type.classSymbol);
        if (number && *number < type.arguments.size() && isKnownAt(type.arguments[*number], call))
            result.emplace(name->symbol, type.arguments[*number]->spelled);
    }
    return result;
}

}  // namespace hpcc::regions
