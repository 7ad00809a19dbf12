// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/search.hpp"
#include "regions/body.hpp"

namespace hpcc::regions {

using analysis::bare;

NodePtr Access::first() const {
    NodePtr level = node;
    for (int r = 1; array->isNested && r < array->rank; ++r)
        level = bare(level->child(ast::Subscript::base));
    return level;
}

std::vector<NodePtr> Access::subscripts() const {
    if (!array->isNested) {
        const auto all = node->child(ast::Subscript::subscripts)->children();
        return {all.begin(), all.end()};
    }
    std::vector<NodePtr> all;
    NodePtr level = node;
    for (int r = 0; r < array->rank; ++r, level = bare(level->child(ast::Subscript::base)))
        all.insert(all.begin(), level->child(ast::Subscript::subscripts)->child(0));
    return all;
}

NodePtr Access::subscript() const {
    const std::vector<NodePtr> all = subscripts();
    const auto r = static_cast<std::size_t>(array->dimension);
    return r < all.size() ? all[r] : nullptr;
}

NodePtr rootOf(NodePtr subscript) {
    NodePtr base = subscript;
    while (ast::is<ast::Subscript>(base)) base = bare(base->child(ast::Subscript::base));
    return base;
}

std::set<std::string> assumedNumbers(NodePtr node) {
    std::set<std::string> names;
    ast::anywhere(node, [&names](NodePtr each) {
        const Symbol* symbol = each->symbol;
        const bool isName = symbol && symbol->kind == ast::SymbolKind::TemplateParameter;
        const ast::Type* type = isName ? symbol->type : each->type;
        if (ast::isNumber(type) && type->isDependent && type->classSymbol)
            names.insert(type->classSymbol->name);
        return false;
    });
    return names;
}

bool isLimit(NodePtr callee) {
    return callee->is<ast::QualifiedName>() && callee->text().starts_with("std::numeric_limits<");
}

bool isConversion(NodePtr call) {
    const Symbol* symbol = call->child(ast::Call::callee)->symbol;
    if (!symbol) return false;
    return symbol->kind == ast::SymbolKind::TemplateParameter
               ? isNumber(symbol->type)
               : symbol->kind == ast::SymbolKind::Alias && isNumber(call->type);
}

std::optional<Access> accessOf(NodePtr subscript, const Arrays& arrays, bool isWrite) {
    std::vector<std::size_t> counts;  // of subscripts, level by level
    NodePtr base = subscript;
    for (; ast::is<ast::Subscript>(base); base = bare(base->child(ast::Subscript::base)))
        counts.push_back(base->child(ast::Subscript::subscripts)->children().size());
    // The member of another object has the symbol of the own one.
    const bool isName = ast::is<ast::Identifier>(base) && base->symbol;
    const auto found = isName ? arrays.find(base->symbol) : arrays.end();
    if (found == arrays.end()) return std::nullopt;
    const DividedArray& array = found->second;
    const auto rank = static_cast<std::size_t>(array.rank);
    const auto expected = array.isNested ? std::vector<std::size_t>(rank, 1) : std::vector{rank};
    if (counts != expected) return std::nullopt;
    return Access{subscript, &array, isWrite};
}

}  // namespace hpcc::regions
