#include "lower/reach.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
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

/// Neither a call, nor a division, nor a pointer that is followed.
bool isHarmless(NodePtr e) {
    if (ast::is<ast::Call>(e) || ast::is<ast::PointerMember>(e)) return false;
    if (ast::is<ast::Operator>(e) && (e->text() == "/" || e->text() == "%")) return false;
    return std::ranges::all_of(e->children(), [](NodePtr c) { return !c || isHarmless(c); });
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
    reach.harmless = isHarmless(base);
    const bool oneLine =
        reach.base.find("//") == std::string::npos && reach.base.find('\n') == std::string::npos;
    return oneLine ? std::optional(reach) : std::nullopt;
}

std::string shifted(const std::string& base, long distance) {
    if (distance == 0) return base;
    return base + (distance < 0 ? " - " : " + ") + std::to_string(std::abs(distance));
}

/// Does the loop hand out its variable, so that something else might assign it?
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

bool advances(NodePtr step, std::string_view name, long& by) {
    const auto isName = [&](NodePtr e) { return ast::is<ast::Identifier>(e) && e->text() == name; };
    if (ast::is<ast::Unary>(step))
        return step->child(ast::Unary::op)->text() == "++" &&
               isName(step->child(ast::Unary::operand));
    if (ast::is<ast::Postfix>(step))
        return step->child(ast::Postfix::op)->text() == "++" &&
               isName(step->child(ast::Postfix::operand));
    if (!ast::is<ast::Assign>(step) || step->child(ast::Assign::op)->text() != "+=" ||
        !isName(step->child(ast::Assign::target)))
        return false;
    by = asConstant(step->child(ast::Assign::value)).value_or(0);
    return by > 0;
}

/// Wide enough to count to the bound, and compared with it as its first value is.
bool isCounter(const std::string& type, NodePtr bound) {
    for (const char* name : {"int", "long", "long long", "long int", "auto", "Index",
                             "hpspmd::Index", "std::ptrdiff_t", "ptrdiff_t"})
        if (type == name) return true;
    for (const char* name : {"unsigned", "unsigned int", "unsigned long", "std::size_t", "size_t"})
        if (type == name) {
            const ast::Type* other = ast::withoutParentheses(bound)->type;
            return asConstant(bound) || (other && (other->spelled.find("unsigned") == 0 ||
                                                   other->spelled.ends_with("size_t")));
        }
    return false;
}

/// Is the variable assigned in the body, or handed out?
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

std::optional<CountingLoop> asCountingLoop(NodePtr loop) {
    const NodePtr initializer = loop->child(ast::For::initializer);
    const NodePtr condition = loop->child(ast::For::condition);
    const NodePtr step = loop->child(ast::For::step);
    if (!ast::is<ast::Declaration>(initializer) || !ast::is<ast::Binary>(condition) || !step)
        return std::nullopt;
    const NodePtr list = initializer->child(ast::Declaration::declarators);
    if (!list || list->children().size() != 1) return std::nullopt;
    const NodePtr name = list->child(0)->child(ast::InitDeclarator::declarator);
    const NodePtr start = list->child(0)->child(ast::InitDeclarator::initializer);
    if (!ast::is<ast::Identifier>(name) || !ast::is<ast::EqualInitializer>(start))
        return std::nullopt;
    const auto first = asConstant(start->child(ast::EqualInitializer::value));
    const NodePtr left = condition->child(ast::Binary::left);
    const NodePtr bound = condition->child(ast::Binary::right);
    const std::string_view op = condition->child(ast::Binary::op)->text();
    long by = 1;
    if (!first || *first < 0 || (op != "<" && op != "<=") || !ast::is<ast::Identifier>(left) ||
        left->text() != name->text() || !advances(step, name->text(), by) ||
        !isCounter(ast::print(initializer->child(ast::Declaration::specifiers)), bound) ||
        ast::namesIn(bound).contains(name->text()))
        return std::nullopt;
    CountingLoop result{std::string(name->text()), *first, {}};
    if (isChanged(loop->child(ast::For::body), result.name)) return std::nullopt;
    const auto last = lastOf(bound, op == "<=", *first, by);
    if (!last) return std::nullopt;
    result.last = *last;
    return result;
}

bool mayEnd(NodePtr node) {
    if (!node) return false;
    if (ast::effectsOf(node).callsFunctions) return true;
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
        widen(result, last);
    }
    reaches = std::move(result);
}

}  // namespace hpcc::lower
