// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/operations.hpp"

#include <algorithm>
#include <utility>

#include "analysis/harmless_calls.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "ast/visitor.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

// Constructors and destructors: their class tells them apart.
constexpr std::string_view constructors = "(constructor)", destructors = "(destructor)";

const ast::Symbol* declaredClass(const ast::Type* type) {
    return isDeclaredClass(type) ? type->classSymbol : nullptr;
}

/// It stands for another type in each instance.
bool isOfTemplate(const ast::Type* type) {
    return type &&
           (type->isDependent ||
            (type->classSymbol && type->classSymbol->kind == ast::SymbolKind::TemplateParameter));
}

bool isKnown(const ast::Type* type) {
    if (!type || type->kind == ast::TypeKind::Unknown) return false;
    return type->kind != ast::TypeKind::Class || !isOfTemplate(type);
}

bool hasBases(const ast::Symbol& object) {
    return ast::is<ast::Class>(object.declaration) &&
           object.declaration->child(ast::Class::bases) != nullptr;
}

/// `operator +` as "operator+"; "" of conversions and of functions for memory.
std::string operatorName(NodePtr name) {
    if (!ast::is<ast::OperatorName>(name)) return "";
    std::string result;
    for (const char c : name->text())
        if (c != ' ') result += c;
    constexpr std::string_view word = "operator";
    const bool isSign =
        result.size() > word.size() &&
        std::string_view("+-*/%^&|~!=<>[(,").find(result[word.size()]) != std::string_view::npos;
    return isSign && result != "operator->" ? result : "";
}

}  // namespace

bool isDeclaredClass(const ast::Type* type) {
    return type && type->kind == ast::TypeKind::Class && type->classSymbol &&
           type->classSymbol->declaration &&
           type->classSymbol->kind != ast::SymbolKind::TemplateParameter;
}

class Operations::Collector : public ast::Visitor {
public:
    explicit Collector(Operations& operations) : operations_(operations) {}

    void visitClass(NodePtr node) override {
        const ast::Symbol* outer = std::exchange(class_, node->symbol);
        visitChildren(node);
        class_ = outer;
    }
    void visitDeclaration(NodePtr node) override {
        const bool before = std::exchange(isFriend_, node->text().starts_with("friend"));
        visitChildren(node);
        isFriend_ = before;
    }
    void visitInitDeclarator(NodePtr node) override {
        note(node, node->child(ast::InitDeclarator::declarator));
    }
    void visitSpecialDeclaration(NodePtr node) override {
        note(node, node->child(ast::SpecialDeclaration::declarator));
    }
    void visitFunctionDefinition(NodePtr node) override {
        const NodePtr specifiers = node->child(ast::FunctionDefinition::specifiers);
        const bool before =
            std::exchange(isFriend_, specifiers && specifiers->text().starts_with("friend"));
        note(node, node->child(ast::FunctionDefinition::declarator));
        isFriend_ = before;
        const ast::Symbol* outer = std::exchange(class_, nullptr);
        visit(node->child(ast::FunctionDefinition::body));  // classes inside
        class_ = outer;
    }

private:
    void note(NodePtr node, NodePtr declarator) {
        const NodePtr name = ast::declaredName(declarator);
        const bool isFunction = node->type && node->type->kind == ast::TypeKind::Function;
        if (!name || !isFunction) return;
        const ast::Symbol* owner = isFriend_ ? nullptr : class_;
        if (ast::is<ast::DestructorName>(name) && owner)
            return add(std::string(destructors), {node, name, owner, false});
        const bool isConstructor =
            owner && !ast::is<ast::InitDeclarator>(node) && name->text() == owner->name;
        if (isConstructor) return add(std::string(constructors), {node, name, owner, false});
        std::string found = operatorName(name);
        if (found.empty()) return;
        const bool isStep = found == "operator++" || found == "operator--";
        const bool isPostfix = isStep && node->type->parameters.size() == (owner ? 1 : 2);
        add(std::move(found), {node, name, owner, isPostfix});
    }
    void add(std::string name, Operation operation) {
        operations_.operations_[std::move(name)].push_back(operation);
    }

    Operations& operations_;
    const ast::Symbol* class_ = nullptr;
    bool isFriend_ = false;
};

Operations::Operations(const ast::Unit& unit) {
    std::vector<const ast::Unit*> open{&unit};
    for (std::size_t k = 0; k < open.size(); ++k) {
        Collector(*this).visit(open[k]->root);
        for (const ast::Unit* import : open[k]->imports)
            if (std::ranges::find(open, import) == open.end()) open.push_back(import);
    }
}

std::vector<NodePtr> operandsOf(NodePtr e) {
    switch (e->kind()) {
    case ast::Kind::Binary:
        return {e->child(ast::Binary::left), e->child(ast::Binary::right)};
    case ast::Kind::Assign:
        return {e->child(ast::Assign::target), e->child(ast::Assign::value)};
    case ast::Kind::Unary:
        return {e->child(ast::Unary::operand)};
    case ast::Kind::Postfix:
        return {e->child(ast::Postfix::operand)};
    case ast::Kind::Subscript: {
        const auto subscripts = e->child(ast::Subscript::subscripts)->children();
        if (subscripts.size() != 1) return {};
        return {e->child(ast::Subscript::base), subscripts[0]};
    }
    case ast::Kind::Call: {
        std::vector<NodePtr> result{e->child(ast::Call::callee)};
        const auto arguments = e->child(ast::Call::arguments)->children();
        result.insert(result.end(), arguments.begin(), arguments.end());
        return result;
    }
    default:
        return {};
    }
}

std::string operatorNameOf(NodePtr e) {
    const auto named = [](NodePtr op) { return "operator" + std::string(op->text()); };
    switch (e->kind()) {
    case ast::Kind::Binary:
        return named(e->child(ast::Binary::op));
    case ast::Kind::Assign:
        return named(e->child(ast::Assign::op));
    case ast::Kind::Unary:
        return named(e->child(ast::Unary::op));
    case ast::Kind::Postfix:
        return named(e->child(ast::Postfix::op));
    case ast::Kind::Subscript:
        return "operator[]";
    case ast::Kind::Call:
        return "operator()";
    default:
        return "";
    }
}

Operated Operations::of(NodePtr expression) const {
    const auto found = operations_.find(operatorNameOf(expression));
    if (found == operations_.end()) return {};
    const std::vector<NodePtr> operands = operandsOf(expression);
    if (operands.empty()) return {};
    if (expression->is<ast::Call>() && !isDeclaredClass(typeOf(operands.front()))) return {};
    const bool isPostfix = expression->is<ast::Postfix>();
    return among(found->first, operands,
                 [isPostfix](const Operation& each) { return each.isPostfix == isPostfix; });
}

Operated Operations::construction(const ast::Type* type, std::span<const NodePtr> arguments) const {
    const ast::Symbol* object = declaredClass(type);
    return object && !type->isReference ? memberOf(*object, constructors, arguments) : Operated{};
}

Operated Operations::destruction(const ast::Type* type) const {
    const ast::Symbol* object = declaredClass(type);
    return object && !type->isReference ? memberOf(*object, destructors, {}) : Operated{};
}

Operated Operations::memberOf(const ast::Symbol& object, std::string_view name,
                              std::span<const NodePtr> arguments) const {
    Operated result =
        among(name, arguments, [&object](const Operation& each) { return each.owner == &object; });
    if (!result.name.empty()) result.name = object.name;
    return result;
}

/// Those that surely take the operands, if that is all that perhaps do.
template <class Predicate>
Operated Operations::among(std::string_view name, std::span<const NodePtr> operands,
                           const Predicate& isMeant) const {
    const auto all = operations_.find(std::string(name));
    if (all == operations_.end()) return {};
    Operated result;
    bool isKnown = true;
    for (const Operation& each : all->second) {
        const Fit fit = isMeant(each) ? fits(each, operands) : Fit::No;
        if (fit == Fit::No) continue;
        result.name = all->first;
        isKnown = isKnown && fit == Fit::Yes;
        result.functions.push_back(&each);
    }
    if (!isKnown) result.functions.clear();
    return result;
}

Operations::Fit Operations::fits(const Operation& operation,
                                 std::span<const NodePtr> operands) const {
    const bool hasObject = operation.owner && ast::is<ast::OperatorName>(operation.name);
    const ast::Type& function = *operation.declaration->type;
    const std::size_t count = operands.size() - (hasObject ? 1 : 0);
    const std::size_t given = count + (operation.isPostfix ? 1 : 0);  // a 0
    const bool takesAsMany = function.requiredParameters <= given &&
                             (given <= function.parameters.size() || function.isVariadic);
    if ((hasObject && operands.empty()) || !takesAsMany) return Fit::No;
    Fit least = function.isVariadic ? Fit::Perhaps : Fit::Yes;
    // Members of classes are asked for their own objects; of other operators one operand at least
    // is an object.
    bool isOwn = !ast::is<ast::OperatorName>(operation.name), mayBeOwn = isOwn;
    const auto judge = [&](const ast::Symbol* wanted, Fit fit, const ast::Type* operand) {
        least = std::min(least, fit);
        isOwn = isOwn || (wanted && wanted == declaredClass(operand));
        mayBeOwn = mayBeOwn || !isKnown(operand) || isDeclaredClass(operand);
    };
    if (hasObject) {
        const ast::Type* object = typeOf(operands.front());
        const ast::Symbol* own = declaredClass(object);
        const Fit other = (own ? hasBases(*own) : !isKnown(object)) ? Fit::Perhaps : Fit::No;
        judge(operation.owner, own == operation.owner ? Fit::Yes : other, object);
    }
    for (std::size_t k = 0; k < count && k < function.parameters.size(); ++k) {
        const ast::Type* operand = typeOf(operands[operands.size() - count + k]);
        const ast::Type* parameter = function.parameters[k];
        judge(declaredClass(parameter), fits(parameter, operand), operand);
    }
    if (!mayBeOwn) return Fit::No;
    return isOwn ? least : std::min(least, Fit::Perhaps);
}

Operations::Fit Operations::fits(const ast::Type* parameter, const ast::Type* operand) const {
    const ast::Symbol *to = declaredClass(parameter), *from = declaredClass(operand);
    if (to && to == from) return Fit::Yes;
    if (!isKnown(operand)) return Fit::Perhaps;
    // What a template takes, its other form takes.
    if (!isKnown(parameter)) return isOfTemplate(parameter) ? Fit::Yes : Fit::Perhaps;
    if (from && hasBases(*from)) return Fit::Perhaps;
    if (to) return convertsFrom(*to, *operand) ? Fit::Yes : Fit::No;
    if (ast::isNumber(parameter) && ast::isNumber(operand)) return Fit::Yes;
    if (parameter->kind != operand->kind) return from ? Fit::No : Fit::Perhaps;
    return parameter->classSymbol == operand->classSymbol ? Fit::Yes : Fit::Perhaps;
}

/// By a constructor, which takes a number from a number.
bool Operations::convertsFrom(const ast::Symbol& to, const ast::Type& from) const {
    const auto all = operations_.find(std::string(constructors));
    return all != operations_.end() && std::ranges::any_of(all->second, [&](const Operation& each) {
               const ast::Type& function = *each.declaration->type;
               return each.owner == &to && function.requiredParameters <= 1 &&
                      !function.parameters.empty() && ast::isNumber(function.parameters[0]) &&
                      ast::isNumber(&from);
           });
}

const ast::Type* Operations::typeOf(NodePtr expression) const {
    expression = ast::withoutParentheses(expression);
    if (const ast::Type* const object = analysis::calledObject(expression)) return object;
    const ast::Type* type = expression->type;
    if (type && type->kind != ast::TypeKind::Unknown) return type;
    if (ast::is<ast::Member>(expression)) {
        const ast::Symbol* object = declaredClass(typeOf(expression->child(ast::Member::base)));
        const ast::Symbol* field =
            object && object->members
                ? object->members->findHere(expression->child(ast::Member::name)->text())
                : nullptr;
        return field ? field->type : type;
    }
    const Operated operated = of(expression);
    if (operated.functions.size() != 1) return type;
    return operated.functions.front()->declaration->type->result;
}

}  // namespace hpcc::lower
