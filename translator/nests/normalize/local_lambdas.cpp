// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/local_lambdas.hpp"

#include <algorithm>
#include <optional>

#include "analysis/constant.hpp"
#include "analysis/numbers.hpp"
#include "analysis/plain_values.hpp"
#include "ast/copyable.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "nests/kernel_templates.hpp"
#include "nests/normalize/fixed_handles.hpp"
#include "nests/normalize/in_place_of.hpp"
#include "nests/normalize/repeatable.hpp"
#include "nests/normalize/same_words.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

constexpr int mostNodesOfArgument = 60;  // of an expression that is written several times

/// A number, or of a type that stands for one in a template.
bool isNumeric(const ast::Type* type) { return analysis::isNumber(type) || typeParameterOf(type); }

/// The lambda that a statement declares, to which nothing else is said; null if it is another one.
NodePtr declaredLambda(NodePtr statement, NodePtr& name) {
    if (!ast::is<ast::Declaration>(statement)) return nullptr;
    const NodePtr specifiers = statement->child(ast::Declaration::specifiers),
                  declarators = statement->child(ast::Declaration::declarators);
    if (!ast::is<ast::Specifiers>(specifiers) || !declarators ||
        declarators->children().size() != 1 ||
        specifiers->child(ast::Specifiers::core)->text() != "auto")
        return nullptr;
    const NodePtr before = specifiers->child(ast::Specifiers::before),
                  declarator = declarators->child(0),
                  initializer = declarator->child(ast::InitDeclarator::initializer);
    name = declarator->child(ast::InitDeclarator::declarator);
    if ((before && before->text() != "const" && before->text() != "constexpr") ||
        !ast::is<ast::Identifier>(name) || !name->symbol)
        return nullptr;
    const NodePtr value = analysis::singleInitializer(initializer);
    return ast::is<ast::Lambda>(value) ? value : nullptr;
}

/// Its parameters, numbers by value or by reference to const; nothing if it has others.
std::optional<std::vector<NodePtr>> numbersTaken(NodePtr lambda) {
    std::vector<NodePtr> names;
    const NodePtr list = ast::parametersOf(lambda);
    if (!list) return names;
    for (const NodePtr each : list->children()) {
        const NodePtr name = ast::is<ast::Parameter>(each)
                                 ? ast::declaredName(each->child(ast::Parameter::declarator))
                                 : nullptr;
        const ast::Type* type =
            ast::is<ast::Identifier>(name) && name->symbol ? name->symbol->type : nullptr;
        if (!isNumeric(type) || (type->isReference && !type->isConst) ||
            each->child(ast::Parameter::defaultValue))
            return std::nullopt;
        names.push_back(name);
    }
    return names;
}

/// The type of its result where that is written, else null; nothing if it is no number, or if more
/// is said of the lambda.
std::optional<const ast::Type*> resultOf(NodePtr lambda) {
    const NodePtr qualifiers = lambda->child(ast::Lambda::qualifiers);
    if (!qualifiers) return nullptr;
    const NodePtr only = qualifiers->children().size() == 1 ? qualifiers->child(0) : nullptr;
    const ast::Type* type =
        ast::is<ast::TrailingReturn>(only) ? only->child(ast::TrailingReturn::type)->type : nullptr;
    return analysis::isNumber(type) && !type->isReference ? std::optional(type) : std::nullopt;
}

/// Captures by name or all, of variables as they are.
bool capturesVariables(NodePtr lambda) {
    return std::ranges::all_of(lambda->child(ast::Lambda::captures)->children(), [](NodePtr each) {
        if (ast::is<ast::ValueCapture>(each)) return !each->child(ast::ValueCapture::initializer);
        if (ast::is<ast::ReferenceCapture>(each))
            return !each->child(ast::ReferenceCapture::initializer);
        return true;
    });
}
bool capturesByValue(NodePtr lambda) {
    return std::ranges::any_of(lambda->child(ast::Lambda::captures)->children(), [](NodePtr each) {
        return ast::is<ast::ValueCapture>(each) ||
               (ast::is<ast::DefaultCapture>(each) && each->text() == "=");
    });
}

bool areCopiedAsTheyAre(NodePtr body) {
    return std::ranges::all_of(ast::allOf<ast::Identifier>(body),
                               [](NodePtr each) { return analysis::isCopiedAsItIs(each->type); });
}

/// A `return`, perhaps in a block of its own; null for what is none.
NodePtr returned(NodePtr statement) {
    while (ast::is<ast::Compound>(statement) && statement->children().size() == 1)
        statement = statement->child(0);
    return ast::is<ast::Return>(statement) ? statement->child(ast::Return::value) : nullptr;
}

bool refersTo(NodePtr node, const ast::Symbol* symbol) {
    return ast::is<ast::Identifier>(node) && node->symbol == symbol;
}

/// How often a variable is named.
std::size_t countOf(NodePtr node, const ast::Symbol* symbol) {
    const auto names = ast::allOf<ast::Identifier>(node);
    return static_cast<std::size_t>(
        std::ranges::count_if(names, [&](NodePtr each) { return refersTo(each, symbol); }));
}

/// Puts values in the places of calls of a lambda.
class CallsOf : public ast::Rewriter {
public:
    using Value = std::function<NodePtr(NodePtr)>;  // null if a call cannot be replaced

    CallsOf(ast::Arena& arena, const ast::Symbol* lambda, Value value)
        : Rewriter(arena, 0), lambda_(lambda), value_(std::move(value)) {}

    bool areAll = true;

    NodePtr rewriteCall(NodePtr call) override {
        if (!refersTo(call->child(ast::Call::callee), lambda_)) return rewriteChildren(call);
        const NodePtr arguments = rewrite(call->child(ast::Call::arguments));
        const NodePtr value =
            value_(ast::withChild(arena(), call, ast::Call::arguments, arguments));
        areAll &= value != nullptr;
        return value ? value : call;
    }
    NodePtr rewriteExpressionStatement(NodePtr node) override {  // a value that nobody uses
        const NodePtr e = node->child(ast::ExpressionStatement::expression);
        areAll &= !ast::is<ast::Call>(e) || !refersTo(e->child(ast::Call::callee), lambda_);
        return rewriteChildren(node);
    }
    NodePtr rewriteIdentifier(NodePtr node) override {
        areAll &= !refersTo(node, lambda_);
        return node;
    }

private:
    const ast::Symbol* lambda_;
    Value value_;
};

}  // namespace

/// The value of the statements from k on; null if they do more than to choose one.
static NodePtr chosen(Context& context, std::span<const NodePtr> statements, NodePtr call) {
    if (statements.empty()) return nullptr;
    if (const NodePtr value = returned(statements.front())) return ast::copy(context.arena, value);
    const NodePtr branch = statements.front();
    if (!ast::is<ast::If>(branch) || branch->child(ast::If::initializer) ||
        branch->text().starts_with("if constexpr"))
        return nullptr;
    const NodePtr condition = branch->child(ast::If::condition),
                  otherwise = branch->child(ast::If::otherwise),
                  then = returned(branch->child(ast::If::then));
    const NodePtr rest = otherwise ? chosen(context, std::span(&otherwise, 1), call)
                                   : chosen(context, statements.subspan(1), call);
    if (!ast::isExpression(condition) || !then || !rest) return nullptr;
    const NodePtr result = context.expression("($c ? $t : $r)",
                                              {{"$c", ast::copy(context.arena, condition)},
                                               {"$t", ast::copy(context.arena, then)},
                                               {"$r", rest}},
                                              call);
    result->type = then->type;
    return result;
}

NodePtr LocalLambdas::valueOf(NodePtr lambda, NodePtr call) {
    const auto parameters = numbersTaken(lambda);
    const auto arguments = call->child(ast::Call::arguments)->children();
    if (!parameters || parameters->size() != arguments.size() || !capturesVariables(lambda) ||
        lambda->child(ast::Lambda::templateParameters) ||
        (capturesByValue(lambda) && !areCopiedAsTheyAre(lambda->child(ast::Lambda::body))))
        return nullptr;
    const auto result = resultOf(lambda);
    if (!result) return nullptr;
    NodePtr value = chosen(context_, lambda->child(ast::Lambda::body)->children(), call);
    if (!value || !isNumeric(value->type) || !isRepeatable(value)) return nullptr;
    for (size_t k = 0; k < arguments.size(); ++k) {
        const NodePtr argument = arguments[k], parameter = (*parameters)[k];
        const std::size_t uses = countOf(value, parameter->symbol);
        if (!isRepeatable(argument) || !isNumeric(argument->type) ||
            (uses > 1 && !ast::isCopyable(argument, mostNodesOfArgument)))
            return nullptr;
        const bool isSame =
            typeParameterOf(parameter->symbol->type) &&
            typeParameterOf(parameter->symbol->type) == typeParameterOf(argument->type);
        ast::Type plain = *parameter->symbol->type;
        plain.isReference = plain.isConst = false;
        const ast::Type* const type = isSame ? nullptr : context_.arena.makeType(plain);
        const auto made = [&](NodePtr) {
            return numberOf(ast::copy(context_.arena, argument), type, argument);
        };
        value = InPlaceOf(context_.arena, parameter, made).rewrite(value);
    }
    return numberOf(value, *result, call);
}

/// `e` in parentheses, or converted to that type.
NodePtr LocalLambdas::numberOf(NodePtr e, const ast::Type* type, NodePtr place) {
    const bool isConverted = type && !isSameNumber(type, e->type);
    const NodePtr result = context_.expression(
        isConverted ? "static_cast<" + type->spelled + ">($e)" : "($e)", {{"$e", e}}, place);
    result->type = isConverted ? type : e->type;
    return result;
}

NodePtr LocalLambdas::atOnce(NodePtr call) {
    const NodePtr callee = ast::withoutParentheses(call->child(ast::Call::callee));
    if (!ast::is<ast::Lambda>(callee)) return call;
    const NodePtr value = valueOf(callee, call);
    return value ? value : call;
}

/// True if what the lambda names means the same where the statement calls it; and has the value
/// that it has captured, if it captures values.
bool LocalLambdas::meansTheSame(NodePtr lambda, NodePtr statement) const {
    const ast::Effects effects = ast::effectsOf(statement);
    std::optional<FixedNames> fixed;
    if (capturesByValue(lambda)) fixed.emplace(statement, surroundings_);
    const NodePtr parameters = ast::parametersOf(lambda);
    const auto own = parameters ? ast::namesIn(parameters) : std::unordered_set<std::string_view>();
    return std::ranges::all_of(
        ast::allOf<ast::Identifier>(lambda->child(ast::Lambda::body)), [&](NodePtr each) {
            return own.contains(each->text()) ||
                   (!effects.declared.contains(each->text()) && (!fixed || fixed->keep(each)));
        });
}

NodePtr LocalLambdas::inlined(NodePtr block) {
    std::vector<NodePtr> statements(block->children().begin(), block->children().end());
    bool isChanged = false;
    for (size_t k = 0; k < statements.size(); ++k) {
        NodePtr name = nullptr;
        const NodePtr lambda = declaredLambda(statements[k], name);
        if (!lambda) continue;
        CallsOf calls(context_.arena, name->symbol,
                      [&](NodePtr call) { return valueOf(lambda, call); });
        std::vector<NodePtr> rest;
        bool isSame = true;
        for (size_t m = k + 1; m < statements.size() && isSame && calls.areAll; ++m) {
            isSame = meansTheSame(lambda, statements[m]);
            rest.push_back(calls.rewrite(statements[m]));
        }
        if (!isSame || !calls.areAll) continue;
        statements.resize(k);
        statements.insert(statements.end(), rest.begin(), rest.end());
        isChanged = true;
        --k;
    }
    return isChanged ? context_.arena.rebuilt(block, block, statements) : block;
}

}  // namespace hpcc::nests
