// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs without being named: operators and constructors.
#include <algorithm>
#include <utility>

#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "lower/observer.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

/// It has another form of this one's parameter, whichever runs, by reference.
bool takesReference(const Operated& operated, std::size_t parameter) {
    return std::ranges::all_of(operated.functions, [parameter](const Operation* each) {
        const auto& parameters = each->declaration->type->parameters;
        return parameter < parameters.size() && parameters[parameter]->isReference;
    });
}

/// An object that has a place, of which another one is a copy.
bool isPlace(NodePtr value) {
    value = ast::withoutParentheses(value);
    return ast::isAny<ast::Identifier, ast::Subscript, ast::Member, ast::PointerMember>(value) ||
           (ast::is<ast::Unary>(value) && value->child(ast::Unary::op)->text() == "*");
}

/// `~C() { .. }`
bool doesNothing(const Operation& destructor) {
    return ast::is<ast::FunctionDefinition>(destructor.declaration) &&
           reachesItsObjectOnly(destructor.declaration->child(ast::FunctionDefinition::body));
}

}  // namespace

NodePtr Observer::rewriteBinary(NodePtr node) {
    const NodePtr call = operated(node);
    return call ? call : rewriteChildren(node);
}

/// The functions that run, if all of them have another form.
std::vector<NodePtr> Observer::observedBy(const Operated& operated) {
    if (operated.name.empty()) return {};
    std::vector<NodePtr> all = functions_.observedBy(operated, place_);
    calls.observed.insert(calls.observed.end(), all.begin(), all.end());
    if (all.empty()) calls.unseen.insert(std::string(operated.name));
    return all;
}

/// The call of an operator's other form; null if no operator of the program's is looked into.
NodePtr Observer::operated(NodePtr node) {
    const Operated operated = functions_.operations().of(node);
    const std::vector<NodePtr> all = observedBy(operated);
    if (all.empty()) return nullptr;
    const bool isMember = operated.functions.front()->owner != nullptr;
    const std::vector<NodePtr> operands = operandsOf(node);
    std::span<const NodePtr> rest = operands;
    if (isMember) rest = rest.subspan(1);
    std::vector<NodePtr> arguments = passed(operated, rest);
    if (node->is<ast::Postfix>()) arguments.push_back(named("0", node));
    ast::Bindings parts{{"$form", named(functions_.nameOf(all.front()), node)},
                        {"$arguments", arguments}};
    std::string_view schema = "$form($arguments)";
    if (isMember) {
        const NodePtr object = withoutObserving(operands.front());
        schema = ast::isPrimary(object->kind()) ? "$object.$form($arguments)"
                                                : "($object).$form($arguments)";
        parts.emplace_back("$object", object);
    }
    const NodePtr call = writer_.expression(schema, parts, node);
    call->type = node->type;
    return call;
}

/// Behind what is told. Only bound to a reference, an operand is not accessed yet.
std::vector<NodePtr> Observer::passed(const Operated& to, std::span<const NodePtr> operands) {
    std::vector<NodePtr> result{named(name_, to.functions.front()->declaration)};
    for (std::size_t k = 0; k < operands.size(); ++k)
        result.push_back(takesReference(to, k) ? withoutObserving(operands[k])
                                               : rewrite(operands[k]));
    return result;
}

/// Arguments or BracedInitializer for the other form of the constructor; null if there is none.
NodePtr Observer::constructed(const ast::Type* type, NodePtr initializer) {
    const Operated operated = functions_.operations().construction(type, initializer->children());
    if (observedBy(operated).empty()) return nullptr;
    return ast::rebuild(arena(), initializer, passed(operated, initializer->children()));
}

NodePtr Observer::constructedVariable(NodePtr node) {
    const ast::Symbol* variable = node->symbol;
    if (!variable || variable->kind != ast::SymbolKind::Variable ||
        !isDeclaredClass(variable->type))
        return nullptr;
    const Operated destroyed = functions_.operations().destruction(variable->type);
    const NodePtr end = functions_.unnamed().destructorOf(variable->type->classSymbol);
    if (end)
        calls.ends.push_back(end);
    else if (!destroyed.name.empty() &&
             !(destroyed.functions.size() == 1 && doesNothing(*destroyed.functions.front())))
        calls.unseen.insert("~" + std::string(destroyed.name));
    const NodePtr initializer = node->child(ast::InitDeclarator::initializer);
    const auto with = [&](NodePtr other) {
        return ast::withChild(arena(), node, ast::InitDeclarator::initializer, other);
    };
    const NodePtr none = writer_.expression("f()", {}, node)->child(ast::Call::arguments);
    if (!initializer || !initializer->is<ast::EqualInitializer>()) {
        const NodePtr made = constructed(variable->type, initializer ? initializer : none);
        return made ? with(made) : nullptr;
    }
    const NodePtr value = initializer->child(ast::EqualInitializer::value);
    if (value->is<ast::BracedInitializer>()) {
        const NodePtr made = constructed(variable->type, value);
        return made ? with(ast::withChild(arena(), initializer, ast::EqualInitializer::value, made))
                    : nullptr;
    }
    const ast::Type* given = functions_.operations().typeOf(value);
    if (!isPlace(value) && !ast::isNumber(given)) return nullptr;  // made there
    const NodePtr parts[] = {value};
    const NodePtr made = constructed(variable->type, ast::rebuild(arena(), none, parts));
    return made ? with(made) : nullptr;
}

NodePtr Observer::rewriteFunctionalCast(NodePtr node) {
    const NodePtr made = constructed(node->type, node->child(ast::FunctionalCast::arguments));
    return made ? ast::withChild(arena(), node, ast::FunctionalCast::arguments, made)
                : onlyChild(node, ast::FunctionalCast::arguments);
}

NodePtr Observer::rewriteNew(NodePtr node) {
    const bool isOne = node->type && node->type->kind == ast::TypeKind::Pointer;
    const NodePtr initializer = node->child(ast::New::initializer);
    const NodePtr made =
        isOne && initializer ? constructed(node->type->element, initializer) : nullptr;
    if (made) return ast::withChild(arena(), node, ast::New::initializer, made);
    return onlyChild(onlyChild(node, ast::New::placement), ast::New::initializer);
}

/// Of a member or of the object itself; a member that is a reference is only bound.
NodePtr Observer::rewriteMemberInitializer(NodePtr node) {
    const NodePtr initializer = node->child(ast::MemberInitializer::initializer);
    const auto with = [&](NodePtr other) {
        return ast::withChild(arena(), node, ast::MemberInitializer::initializer, other);
    };
    const bool isObject =
        place_.object && node->child(ast::MemberInitializer::name)->text() == place_.object->name;
    const ast::Type* type = isObject ? place_.object->type : node->type;
    if (const NodePtr made = constructed(type, initializer)) return with(made);
    const bool isBound =
        node->type && node->type->isReference && initializer->children().size() == 1;
    if (!isBound) return with(rewrite(initializer));
    const NodePtr parts[] = {withoutObserving(initializer->child(0))};
    return with(ast::rebuild(arena(), initializer, parts));
}

}  // namespace hpcc::lower
