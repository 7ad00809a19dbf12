// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/object_writes.hpp"

#include <algorithm>
#include <unordered_set>

#include "analysis/condition_counter.hpp"
#include "analysis/declared_writes.hpp"
#include "analysis/harmless_calls.hpp"
#include "analysis/standard_writes.hpp"
#include "ast/declarators.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {
namespace {

using ast::SymbolKind;

class Collector : public ConditionCounter {
public:
    explicit Collector(ObjectWrites& functions) : functions_(functions) {}

    std::vector<ObjectWrite> result;

    void run(NodePtr root) {
        root_ = root;
        if (root->is<ast::FunctionDefinition>()) {
            visit(root->child(ast::FunctionDefinition::initializers));
            visit(root->child(ast::FunctionDefinition::body));
        } else {
            visit(root->is<ast::Lambda>() ? root->child(ast::Lambda::body) : root);
        }
    }

    void visitAssign(NodePtr node) override {
        const NodePtr target = bare(node->child(ast::Assign::target));
        if (ast::is<ast::Call>(target) && target->child(ast::Call::callee)->text() == "std::tie") {
            visit(node->child(ast::Assign::value));
            for (const NodePtr each : target->child(ast::Call::arguments)->children()) {
                visit(each);
                changes(node, each, Writing::Surely);
            }
            return;
        }
        visitChildren(node);
        node->symbol ? operated(node, target, 0) : changes(node, target, Writing::Surely);
    }
    void visitPostfix(NodePtr node) override {
        visitChildren(node);
        changes(node, node->child(ast::Postfix::operand), Writing::Surely);
    }
    void visitUnary(NodePtr node) override {
        const NodePtr operand = node->child(ast::Unary::operand);
        const std::string_view op = node->child(ast::Unary::op)->text();
        if (op == "*") follow(operand);
        visitChildren(node);
        if (op == "++" || op == "--") return changes(node, operand, Writing::Surely);
        if (op == "&" && !followed_.contains(node)) return changes(node, operand, Writing::Perhaps);
        if (node->symbol) return operated(node, operand, 0);
        if (op != "&" && isOfProgram(operand->type)) changes(node, operand, Writing::OutOfSight);
    }
    void visitPointerMember(NodePtr node) override {
        follow(node->child(ast::PointerMember::base));
        visitChildren(node);
    }
    void visitBinary(NodePtr node) override {
        const NodePtr left = node->child(ast::Binary::left),
                      right = node->child(ast::Binary::right);
        const std::string_view op = node->child(ast::Binary::op)->text();
        follow(left);
        follow(right);
        visit(left);
        if (ast::isShortCircuit(node)) return perhaps(right);
        visit(right);
        const bool isUnseen = isOfProgram(left->type) || isOfProgram(right->type);
        if (node->symbol) {
            operated(node, left, 0);
            operated(node, right, 1);
        } else if (isUnseen) {
            changes(node, left, Writing::OutOfSight);
            changes(node, right, Writing::OutOfSight);
        } else if (op == ">>" && !ast::isNumber(left->type)) {  // std::cin >> a[i]
            changes(node, right, Writing::Perhaps);
        }
    }
    void visitSubscript(NodePtr node) override {
        noteDepth(node);
        const NodePtr base = node->child(ast::Subscript::base);
        follow(base);
        visitChildren(node);
        if (node->symbol) operated(node, base, 0);
    }

    // ---- calls ---------------------------------------------------------------------------------

    void visitCall(NodePtr node) override {
        const NodePtr callee = bare(node->child(ast::Call::callee));
        const auto arguments = node->child(ast::Call::arguments)->children();
        for (const NodePtr each : arguments) follow(each);
        visitChildren(node);
        if (ast::isLibraryName(callee) || ast::inquiryOf(node)) return;
        if (namesType(callee))
            return made(node, node->type ? node->type->classSymbol : nullptr, arguments);
        if (ast::isMathematicalCall(node)) return;
        const bool isMethod = ast::isAny<ast::Member, ast::PointerMember>(callee);
        const ast::Type* object = isMethod ? callee->child(0)->type : nullptr;
        if (isMethod && object && object->kind == ast::TypeKind::Class && !isOfProgram(object))
            return standardMethod(node, callee, arguments.size());
        if (!isMethod && isOfStandard(callee)) return standardCall(node, callee, arguments);
        const NodePtr body = functions_.naming().bodyOf(node);
        if (body && (body == root_ || !functions_.isOutOfReach(body))) return known(node, body);
        declared(node, callee, arguments);
    }

    // C c{a[i]}, C(a[i])
    void visitFunctionalCast(NodePtr node) override {
        const auto values = node->child(ast::FunctionalCast::arguments)->children();
        for (const NodePtr each : values) follow(each);
        visitChildren(node);
        const NodePtr type = node->child(ast::FunctionalCast::type);
        if (type->text().starts_with("std::")) return standardCall(node, type, values);
        made(node, node->type ? node->type->classSymbol : nullptr, values);
    }
    void visitInitDeclarator(NodePtr node) override { declares(node); }
    void visitConditionDeclaration(NodePtr node) override { declares(node); }
    void visitMemberInitializer(NodePtr node) override {
        visitChildren(node);
        const NodePtr value = node->child(ast::MemberInitializer::initializer);
        if (value && node->symbol && mayChangeThrough(nullptr, node->symbol->type))
            for (const NodePtr each : value->children()) lends(node, each, Writing::Perhaps);
    }

    void visitClass(NodePtr) override {}
    void visitFunctionDefinition(NodePtr) override {}

private:
    // The address that it may take is followed, or used by what is known.
    void follow(NodePtr e) {
        e = bare(e);
        if (ast::is<ast::Unary>(e)) followed_.insert(e);
    }

    void noteDepth(NodePtr access) {
        if (isElementAccess(access)) depths_[access->origin()] = conditions();
    }

    bool isAsOften(const NamedObject& object) const {
        if (!object.isElement()) return conditions() == 0;
        const auto depth = depths_.find(object.root->origin());
        return depth == depths_.end() || conditions() <= depth->second;
    }

    void changes(NodePtr site, NodePtr place, Writing writing) {
        place = bare(place);
        for (const NamedObject& each : functions_.naming().named(place))
            note(site, place, each, writing);
    }
    // The same of what is given away as a reference, or by its address.
    void lends(NodePtr site, NodePtr value, Writing writing) {
        value = bare(value);
        const NamingExpressions& naming = functions_.naming();
        const bool isPointer = value->type && value->type->kind == ast::TypeKind::Pointer;
        NamedObjects objects = isPointer ? NamedObjects() : naming.named(value);
        if (objects.empty()) objects = naming.pointedTo(value);
        for (const NamedObject& each : objects) note(site, value, each, writing);
    }

    // What a parameter refers or points to.
    static bool isGiven(const NamedObject& object) {
        const Symbol* symbol = object.root->symbol;
        const NodePtr declared = symbol ? symbol->declaration : nullptr;
        if (!ast::is<ast::Parameter>(declared)) return false;
        const NodePtr declarator = declared->child(ast::Parameter::declarator);
        const bool isPointer = symbol->type && symbol->type->kind == ast::TypeKind::Pointer;
        return (!isPointer || object.isBehind) && mayChangeThrough(declarator, symbol->type);
    }

    void note(NodePtr site, NodePtr place, const NamedObject& object, Writing writing) {
        if (object.root && !object.isElement() && !isGiven(object)) return;
        if (object.isElement()) {
            const ast::Type* type = ast::multiarrayType(object.root->child(ast::Subscript::base));
            if (type && type->elementConst) return;
        }
        if (!object.isSure || !isAsOften(object)) writing = std::min(writing, Writing::Perhaps);
        const auto known = std::ranges::find_if(result, [&](const ObjectWrite& each) {
            return !object.isElement() && isSameObject(each.object, object);
        });
        if (known != result.end()) {  // callers ask what is changed, not where
            known->object.isSure |= object.isSure;
            known->writing = std::max(known->writing, writing);
            return;
        }
        result.push_back({site, place, object, writing, conditions() > 0, nests() > 0});
    }

    void standardCall(NodePtr node, NodePtr callee, std::span<const NodePtr> arguments) {
        const std::string_view text = lastName(callee)->text(),
                               name = text.substr(0, text.find('<'));
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            const StandardWriting writing = standardWriting(name, k);
            if (writing == StandardWriting::No) continue;
            lends(node, arguments[k],
                  writing == StandardWriting::Surely ? Writing::Surely : Writing::Perhaps);
        }
    }
    void standardMethod(NodePtr node, NodePtr callee, std::size_t count) {
        if (standardMemberWriting(lastName(callee)->text(), count) != StandardWriting::No)
            changes(node, callee->child(0), Writing::Surely);
    }

    // A function in sight changes what it names by its parameters and object, a lambda elements of
    // the nest round it.
    void known(NodePtr call, NodePtr body) {
        const std::vector<ObjectWrite> inside = functions_.of(body);
        for (const ObjectWrite& each : inside) {
            if (each.object.isElement() && (each.isInNest || !body->is<ast::Lambda>())) continue;
            Writing writing = each.writing;
            if (each.object.isElement() && each.isConditional)  // of a capture
                writing = std::min(writing, Writing::Perhaps);
            for (const NamedObject& object : functions_.naming().given(call, body, each.object))
                note(call, object.given ? object.given : each.place, object, writing);
        }
    }

    void declared(NodePtr call, NodePtr callee, std::span<const NodePtr> arguments) {
        const Symbol* function = lastName(callee)->symbol;
        const bool isKnown = function && function->kind == SymbolKind::Function;
        if (ast::isAny<ast::Member, ast::PointerMember>(callee)) {
            const bool isConst = isKnown && areConstMethods(function);
            if (!isConst && !ast::multiarrayType(callee->child(0)))
                changes(call, callee->child(0), isKnown ? Writing::Perhaps : Writing::OutOfSight);
        }
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            const bool isStandard =
                !isKnown && standardWriting(callee->text(), k) != StandardWriting::No;
            const auto writing = isKnown      ? declaredWriting(function, k, arguments.size())
                                 : isStandard ? std::optional(Writing::Perhaps)
                                              : std::optional(Writing::OutOfSight);
            if (writing) lends(call, arguments[k], *writing);
        }
    }

    // An object that is made of these values perhaps keeps references to them.
    void made(NodePtr site, const Symbol* of, std::span<const NodePtr> values) {
        const bool isDeclared = of && of->kind == SymbolKind::Class && of->members &&
                                ast::is<ast::Class>(of->declaration);
        const bool isCopy =
            values.size() == 1 && values[0]->type && values[0]->type->classSymbol == of;
        if (!isDeclared || isCopy) return;
        const Symbol* constructors = of->members->findHere("(constructor)");
        std::vector<const ast::Type*> fields;
        for (const Symbol* each : of->members->symbols())
            if (each->kind == SymbolKind::Field) fields.push_back(each->type);
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (constructors) {
                constructed(site, constructors, values, k);
            } else if (k < fields.size() && mayChangeThrough(nullptr, fields[k])) {
                lends(site, values[k], Writing::Perhaps);
            }
        }
    }
    void constructed(NodePtr site, const Symbol* constructors, std::span<const NodePtr> values,
                     std::size_t k) {
        if (!declaredWriting(constructors, k, values.size())) return;
        const NodePtr body = constructors->previous ? nullptr : constructors->declaration;
        if (!ast::is<ast::FunctionDefinition>(body))
            return lends(site, values[k], Writing::Perhaps);
        changesAs(site, values[k], body, ast::parametersOf(body)->child(static_cast<uint32_t>(k)),
                  true);
    }

    // What the functions that an operator may mean do to operand k.
    void operated(NodePtr node, NodePtr operand, std::size_t k) {
        const std::size_t operands = node->is<ast::Unary>() ? 1 : 2;
        for (const Symbol* each = node->symbol; each; each = each->previous) {
            if (!ast::is<ast::FunctionDefinition>(each->declaration))
                return changes(node, operand, Writing::OutOfSight);
            const NodePtr parameters = ast::parametersOf(each->declaration);
            const bool isMember = !parameters || parameters->children().size() < operands;
            const NodePtr formal =
                isMember && k == 0
                    ? nullptr
                    : parameters->child(static_cast<uint32_t>(k - (isMember ? 1 : 0)));
            changesAs(node, operand, each->declaration, formal, !node->symbol->previous);
        }
    }

    // What a function does to one of its parameters, or to its object (null), it does to the value.
    void changesAs(NodePtr site, NodePtr value, NodePtr function, NodePtr formal, bool isSure) {
        const std::vector<ObjectWrite> inside = functions_.of(function);
        const NamingExpressions& naming = functions_.naming();
        for (const ObjectWrite& each : inside) {
            const NodePtr root = each.object.root;
            if (root ? !formal || root->symbol != formal->symbol : formal != nullptr) continue;
            const Writing writing =
                isSure ? each.writing : std::min(each.writing, Writing::Perhaps);
            for (const NamedObject& object : NamingExpressions::inside(
                     each.object.isBehind ? naming.pointedTo(value) : naming.named(value),
                     each.object))
                note(site, bare(value), object, writing);
        }
    }

    // References and pointers that are followed change nothing where they are declared.
    void declares(NodePtr node) {
        const auto [declarator, initializer] = ast::declaredIn(node);
        const NodePtr value = singleInitializer(initializer);
        if (value && (isStable(node->symbol) ||
                      (node->type && node->type->element && node->type->element->isConst)))
            follow(value);
        visitChildren(node);
        if (!initializer || !node->type || !isOfProgram(node->type) || bindsReference(declarator))
            return;
        const NodePtr list =
            initializer->is<ast::EqualInitializer>() ? initializer->child(0) : initializer;
        if (list->is<ast::BracedInitializer>() || list == initializer)
            made(node, node->type->classSymbol, list->children());
    }

    ObjectWrites& functions_;
    NodePtr root_ = nullptr;
    std::unordered_set<NodePtr> followed_;     // addresses
    std::unordered_map<NodePtr, int> depths_;  // conditions round accesses, by their origins
};

}  // namespace

const std::vector<ObjectWrite>& ObjectWrites::of(NodePtr root) {
    const auto [place, isNew] = known_.try_emplace(root);
    if (!isNew) return place->second;
    Collector collector(*this);
    open_.insert(root);
    collector.run(root);
    open_.erase(root);
    return known_[root] = std::move(collector.result);
}

}  // namespace hpcc::analysis
