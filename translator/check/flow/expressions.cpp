// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What evaluating an expression reads and assigns.
#include "ast/search.hpp"
#include "check/facts.hpp"
#include "check/flow/assignment.hpp"
#include "check/flow/constants.hpp"
#include "check/words.hpp"

namespace hpcc::check::flow {
namespace {

using ast::Kind;

bool isCastToVoid(NodePtr type) { return typeOf(type)->kind == TypeKind::Void; }

}  // namespace

void Assignment::evaluateChildren(NodePtr node) {
    for (NodePtr each : node->children()) {
        if (!each || each->category() == ast::Category::Type ||
            each->category() == ast::Category::Declarator)
            continue;
        evaluate(each);
    }
}

void Assignment::evaluate(NodePtr node) {
    if (!node) return;
    if (node->category() == ast::Category::Statement) {  // the argument of a macro
        assignNamesIn(node);
        return mayLeave();
    }
    switch (node->kind()) {
    case Kind::Identifier:
        return use(node);
    case Kind::Assign:
        return assignment(node);
    case Kind::Binary:
        return binary(node);
    case Kind::Unary:
        return unary(node);
    case Kind::Postfix:
        evaluate(node->child(ast::Postfix::operand));
        return assign(bare(node->child(ast::Postfix::operand))->symbol);
    case Kind::Conditional:
        return conditional(node);
    case Kind::Call:
        return call(node);
    case Kind::Member:
        return evaluate(node->child(ast::Member::base));
    case Kind::PointerMember:
        return evaluate(node->child(ast::PointerMember::base));
    case Kind::DesignatedInitializer:
        return evaluate(node->child(ast::DesignatedInitializer::value));
    case Kind::Lambda:
        return lambda(node);
    case Kind::OverallExpression:
        return overallExpression(node);
    case Kind::Cast:
    case Kind::NamedCast: {
        const bool named = node->is<ast::NamedCast>();
        const NodePtr type = node->child(named ? +ast::NamedCast::type : +ast::Cast::type);
        const NodePtr operand = node->child(named ? +ast::NamedCast::operand : +ast::Cast::operand);
        if (isCastToVoid(type) && isFollowed(bare(operand))) return;  // (void) n; reads nothing
        const bool binds = type->text().find('&') != std::string_view::npos;
        return argument(operand, binds ? Passing::Reference : Passing::Value);
    }
    case Kind::FunctionalCast:
        return initializer(node->child(ast::FunctionalCast::arguments),
                           typeOf(node->child(ast::FunctionalCast::type)));
    case Kind::New:
        evaluate(node->child(ast::New::placement));
        return initializer(node->child(ast::New::initializer), unknownType());
    case Kind::Throw:
        evaluate(node->child(ast::Throw::operand));
        if (node->text().starts_with("throw")) state_ = State::never(node);
        return;
    case Kind::OpaqueExpression:
        assignNamesIn(node);
        return mayLeave();
    case Kind::Sizeof:
    case Kind::Typeid:
    case Kind::Noexcept:
    case Kind::RequiresExpression:
    case Kind::QualifiedName:
    case Kind::TemplateName:
        return;  // evaluate nothing
    default:
        return evaluateChildren(node);
    }
}

void Assignment::assignment(NodePtr node) {
    const NodePtr target = bare(node->child(ast::Assign::target));
    const bool isName = isFollowed(target);
    evaluate(node->child(ast::Assign::value));
    if (!isName || node->child(ast::Assign::op)->text() != "=") evaluate(target);
    if (isName) assign(target->symbol);
}

// cin >> n assigns n; so may an operator of an unknown class: archive & n.
void Assignment::binary(NodePtr node) {
    if (logicOf(node) != Logic::None) {
        const Branches branches = condition(node);
        state_ = joined(branches.whenTrue, branches.whenFalse);
        return;
    }
    evaluate(node->child(ast::Binary::left));
    const std::string_view op = node->child(ast::Binary::op)->text();
    const bool mayExtract =
        (op == ">>" || op == "&") && !isNumber(typeOf(node->child(ast::Binary::left)));
    argument(node->child(ast::Binary::right), mayExtract ? Passing::Reference : Passing::Value);
}

void Assignment::unary(NodePtr node) {
    if (logicOf(node) == Logic::Not) {
        const Branches branches = condition(node);
        state_ = joined(branches.whenTrue, branches.whenFalse);
        return;
    }
    const std::string_view op = node->child(ast::Unary::op)->text();
    const NodePtr operand = node->child(ast::Unary::operand);
    argument(operand, op == "&" ? Passing::Reference : Passing::Value);
    if (op == "++" || op == "--") assign(bare(operand)->symbol);
}

void Assignment::conditional(NodePtr node) {
    Branches branches = condition(node->child(ast::Conditional::condition));
    state_ = branches.whenTrue;
    evaluate(node->child(ast::Conditional::then));
    const State afterThen = state_;
    state_ = branches.whenFalse;
    evaluate(node->child(ast::Conditional::otherwise));
    state_.join(afterThen);
}

// The body runs some time or never; it is judged on its own. A variable that it captures by
// reference is no longer followed, one that it captures by value is read.
void Assignment::lambda(NodePtr node) {
    bool byReference = false, byValue = false;
    for (NodePtr each : node->child(ast::Lambda::captures)->children()) {
        if (each->is<ast::DefaultCapture>()) {
            (each->text() == "&" ? byReference : byValue) = true;
            continue;
        }
        const bool binds = each->is<ast::ReferenceCapture>();
        const NodePtr value = each->child(1) ? singleInitializer(each->child(1)) : each->child(0);
        argument(value, binds ? Passing::Reference : Passing::Value);
    }
    if (byReference) values_.clear();
    if ((!byReference && !byValue) || live_.empty()) return;
    for (NodePtr name : ast::allOf<ast::Identifier>(node->child(ast::Lambda::body)))
        if (isFollowed(name)) argument(name, byValue ? Passing::Value : Passing::Reference);
}

void Assignment::overallExpression(NodePtr node) {
    for (NodePtr header : node->child(ast::OverallExpression::headers)->children()) {
        evaluate(header->child(ast::OverallHeader::range));
        evaluate(header->child(ast::OverallHeader::triplet));
    }
    const State skipped = state_;
    evaluate(node->child(ast::OverallExpression::expression));
    state_.join(skipped);
}

// C++ that is not looked into may assign whatever it names.
void Assignment::assignNamesIn(NodePtr node) {
    values_.clear();
    for (const Symbol* symbol : live_)
        if (holdsWord(node->text(), symbol->name)) assign(symbol);
}

}  // namespace hpcc::check::flow
