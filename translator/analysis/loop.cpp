// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/loop.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "analysis/operators.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"

namespace hpcc::analysis {
namespace {

bool isName(NodePtr node, std::string_view name) {
    node = bare(node);
    return ast::is<ast::Identifier>(node) && node->text() == name;
}

// k and e of `k = e`, among others, if the variable is k.
std::pair<NodePtr, NodePtr> start(NodePtr initializer, NodePtr variable) {
    if (!ast::is<ast::Identifier>(variable)) return {};
    if (ast::is<ast::Declaration>(initializer)) {
        const NodePtr list = initializer->child(ast::Declaration::declarators);
        if (!list) return {};
        for (const NodePtr each : list->children())
            if (isName(each->child(ast::InitDeclarator::declarator), variable->text()))
                return {each->child(ast::InitDeclarator::declarator),
                        singleInitializer(each->child(ast::InitDeclarator::initializer))};
        return {};
    }
    if (!ast::is<ast::ExpressionStatement>(initializer)) return {};
    const NodePtr assign = initializer->child(ast::ExpressionStatement::expression);
    if (!ast::is<ast::Assign>(assign) || assign->child(ast::Assign::op)->text() != "=" ||
        !isName(assign->child(ast::Assign::target), variable->text()))
        return {};
    return {bare(assign->child(ast::Assign::target)), assign->child(ast::Assign::value)};
}

// Towards such a bound the variable goes in steps of this sign.
bool approaches(std::string_view op, long step) {
    if (op == "<" || op == "<=") return step > 0;
    if (op == ">" || op == ">=") return step < 0;
    return (op == "!=" || op == "not_eq") && (step == 1 || step == -1);
}

// k + c, c + k, k - c
std::optional<long> distance(NodePtr sum, std::string_view variable) {
    sum = bare(sum);
    if (!ast::is<ast::Binary>(sum)) return std::nullopt;
    const NodePtr left = sum->child(ast::Binary::left), right = sum->child(ast::Binary::right);
    const std::string_view op = sum->child(ast::Binary::op)->text();
    if (op == "+" && isName(right, variable)) return constantValue(left);
    if ((op != "+" && op != "-") || !isName(left, variable)) return std::nullopt;
    const auto value = constantValue(right);
    return value && op == "-" ? -*value : value;
}

}  // namespace

NodePtr soleDeclarator(NodePtr declaration) {
    if (!ast::is<ast::Declaration>(declaration)) return nullptr;
    const NodePtr list = declaration->child(ast::Declaration::declarators);
    if (!list || list->children().size() != 1) return nullptr;
    return ast::is<ast::InitDeclarator>(list->child(0)) ? list->child(0) : nullptr;
}

std::optional<long> advance(NodePtr step, std::string_view variable) {
    step = bare(step);
    if (ast::is<ast::Unary>(step) || ast::is<ast::Postfix>(step)) {
        const uint32_t slot = step->is<ast::Unary>() ? uint32_t{ast::Unary::operand}
                                                     : uint32_t{ast::Postfix::operand};
        const NodePtr operand = step->child(slot);
        const std::string_view op =
            operand == step->child(0) ? step->child(1)->text() : step->child(0)->text();
        if (!isName(operand, variable) || (op != "++" && op != "--")) return std::nullopt;
        return op == "++" ? 1 : -1;
    }
    if (!ast::is<ast::Assign>(step) || !isName(step->child(ast::Assign::target), variable))
        return std::nullopt;
    const std::string_view op = step->child(ast::Assign::op)->text();
    const NodePtr value = step->child(ast::Assign::value);
    if (op == "=") return distance(value, variable);
    const auto by = op == "+=" || op == "-=" ? constantValue(value) : std::nullopt;
    return by && op == "-=" ? -*by : by;
}

ast::NumberType CountingLoop::number() const {
    if (name->symbol && name->symbol->type) return name->symbol->type->number;
    const NodePtr declaration = statement->child(ast::For::initializer);
    const NodePtr specifiers = isOwn ? declaration->child(ast::Declaration::specifiers) : nullptr;
    return ast::is<ast::Specifiers>(specifiers)
               ? ast::numberNamed(specifiers->child(ast::Specifiers::core)->text())
               : ast::NumberType();
}

bool CountingLoop::holdsBound() const {
    const auto [bits, isSigned] = number();
    if (bits == 0 || bits >= 32) return bits != 0;
    if (const auto value = constantValue(bound)) return std::abs(*value) < 1L << (bits - 1);
    const ast::Type* type = bare(bound)->type;
    return type && type->number.bits > 0 && type->number.bits <= bits &&
           type->number.isSigned == isSigned;
}

namespace {

template <class T>
bool holds(std::string_view op, T first, T bound) {
    if (op == "<") return first < bound;
    if (op == "<=") return first <= bound;
    if (op == ">") return first > bound;
    if (op == ">=") return first >= bound;
    return op == "!=" && first != bound;
}

}  // namespace

// -1 is large beside a number without a sign.
bool CountingLoop::runs(long long first, long long end) const {
    const ast::NumberType own = number(), other = numberOf(bound);
    const int bits = std::max<int>(own.bits, other.bits);
    const bool isWithout =
        (isUnsigned(own) && own.bits == bits) || (isUnsigned(other) && other.bits == bits);
    if (!isWithout || own.bits == 0 || other.bits == 0) return holds(op, first, end);
    const auto modulo = [bits](long long value) {
        return static_cast<unsigned long long>(value) << (64 - bits);
    };
    return holds(op, modulo(first), modulo(end));
}

namespace {

// k of k, and of k + c, where c is more than 0.
NodePtr compared(NodePtr side, long& ahead) {
    side = bare(side);
    if (!ast::is<ast::Binary>(side) || side->child(ast::Binary::op)->text() != "+") return side;
    const NodePtr left = bare(side->child(ast::Binary::left)),
                  right = bare(side->child(ast::Binary::right));
    const NodePtr name = ast::is<ast::Identifier>(left) ? left : right;
    const auto number = constantValue(name == left ? right : left);
    if (!number || *number <= 0 || *number > 1L << 30) return side;
    ahead = static_cast<long>(*number);
    return name;
}

std::optional<CountingLoop> headOf(NodePtr statement) {
    const NodePtr initializer = statement->child(ast::For::initializer);
    const NodePtr condition = bare(statement->child(ast::For::condition));
    if (!ast::is<ast::Binary>(condition)) return std::nullopt;
    const NodePtr left = condition->child(ast::Binary::left),
                  right = condition->child(ast::Binary::right);
    CountingLoop loop;
    loop.statement = statement;
    loop.op = condition->child(ast::Binary::op)->text();
    if (loop.op == "not_eq") loop.op = "!=";
    loop.bound = right;
    std::tie(loop.name, loop.first) = start(initializer, compared(left, loop.ahead));
    if (!loop.first) {
        loop.ahead = 0;
        std::tie(loop.name, loop.first) = start(initializer, compared(right, loop.ahead));
        loop.bound = left;
        loop.op = mirrored(loop.op);
    }
    loop.isOwn = soleDeclarator(initializer);
    return loop.first ? std::optional(loop) : std::nullopt;
}

}  // namespace

std::optional<CountingLoop> loopHead(NodePtr statement) {
    const auto loop = headOf(statement);
    return loop && loop->ahead == 0 ? loop : std::nullopt;
}

std::optional<CountingLoop> countingLoop(NodePtr statement) {
    const auto loop = countingAhead(statement);
    return loop && loop->ahead == 0 ? loop : std::nullopt;
}

std::optional<CountingLoop> countingAhead(NodePtr statement) {
    auto loop = headOf(statement);
    const NodePtr step = statement->child(ast::For::step);
    if (!loop || !step) return std::nullopt;
    loop->step = advance(step, loop->name->text()).value_or(0);
    // k + c, without a sign, wraps round where k is not small.
    const auto number = loop->number();
    const bool isSmall = (number.bits > 0 && number.isSigned) || constantValue(loop->first);
    if (loop->ahead > 0 && (!isSmall || loop->step < 0 || loop->endsByMeeting()))
        return std::nullopt;
    return approaches(loop->op, loop->step) ? loop : std::nullopt;
}

bool runsAtLeastOnce(NodePtr forStatement) {
    const auto loop = loopHead(forStatement);
    if (!loop) return false;
    const auto first = constantValue(loop->first), bound = constantValue(loop->bound);
    return first && bound && loop->runs(*first, *bound);
}

bool mayRunNever(NodePtr loop) {
    if (loop->is<ast::OverallHeader>()) {
        const NodePtr triplet = loop->child(ast::OverallHeader::triplet);
        return !std::ranges::all_of(triplet->children(),
                                    [](NodePtr part) { return !part || constantValue(part); });
    }
    return loop->is<ast::RangeFor>() || (loop->is<ast::For>() && !runsAtLeastOnce(loop));
}

bool isNeverNegative(NodePtr e) {
    e = bare(e);
    if (const auto value = constantValue(e)) return *value >= 0;
    if (e->is<ast::GlobalIndex>()) return true;
    if (e->type && e->type->kind == ast::TypeKind::Integer && e->type->number.bits > 0 &&
        !e->type->number.isSigned)
        return true;
    if (const ast::RuntimeMember* inquiry = ast::inquiryOf(e)) return inquiry->name == "size";
    if (!ast::is<ast::Binary>(e)) return false;
    const std::string_view op = e->child(ast::Binary::op)->text();
    return (op == "+" || op == "*" || op == "/" || op == "%") &&
           isNeverNegative(e->child(ast::Binary::left)) &&
           isNeverNegative(e->child(ast::Binary::right));
}

long long roundsOf(NodePtr forStatement) {
    const auto counting = countingLoop(forStatement);
    if (!counting || !counting->isOwn || counting->endsByMeeting()) return 0;
    const auto first = constantValue(counting->first), bound = constantValue(counting->bound);
    const ast::Effects effects = ast::effectsOf(forStatement->child(ast::For::body));
    if (!first || !bound || effects.mayJump || !counting->runs(*first, *bound) ||
        effects.assigned.contains(counting->name->text()))
        return 0;
    const long long distance =
        (counting->step > 0 ? *bound - *first : *first - *bound) + counting->includesBound();
    const long long step = std::abs(counting->step);
    return distance <= 0 ? 0 : (distance + step - 1) / step;
}

}  // namespace hpcc::analysis
