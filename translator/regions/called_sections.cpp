// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/called_sections.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "regions/called_arguments.hpp"
#include "regions/called_function.hpp"

namespace hpcc::regions {
namespace {

/// `:`, whose subscripts are those of the array.
bool isWhole(NodePtr slot) {
    return ast::is<ast::Triplet>(slot) &&
           std::ranges::none_of(slot->children(), [](NodePtr part) { return part != nullptr; });
}

/// Only for elements and sizes.
bool isUsedAsArray(NodePtr node, const Symbol* parameter, std::size_t rank) {
    if (!node) return true;
    const SectionUse use = sectionUseOf(node);
    if (use.name && use.name->symbol == parameter) {
        if (use.subscripts) {
            const auto all = use.subscripts->children();
            return all.size() == rank && std::ranges::all_of(all, [&](NodePtr each) {
                       return isUsedAsArray(each, parameter, rank);
                   });
        }
        const auto dimension = analysis::constantValue(use.dimension);
        return dimension && *dimension >= 0 && *dimension < static_cast<long long>(rank);
    }
    if (ast::is<ast::Identifier>(node)) return node->symbol != parameter;
    return std::ranges::all_of(node->children(),
                               [&](NodePtr each) { return isUsedAsArray(each, parameter, rank); });
}

}  // namespace

SectionUse sectionUseOf(NodePtr node) {
    if (ast::is<ast::Subscript>(node)) {
        const NodePtr base = ast::withoutParentheses(node->child(ast::Subscript::base));
        return {ast::is<ast::Identifier>(base) ? base : nullptr,
                node->child(ast::Subscript::subscripts), nullptr};
    }
    const NodePtr callee = ast::is<ast::Call>(node) ? node->child(ast::Call::callee) : nullptr;
    if (!ast::is<ast::Member>(callee) || callee->child(ast::Member::name)->text() != "size")
        return {};
    const auto arguments = node->child(ast::Call::arguments)->children();
    const NodePtr base = ast::withoutParentheses(callee->child(ast::Member::base));
    return arguments.size() == 1 && ast::is<ast::Identifier>(base)
               ? SectionUse{base, nullptr, arguments[0]}
               : SectionUse{};
}

std::string sectionInTheWay(const CalledCode& code, const Given& given) {
    const std::string text = "'" + flat(given.value->text()) + "'";
    const NodePtr section = ast::withoutParentheses(given.value);
    const auto slots = section->child(ast::Section::slots)->children();
    const bool isPlain =
        isPath(section->child(ast::Section::base)) && std::ranges::all_of(slots, [](NodePtr slot) {
            return isWhole(slot) || (ast::isExpression(slot) && ast::isPure(slot));
        });
    if (!isPlain) return text + " has other parts than ':' and numbers";
    const auto names = ast::namesIn(section);
    const auto changed = ast::effectsOf(bodyOf(code.function)).assigned;
    const auto isChanged = [&](const Given& other) {
        return other.isReference && !other.isConst &&
               std::ranges::any_of(ast::namesIn(other.value),
                                   [&](std::string_view name) { return names.contains(name); });
    };
    if (std::ranges::any_of(code.given, isChanged) ||
        std::ranges::any_of(names, [&](std::string_view name) { return changed.contains(name); }))
        return "it might change which elements " + text + " has";
    const auto rank = static_cast<std::size_t>(std::ranges::count_if(slots, isWhole));
    return isUsedAsArray(bodyOf(code.function), given.symbol, rank)
               ? ""
               : "it uses " + text + " other than by its elements and sizes";
}

std::size_t dimensionInArray(NodePtr section, std::size_t dimension) {
    const auto slots = section->child(ast::Section::slots)->children();
    std::size_t r = 0;
    for (; r < slots.size(); ++r)
        if (isWhole(slots[r]) && dimension-- == 0) break;
    return r;
}

}  // namespace hpcc::regions
