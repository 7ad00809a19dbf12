// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/named_objects.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "ast/declarators.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "ast/subscripts.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {
namespace {

using ast::Kind;

bool isNamed(NodePtr callee, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, callee->text().substr(0, callee->text().find('<'))) !=
           names.end();
}

bool isThis(NodePtr e) { return ast::is<ast::KeywordLiteral>(e) && e->text() == "this"; }

bool isArrayOfC(NodePtr e) { return e->type && e->type->kind == ast::TypeKind::CArray; }

NamedObjects doubted(NamedObjects objects) {
    for (NamedObject& each : objects) each.isSure = false;
    return objects;
}

NamedObjects with(NamedObjects objects, const Step& step) {
    for (NamedObject& each : objects) each.steps.push_back(step);
    return objects;
}

NamedObjects joined(NamedObjects one, const NamedObjects& other) {
    one.insert(one.end(), other.begin(), other.end());
    return one;
}

// What a variable is given where it is declared; null if that is not known.
NodePtr initializerOf(const Symbol& symbol) {
    const NodePtr declared = symbol.declaration;
    if (ast::isAny<ast::ReferenceCapture, ast::ValueCapture>(declared)) {
        const NodePtr value = declared->child(1);
        return singleInitializer(value) ? singleInitializer(value) : value;
    }
    if (!ast::isAny<ast::InitDeclarator, ast::ConditionDeclaration>(declared)) return nullptr;
    return singleInitializer(ast::declaredIn(declared).initializer);
}

NodePtr declaratorOf(NodePtr declared) {
    if (ast::is<ast::RangeFor>(declared)) return declared->child(ast::RangeFor::declarator);
    if (ast::is<ast::Parameter>(declared)) return declared->child(ast::Parameter::declarator);
    return ast::isAny<ast::InitDeclarator, ast::ConditionDeclaration>(declared)
               ? ast::declaredIn(declared).declarator
               : nullptr;
}

// Another function may run instead, as far as the call tells: one of a base class may be virtual.
bool mayBeOverridden(NodePtr callee) {
    if (!ast::isAny<ast::Member, ast::PointerMember>(callee)) return false;
    const ast::Type* object = callee->child(0)->type;
    if (object && object->element) object = object->element;  // p of p->f()
    const NodePtr owner =
        object && object->classSymbol ? object->classSymbol->declaration : nullptr;
    return ast::is<ast::Class>(owner) && owner->child(ast::Class::bases);
}

bool holdsBindings(NodePtr declarator) {
    return ast::anywhere(declarator, ast::is<ast::StructuredBinding>);
}

}  // namespace

bool isSameObject(const NamedObject& one, const NamedObject& other) {
    const auto isSameStep = [](const Step& a, const Step& b) {
        const bool areMembers = a.isMember() && b.isMember() && a.name()->symbol;
        return a.node == b.node || (areMembers && a.name()->symbol == b.name()->symbol);
    };
    const bool isSameRoot = !one.root || !other.root ? one.root == other.root
                                                     : one.root->symbol == other.root->symbol &&
                                                           !one.isElement() && !other.isElement();
    return isSameRoot && one.isBehind == other.isBehind &&
           std::ranges::equal(one.steps, other.steps, isSameStep);
}

bool isElementAccess(NodePtr node) {
    if (!ast::is<ast::Subscript>(node)) return false;
    const NodePtr base = node->child(ast::Subscript::base);
    const auto subscripts = node->child(ast::Subscript::subscripts)->children();
    return ast::multiarrayType(base) ||
           (ast::hasUnknownType(base) &&
            (subscripts.size() != 1 || ast::isIndexValue(subscripts[0])));
}

bool bindsReference(NodePtr declarator) {
    return ast::anywhere(declarator, ast::isAny<ast::Reference, ast::RvalueReference>);
}

NodePtr NamingExpressions::bodyOf(NodePtr call) const {
    const NodePtr callee = bare(call->child(ast::Call::callee));
    if (callee->is<ast::Lambda>()) return callee;
    if (const NodePtr body = bodyOf_ ? bodyOf_(call) : nullptr) return body;
    const NodePtr body = definitionOf(callee);
    return mayBeOverridden(callee) ? nullptr : body;
}

NamedObjects NamingExpressions::named(NodePtr e) const {
    const Descent descent;
    e = bare(e);
    if (!e || descent.isTooDeep()) return {};
    switch (e->kind()) {
    case Kind::Identifier:
        return byName(e);
    case Kind::Subscript: {
        if (isElementAccess(e)) return {{e}};
        const NodePtr base = e->child(ast::Subscript::base);
        const auto subscripts = e->child(ast::Subscript::subscripts)->children();
        if (base->type && base->type->kind == ast::TypeKind::Pointer) {
            const bool isFirst = subscripts.size() == 1 && constantValue(subscripts[0]) == 0;
            return isFirst ? pointedTo(base) : doubted(pointedTo(base));
        }
        return with(named(base), {e});
    }
    case Kind::Member:
        return with(named(e->child(ast::Member::base)), {e});
    case Kind::PointerMember:
        return with(pointedTo(e->child(ast::PointerMember::base)), {e});
    case Kind::Unary: {
        const NodePtr operand = e->child(ast::Unary::operand);
        const std::string_view op = e->child(ast::Unary::op)->text();
        if (op == "*") return pointedTo(operand);
        return op == "++" || op == "--" ? named(operand) : NamedObjects();
    }
    case Kind::Assign:
        return named(e->child(ast::Assign::target));
    case Kind::Comma:
        return named(e->child(ast::Comma::right));
    case Kind::Conditional:
        return doubted(joined(named(e->child(ast::Conditional::then)),
                              named(e->child(ast::Conditional::otherwise))));
    case Kind::Cast:
    case Kind::NamedCast:
        return named(e->children().back());
    case Kind::Call:
        return returned(e);
    default:
        return {};
    }
}

NamedObjects NamingExpressions::pointedTo(NodePtr e) const {
    const Descent descent;
    e = bare(e);
    if (!e || descent.isTooDeep()) return {};
    if (isThis(e)) return {NamedObject()};
    if (isArrayOfC(e) && !e->is<ast::Call>()) return doubted(named(e));
    switch (e->kind()) {
    case Kind::Unary:
        return e->child(ast::Unary::op)->text() == "&" ? named(e->child(ast::Unary::operand))
                                                       : NamedObjects();
    case Kind::Binary: {
        const std::string_view op = e->child(ast::Binary::op)->text();
        return op == "+" || op == "-" ? doubted(pointedTo(e->child(ast::Binary::left)))
                                      : NamedObjects();
    }
    case Kind::Conditional:
        return doubted(joined(pointedTo(e->child(ast::Conditional::then)),
                              pointedTo(e->child(ast::Conditional::otherwise))));
    case Kind::Cast:
    case Kind::NamedCast:
        return pointedTo(e->children().back());
    case Kind::Call: {
        const NodePtr callee = bare(e->child(ast::Call::callee));
        const auto arguments = e->child(ast::Call::arguments)->children();
        if (isNamed(callee, {"std::addressof"}) && arguments.size() == 1)
            return named(arguments[0]);
        const bool isInside = ast::is<ast::Member>(callee) &&
                              isNamed(callee->child(ast::Member::name), {"data", "begin", "end"}) &&
                              !ast::multiarrayType(callee->child(ast::Member::base));
        return isInside ? doubted(named(callee->child(ast::Member::base))) : NamedObjects();
    }
    case Kind::Identifier: {
        const Symbol* symbol = e->symbol;
        if (!symbol) return {};
        if (symbol->kind == ast::SymbolKind::Parameter) return {{e, true}};
        const NodePtr value = isStable(symbol) ? initializerOf(*symbol) : nullptr;
        return value ? pointedTo(value) : NamedObjects();
    }
    default:
        return {};
    }
}

// A reference is what it is bound to.
NamedObjects NamingExpressions::byName(NodePtr name) const {
    const Symbol* symbol = name->symbol;
    if (!symbol) return {{name}};
    if (symbol->kind == ast::SymbolKind::Field) return with({NamedObject()}, {name});
    const NodePtr declared = symbol->declaration, declarator = declaratorOf(declared);
    const bool isCaptured = ast::is<ast::ReferenceCapture>(declared);
    const bool isReference = isCaptured || bindsReference(declarator);
    if (symbol->kind == ast::SymbolKind::Parameter || !isReference) return {{name}};
    if (ast::is<ast::RangeFor>(declared))
        return doubted(named(declared->child(ast::RangeFor::range)));
    const NodePtr value = initializerOf(*symbol);
    if (!value) return {{name}};
    return holdsBindings(declarator) ? doubted(named(value)) : named(value);
}

namespace {

// v of `return v;`, where that is the only result.
NodePtr onlyResult(NodePtr function) {
    const auto returns = ast::allOf<ast::Return>(function->children().back());
    return returns.size() == 1 ? returns[0]->child(ast::Return::value) : nullptr;
}

NodePtr objectOf(NodePtr callee) {
    if (ast::isAny<ast::Member, ast::PointerMember>(callee)) return callee->child(0);
    return calledObject(callee) || isElementAccess(callee) ? callee : nullptr;
}

// An element of an array that the lambda has from where it is called.
bool isCaptured(NodePtr access, NodePtr function) {
    return function->is<ast::Lambda>() &&
           !ast::anywhere(access->child(ast::Subscript::base), [&](NodePtr each) {
               const NodePtr declared = each->symbol ? each->symbol->declaration : nullptr;
               return declared && ast::is<ast::Identifier>(each) &&
                      function->span().contains(declared->span());
           });
}

}  // namespace

NamedObjects NamingExpressions::given(NodePtr call, NodePtr function,
                                      const NamedObject& inside) const {
    if (inside.isElement())
        return isCaptured(inside.root, function) ? NamedObjects{inside} : NamedObjects();
    NamedObjects objects;
    const NodePtr callee = bare(call->child(ast::Call::callee));
    if (!inside.root) {
        const NodePtr object = objectOf(callee);
        if (!object) return {inside};  // of a method that another one calls
        objects = callee->is<ast::PointerMember>() ? pointedTo(object) : named(object);
        for (NamedObject& each : objects) each.given = object;
    } else {
        const NodePtr parameters = ast::parametersOf(function);
        const auto arguments = call->child(ast::Call::arguments)->children();
        const auto formals = parameters ? parameters->children() : std::span<const NodePtr>();
        for (std::size_t k = 0; k < formals.size(); ++k) {
            if (!formals[k]->symbol || formals[k]->symbol != inside.root->symbol) continue;
            const bool isPack = ast::anywhere(formals[k], ast::is<ast::PackDeclarator>);
            for (std::size_t given = k; given < arguments.size() && (isPack || given == k);
                 ++given) {
                NamedObjects own = inside.isBehind ? NamedObjects() : named(arguments[given]);
                if (own.empty()) own = pointedTo(arguments[given]);
                for (NamedObject& each : own) each.given = arguments[given];
                objects = joined(std::move(objects), own);
            }
        }
    }
    return NamingExpressions::inside(std::move(objects), inside);
}

NamedObjects NamingExpressions::inside(NamedObjects objects, const NamedObject& part) {
    for (NamedObject& each : objects) {
        each.isSure &= part.isSure;
        for (const Step& step : part.steps) {
            const NodePtr subscript = step.subscript();
            if (subscript && !constantValue(subscript)) {
                each.isSure = false;  // the function knows which
                break;
            }
            each.steps.push_back(step);
        }
    }
    return objects;
}

NamedObjects NamingExpressions::returned(NodePtr call) const {
    const NodePtr callee = bare(call->child(ast::Call::callee));
    const auto arguments = call->child(ast::Call::arguments)->children();
    if (isNamed(callee, {"std::move", "std::forward", "std::get", "std::as_const"}) &&
        arguments.size() == 1) {
        const NamedObjects objects = named(arguments[0]);
        return isNamed(callee, {"std::get"}) ? doubted(objects) : objects;
    }
    const ast::Type* function = calledType(callee);
    const ast::Type* result = function ? function->result : nullptr;
    const bool isValue = result && result->kind != ast::TypeKind::Unknown && !result->isReference;
    if (isValue || callee->text().starts_with("std::")) return {};
    const NodePtr body = bodyOf(call), value = body ? onlyResult(body) : nullptr;
    if (value) {
        NamedObjects objects;
        for (const NamedObject& each : named(value))
            objects = joined(std::move(objects), given(call, body, each));
        return objects;
    }
    NamedObjects objects;
    if (const NodePtr object = objectOf(callee); object && !ast::multiarrayType(object))
        objects = callee->is<ast::PointerMember>() ? pointedTo(object) : named(object);
    for (const NodePtr each : arguments) objects = joined(std::move(objects), named(each));
    return doubted(objects);
}

}  // namespace hpcc::analysis
