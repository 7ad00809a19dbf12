// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/dependence.hpp"

#include <algorithm>

#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {
namespace {

// u of B::u
std::string_view plainName(const Step& member) {
    NodePtr name = member.name();
    while (ast::is<ast::QualifiedName>(name)) name = name->child(ast::QualifiedName::name);
    return name->text();
}

// True if it may be a union or hold one. A class of a plain header may.
bool mayBeUnion(const ast::Type* type) {
    const ast::Symbol* const symbol = type ? type->classSymbol : nullptr;
    if (!symbol) return true;
    return symbol->declaration ? symbol->declaration->text().find("union") != std::string_view::npos
                               : symbol->shape == ast::StandardShape::None;
}

// True if another member may lie where it does.
bool mayBeInUnion(const Step& member) {
    if (member.node->is<ast::Member>())
        return mayBeUnion(member.node->child(ast::Member::base)->type);
    const Symbol* const field = member.name()->symbol;
    return !field || field->isInUnion;
}

bool isIndexType(const ast::Type* type) {
    return type &&
           (type->kind == ast::TypeKind::Index || type->kind == ast::TypeKind::ShiftedIndex);
}

// c of a sum that is nothing but 0 - 1 + c, or 1 - 0 - c.
std::optional<long> distance(const Sum& sum, const Sum& zero, const Sum& one) {
    const Sum rest = sum - zero + one;
    if (rest.isKnown() && rest.isConstant()) return rest.constant();
    const Sum other = Sum(0) - sum - zero + one;
    return other.isKnown() && other.isConstant() ? std::optional(other.constant()) : std::nullopt;
}

// The quotient and the rest of a sum by the width of rows, whatever the sign of the rest.
std::optional<Cell> divided(const Sum& sum, const Sum& width) {
    if (!sum.isKnown() || !width.isKnown()) return std::nullopt;
    const auto atom = width.solvableAtom();
    if (!atom && (!width.isConstant() || width.constant() <= 0)) return std::nullopt;
    if (atom && width.factorOf({*atom}) != 1) return std::nullopt;
    Sum row;
    for (const auto& [product, factor] : sum.terms()) {
        const Sum term = Sum::of(product, atom ? factor : factor / width.constant());
        const bool isOfRow = atom ? term.holds(*atom) : factor % width.constant() == 0;
        if (isOfRow) row = row + (atom ? term.without(*atom) : term);
    }
    return Cell{row, sum - width * row};
}

// s[k] of a class of the program: what its operator leads to is not known.
bool hasOwnSubscripts(NodePtr subscript) {
    const ast::Type* type = subscript->child(ast::Subscript::base)->type;
    return type && type->kind == ast::TypeKind::Class && type->classSymbol &&
           type->classSymbol->declaration;
}

}  // namespace

bool Step::isMember() const { return !node->is<ast::Subscript>(); }

NodePtr Step::name() const { return node->is<ast::Identifier>() ? node : node->child(1); }

NodePtr Step::subscript() const {
    return isMember() ? nullptr : node->child(ast::Subscript::subscripts)->child(0);
}

std::vector<Step> stepsInto(const std::vector<NodePtr>& path) {
    std::vector<Step> steps;
    NodePtr inner = path.back();
    for (std::size_t k = path.size() - 1; k > 0; --k) {
        const NodePtr outer = path[k - 1];
        const bool isMethod = k > 1 && ast::is<ast::Call>(path[k - 2]) &&
                              path[k - 2]->child(ast::Call::callee) == outer;
        const bool isStep =
            ast::isAny<ast::Member, ast::Subscript>(outer) && outer->child(0) == inner && !isMethod;
        if (isStep) steps.push_back({outer});
        if (!isStep && !outer->is<ast::Parenthesized>()) break;
        inner = outer;
    }
    return steps;
}

bool leadApart(const Step& one, const Step& other) {
    return one.isMember() && other.isMember() && plainName(one) != plainName(other) &&
           !mayBeInUnion(one);
}

ShiftedIndex shiftedIndex(const IterationSpace& space, NodePtr subscript, const Loop* place) {
    NodePtr name = bare(subscript);
    const bool isIndex = isIndexType(name->type);
    while (ast::is<ast::Binary>(name)) name = bare(name->child(ast::Binary::left));
    if (!ast::is<ast::Identifier>(name)) return isIndex ? ShiftedIndex{subscript} : ShiftedIndex();
    const Loop* loop = space.loopOf(name, place);
    const bool isDistributed = loop ? loop->isDistributed() : isIndex || isIndexType(name->type);
    return isDistributed ? ShiftedIndex{name, loop} : ShiftedIndex();
}

CommonElement::CommonElement(const IterationSpace& space, Reader& reader, const Access& first,
                             const Access& second)
    : space_(space), reader_(reader), first_(first), second_(second) {
    for (std::size_t r = 0; r < std::min(first.subscripts.size(), second.subscripts.size()); ++r)
        compare(first.subscripts[r], second.subscripts[r]);
}

void CommonElement::compare(const Subscript& to, const Subscript& from) {
    const ShiftedIndex a = shiftedIndex(space_, to.node, first_.loop),
                       b = shiftedIndex(space_, from.node, second_.loop);
    bool areAlike = !a.name == !b.name;
    if (a.loop && b.loop && a.loop->one != b.loop->one) {
        const NodePtr range = a.loop->range(), other = b.loop->range();
        areAlike = range && other && reader_.read(range, {}) == reader_.read(other, {});
    } else if (a.name && b.name && !a.loop && !b.loop) {
        areAlike = space_.isFixed(a.name) && a.name->text() == b.name->text();
    } else {
        areAlike &= !a.loop == !b.loop;
    }
    isComparable_ &= areAlike;
    if (areAlike) same(reader_.read(to, {first_.loop, 0}) - reader_.read(from, {second_.loop, 1}));
}

void CommonElement::same(const Sum& difference) {
    equations_.push_back(difference);
    system_.isZero(difference);
}

bool CommonElement::comparesParts() {
    const std::vector<Step> a = stepsInto(first_.path), b = stepsInto(second_.path);
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
        if (leadApart(a[k], b[k])) return false;
        const NodePtr to = a[k].subscript(), from = b[k].subscript();
        const bool areAlike = a[k].isMember() && b[k].isMember()
                                  ? a[k].node->child(ast::Member::name)->text() ==
                                        b[k].node->child(ast::Member::name)->text()
                                  : to && from && !hasOwnSubscripts(a[k].node);
        if (!areAlike) {  // perhaps the same part
            isComparable_ = false;
            return true;
        }
        if (to) same(reader_.read(to, {first_.loop, 0}) - reader_.read(from, {second_.loop, 1}));
    }
    return true;
}

void CommonElement::requireBounds() {
    for (const Loop* loop = first_.loop; loop; loop = loop->outer)
        require(reader_.bounds(*loop, 0));
    for (const Loop* loop = second_.loop; loop; loop = loop->outer)
        require(reader_.bounds(*loop, 1));
}

void CommonElement::requireGuards() {
    for (const Guard& guard : first_.guards.all) require(reader_.assumed(guard, {first_.loop, 0}));
    for (const Guard& guard : second_.guards.all)
        require(reader_.assumed(guard, {second_.loop, 1}));
}

System CommonElement::completed() const {
    System system = system_;
    reader_.complete(system);
    return system;
}

bool CommonElement::mayDiffer(const std::vector<Sum>& differences) const {
    if (differences.empty()) return false;
    const SolvedSystem system(completed());
    return std::ranges::any_of(differences, [&](const Sum& difference) {
        if (difference.isKnown() && difference.isConstant())
            return !difference.isZero() && !system.isImpossible();
        return !system.isImpossibleWith(difference - Sum(1)) ||
               !system.isImpossibleWith(Sum(-1) - difference);
    });
}

bool CommonElement::mayBeZero(const Sum& difference) const {
    System system = completed();
    system.isZero(difference);
    return !system.isImpossible();
}

bool Dependences::isInRow(const Access& access, const Sum& column, const Sum& width) {
    System here;
    for (const Loop* loop = access.loop; loop; loop = loop->outer)
        here.add(reader_.bounds(*loop, 0));
    for (const Guard& guard : access.guards.all) here.add(reader_.assumed(guard, {access.loop, 0}));
    const auto isNever = [&](const Sum& negated) {
        System system = here;
        system.isNotNegative(negated);
        reader_.completeSigns(system);
        return system.isImpossible();
    };
    return isNever(Sum(-1) - column) && isNever(column - width);
}

std::optional<Cell> Dependences::cellOf(const Access& access, int iteration) {
    const auto subscripts = access.node->child(ast::Subscript::subscripts)->children();
    if (!width_ || subscripts.size() != 1) return std::nullopt;
    const Sum width = reader_.read(width_, {});
    const auto at = [&](int own) {
        return divided(reader_.read(subscripts[0], {access.loop, own}), width);
    };
    const auto first = at(0), cell = at(iteration);
    for (const long carry : {0, -1, 1})  // i * n - 1 is in row i - 1
        if (first && isInRow(access, first->column - Sum(carry) * width, width))
            return Cell{cell->row + Sum(carry), cell->column - Sum(carry) * width};
    return std::nullopt;
}

Meeting Dependences::meeting(NodePtr first, NodePtr second, NodePtr header, Outer outer,
                             Parts parts) {
    using Kind = Meeting::Kind;
    const Access &a = space_.access(first), &b = space_.access(second);
    const Loop* const found = space_.loopAt(header);
    if (!found) return {};
    const Loop& loop = *found;
    CommonElement element(space_, reader_, a, b);
    if (parts == Parts::Common && !element.comparesParts()) return {Kind::Never};
    System round;
    std::vector<Sum> equations = element.equations();
    if (const auto to = cellOf(a, 0), from = cellOf(b, 1); to && from) {
        for (const Sum& sum : {to->row - from->row, to->column - from->column}) {
            equations.push_back(sum);
            round.isZero(sum);
        }
    }
    for (const Loop* each = loop.outer; outer == Outer::One && each; each = each->outer) {
        const Sum here = reader_.variable(*each, 0), there = reader_.variable(*each, 1);
        round.isZero(here - there);
        for (Sum& sum : equations) sum = sum.with(*there.solvableAtom(), here);
    }
    if (std::ranges::any_of(equations, &Sum::isNeverZero)) return {Kind::Never};
    const Sum here = reader_.variable(loop, 0), there = reader_.variable(loop, 1);
    std::optional<long> known;
    for (const Sum& sum : equations)
        if (const auto own = distance(sum, here, there)) known = own;
    if (known == 0) return {Kind::SameIteration};
    element.require(round);
    element.requireBounds();
    element.requireGuards();
    const Sum difference = here - there;
    if (!element.mayDiffer({difference}))
        return {element.mayBeZero(difference) ? Kind::SameIteration : Kind::Never};
    return known ? Meeting{Kind::Distance, *known} : Meeting();
}

}  // namespace hpcc::analysis
