// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/complex_apart.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "analysis/plain_values.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "nests/kernel_complex.hpp"
#include "nests/normalize/complex_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using ast::Symbol;

/// The real and the imaginary part of a number.
struct ComplexParts {
    NodePtr real = nullptr, imag = nullptr;
};

std::span<const NodePtr> complexDeclarators(NodePtr statement) {
    return ast::is<ast::Declaration>(statement) ? ast::declaratorsOf(statement)
                                                : std::span<const NodePtr>();
}

class ComplexApart : public ast::Rewriter {
public:
    ComplexApart(Context& context, const Surroundings& surroundings, NamesMade& names,
                 bool hasProducts)
        : Rewriter(context.arena, 0),
          context_(context),
          surroundings_(surroundings),
          names_(names),
          hasProducts_(hasProducts) {}

    NodePtr of(NodePtr nest) {
        const bool isKnown = !ast::anywhere(
            nest, ast::isAny<ast::OpaqueStatement, ast::OpaqueExpression, ast::OpaqueDeclaration,
                             ast::MacroStatement, ast::DecltypeType>);
        for (const NodePtr each : ast::allOf<ast::Compound>(nest))
            for (const NodePtr statement : each->children())
                for (const NodePtr declarator : complexDeclarators(statement))
                    add(statement, declarator);
        if (numbers_.empty() || !isKnown) return nest;
        for (size_t before = 0; before != numbers_.size();) {
            before = numbers_.size();
            leaveOut(nest);
        }
        if (numbers_.empty()) return nest;
        for (auto& [symbol, parts] : numbers_) {
            parts = {variable(symbol->name + "_real", complexPart(symbol->type), nest),
                     variable(symbol->name + "_imag", complexPart(symbol->type), nest)};
            parts.real->symbol->isReassigned = parts.imag->symbol->isReassigned =
                symbol->isReassigned;
        }
        return rewrite(nest);
    }

    NodePtr rewriteCompound(NodePtr block) override {
        std::vector<NodePtr> statements;
        bool isChanged = false;
        for (const NodePtr each : block->children()) {
            const auto outer = std::exchange(before_, &statements);
            if (areOurs(each))
                for (const NodePtr declarator : complexDeclarators(each))
                    declare(each, declarator, statements);
            else
                statements.push_back(rewrite(each));
            before_ = outer;
            isChanged |= statements.size() > 0 && statements.back() != each;
        }
        return isChanged ? context_.arena.rebuilt(block, block, statements) : block;
    }
    NodePtr rewriteCall(NodePtr call) override {
        const auto [name, of] = complexCall(call);
        const bool isPart = name == "real" || name == "imag";
        if (!(isPart && mayBeApart(of, false)) && !(name == "norm" && isOurs(of)))
            return rewriteChildren(call);
        const ComplexParts parts = partsOf(of);
        if (name == "real") return context_.operand(parts.real);
        if (name == "imag") return context_.operand(parts.imag);
        return context_.operand(typed("$r * $r2 + $i * $i2",
                                      {{"$r", simple(parts.real)},
                                       {"$r2", simple(parts.real)},
                                       {"$i", simple(parts.imag)},
                                       {"$i2", simple(parts.imag)}},
                                      call));
    }
    NodePtr rewriteExpressionStatement(NodePtr statement) override {
        const NodePtr e = statement->child(0);
        std::vector<NodePtr> made;
        const auto outer = std::exchange(before_, &made);
        const NodePtr result = isOurAssignment(e) ? assigned(e, made) : rewriteChildren(statement);
        before_ = outer;
        if (made.empty()) return result;
        if (result) made.push_back(result);
        return context_.statement("{\n    $s;\n}", {{"$s", made}}, statement);
    }

private:
    void add(NodePtr declaration, NodePtr declarator) {
        const NodePtr declared = declarator->child(ast::InitDeclarator::declarator),
                      specifiers = declaration->child(ast::Declaration::specifiers);
        const bool isPlain = ast::is<ast::Identifier>(declared) &&
                             ast::is<ast::Specifiers>(specifiers) &&
                             !ast::isSpecifiedAsOneOf(
                                 specifiers, {"static", "thread_local", "constexpr", "volatile"});
        if (isPlain && declared->symbol && declared->symbol->type &&
            !declared->symbol->type->isReference && isComplex(declared) &&
            !surroundings_.macros().mention(declared->text()))
            numbers_.emplace(declared->symbol, ComplexParts{});
    }
    bool isOurs(NodePtr e) const {
        e = e ? ast::withoutParentheses(e) : e;
        return ast::is<ast::Identifier>(e) && numbers_.contains(e->symbol);
    }
    bool areOurs(NodePtr statement) const {
        const auto all = complexDeclarators(statement);
        return !all.empty() && std::ranges::all_of(all, [this](NodePtr each) {
            return isOurs(each->child(ast::InitDeclarator::declarator));
        });
    }
    bool isOurAssignment(NodePtr e) const {
        return ast::is<ast::Assign>(e) && isOurs(e->child(ast::Assign::target));
    }

    /// True if an expression can be written in two parts; products only where statements can stand
    /// in front.
    bool mayBeApart(NodePtr e, bool withProducts) const {
        e = ast::withoutParentheses(e);
        if (isOurs(e)) return true;
        if (const NodePtr list = listOfParts(e))
            return list->children().size() <= 2 &&
                   std::ranges::all_of(list->children(), isQuietReal);
        if (ast::is<ast::Call>(e))
            return complexCall(e).name == "conj" && mayBeApart(complexCall(e).of, withProducts);
        if (ast::is<ast::Unary>(e))
            return (operatorIn(e) == "-" || operatorIn(e) == "+") &&
                   mayBeApart(e->child(ast::Unary::operand), withProducts);
        const NodePtr left = ast::is<ast::Binary>(e) ? e->child(ast::Binary::left) : nullptr,
                      right = left ? e->child(ast::Binary::right) : nullptr;
        return left && areOfOneType(left, right) &&
               mayCompute(operatorIn(e), left, right, withProducts);
    }
    bool mayCompute(std::string_view op, NodePtr left, NodePtr right, bool withProducts) const {
        const bool areBoth = !isRealNumber(left) && !isRealNumber(right);
        const auto isKnown = [&](NodePtr each) {
            return isRealNumber(each)
                       ? isQuietReal(each)
                       : !ast::is<ast::BracedInitializer>(each) && mayBeApart(each, withProducts);
        };
        return (op == "+" || op == "-" || (op == "*" && (!areBoth || withProducts)) ||
                (op == "/" && isRealNumber(right))) &&
               isKnown(left) && isKnown(right);
    }
    bool mayBecome(NodePtr target, NodePtr value) const {
        return isRealNumber(value) ? isQuietReal(value)
                                   : areOfOneType(target, value) && mayBeApart(value, hasProducts_);
    }

    /// Numbers of which something else is asked.
    void leaveOut(NodePtr node) {
        if (!node) return;
        if (ast::is<ast::Lambda>(node))  // which perhaps holds copies
            std::erase_if(numbers_,
                          [&](const auto& each) { return mentions(node, each.first->name); });
        if (ast::is<ast::Identifier>(node)) {
            numbers_.erase(node->symbol);
            return;
        }
        if (ast::is<ast::Declaration>(node) && areOurs(node)) {
            for (const NodePtr each : complexDeclarators(node)) {
                const NodePtr initializer = each->child(ast::InitDeclarator::initializer);
                if (initializer && !mayBecome(each->child(ast::InitDeclarator::declarator),
                                              valueGiven(initializer)))
                    leaveOut(each);
                else
                    leaveOutIn(valueGiven(initializer));
            }
            return;
        }
        const NodePtr e = ast::is<ast::ExpressionStatement>(node) ? node->child(0) : nullptr;
        if (isOurAssignment(e)) {
            const NodePtr target = e->child(ast::Assign::target),
                          value = e->child(ast::Assign::value);
            const bool isPlain = operatorIn(e) == "=";
            if (isPlain ? mayBecome(target, value)
                        : mayCompute(operatorIn(e).substr(0, operatorIn(e).size() - 1), target,
                                     value, hasProducts_))
                return leaveOutIn(value);
        }
        if (ast::is<ast::Call>(node)) {
            const auto [name, of] = complexCall(node);
            const bool isSquare = name == "norm" && isOurs(of);
            if (isSquare || ((name == "real" || name == "imag") && mayBeApart(of, false)))
                return leaveOutIn(of);
        }
        for (const NodePtr child : node->children()) leaveOut(child);
    }
    /// Of what is understood, the real numbers in it.
    void leaveOutIn(NodePtr e) {
        if (!e || isOurs(e)) return;
        if (isRealNumber(e)) return leaveOut(e);
        for (const NodePtr child : e->children()) leaveOutIn(child);
    }

    NodePtr variable(const std::string& wanted, const ast::Type* type, NodePtr origin) {
        const NodePtr made =
            context_.variable(context_.names.next(wanted, names_.counts), type, origin);
        names_.all.insert(made->text());
        return made;
    }
    NodePtr typed(const char* schema, const ast::Bindings& bindings, NodePtr origin) {
        const NodePtr made = context_.expression(schema, bindings, origin);
        made->type = part_;
        return made;
    }
    /// What may be named several times: a name or a literal.
    NodePtr simple(NodePtr e) {
        const NodePtr bare = ast::withoutParentheses(e);
        if (ast::isAny<ast::Identifier, ast::NumberLiteral>(bare))
            return ast::copy(context_.arena, bare);
        return nullptr;
    }
    NodePtr named(NodePtr e, std::vector<NodePtr>& made) {
        const NodePtr known = simple(e);
        return known ? known : kept(e, made);
    }
    NodePtr kept(NodePtr e, std::vector<NodePtr>& made) {
        const NodePtr name = variable("part", part_, e);
        made.push_back(context_.statement("const " + part_->spelled + " $v = $e;",
                                          {{"$v", name}, {"$e", e}}, e));
        return ast::copy(context_.arena, name);
    }

    ComplexParts partsOf(NodePtr e) {
        e = ast::withoutParentheses(e);
        if (const ast::Type* const part = complexPart(e)) part_ = part;
        if (isRealNumber(e)) return {context_.operand(rewrite(e)), nullptr};
        if (isOurs(e)) {
            const ComplexParts& own = numbers_.at(e->symbol);
            return {ast::copy(context_.arena, own.real), ast::copy(context_.arena, own.imag)};
        }
        if (const NodePtr list = listOfParts(e)) {
            const auto partAt = [&](size_t k) {
                return k < list->children().size() ? converted(rewrite(list->child(k))) : zero(e);
            };
            return {partAt(0), partAt(1)};
        }
        if (ast::is<ast::Call>(e)) {  // std::conj
            const ComplexParts inner = partsOf(complexCall(e).of);
            return {inner.real, negative(inner.imag)};
        }
        if (ast::is<ast::Unary>(e)) {
            const ComplexParts inner = partsOf(e->child(ast::Unary::operand));
            return operatorIn(e) == "+" ? inner
                                        : ComplexParts{negative(inner.real), negative(inner.imag)};
        }
        return computed(operatorIn(e), partsOf(e->child(ast::Binary::left)),
                        partsOf(e->child(ast::Binary::right)), e);
    }
    NodePtr converted(NodePtr e) {
        const bool isSame = e->type && e->type->spelled == part_->spelled;
        return context_.operand(
            isSame ? e
                   : typed(("static_cast<" + part_->spelled + ">($e)").c_str(), {{"$e", e}}, e));
    }
    NodePtr zero(NodePtr origin) {
        const NodePtr made =
            context_.identifier(part_->spelled == "float" ? "0.0f" : "0.0", origin);
        made->type = part_;
        return made;
    }
    NodePtr negative(NodePtr e) {
        return context_.operand(typed("-$e", {{"$e", context_.operand(e)}}, e));
    }
    NodePtr operation(std::string_view op, NodePtr left, NodePtr right) {
        return context_.operand(
            typed(("$l " + std::string(op) + " $r").c_str(), {{"$l", left}, {"$r", right}}, left));
    }

    ComplexParts computed(std::string_view op, ComplexParts a, ComplexParts b, NodePtr origin) {
        if (op == "*" && a.imag && b.imag) return product(a, b, origin);
        if (op == "+" || op == "-")
            return {operation(op, a.real, b.real), !b.imag     ? a.imag
                                                   : a.imag    ? operation(op, a.imag, b.imag)
                                                   : op == "-" ? negative(b.imag)
                                                               : b.imag};
        if (!a.imag) std::swap(a, b);
        return {operation(op, a.real, b.real),
                operation(op, a.imag, ast::copy(context_.arena, b.real))};
    }
    ComplexParts product(const ComplexParts& a, const ComplexParts& b, NodePtr origin) {
        std::vector<NodePtr> factors;
        for (const NodePtr each : {a.real, a.imag, b.real, b.imag})
            factors.push_back(named(each, *before_));
        const NodePtr real = variable("product_real", part_, origin),
                      imag = variable("product_imag", part_, origin);
        real->symbol->isReassigned = imag->symbol->isReassigned = true;
        const auto add = [&](const std::string& schema) {
            ast::Bindings bindings{{"$x", ast::copy(context_.arena, real)},
                                   {"$y", ast::copy(context_.arena, imag)}};
            const char* const names[] = {"$a", "$b", "$c", "$d"};
            for (size_t k = 0; k < 4; ++k)
                bindings.emplace_back(names[k], ast::copy(context_.arena, factors[k]));
            const NodePtr made = context_.statement(schema, bindings, origin);
            for (const NodePtr call : ast::allOf<ast::Call>(made)) {
                call->type = part_;
                call->child(ast::Call::callee)->symbol =
                    context_.arena.makeSymbol(numberFunction());
            }
            return made;
        };
        before_->push_back(add(part_->spelled + " $x = $a * $c - $b * $d;"));
        before_->push_back(add(part_->spelled + " $y = $a * $d + $b * $c;"));
        before_->push_back(
            context_.statement("if ($c) {\n    $r;\n    $i;\n}",
                               {{"$c", add("hpspmd::detail::areUnordered($x, $y);")->child(0)},
                                {"$r", add("$x = hpspmd::detail::realOfProduct($a, $b, $c, $d);")},
                                {"$i", add("$y = hpspmd::detail::imagOfProduct($a, $b, $c, $d);")}},
                               origin));
        return {ast::copy(context_.arena, real), ast::copy(context_.arena, imag)};
    }

    void declare(NodePtr declaration, NodePtr declarator, std::vector<NodePtr>& made) {
        const NodePtr name = declarator->child(ast::InitDeclarator::declarator),
                      value = valueGiven(declarator->child(ast::InitDeclarator::initializer));
        const ComplexParts& own = numbers_.at(name->symbol);
        part_ = complexPart(name);
        const ComplexParts given = value ? partsOf(value) : ComplexParts{};
        const std::string word = std::string("[[maybe_unused]] ") +
                                 (name->symbol->type->isConst ? "const " : "") + part_->spelled;
        const auto declareOne = [&](NodePtr variable, NodePtr part) {
            made.push_back(context_.statement(
                word + " $v = $e;",
                {{"$v", ast::copy(context_.arena, variable)},
                 {"$e", part ? ast::withoutParentheses(part) : zero(declaration)}},
                declarator));
        };
        declareOne(own.real, given.real);
        declareOne(own.imag, given.imag);
    }

    /// The last statement of it; those before are in `made`.
    NodePtr assigned(NodePtr e, std::vector<NodePtr>& made) {
        const NodePtr target = ast::withoutParentheses(e->child(ast::Assign::target)),
                      value = e->child(ast::Assign::value);
        const ComplexParts& own = numbers_.at(target->symbol);
        std::string op(operatorIn(e));
        part_ = complexPart(target);
        ComplexParts given = partsOf(value);
        part_ = complexPart(target);
        if (op != "=" && op != "+=" && op != "-=") {
            given = computed(op.substr(0, 1), partsOf(target), given, e);
            op = "=";
        }
        if (!given.imag && op == "=") given.imag = zero(e);
        const auto names = [](NodePtr part, NodePtr variable) {
            return part && mentions(part, variable->text());
        };
        if (given.imag && (names(given.real, own.imag) || names(given.imag, own.real)))
            given.real = kept(given.real, made);
        const auto assignOne = [&](NodePtr variable, NodePtr part) {
            const NodePtr assign = context_.statement("$v " + op + " $e;",
                                                      {{"$v", ast::copy(context_.arena, variable)},
                                                       {"$e", ast::withoutParentheses(part)}},
                                                      e);
            made.push_back(assign);
        };
        if (given.imag) assignOne(own.imag, given.imag);
        assignOne(own.real, given.real);
        return nullptr;
    }

    Context& context_;
    const Surroundings& surroundings_;
    NamesMade& names_;
    const bool hasProducts_;
    std::map<const Symbol*, ComplexParts> numbers_;
    const ast::Type* part_ = nullptr;         // of the number at hand
    std::vector<NodePtr>* before_ = nullptr;  // what stands in front of the statement at hand
};

}  // namespace

NodePtr withComplexApart(Context& context, const Surroundings& surroundings, NamesMade names,
                         bool hasProducts, NodePtr nest) {
    return ComplexApart(context, surroundings, names, hasProducts).of(nest);
}

}  // namespace hpcc::nests
