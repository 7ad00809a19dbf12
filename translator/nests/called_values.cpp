// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/called_values.hpp"

#include <algorithm>
#include <map>

#include "analysis/harmless_calls.hpp"
#include "analysis/operators.hpp"
#include "ast/copy.hpp"
#include "ast/declarators.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using Arguments = std::map<const ast::Symbol*, NodePtr>;

class CalledValue {
public:
    CalledValue(Context& context, NodePtr origin, std::string_view number)
        : context_(context), origin_(origin), number_(number) {}

    NodePtr of(NodePtr call, const std::vector<NodePtr>& given) {
        constexpr int most = 4;  // calls in calls
        const NodePtr definition = analysis::definitionOf(call->child(ast::Call::callee));
        const NodePtr value = definition && depth_ < most ? returned(definition) : nullptr;
        Arguments arguments;
        if (!value || !isOfNumber(call->type, number_) || !bind(definition, given, arguments))
            return nullptr;
        ++depth_;
        const NodePtr result = inside(value, arguments);
        --depth_;
        return result ? context_.expression("($e)", {{"$e", result}}, origin_) : nullptr;
    }

private:
    static NodePtr returned(NodePtr definition) {
        if (!ast::isAny<ast::FunctionDefinition, ast::Lambda>(definition)) return nullptr;
        const NodePtr body = definition->children().back();
        const bool isOne = ast::is<ast::Compound>(body) && body->children().size() == 1 &&
                           ast::is<ast::Return>(body->child(0));
        return isOne ? body->child(0)->child(ast::Return::value) : nullptr;
    }

    bool bind(NodePtr definition, const std::vector<NodePtr>& given, Arguments& arguments) const {
        const NodePtr parameters = ast::parametersOf(definition);
        if (!parameters || parameters->children().size() != given.size()) return false;
        for (size_t k = 0; k < given.size(); ++k) {
            const NodePtr each = parameters->child(k);
            const NodePtr name = ast::is<ast::Parameter>(each)
                                     ? ast::declaredName(each->child(ast::Parameter::declarator))
                                     : nullptr;
            if (!name || !name->symbol || !isOfNumber(name->symbol->type, number_)) return false;
            arguments[name->symbol] = given[k];
        }
        return true;
    }

    /// An expression of the function, where the arguments stand for its parameters.
    NodePtr inside(NodePtr e, const Arguments& arguments) {
        switch (e->kind()) {
        case ast::Kind::Parenthesized:
            return around("($e)", e->child(ast::Parenthesized::expression), arguments);
        case ast::Kind::Unary:
            return e->child(ast::Unary::op)->text() == "-"
                       ? around("-$e", e->child(ast::Unary::operand), arguments)
                       : nullptr;
        case ast::Kind::Binary:
            return binary(e, arguments);
        case ast::Kind::Identifier: {
            const auto found = arguments.find(e->symbol);
            return e->symbol && found != arguments.end() ? copy(found->second) : nullptr;
        }
        case ast::Kind::NumberLiteral:
            return isLiteral(e) ? ast::literal(context_.arena, std::string(e->text()), origin_)
                                : nullptr;
        case ast::Kind::Conditional:
            return choice(e, arguments);
        case ast::Kind::Call: {
            std::vector<NodePtr> given;
            for (const NodePtr each : e->child(ast::Call::arguments)->children()) {
                given.push_back(inside(each, arguments));
                if (!given.back()) return nullptr;
            }
            return of(e, given);
        }
        default:
            return nullptr;
        }
    }

    bool isLiteral(NodePtr e) const {
        return isWhole() ? isShortInteger(e) && isOfNumber(e->type, number_)
                         : e->text().find('.') != e->text().npos && isDouble(e->type);
    }

    NodePtr around(const char* schema, NodePtr operand, const Arguments& arguments) {
        const NodePtr inner = inside(operand, arguments);
        return inner ? context_.expression(schema, {{"$e", inner}}, origin_) : nullptr;
    }

    NodePtr binary(NodePtr e, const Arguments& arguments) {
        const std::string_view op = e->child(ast::Binary::op)->text();
        if (isWhole() && analysis::isComparison(e)) {
            const NodePtr is = operation(e, arguments);
            return is ? context_.expression("hpspmd::detail::chosen($is, 1, 0)", {{"$is", is}},
                                            origin_)
                      : nullptr;
        }
        const bool computes = op == "+" || op == "-" || op == "*" || (op == "/" && !isWhole());
        return computes ? operation(e, arguments) : nullptr;
    }

    NodePtr operation(NodePtr e, const Arguments& arguments) {
        const std::string op(e->child(ast::Binary::op)->text());
        const NodePtr l = e->child(ast::Binary::left), r = e->child(ast::Binary::right);
        const NodePtr left = beside(l, r, arguments);
        const NodePtr right = left ? beside(r, l, arguments) : nullptr;
        return right
                   ? context_.expression("$l " + op + " $r", {{"$l", left}, {"$r", right}}, origin_)
                   : nullptr;
    }

    /// An operand, or one of two values to choose from: an integer is converted to what the other
    /// one is.
    NodePtr beside(NodePtr e, NodePtr other, const Arguments& arguments) {
        if (!isWhole() && isShortInteger(e) && isDouble(other->type))
            return ast::literal(context_.arena, std::string(e->text()) + ".0", origin_);
        return inside(e, arguments);
    }

    /// By a comparison.
    NodePtr choice(NodePtr e, const Arguments& arguments) {
        const NodePtr condition = ast::withoutParentheses(e->child(ast::Conditional::condition));
        const NodePtr then = e->child(ast::Conditional::then),
                      otherwise = e->child(ast::Conditional::otherwise);
        if (!then) return nullptr;
        const NodePtr is =
            analysis::isComparison(condition) ? operation(condition, arguments) : nullptr;
        const NodePtr a = is ? beside(then, otherwise, arguments) : nullptr;
        const NodePtr b = a ? beside(otherwise, then, arguments) : nullptr;
        return b ? context_.expression("hpspmd::detail::chosen($is, $a, $b)",
                                       {{"$is", is}, {"$a", a}, {"$b", b}}, origin_)
                 : nullptr;
    }

    NodePtr copy(NodePtr argument) {
        const NodePtr result = ast::copy(context_.arena, argument);
        return isPrimary(result->kind()) ? result
                                         : context_.expression("($e)", {{"$e", result}}, origin_);
    }

    bool isWhole() const { return number_ == "int"; }

    Context& context_;
    NodePtr origin_;
    std::string_view number_;
    int depth_ = 0;
};

}  // namespace

NodePtr calledValue(Context& context, NodePtr call, const std::vector<NodePtr>& arguments,
                    std::string_view number) {
    return CalledValue(context, call, number).of(call, arguments);
}

}  // namespace hpcc::nests
