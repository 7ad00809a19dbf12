// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/facts.hpp"

#include "check/wording.hpp"

namespace hpcc::check {

using analysis::Descent;
using ast::SymbolKind;

// ---- indices ---------------------------------------------------------------------------------

const Symbol* namedIndex(NodePtr expression) {
    expression = bare(expression);
    while (ast::is<ast::Binary>(expression) && isIndex(typeOf(expression)))
        expression = bare(expression->child(ast::Binary::left));
    const bool isName = ast::is<ast::Identifier>(expression) && expression->symbol;
    return isName && expression->symbol->kind == SymbolKind::DistributedIndex ? expression->symbol
                                                                              : nullptr;
}

NodePtr rangeOfIndex(const Symbol& index) {
    const NodePtr header = index.declaration;
    if (!header) return nullptr;
    if (header->is<ast::OverallHeader>()) return header->child(ast::OverallHeader::range);
    const NodePtr location = bare(header->child(ast::At::location));
    if (ast::is<ast::Subscript>(location)) return location->child(ast::Subscript::base);
    const bool isCall =
        ast::is<ast::Call>(location) && ast::is<ast::Member>(location->child(ast::Call::callee));
    return isCall ? location->child(ast::Call::callee)->child(ast::Member::base) : nullptr;
}

// ---- ranges ----------------------------------------------------------------------------------

namespace {

std::string_view formatOf(const Type* type) {
    if (type->spelled == "ExtBlockRange") return "BlockRange";
    // What a MeasuredRange is follows from speeds.
    const bool isOpen = type->spelled == "Range" || type->spelled == "MeasuredRange";
    return isOpen ? std::string_view() : type->spelled;
}

// BlockRange(N, d), CollapsedRange(N) ..: `arguments` holds at least the extent.
RangeFacts constructedFacts(const Type* type, NodePtr arguments) {
    RangeFacts facts;
    const auto given = arguments->children();
    if (given.size() >= 2) facts = rangeFacts(given[1]);
    facts.format = formatOf(type);
    facts.extent =
        given.empty() || facts.format == "IrregRange" ? std::nullopt : constantValue(given[0]);
    return facts;
}

bool namesClass(NodePtr callee) {
    return callee->symbol && callee->symbol->kind == SymbolKind::Class;
}

RangeFacts variableFacts(const Symbol& symbol) {
    RangeFacts facts;
    if (!isStable(&symbol)) return facts;
    facts.variable = &symbol;
    facts.format = symbol.type ? formatOf(symbol.type) : "";
    const NodePtr initializer = symbol.initializer;
    if (!initializer) return facts;
    const NodePtr single = singleInitializer(initializer);
    if (single && (isRange(typeOf(single)))) {
        RangeFacts source = rangeFacts(single);
        return source.grid || source.variable || !source.format.empty() ? source : facts;
    }
    const bool constructs = !initializer->is<ast::EqualInitializer>() && symbol.type &&
                            symbol.type->kind == TypeKind::Range;
    if (!constructs) return facts;
    RangeFacts made = constructedFacts(symbol.type, initializer);
    if (!made.grid && !made.variable) made.variable = &symbol;
    return made;
}

// p.dim(0), x.dim(), a.rng(1), x.subrange(..).
RangeFacts memberCallFacts(NodePtr call) {
    const NodePtr callee = call->child(ast::Call::callee);
    const NodePtr base = bare(callee->child(ast::Member::base));
    const std::string_view name = callee->child(ast::Member::name)->text();
    const NodePtr first = call->child(ast::Call::arguments)->child(0);
    const auto number = constantValue(first);
    RangeFacts facts;
    if (isKind(base, TypeKind::Group) && name == "dim" && number && isStable(base->symbol)) {
        facts.grid = base->symbol;
        facts.axis = *number;
        facts.format = "Dimension";
    } else if (isRange(typeOf(base)) && name == "dim") {
        facts = rangeFacts(base);
        facts.format = facts.format == "CollapsedRange" ? "CollapsedRange" : "Dimension";
        facts.extent.reset();
    } else if (isRange(typeOf(base)) && name == "subrange") {
        facts = rangeFacts(base);
    } else if (isKind(base, TypeKind::Multiarray) && name == "rng" && number && *number >= 0) {
        facts = dimensionFacts(base, static_cast<std::size_t>(*number));
    }
    return facts;
}

}  // namespace

NodePtr constructorArguments(const Symbol& grid) {
    NodePtr initializer = grid.initializer;
    if (ast::is<ast::EqualInitializer>(initializer)) {
        const NodePtr made = singleInitializer(initializer);
        if (ast::is<ast::FunctionalCast>(made)) return made->child(ast::FunctionalCast::arguments);
        const bool constructs =
            ast::is<ast::Call>(made) && made->child(ast::Call::callee)->symbol &&
            made->child(ast::Call::callee)->symbol->kind == ast::SymbolKind::Class;
        return constructs ? made->child(ast::Call::arguments) : nullptr;
    }
    return initializer;
}

bool isUndivided(const RangeFacts& range) {
    if (range.format == "CollapsedRange") return true;
    if (!range.grid || !range.grid->type || range.grid->type->isReference) return false;
    const NodePtr arguments = constructorArguments(*range.grid);
    const NodePtr first = arguments ? arguments->child(0) : nullptr;
    const NodePtr extents = ast::is<ast::BracedInitializer>(first) ? first : arguments;
    const auto axis = static_cast<uint32_t>(range.axis);
    return extents && range.axis >= 0 && constantValue(extents->child(axis)) == 1;
}

NodePtr extentOf(NodePtr creation, std::size_t r) {
    const auto extents = creation->child(ast::NewMultiarray::extents)->children();
    for (std::size_t k = 0; k <= r && k < extents.size(); ++k)
        if (ast::is<ast::PackExpansion>(extents[k])) return nullptr;
    return r < extents.size() ? extents[r] : nullptr;
}

RangeFacts dimensionFacts(NodePtr array, std::size_t r) {
    array = bare(array);
    RangeFacts facts;
    if (!ast::is<ast::Identifier>(array) || !isStable(array->symbol)) return facts;
    facts.variable = array->symbol;
    facts.axis = static_cast<long long>(r);
    const NodePtr creation = singleInitializer(array->symbol->initializer);
    if (!ast::is<ast::NewMultiarray>(creation)) return facts;
    const NodePtr extent = extentOf(creation, r);
    return extent && isRange(typeOf(extent)) ? rangeFacts(extent) : facts;
}

RangeFacts rangeFacts(NodePtr range) {
    const Descent descent;
    range = bare(range);
    if (!range || descent.isTooDeep()) return {};
    if (range->is<ast::Identifier>())
        return range->symbol ? variableFacts(*range->symbol) : RangeFacts{};
    if (range->is<ast::Section>()) return rangeFacts(range->child(ast::Section::base));
    if (range->is<ast::FunctionalCast>() && isRange(typeOf(range)))
        return constructedFacts(typeOf(range), range->child(ast::FunctionalCast::arguments));
    if (!range->is<ast::Call>()) return {};
    const NodePtr callee = range->child(ast::Call::callee);
    if (callee->is<ast::Member>()) return memberCallFacts(range);
    const bool constructs = namesClass(callee) && isRange(typeOf(range));
    return constructs ? constructedFacts(typeOf(range), range->child(ast::Call::arguments))
                      : RangeFacts{};
}

// ---- proofs ----------------------------------------------------------------------------------

bool provablySameDimension(const RangeFacts& a, const RangeFacts& b) {
    if (a.format == "CollapsedRange" || b.format == "CollapsedRange") return false;
    if (a.axis != b.axis) return false;
    return a.grid ? a.grid == b.grid : a.variable && a.variable == b.variable && !b.grid;
}

namespace {

// A grid made by a constructor of its own, which no other grid equals.
bool isOwnGrid(const Symbol& grid) {
    const bool isLocal = grid.kind == SymbolKind::Variable && grid.type &&
                         grid.type->spelled.starts_with("Procs") && !grid.type->isReference;
    const NodePtr source = singleInitializer(grid.initializer);
    return isLocal && !(source && isKind(source, TypeKind::Group)) &&
           !ast::is<ast::EqualInitializer>(grid.initializer);
}

bool provablyOtherDimension(const RangeFacts& a, const RangeFacts& b) {
    if (!a.grid || !b.grid) return false;
    if (a.grid == b.grid) return a.axis != b.axis;
    return isOwnGrid(*a.grid) && isOwnGrid(*b.grid);
}

std::string dimensionText(const RangeFacts& facts) {
    return "dimension " + std::to_string(facts.axis) + " of '" + facts.grid->name + "'";
}

std::string extentMisfit(const RangeFacts& a, const RangeFacts& b) {
    if (!a.extent || !b.extent || *a.extent == *b.extent) return "";
    return "its range has " + std::to_string(*a.extent) + " locations, the slot's has " +
           std::to_string(*b.extent);
}

}  // namespace

std::string provableMisfit(const RangeFacts& a, const RangeFacts& b) {
    if (a.format == "CollapsedRange" || b.format == "CollapsedRange") {
        return a.format == b.format ? extentMisfit(a, b) : "";
    }
    if (provablyOtherDimension(a, b))
        return "its range lies over " + dimensionText(a) + ", the slot's over " + dimensionText(b);
    if (!a.format.empty() && !b.format.empty() && a.format != b.format)
        return "its range is " + withArticle(a.format) + ", the slot's is " + withArticle(b.format);
    return extentMisfit(a, b);
}

}  // namespace hpcc::check
