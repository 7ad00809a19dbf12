// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/reach.hpp"

#include <algorithm>

#include "analysis/loop.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "ast/visitor.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

bool isReference(NodePtr name) {
    const ast::Type* type = name->symbol ? name->symbol->type : name->type;
    return type && type->isReference;
}

/// Arithmetic of names, literals and inquiries: the same value wherever its names are the same.
bool isPlain(NodePtr e) {
    if (ast::is<ast::Parenthesized>(e)) return isPlain(ast::withoutParentheses(e));
    if (ast::is<ast::Unary>(e))
        return e->child(ast::Unary::op)->text() == "-" && isPlain(e->child(ast::Unary::operand));
    if (ast::is<ast::Binary>(e)) {
        const std::string_view op = e->child(ast::Binary::op)->text();
        const bool arithmetic = op == "+" || op == "-" || op == "*" || op == "/" || op == "%";
        return arithmetic && isPlain(e->child(ast::Binary::left)) &&
               isPlain(e->child(ast::Binary::right));
    }
    if (ast::is<ast::Call>(e)) {
        const auto arguments = e->child(ast::Call::arguments)->children();
        return ast::isPure(e) && std::ranges::all_of(arguments, isPlain);
    }
    if (ast::is<ast::Identifier>(e)) return !isReference(e);
    return ast::is<ast::NumberLiteral>(e) || ast::isSimple(e);
}

/// True for what may be an integer; `surely` for what is one.
bool isInteger(NodePtr e, bool surely) {
    if (asConstant(e)) return true;
    const ast::Type* type = ast::withoutParentheses(e)->type;
    if (!type || type->kind == ast::TypeKind::Unknown) return !surely;
    return type->kind == ast::TypeKind::Integer;
}

/// `n`, `n - 1` and whole constants in their parts.
std::optional<Reach> partsOf(NodePtr e) {
    e = ast::withoutParentheses(e);
    if (!isPlain(e)) return std::nullopt;
    Reach reach;
    if (const auto value = asConstant(e)) {
        reach.lo = reach.hi = *value;
        return reach;
    }
    NodePtr base = e;
    if (ast::is<ast::Binary>(e)) {
        const auto value = asConstant(e->child(ast::Binary::right));
        const std::string_view op = e->child(ast::Binary::op)->text();
        if (value && *value >= 0 && (op == "+" || op == "-")) {
            reach.lo = reach.hi = op == "+" ? *value : -*value;
            base = e->child(ast::Binary::left);
        }
    }
    reach.base = ast::print(base);
    reach.names = ast::namesIn(base);
    reach.isSafe = ast::isSafe(base);
    reach.harmless = reach.isSafe && ast::allOf<ast::Call>(base).empty();
    const bool oneLine =
        reach.base.find("//") == std::string::npos && reach.base.find('\n') == std::string::npos;
    return oneLine ? std::optional(reach) : std::nullopt;
}

std::string shifted(const std::string& base, long distance) {
    if (distance == 0) return base;
    return base + (distance < 0 ? " - " : " + ") + std::to_string(std::abs(distance));
}

/// Finds out whether the loop hands out its variable, so that something else might assign it.
class Leak : public ast::Visitor {
public:
    explicit Leak(std::string_view name) : name_(name) {}
    bool found = false;

    void visitInitDeclarator(NodePtr node) override {
        const NodePtr initializer = node->child(ast::InitDeclarator::initializer);
        if (!initializer || !ast::namesIn(initializer).contains(name_)) return visitChildren(node);
        const NodePtr value = ast::is<ast::EqualInitializer>(initializer)
                                  ? initializer->child(ast::EqualInitializer::value)
                                  : nullptr;
        // `T &r = k`, `T r(k)`, `T r = k` with a T that keeps a reference.
        found |= !ast::is<ast::Identifier>(node->child(ast::InitDeclarator::declarator)) ||
                 !value || ast::is<ast::Identifier>(ast::withoutParentheses(value)) ||
                 ast::is<ast::BracedInitializer>(value);
        visitChildren(node);
    }

private:
    std::string_view name_;
};

/// True if the variable is assigned in the body, or handed out.
bool isChanged(NodePtr body, const std::string& name) {
    const ast::Effects effects = ast::effectsOf(body);
    Leak leak(name);
    leak.visit(body);
    return leak.found || effects.assigned.contains(name) || effects.declared.contains(name);
}

/// The last value: `end - 1`, or with steps `(end - 1 - first) / by * by + first`.
std::optional<Reach> lastOf(NodePtr bound, bool included, long first, long by) {
    if (!isInteger(bound, included || by > 1)) return std::nullopt;
    std::optional<Reach> last = partsOf(bound);
    if (!last) return std::nullopt;
    const long beyond = included ? 0 : 1;
    if (last->base.empty()) {
        last->lo = last->hi = (last->hi - beyond - first) / by * by + first;
        return last;
    }
    last->isEnd = true;
    const long written = last->hi;  // the constant in the bound itself
    if (written < 0) last->constant = written;
    if (written > 0) last->base = shifted(last->base, written);
    last->lo = last->hi = -beyond;
    if (by == 1) return last;
    const std::string count = shifted(last->base, last->constant - beyond - first);
    const std::string step = std::to_string(by);
    last->base = "(" + count + ") / " + step + " * " + step;
    last->constant = 0;
    last->lo = last->hi = first;
    return last;
}

}  // namespace

std::vector<std::string> Reach::values() const {
    const auto value = [this](long distance) {
        if (base.empty()) return std::to_string(distance);
        if (!isEnd) return shifted(base, distance);
        if (distance <= 0) return shifted(base, constant + distance);
        // Not in the bound's own type, which might be narrower than the loop's variable.
        return shifted("hpspmd::detail::ceiling(" + shifted(base, constant) + ")", distance);
    };
    if (lo == hi) return {value(lo)};
    return {value(lo), value(hi)};
}

std::optional<Reach> reachOf(NodePtr subscript) {
    if (!isInteger(subscript, false)) return std::nullopt;
    return partsOf(subscript);
}

void widen(Reaches& reaches, const Reach& reach) {
    for (Reach& known : reaches) {
        if (!known.sameBase(reach)) continue;
        known.lo = std::min(known.lo, reach.lo);
        known.hi = std::max(known.hi, reach.hi);
        return;
    }
    reaches.push_back(reach);
}

bool contains(const Reaches& outer, const Reaches& inner) {
    return std::ranges::all_of(inner, [&](const Reach& reach) {
        return std::ranges::any_of(outer, [&](const Reach& known) {
            return known.sameBase(reach) && known.lo <= reach.lo && reach.hi <= known.hi;
        });
    });
}

/// Compared as numbers are, and not as what is left of them modulo 2^32.
static bool comparesNumbers(const analysis::CountingLoop& loop) {
    return loop.holdsBound() && (loop.number().isSigned || analysis::isNeverNegative(loop.bound));
}

/// `k > c` and `k >= c` from a first value downwards, one by one.
static std::optional<CountingLoop> asCountingDown(const analysis::CountingLoop& loop) {
    const auto bound = asConstant(loop.bound);
    const long least = bound.value_or(-1) + (loop.includesBound() ? 0 : 1);
    const ast::Type* first = ast::withoutParentheses(loop.first)->type;
    const bool isKept = ast::mayRearrange(first) && first->number.bits <= loop.number().bits;
    if (loop.step != -1 || !bound || loop.endsByMeeting() || least < 0 || !isKept)
        return std::nullopt;
    const auto most = lastOf(loop.first, true, least, 1);
    if (!most) return std::nullopt;
    return CountingLoop{std::string(loop.name->text()), least, *most};
}

static std::optional<CountingLoop> asCountingUp(const analysis::CountingLoop& loop) {
    const auto first = asConstant(loop.first);
    if (!first || *first < 0 || (loop.endsByMeeting() && *first > 1)) return std::nullopt;
    const auto last = lastOf(loop.bound, loop.includesBound(), *first, loop.step);
    if (!last) return std::nullopt;
    return CountingLoop{std::string(loop.name->text()), *first, *last, loop.endsByMeeting()};
}

std::optional<CountingLoop> asCountingLoop(NodePtr statement) {
    const auto loop = analysis::countingLoop(statement);
    if (!loop || !loop->isOwn || !comparesNumbers(*loop) ||
        ast::namesIn(loop->bound).contains(loop->name->text()) ||
        isChanged(statement->child(ast::For::body), std::string(loop->name->text())))
        return std::nullopt;
    auto result = loop->step > 0 ? asCountingUp(*loop) : asCountingDown(*loop);
    if (result) result->isComplete = loop->step == 1 || loop->step == -1;
    return result;
}

bool mayEnd(NodePtr node) {
    if (!node) return false;
    if (!ast::effectsOf(node).calls.empty()) return true;
    const auto names = ast::namesIn(node);
    constexpr std::string_view ends[] = {
        "exit",      "_Exit",   "quick_exit",        "abort",
        "terminate", "longjmp", "rethrow_exception", "throw_with_nested"};
    return std::ranges::any_of(ends, [&](std::string_view end) { return names.contains(end); });
}

bool runsToEnd(NodePtr loop) { return !ast::effectsOf(loop).mayJump && !mayEnd(loop); }

void leaveLoop(Reaches& reaches, const CountingLoop& loop) {
    Reaches result;
    for (const Reach& reach : reaches) {
        if (reach.base != loop.name || reach.isEnd) {
            widen(result, reach);
            continue;
        }
        Reach first;
        first.lo = first.hi = loop.first + reach.lo;
        widen(result, first);
        Reach last = loop.last;
        last.lo = last.hi = loop.last.hi + reach.hi;
        if (loop.endsByMeeting) last.lo = loop.last.hi + std::min(reach.hi, 0L);
        widen(result, last);
    }
    reaches = std::move(result);
}

LoopGuard loopGuard(ast::Arena& arena, NodePtr statement) {
    const auto loop = analysis::loopHead(statement);
    if (!loop || !loop->isOwn || !ast::isPure(loop->first) || !ast::isPure(loop->bound) ||
        ast::namesIn(loop->bound).contains(loop->name->text()))
        return {};
    const auto first = asConstant(loop->first), last = asConstant(loop->bound);
    if (first && last) return {loop->runs(*first, *last), nullptr};
    // A literal at one end: comparing two variables of different signedness would be a warning.
    if (!first && !last) return {};
    // And so would `0 <= n` and `0 > n` be where n is unsigned.
    const bool isTrivial =
        first ? loop->op == "<=" || loop->op == ">" : loop->op == ">=" || loop->op == "<";
    if (first.value_or(0) == 0 && last.value_or(0) == 0 && isTrivial &&
        !ast::mayRearrange(ast::withoutParentheses(first ? loop->bound : loop->first)->type))
        return {};
    const NodePtr condition = ast::withoutParentheses(statement->child(ast::For::condition));
    const bool isMirrored = condition->child(ast::Binary::left) == loop->bound;
    const NodePtr start = ast::copy(arena, loop->first), bound = ast::copy(arena, loop->bound);
    const NodePtr parts[] = {isMirrored ? bound : start, condition->child(ast::Binary::op),
                             isMirrored ? start : bound};
    return {true, ast::rebuild(arena, condition, parts)};
}

}  // namespace hpcc::lower
