// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What evaluating an expression does to arrays.
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "check/facts.hpp"
#include "check/flow/class_code.hpp"
#include "check/flow/constants.hpp"
#include "check/halo/transfer.hpp"
#include "check/shifts.hpp"

#include <algorithm>

namespace hpcc::check::halo {

using ast::Kind;

namespace {

// a[[:, :]]
bool isWhole(NodePtr section) {
    return std::ranges::all_of(section->child(ast::Section::slots)->children(),
                               ast::isWholeTriplet);
}

}  // namespace

void Transfer::evaluateChildren(NodePtr node) {
    for (NodePtr each : node->children()) {
        if (!each || each->category() == ast::Category::Type ||
            each->category() == ast::Category::Declarator)
            continue;
        giveAway(each);
    }
}

namespace {

// True if the operand is of a class whose operators may do anything.
bool mayHaveOperators(NodePtr operand) {
    const Type* type = typeOf(operand);
    if (type == streamType() || !flow::mayHaveOperators(type)) return false;
    return !(ast::is<ast::QualifiedName>(operand) && operand->text().starts_with("std::"));
}

// True if evaluating the node itself, not its parts, perhaps runs code of the program that no call
// names: an operator, a constructor, a destructor, a conversion.
bool runsCode(NodePtr node) {
    const Type* type = typeOf(node);
    if (flow::mayConvert(type)) return true;
    switch (node->kind()) {
    case Kind::Binary:
        return mayHaveOperators(node->child(ast::Binary::left)) ||
               mayHaveOperators(node->child(ast::Binary::right));
    case Kind::Comma:
        return mayHaveOperators(node->child(ast::Comma::left)) ||
               mayHaveOperators(node->child(ast::Comma::right));
    case Kind::Unary:
        return mayHaveOperators(node->child(ast::Unary::operand)) &&
               !flow::isStandardClass(typeOf(node->child(ast::Unary::operand)));
    case Kind::Postfix:
        return mayHaveOperators(node->child(ast::Postfix::operand));
    case Kind::Subscript:
        return mayHaveOperators(node->child(ast::Subscript::base)) &&
               !flow::isStandardClass(typeOf(node->child(ast::Subscript::base)));
    case Kind::PointerMember:
        return mayHaveOperators(node->child(ast::PointerMember::base)) &&
               !flow::isStandardClass(typeOf(node->child(ast::PointerMember::base)));
    case Kind::Assign: {
        const Type* target = typeOf(node->child(ast::Assign::target));
        const bool isPlain = node->child(ast::Assign::op)->text() == "=";
        return isPlain ? !isUnknown(target) && flow::mayRunCode(target)
                       : flow::mayHaveOperators(target);
    }
    case Kind::New:
        return flow::mayRunCode(typeOf(node->child(ast::New::type)));
    case Kind::Throw:
        return node->text().starts_with("co_");
    case Kind::Delete:
    case Kind::Call:
    case Kind::FunctionalCast:
    case Kind::Cast:
    case Kind::NamedCast:
        return !isUnknown(type) && !type->isReference && flow::mayRunCode(type);
    default:
        return false;
    }
}

}  // namespace

Source Transfer::evaluate(NodePtr node) {
    const Source source = evaluated(node);
    if (!node) return source;
    if (runsCode(node)) unknownCall();
    writeElements(node);
    return source;
}

Source Transfer::evaluated(NodePtr node) {
    if (!node) return {};
    if (node->category() == ast::Category::Statement) {  // the argument of a macro
        opaque(node);
        return {};
    }
    switch (node->kind()) {
    case Kind::Parenthesized:
        return evaluate(node->child(ast::Parenthesized::expression));
    case Kind::Identifier:
    case Kind::QualifiedName:
        return named(node);
    case Kind::Member:
        evaluate(node->child(ast::Member::base));
        return named(node);
    case Kind::PointerMember:
        evaluate(node->child(ast::PointerMember::base));
        return named(node);
    case Kind::Section: {
        Source source = evaluate(node->child(ast::Section::base));
        evaluateChildren(node->child(ast::Section::slots));
        source.isPart |= !isWhole(node);
        return source;
    }
    case Kind::Subscript:
        access(node);
        return {};
    case Kind::Assign:
        return assign(node);
    case Kind::Binary:
        return binary(node);
    case Kind::Unary:
        unary(node);
        return {};
    case Kind::Postfix:
        change(node->child(ast::Postfix::operand));
        return {};
    case Kind::Conditional:
        return conditional(node);
    case Kind::Comma:
        if (runsCode(node)) {
            evaluateChildren(node);
            return {};
        }
        evaluate(node->child(ast::Comma::left));
        return evaluate(node->child(ast::Comma::right));
    case Kind::Call:
        return call(node);
    case Kind::Lambda:
        lambda(node);
        return {};
    case Kind::OverallExpression:
        if (!nest_) {
            nest(node);
            return {};
        }
        walkChildren(node);
        return {};
    case Kind::Cast:
        return evaluate(node->child(ast::Cast::operand));
    case Kind::NamedCast:
        return evaluate(node->child(ast::NamedCast::operand));
    case Kind::FunctionalCast: {
        const auto values = node->child(ast::FunctionalCast::arguments)->children();
        const bool isSame = isKind(node, TypeKind::Multiarray) && values.size() == 1;
        if (isSame) return evaluate(values[0]);
        evaluateChildren(node);
        return {};
    }
    case Kind::EqualInitializer:
        return evaluate(node->child(ast::EqualInitializer::value));
    case Kind::NewMultiarray: {
        const NodePtr extents = node->child(ast::NewMultiarray::extents);
        evaluateChildren(extents);
        const std::size_t rank = extents->children().size();
        if (rank > 0 && !extentOf(node, rank - 1)) return {};
        return make(Freshness(rank, Side::fresh()), Origin::Made, nullptr);
    }
    case Kind::Delete:
        unknownCall();
        giveAway(node->child(ast::Delete::operand));
        return {};
    case Kind::OpaqueExpression:
        opaque(node);
        return {};
    case Kind::Sizeof:
    case Kind::Typeid:
    case Kind::Noexcept:
    case Kind::RequiresExpression:
    case Kind::TemplateName:
        return {};  // evaluate nothing
    default:
        evaluateChildren(node);
        return {};
    }
}

// ---- branches ----------------------------------------------------------------------------------

void Transfer::branches(NodePtr condition, NodePtr then, NodePtr otherwise) {
    const auto join = [&](const State& other) {
        if (!(state == other)) {
            state.join(other);
            ++renumberings_;
        }
        drop({flow::Step::Kind::Leave, then ? then : condition, condition, statement_});
    };
    const State before = state;
    evaluate(then);
    if (nest_) {
        evaluate(otherwise);
        return;
    }
    const State after = state;
    state = before;
    evaluate(otherwise);
    join(after);
}

Source Transfer::conditional(NodePtr node) {
    evaluate(node->child(ast::Conditional::condition));
    const NodePtr then = node->child(ast::Conditional::then);
    const NodePtr otherwise = node->child(ast::Conditional::otherwise);
    if (!isKind(node, TypeKind::Multiarray)) {
        branches(node->child(ast::Conditional::condition), then, otherwise);
        return {};
    }
    giveAway(then);
    giveAway(otherwise);
    return {};
}

Source Transfer::binary(NodePtr node) {
    const NodePtr left = node->child(ast::Binary::left), right = node->child(ast::Binary::right);
    if (flow::logicOf(node) != flow::Logic::None) {
        evaluate(left);
        branches(left, right, nullptr);
        return {};
    }
    const std::string_view op = node->child(ast::Binary::op)->text();
    if (runsCode(node)) {
        mayChange(left);
        mayChange(right);
        return {};
    }
    Source source = evaluate(left);
    evaluate(right);
    if (isKind(left, TypeKind::Multiarray) && op != "/") loseTrack(source);
    source.isPart = true;  // a / i
    return isKind(node, TypeKind::Multiarray) ? source : Source{};
}

// ---- changes -----------------------------------------------------------------------------------

namespace {

// The array access that an element, or a part of one, is reached by: a[i] of a[i].x[3].
NodePtr elementAccess(NodePtr target) {
    target = bare(target);
    while (target) {
        if (target->is<ast::Subscript>()) {
            const NodePtr base = target->child(ast::Subscript::base);
            if (isKind(base, TypeKind::Multiarray)) return target;
            target = bare(base);
        } else if (target->is<ast::Member>()) {
            target = bare(target->child(ast::Member::base));
        } else {
            return nullptr;
        }
    }
    return nullptr;
}

}  // namespace

Source Transfer::assign(NodePtr node) {
    const NodePtr target = bare(node->child(ast::Assign::target));
    const NodePtr value = node->child(ast::Assign::value);
    if (!isKind(target, TypeKind::Multiarray)) {
        giveAway(value);
        change(target);
        return {};
    }
    const auto handle = handles_.find(target);
    const Source source = handle ? evaluate(value) : giveAway(value);
    if (handle) bind(*handle, source);
    return source;
}

void Transfer::writeElements(NodePtr node) {
    if (!elementWrites_) elementWrites_.emplace(body_, results_.objectWrites());
    for (const ElementWrite& each : elementWrites_->at(node)) {
        const NodePtr array = each.access->child(ast::Subscript::base);
        if (!hasDistributedSlot(typeOf(array))) continue;
        const Source source = evaluate(array);
        each.writing == analysis::Writing::OutOfSight ? mayWrite(source)
                                                      : write(source, each.place, &each);
    }
}

void Transfer::change(NodePtr target) {
    evaluate(target);
    if (elementAccess(target)) return;
    if (const auto path = handles_.pathOf(target); path && !nest_) loseObject(*path);
}

Source Transfer::mayChange(NodePtr target) {
    if (elementAccess(target)) return evaluate(target);
    const Source source = giveAway(target);
    if (const auto path = handles_.pathOf(target)) loseObject(*path);
    return source;
}

void Transfer::unary(NodePtr node) {
    const std::string_view op = node->child(ast::Unary::op)->text();
    const NodePtr operand = node->child(ast::Unary::operand);
    if (op == "&" || mayHaveOperators(operand)) {
        mayChange(operand);
        return;
    }
    if (op == "++" || op == "--") return change(operand);
    evaluate(operand);
}

// The body runs some time or never. What it captures, calls out of sight may reach from now on.
void Transfer::lambda(NodePtr node) {
    if (nest_) return walk(node->child(ast::Lambda::body));
    for (NodePtr name : ast::allOf<ast::Identifier>(node))
        if (const auto path = handles_.pathOf(name))
            for (const std::size_t handle : handles_.under(*path)) state.share(handle);
    for (NodePtr assign : ast::allOf<ast::Assign>(node))
        if (const auto handle = handles_.find(bare(assign->child(ast::Assign::target))))
            if (const int storage = state.storageOf(*handle); storage != State::none)
                state[storage].origin = Origin::Foreign;
}

// ---- element accesses --------------------------------------------------------------------------

// True if nothing that the nest has done so far has filled its ghost cells.
bool Transfer::isAsAtEntry(int storage) const {
    const State& entry = *nest_->entry;
    return nest_->calls.empty() && storage >= 0 &&
           storage < static_cast<int>(entry.storages().size()) && entry.areUsed(storage) &&
           state.areUsed(storage) && state[storage].fresh == entry[storage].fresh;
}

void Transfer::access(NodePtr node) {
    const NodePtr base = node->child(ast::Subscript::base);
    const NodePtr subscripts = node->child(ast::Subscript::subscripts);
    const Source source = evaluate(base);
    evaluateChildren(subscripts);
    if (!nest_ || !isKind(base, TypeKind::Multiarray)) return;
    const std::vector<SlotKind>& slots = typeOf(base)->slots;
    const auto given = subscripts->children();
    for (std::size_t r = 0; r < given.size() && r < slots.size(); ++r) {
        if (slots[r] != SlotKind::Distributed || !isKind(given[r], TypeKind::ShiftedIndex))
            continue;
        const Shift shift = shiftOf(given[r]);
        if (shift.width > 0)
            nest_->reads.push_back({node, base, source, r, shift.isBelow, shift.width,
                                    shift.isExact, isAsAtEntry(source.storage)});
    }
}

}  // namespace hpcc::check::halo
