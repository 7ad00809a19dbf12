// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/observer.hpp"

#include <utility>

#include "analysis/harmless_calls.hpp"
#include "ast/comments.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "lower/writes.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

bool isKind(NodePtr node, ast::TypeKind kind) { return node->type && node->type->kind == kind; }

bool isVariable(NodePtr name) {
    return ast::is<ast::Identifier>(name) && name->symbol &&
           (name->symbol->kind == ast::SymbolKind::Variable ||
            name->symbol->kind == ast::SymbolKind::Parameter);
}

bool namesType(NodePtr callee) {
    return callee->symbol && (callee->symbol->kind == ast::SymbolKind::Class ||
                              callee->symbol->kind == ast::SymbolKind::Alias);
}

/// `*p`
bool isReferredBy(NodePtr node) {
    return ast::is<ast::Unary>(node) && node->child(ast::Unary::op)->text() == "*" &&
           isKind(node->child(ast::Unary::operand), ast::TypeKind::Pointer);
}

/// `p->u`, where p is no object with operators of its own.
bool isMemberReferredBy(NodePtr node) {
    if (!ast::is<ast::PointerMember>(node)) return false;
    const NodePtr base = node->child(ast::PointerMember::base);
    return base->text() == "this" || isKind(base, ast::TypeKind::Pointer);
}

/// A reference to an object, no handle of elements elsewhere.
bool isReference(NodePtr name) {
    return isVariable(name) && name->symbol->type && name->symbol->type->isReference &&
           !ast::isHandleType(name->symbol->type);
}

bool isPointer(NodePtr name) {
    return isVariable(name) &&
           (isKind(name, ast::TypeKind::Pointer) || isKind(name, ast::TypeKind::CArray));
}

/// Its memory tells all of what is reached: it is no bit-field, and no class is out of sight.
bool hasAddress(NodePtr name) {
    const ast::Symbol* field = name->symbol;
    return field && field->kind == ast::SymbolKind::Field &&
           ast::is<ast::InitDeclarator>(field->declaration) &&
           !ast::is<ast::BitField>(field->declaration->child(ast::InitDeclarator::declarator)) &&
           !ast::isHandleType(field->type);
}

std::string joined(std::string_view outer, const std::string& inner) {
    return inner.empty() ? std::string(outer) : std::string(outer) + "." + inner;
}

}  // namespace

NodePtr Observer::rewriteOverall(NodePtr overall) {
    const NodePtr header = overall->child(ast::Overall::headers)->child(0);
    const NodePtr index = header->child(ast::OverallHeader::index);
    const std::string variable(index->text());
    const std::string loop = writer_.names.name(variable + "_loop");
    const NodePtr rewritten = rewriteChildren(overall);
    const NodePtr body = writer_.statement(
        "{\n"
        "    $loop.at($i);\n"
        "    $body;\n"
        "}",
        {{"$loop", named(loop, index)},
         {"$i", valueOf(header)},
         {"$body", rewritten->child(ast::Overall::body)}},
        rewritten->child(ast::Overall::body));
    return writer_.statement(
        "{\n"
        "    hpspmd::detail::Independence::Loop $loop($nest, $name);\n"
        "    $overall;\n"
        "}",
        {{"$loop", named(loop, index)},
         {"$nest", named(name_, index)},
         {"$name", quoted(variable, index)},
         {"$overall", ast::withChild(arena(), rewritten, ast::Overall::body, body)}},
        overall);
}

NodePtr Observer::rewriteUnary(NodePtr node) {
    const NodePtr operand = node->child(ast::Unary::operand);
    if (node->child(ast::Unary::op)->text() == "&")  // what is done to it comes later
        return ast::withChild(arena(), node, ast::Unary::operand, withoutObserving(operand));
    if (const NodePtr call = operated(node)) return call;
    if (!isReferredBy(node)) return writing(node);
    const Reach reached = reach(node);
    return noted(node, rewriteChildren(node), node, reached);
}

NodePtr Observer::rewriteIdentifier(NodePtr node) {
    if (isReference(node)) return noted(node, node, node, reach(node));
    if (isOwnMember(node)) return notedMember(node, "*this", named("this", node), node);
    return node;
}

NodePtr Observer::rewriteMember(NodePtr node) {
    const bool writes = reach(node).writes;
    const NodePtr base = hasAddress(node->child(ast::Member::name)) ? baseOf(node) : nullptr;
    if (!base) return onlyChild(node, ast::Member::base);
    return noted(node, withoutObserving(node), base, {true, writes, ""});
}

NodePtr Observer::rewritePointerMember(NodePtr node) {
    const NodePtr base = node->child(ast::PointerMember::base);
    if (!isMemberReferredBy(node)) return onlyChild(node, ast::PointerMember::base);
    return notedMember(node, "*" + ast::print(base), rewrite(base),
                       node->child(ast::PointerMember::name));
}

NodePtr Observer::rewriteSubscript(NodePtr node) {
    const NodePtr base = baseOf(node);
    const Reach reached = reach(node);
    if (base) return noted(node, withoutObserving(node), base, reached);
    const NodePtr call = operated(node);
    if (!call) return rewriteChildren(node);
    return reached.writes ? noted(node, call, node->child(ast::Subscript::base), reached) : call;
}

NodePtr Observer::rewriteCall(NodePtr node) {
    const NodePtr callee = node->child(ast::Call::callee);
    const auto arguments = node->child(ast::Call::arguments)->children();
    if (callee->text() == "std::swap")
        for (const NodePtr argument : arguments) reach(argument).writes = true;
    if (callee->text() == "std::exchange" && !arguments.empty())
        reach(arguments.front()).writes = true;
    const Reach reached = reached_[node];
    const NodePtr rewritten = calledFrom(node);
    return reached.writes ? noted(node, rewritten, callee, reached) : rewritten;
}

/// The call of another form, or what can be noted of a call without.
NodePtr Observer::calledFrom(NodePtr node) {
    const NodePtr callee = node->child(ast::Call::callee);
    const bool isOwnLambda = callee->symbol && ownLambdas_.contains(callee->symbol);
    if (const NodePtr declaration = isOwnLambda ? nullptr : functions_.observedBy(node, place_)) {
        calls.observed.push_back(declaration);
        std::vector<NodePtr> arguments = given(node);
        arguments.insert(arguments.begin(), named(name_, node));
        const NodePtr call =
            writer_.expression("$f($arguments)",
                               {{"$f", observedCallee(callee, functions_.nameOf(declaration))},
                                {"$arguments", arguments}},
                               node);
        call->type = node->type;
        return call;
    }
    if (const NodePtr call = isOwnLambda ? nullptr : operated(node)) return call;
    if (const NodePtr arguments = constructed(node->type, node->child(ast::Call::arguments));
        arguments && namesType(callee))
        return ast::withChild(arena(), node, ast::Call::arguments, arguments);
    if (!isOwnLambda && functions_.mayReachElements(node)) calls.unseen.insert(ast::print(callee));
    // The function is no part of the element.
    if (callee->is<ast::Member>()) reach(callee->child(ast::Member::base));
    const bool isMember = ast::isAny<ast::Member, ast::PointerMember>(callee);
    const NodePtr parts[] = {isMember                        ? onlyChild(callee, 0)
                             : callee->is<ast::Identifier>() ? callee
                                                             : rewrite(callee),
                             ast::rebuild(arena(), node->child(ast::Call::arguments), given(node))};
    return ast::rebuild(arena(), node, parts);
}

/// The arguments: what only a reference is bound to is not accessed yet.
std::vector<NodePtr> Observer::given(NodePtr call) {
    const NodePtr definition = analysis::definitionOf(call->child(ast::Call::callee));
    const NodePtr parameters = definition ? ast::parametersOf(definition) : nullptr;
    std::vector<NodePtr> result;
    for (const NodePtr each : call->child(ast::Call::arguments)->children()) {
        const NodePtr parameter =
            parameters ? parameters->child(static_cast<uint32_t>(result.size())) : nullptr;
        const bool isBound = parameter && parameter->symbol && parameter->symbol->type &&
                             parameter->symbol->type->isReference;
        result.push_back(isBound ? withoutObserving(each) : rewrite(each));
    }
    return result;
}

NodePtr Observer::observedCallee(NodePtr callee, const std::string& form) {
    if (callee->is<ast::Identifier>()) return named(form, callee);
    if (callee->is<ast::Member>())
        callee = ast::withChild(arena(), callee, ast::Member::base,
                                withoutObserving(callee->child(ast::Member::base)));
    else if (callee->is<ast::PointerMember>())
        callee = onlyChild(callee, ast::PointerMember::base);
    // g::f, f<3>: Identifiers that stand behind, and in front
    const uint32_t slot = callee->is<ast::TemplateName>() ? 0 : 1;
    return ast::withChild(arena(), callee, slot, observedCallee(callee->child(slot), form));
}

NodePtr Observer::rewriteLambda(NodePtr node) {
    const bool before = place_.capturesAll, refersToAll = capturesAll(node);
    place_.capturesAll = before && refersToAll;
    const NodePtr body = rewrite(node->child(ast::Lambda::body));
    place_.capturesAll = before;
    if (body == node->child(ast::Lambda::body)) return node;
    const NodePtr rewritten = ast::withChild(arena(), node, ast::Lambda::body, body);
    if (refersToAll) return rewritten;
    const NodePtr captures = node->child(ast::Lambda::captures);
    std::vector<NodePtr> all(captures->children().begin(), captures->children().end());
    all.push_back(named("&" + name_, captures));
    return ast::withChild(arena(), rewritten, ast::Lambda::captures,
                          ast::rebuild(arena(), captures, all));
}

NodePtr Observer::rewriteInitDeclarator(NodePtr node) {
    const NodePtr initializer = node->child(ast::InitDeclarator::initializer);
    const NodePtr value = ast::is<ast::EqualInitializer>(initializer)
                              ? initializer->child(ast::EqualInitializer::value)
                              : nullptr;
    if (ast::is<ast::Lambda>(value) && node->symbol) ownLambdas_.insert(node->symbol);
    if (const NodePtr variable = constructedVariable(node)) return variable;
    const bool isBound = value && node->symbol && node->symbol->type &&
                         node->symbol->type->isReference && !ast::isHandleType(node->symbol->type);
    if (!isBound) return onlyChild(node, ast::InitDeclarator::initializer);  // perhaps none
    return ast::withChild(arena(), node, ast::InitDeclarator::initializer,
                          ast::withChild(arena(), initializer, ast::EqualInitializer::value,
                                         withoutObserving(value)));
}

NodePtr Observer::rewriteRangeFor(NodePtr node) {
    node = onlyChild(node, ast::RangeFor::initializer);
    return onlyChild(onlyChild(node, ast::RangeFor::range), ast::RangeFor::body);
}

/// Of an expression `a[i].u[k].v`: that of `a[i].u[k]`.
Observer::Reach& Observer::reach(NodePtr expression) {
    std::string part;
    expression = ast::withoutParentheses(expression);
    while (ast::is<ast::Member>(expression)) {
        part = joined(expression->child(ast::Member::name)->text(), part);
        expression = ast::withoutParentheses(expression->child(ast::Member::base));
    }
    Reach& result = reached_[expression];
    if (!result.isKnown) result.part = part;
    result.isKnown = true;
    return result;
}

/// a of `a[i].u[k]`, if that is part of an element of a multiarray, or of `a[i][j]`, if a is one of
/// the containers, or what perhaps refers to an element; else null.
NodePtr Observer::baseOf(NodePtr node) const {
    if (const NodePtr access = elementAccess(node)) return access->child(ast::Subscript::base);
    NodePtr base = node;
    while (ast::isAny<ast::Subscript, ast::Member, ast::Parenthesized>(base)) base = base->child(0);
    const bool isContainer = ast::is<ast::Identifier>(base) && containers_.contains(base->text());
    const bool isReferring = isReference(base) || isPointer(base) || isOwnMember(base) ||
                             isReferredBy(base) || isMemberReferredBy(base);
    return isContainer || isReferring ? base : nullptr;
}

/// `mass` in a member function.
bool Observer::isOwnMember(NodePtr name) const {
    return place_.hasObject && ast::is<ast::Identifier>(name) && name->symbol &&
           name->symbol->kind == ast::SymbolKind::Field && !ast::isHandleType(name->symbol->type);
}

NodePtr Observer::writing(NodePtr node) {
    if (const NodePtr call = operated(node)) return call;
    if (const NodePtr target = ast::changedOperand(node)) reach(target).writes = true;
    return rewriteChildren(node);
}

NodePtr Observer::noted(NodePtr node, NodePtr element, NodePtr base, const Reach& reached) {
    std::vector<NodePtr> arguments{element, quoted(ast::nameForUser(base), node)};
    if (!reached.part.empty()) arguments.push_back(quoted(reached.part, node));
    const bool isContainer = ast::is<ast::Identifier>(base) && containers_.contains(base->text());
    const bool isKnown = isContainer || elementAccess(node);
    const std::string_view schema =
        isKnown ? (reached.writes ? "$nest.write($arguments)" : "$nest.read($arguments)")
                : (reached.writes ? "hpspmd::detail::mayWrite($nest, $arguments)"
                                  : "hpspmd::detail::mayRead($nest, $arguments)");
    const NodePtr result = writer_.expression(
        schema, {{"$nest", named(name_, node)}, {"$arguments", arguments}}, node);
    if (!isKnown) result->type = node->type;
    return result;
}

/// `p->u` as `mayRead(nest, *p, "*p", "u").u`
NodePtr Observer::notedMember(NodePtr node, const std::string& object, NodePtr pointer,
                              NodePtr name) {
    const Reach reached = reach(node);
    if (hasAddress(name)) return noted(node, withoutObserving(node), name, reached);
    const NodePtr result = writer_.expression(
        reached.writes ? "hpspmd::detail::mayWrite($nest, *$p, $object, $part).$u"
                       : "hpspmd::detail::mayRead($nest, *$p, $object, $part).$u",
        {{"$nest", named(name_, node)},
         {"$p", pointer},
         {"$object", quoted(object, node)},
         {"$part", quoted(joined(name->text(), reached.part), node)},
         {"$u", named(std::string(name->text()), node)}},
        node);
    result->type = node->type;
    return result;
}

/// `a[i].u[k]` with only the subscripts rewritten.
NodePtr Observer::withoutObserving(NodePtr node) {
    if (node->is<ast::Subscript>()) {
        if (const NodePtr call = operated(node)) return call;
        const NodePtr parts[] = {withoutObserving(node->child(ast::Subscript::base)),
                                 rewrite(node->child(ast::Subscript::subscripts))};
        return ast::rebuild(arena(), node, parts);
    }
    if (node->is<ast::Identifier>()) return node;
    if (isReferredBy(node)) return rewriteChildren(node);
    if (isMemberReferredBy(node)) return onlyChild(node, ast::PointerMember::base);
    const bool isPart = node->is<ast::Member>() || node->is<ast::Parenthesized>();
    if (!isPart || !baseOf(node)) return rewrite(node);
    return ast::withChild(arena(), node, 0, withoutObserving(node->child(0)));
}

NodePtr Observer::onlyChild(NodePtr node, uint32_t slot) {
    const NodePtr child = node->child(slot);
    return child ? ast::withChild(arena(), node, slot, rewrite(child)) : node;
}

/// Of two forms of a nest in one function only one keeps its labels.
NodePtr Observer::renamed(NodePtr node, uint32_t slot) {
    const NodePtr rewritten = rewriteChildren(node);
    const NodePtr label = rewritten->child(slot);
    if (!label->is<ast::Identifier>()) return rewritten;
    const std::string name = writer_.names.name(std::string(label->text()) + "_asserted");
    return ast::withChild(arena(), rewritten, slot, named(name, label));
}

/// The index, with the type by which later stages see that it is used as a value.
NodePtr Observer::valueOf(NodePtr header) {
    const NodePtr index = header->child(ast::OverallHeader::index);
    const NodePtr value = named(std::string(index->text()), index);
    value->symbol = header->symbol;
    if (header->symbol) value->type = header->symbol->type;
    return value;
}

NodePtr Observer::quoted(std::string_view text, NodePtr origin) {
    return named(ast::stringLiteral(std::string(text)), origin);
}

}  // namespace hpcc::lower
