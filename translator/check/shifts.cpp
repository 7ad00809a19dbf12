// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/shifts.hpp"

#include "ast/symbol.hpp"
#include "check/facts.hpp"

#include <cstdlib>

namespace hpcc::check {
namespace {

using ast::SymbolKind;

constexpr long long farthest = 1 << 20;

// The value that a variable has for good; null if there is none.
NodePtr valueOfVariable(NodePtr name) {
    const bool isVariable = ast::is<ast::Identifier>(name) && isStable(name->symbol) &&
                            name->symbol->kind == SymbolKind::Variable;
    return isVariable ? singleInitializer(name->symbol->initializer) : nullptr;
}

NodePtr calledMember(NodePtr call, std::string_view name) {
    if (!ast::is<ast::Call>(call)) return nullptr;
    const NodePtr callee = bare(call->child(ast::Call::callee));
    const bool isCalled =
        ast::is<ast::Member>(callee) && callee->child(ast::Member::name)->text() == name;
    return isCalled ? bare(callee->child(ast::Member::base)) : nullptr;
}

// x[[0 : 9 : 2]], x.subrange(0, 9, 2): neighbours in it are no neighbours in x.
bool mayHaveStride(NodePtr range, int depth = 8) {
    range = bare(range);
    if (!range || depth == 0) return true;
    if (range->is<ast::Section>()) return range->text().find(':') != range->text().rfind(':');
    if (calledMember(range, "subrange"))
        return range->child(ast::Call::arguments)->children().size() > 2;
    const NodePtr value = valueOfVariable(range);
    return value && isRange(typeOf(value)) && mayHaveStride(value, depth - 1);
}

}  // namespace

Shift shiftOf(NodePtr subscript) {
    subscript = bare(subscript);
    long long distance = 0;
    bool isExact = true;
    while (ast::is<ast::Binary>(subscript)) {
        const auto value = constantValue(subscript->child(ast::Binary::right));
        const bool isMinus = subscript->child(ast::Binary::op)->text() == "-";
        isExact &= value && std::llabs(*value) < farthest;
        if (isExact) distance += isMinus ? -*value : *value;
        subscript = bare(subscript->child(ast::Binary::left));
    }
    const Symbol* index = subscript ? subscript->symbol : nullptr;
    isExact &= index && index->kind == SymbolKind::DistributedIndex &&
               !mayHaveStride(rangeOfIndex(*index));
    if (!isExact) return {false, 1, false};
    return {distance < 0, static_cast<int>(std::llabs(distance)), true};
}

// ---- ghost cells -------------------------------------------------------------------------------

namespace {

constexpr int deepest = 16;

GhostCells ofArray(NodePtr array, std::size_t r, int depth);

bool hasNone(std::string_view type) {
    return isOneOf(type, {"BlockRange", "CyclicRange", "BlockCyclicRange", "CollapsedRange"});
}

// BlockRange(n, d), ExtBlockRange(n, d, 2, 1)
GhostCells constructed(const Type* type, NodePtr arguments, NodePtr place) {
    if (hasNone(type->spelled)) return {0, 0, place, type->spelled};
    const bool isBlock = type->spelled == "ExtBlockRange",
               isIrregular = type->spelled == "IrregRange";
    if (!arguments || (!isBlock && !isIrregular)) return {};
    const auto given = arguments->children();
    if (given.size() == 2 && isBlock) return {1, 1, place, ""};
    if (given.size() == 2) return {0, 0, place, type->spelled};
    if (given.size() != 4) return {};
    return {constantValue(given[2]), constantValue(given[3]), place, ""};
}

GhostCells ofRange(NodePtr range, int depth) {
    range = bare(range);
    if (!range || depth == 0) return {};
    if (const NodePtr value = valueOfVariable(range); value && isRange(typeOf(value)))
        return ofRange(value, depth - 1);
    if (range->is<ast::Identifier>()) {
        const Symbol* symbol = range->symbol;
        if (!isStable(symbol) || !symbol->type || !isRange(symbol->type)) return {};
        const bool isMade =
            symbol->initializer && !symbol->initializer->is<ast::EqualInitializer>();
        if (!isMade && !hasNone(symbol->type->spelled)) return {};
        return constructed(symbol->type, symbol->initializer, symbol->declaration);
    }
    if (range->is<ast::FunctionalCast>() && isRange(typeOf(range)))
        return constructed(typeOf(range), range->child(ast::FunctionalCast::arguments), range);
    if (range->is<ast::Section>() && range->text().ends_with("[[:]]"))
        return ofRange(range->child(ast::Section::base), depth - 1);
    if (!range->is<ast::Call>()) return {};
    const NodePtr arguments = range->child(ast::Call::arguments);
    if (const NodePtr array = calledMember(range, "rng")) {
        const auto r = constantValue(arguments->child(0));
        const bool isOwn = r && *r >= 0 && isKind(array, TypeKind::Multiarray);
        return isOwn ? ofArray(array, static_cast<std::size_t>(*r), depth - 1) : GhostCells{};
    }
    const Symbol* callee = range->child(ast::Call::callee)->symbol;
    const bool isMade = callee && callee->kind == SymbolKind::Class && isRange(typeOf(range));
    return isMade ? constructed(typeOf(range), arguments, range) : GhostCells{};
}

GhostCells ofArray(NodePtr array, std::size_t r, int depth) {
    array = bare(array);
    if (!array || depth == 0) return {};
    if (const NodePtr value = valueOfVariable(array)) return ofArray(value, r, depth - 1);
    if (array->is<ast::NewMultiarray>()) return ofRange(extentOf(array, r), depth - 1);
    const Symbol* callee =
        array->is<ast::Call>() ? bare(array->child(ast::Call::callee))->symbol : nullptr;
    const bool isAlike =
        callee && !callee->declaration && (callee->name == "like" || callee->name == "clone");
    return isAlike ? ofArray(array->child(ast::Call::arguments)->child(0), r, depth - 1)
                   : GhostCells{};
}

}  // namespace

GhostCells ghostCells(NodePtr array, std::size_t r) { return ofArray(array, r, deepest); }

}  // namespace hpcc::check
