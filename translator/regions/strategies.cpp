// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/strategies.hpp"

#include <algorithm>

#include "ast/declarators.hpp"

namespace hpcc::regions {
namespace {

// The class of that name that is defined in `node`; null if there is none.
NodePtr classNamed(NodePtr node, std::string_view name) {
    if (!node || node->is<ast::Compound>()) return nullptr;
    const bool isClass = node->is<ast::Class>() && node->child(ast::Class::members);
    const NodePtr own = isClass ? node->child(ast::Class::name) : nullptr;
    if (own && own->text() == name) return node;
    for (const NodePtr child : node->children())
        if (const NodePtr found = classNamed(child, name)) return found;
    return nullptr;
}

}  // namespace

std::size_t parametersOfFunction(NodePtr node, std::string_view name) {
    if (!node || node->is<ast::Compound>()) return 0;
    std::size_t most = 0;
    if (node->is<ast::FunctionDefinition>()) {
        const NodePtr declared =
            ast::declaredName(node->child(ast::FunctionDefinition::declarator));
        const NodePtr parameters = ast::parametersOf(node);
        const std::size_t count = parameters ? parameters->children().size() : 0;
        if (declared && declared->text() == name && count <= 2) most = count;
    }
    for (const NodePtr child : node->children())
        most = std::max(most, parametersOfFunction(child, name));
    return most;
}

std::optional<bool> isStrategy(NodePtr unit, std::string_view text) {
    const std::string_view name = text.substr(0, text.find_first_of("({<"));
    if (const NodePtr found = classNamed(unit, name)) {
        const bool mayInherit = found->child(ast::Class::bases) != nullptr;
        const bool isCallable = found->text().find("operator") != std::string_view::npos;
        return mayInherit || (isCallable && parametersOfFunction(found, "operator()") != 1);
    }
    const std::size_t count = parametersOfFunction(unit, text);
    return count == 0 ? std::nullopt : std::optional(count == 2);
}

}  // namespace hpcc::regions
