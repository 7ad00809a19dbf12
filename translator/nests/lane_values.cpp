// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/lane_values.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "analysis/harmless_calls.hpp"
#include "analysis/numbers.hpp"
#include "analysis/operators.hpp"
#include "analysis/plain_values.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "nests/device.hpp"
#include "nests/extremes.hpp"
#include "nests/parity.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

bool isArithmetic(std::string_view op) {
    return op == "+" || op == "-" || op == "*" || op == "&" || op == "|" || op == "^";
}

}  // namespace

bool isBool(const ast::Type* type) { return type && type->kind == ast::TypeKind::Bool; }

std::string laneWord(const ast::Type* type) {
    const std::string word = type && !type->isReference ? numberWord(type) : "";
    return word == "bool" ? "" : word == "Index" ? "hpspmd::Index" : word;
}

bool LaneValues::varies(NodePtr e) const {
    return varying_.varies(e) || ast::anywhere(e, [this](NodePtr each) {
               return ast::is<ast::Identifier>(each) && parameters_.contains(each->text());
           });
}

NodePtr LaneValues::value(NodePtr e) {
    if (!varies(e)) return isKnownNumber(e) ? common(e) : nullptr;
    if (const NodePtr once = computedOnce(e)) return once;
    switch (e->kind()) {
    case ast::Kind::Parenthesized: {
        const NodePtr inner = value(e->child(ast::Parenthesized::expression));
        return inner ? context_.expression("($e)", {{"$e", inner}}, e) : nullptr;
    }
    case ast::Kind::Identifier:
        if (e->text() == loop_.variable ||
            (e->type && !ast::isNumber(e->type) && !parameters_.contains(e->text())))
            return nullptr;
        if (isBool(e->type))
            return context_.expression("hpspmd::detail::chosen($e, 1, 0)",
                                       {{"$e", name(std::string(e->text()), e)}}, e);
        return name(std::string(e->text()), e);
    case ast::Kind::GlobalIndex:
        return context_.expression(
            "hpspmd::detail::globalsOf" + (isWide() ? "<" + packs_ + ">" : "") + "($run, $i)",
            {{"$run", name(run_, e)}, {"$i", name(std::string(loop_.variable), e)}}, e);
    case ast::Kind::Unary:
        return unary(e);
    case ast::Kind::Binary:
        return binary(e);
    case ast::Kind::Conditional:
        return choice(e);
    case ast::Kind::Call:
        return call(e);
    case ast::Kind::FunctionalCast:
    case ast::Kind::Cast:
    case ast::Kind::NamedCast:
        return converted(e, laneWord(e->type), analysis::castOperand(e));
    case ast::Kind::Subscript:
        return subscript(e);
    default:
        return nullptr;
    }
}

NodePtr LaneValues::unary(NodePtr e) {
    const std::string op(e->child(ast::Unary::op)->text());
    if (op == "!" || op == "not") {
        const NodePtr is = truth(e);
        return is ? context_.expression("hpspmd::detail::chosen($e, 1, 0)", {{"$e", is}}, e)
                  : nullptr;
    }
    if (op != "-" && op != "+" && op != "~") return nullptr;
    const NodePtr inner = value(e->child(ast::Unary::operand));
    return inner ? context_.expression(op + "$e", {{"$e", inner}}, e) : nullptr;
}

NodePtr LaneValues::binary(NodePtr e) {
    if (analysis::isComparison(e) || ast::isShortCircuit(e)) {
        const NodePtr is = truth(e);
        return is ? context_.expression("hpspmd::detail::chosen($e, 1, 0)", {{"$e", is}}, e)
                  : nullptr;
    }
    const NodePtr first = e->child(ast::Binary::left);
    const NodePtr left = beside(first, e->child(ast::Binary::right));
    return left ? operation(std::string(e->child(ast::Binary::op)->text()), left,
                            e->child(ast::Binary::right), first)
                : nullptr;
}

NodePtr LaneValues::beside(NodePtr e, NodePtr other) {
    const NodePtr presumed = varies(e) ? nullptr : presumedDouble(context_, elements_, e, other);
    return presumed ? presumed : value(e);
}

/// `target op right`, where `left` is what has been written of the target. Lanes that do not come
/// here divide by what they have, too.
NodePtr LaneValues::operation(const std::string& op, NodePtr left, NodePtr right, NodePtr target) {
    const bool isShift = op == "<<" || op == ">>", isRest = op == "%";
    const bool isDivision =
        isRest || (op == "/" && !analysis::isFraction(target) && !analysis::isFraction(right));
    if (isDivision || isShift
            ? !isDivisorOfAll(right) && !(isShift && analysis::constantValue(right))
            : !isArithmetic(op) && op != "/")
        return nullptr;
    const NodePtr other = beside(right, target);
    return other ? context_.expression("$l " + op + " $r", {{"$l", left}, {"$r", other}}, right)
                 : nullptr;
}

NodePtr LaneValues::truth(NodePtr condition) {
    condition = ast::withoutParentheses(condition);
    if (!varies(condition))
        return context_.expression(some() + "::all($e)", {{"$e", common(condition)}}, condition);
    if (ast::is<ast::Identifier>(condition) && isBool(condition->type))
        return name(std::string(condition->text()), condition);
    if (analysis::isNegation(condition)) {
        const NodePtr is = truth(condition->child(ast::Unary::operand));
        return is ? context_.expression("!($e)", {{"$e", is}}, condition) : nullptr;
    }
    const NodePtr left = condition->child(0), right = condition->child(ast::Binary::right);
    if (ast::is<ast::Binary>(condition) && ast::isShortCircuit(condition)) {
        const std::string_view op = condition->child(ast::Binary::op)->text();
        const bool isAnd = op == "&&" || op == "and";
        const NodePtr r = truth(right);
        const bool isEasy = !varies(left) || isFree(right, left);
        if (!r || (!isEasy && !isFree(right, left, true))) return nullptr;
        if (!varies(left))
            return context_.expression(isAnd ? "(($l) ? $r : " + some() + "::all(false))"
                                             : "(($l) ? " + some() + "::all(true) : $r)",
                                       {{"$l", common(left)}, {"$r", r}}, condition);
        const NodePtr l = truth(left);
        const char* const schema = isEasy ? (isAnd ? "($l && $r)" : "($l || $r)")
                                   : isAnd
                                       ? "hpspmd::detail::both($m, $l, [&] { return $r; })"
                                       : "!hpspmd::detail::both($m, !($l), [&] { return !($r); })";
        return l ? context_.expression(
                       schema, {{"$m", name(mask, condition)}, {"$l", l}, {"$r", r}}, condition)
                 : nullptr;
    }
    if (analysis::isComparison(condition)) {
        const NodePtr l = value(left), r = l ? value(right) : nullptr;
        const std::string op(condition->child(ast::Binary::op)->text());
        return r ? context_.expression("($l " + op + " $r)", {{"$l", l}, {"$r", r}}, condition)
                 : nullptr;
    }
    if (ast::is<ast::Call>(condition) &&
        condition->child(ast::Call::callee)->text() == "hpspmd::detail::areUnordered") {
        const NodePtr both = condition->child(ast::Call::arguments);
        const NodePtr x = value(both->child(0)), y = x ? value(both->child(1)) : nullptr;
        return y ? context_.expression("hpspmd::detail::areUnordered($x, $y)",
                                       {{"$x", x}, {"$y", y}}, condition)
                 : nullptr;
    }
    const NodePtr number = value(condition);
    return number ? context_.expression("(($e) != 0)", {{"$e", number}}, condition) : nullptr;
}

NodePtr LaneValues::subscript(NodePtr e) {
    const Access* const access = accessAt(nest_, e);
    return access ? element(*access, nullptr) : ownElement(e);
}

NodePtr LaneValues::copiedArray(NodePtr declarator) {
    const NodePtr variable =
        analysis::variableOf(declarator->child(ast::InitDeclarator::declarator));
    const NodePtr other =
        ownArray(analysis::singleInitializer(declarator->child(ast::InitDeclarator::initializer)));
    return variable && other
               ? context_.statement(
                     "auto $v = $other;",
                     {{"$v", name(std::string(variable->text()), variable)}, {"$other", other}},
                     declarator)
               : nullptr;
}

/// As a whole.
NodePtr LaneValues::ownArray(NodePtr e) {
    e = e ? ast::withoutParentheses(e) : nullptr;
    return ast::is<ast::Identifier>(e) && ast::isStandardArray(e->type) ? ownElement(e) : nullptr;
}

/// Of an array that the iteration declares.
NodePtr LaneValues::ownElement(NodePtr e) {
    if (ast::is<ast::Identifier>(e)) {
        const bool isOwn = loop_.declared.contains(e->text()) || loop_.scratch.contains(e->symbol);
        return isOwn ? name(std::string(e->text()), e) : nullptr;
    }
    if (!ast::is<ast::Subscript>(e) || accessAt(nest_, e)) return nullptr;
    const NodePtr base = ownElement(e->child(ast::Subscript::base)),
                  subscripts = e->child(ast::Subscript::subscripts);
    if (!base || varies(subscripts)) return nullptr;
    return context_.expression("$b[$k]", {{"$b", base}, {"$k", common(subscripts->child(0))}}, e);
}

/// One of neighbours, or of a row of each; all of them are stored if `stored` is given.
NodePtr LaneValues::element(const Access& access, NodePtr stored) {
    const ast::Type* const type = ast::multiarrayType(access.node->child(ast::Subscript::base));
    if (laneWord(type->element).empty()) return nullptr;
    const Slot& last = access.slots.back();
    const NodePtr origin = access.node;
    if (&access == computedOf_) return name(elementName_, origin);
    if (const auto row = rows_.find(access.array); row != rows_.end()) {
        const NodePtr own = context_.expression(
            "$r[$k]", {{"$r", name(row->second.name, origin)}, {"$k", common(last.subscript)}},
            origin);
        return stored ? set(own, stored, mask != all_) : own;
    }
    for (size_t r = 0; r + 1 < access.slots.size(); ++r)
        if (varies(access.slots[r].subscript)) return nullptr;
    if (!stored && isGlobalIndexOf(last.subscript, loop_))
        return context_.expression(
            "$m.load($row + $run.global($i), $run2.global(1) - $run3.global(0))",
            {{"$m", name(mask, origin)},
             {"$row", elements_.start(access)},
             {"$run", name(run_, origin)},
             {"$i", name(std::string(loop_.variable), origin)},
             {"$run2", name(run_, origin)},
             {"$run3", name(run_, origin)}},
            origin);
    if (last.loop != &loop_ || !last.index || (last.distance && varies(last.distance)))
        return nullptr;
    ast::Bindings bindings{{"$m", name(!stored && isSurelyThere(access) ? all_ : mask, origin)},
                           {"$e", elements_.element(access)}};
    if (stored) bindings.emplace_back("$v", stored);
    return context_.expression(stored ? "$m.store(&$e, $v)" : "$m.load(&$e)", bindings, origin);
}

NodePtr LaneValues::set(NodePtr place, NodePtr result, bool isPartial) {
    return context_.expression(isPartial ? "$m.set($x, $v)" : "$x = $v",
                               {{"$m", name(mask, place)}, {"$x", place}, {"$v", result}}, place);
}

NodePtr LaneValues::change(NodePtr e) {
    e = ast::withoutParentheses(e);
    if (ast::is<ast::Comma>(e)) {
        const NodePtr left = change(e->child(ast::Comma::left)),
                      right = left ? change(e->child(ast::Comma::right)) : nullptr;
        return right ? context_.expression("$l, $r", {{"$l", left}, {"$r", right}}, e) : nullptr;
    }
    const auto [one, other] = exchangedBy(e);
    const NodePtr target = ast::withoutParentheses(ast::changedOperand(e));
    if (!target && !one) return nullptr;
    if (!varies(e)) return common(e);
    if (one) {
        const NodePtr a = ownElement(one), b = ownElement(other);
        return a && b && !varying_.isPartial(e)
                   ? context_.expression("std::swap($a, $b)", {{"$a", a}, {"$b", b}}, e)
                   : nullptr;
    }
    const bool isAssign = ast::is<ast::Assign>(e);
    const std::string op(isAssign                   ? e->child(ast::Assign::op)->text()
                         : ast::is<ast::Postfix>(e) ? e->child(ast::Postfix::op)->text()
                                                    : e->child(ast::Unary::op)->text());
    const NodePtr given = isAssign ? e->child(ast::Assign::value) : nullptr;
    if (isBool(target->type)) {
        const NodePtr is = op == "=" && ast::is<ast::Identifier>(target) ? truth(given) : nullptr;
        return is ? changed(e, target, is) : nullptr;
    }
    if (op == "=" && ast::is<ast::Assign>(ast::withoutParentheses(given))) {
        const NodePtr inner = ast::withoutParentheses(given), first = change(inner),
                      second = first ? value(inner->child(ast::Assign::target)) : nullptr,
                      last = second ? changed(e, target, second) : nullptr;
        return last ? context_.expression("$l, $r", {{"$l", first}, {"$r", last}}, e) : nullptr;
    }
    if (const NodePtr array = op == "=" && ownArray(target) ? ownArray(given) : nullptr)
        return varying_.isPartial(e) ? nullptr : changed(e, target, array);
    if (op == "=") {
        const NodePtr result = value(given);
        return result ? changed(e, target, result) : nullptr;
    }
    const NodePtr before = value(target);
    if (!before) return nullptr;
    if (!isAssign)
        return changed(e, target,
                       context_.expression(op == "++" ? "$x + 1" : "$x - 1", {{"$x", before}}, e));
    const std::string plain = op.substr(0, op.size() - 1);
    const NodePtr group = ast::is<ast::Binary>(given) || ast::is<ast::Conditional>(given)
                              ? context_.expression("($e)", {{"$e", given}}, given)
                              : given;
    group->type = given->type;
    const NodePtr result = operation(plain, before, group, target);
    return result ? changed(e, target, result) : nullptr;
}

NodePtr LaneValues::changed(NodePtr e, NodePtr target, NodePtr result) {
    if (const Access* const access = accessAt(nest_, target)) return element(*access, result);
    const NodePtr place = ownElement(target);
    return place && result ? set(place, result, varying_.isPartial(e)) : nullptr;
}

}  // namespace hpcc::nests
