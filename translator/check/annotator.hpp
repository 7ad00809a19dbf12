// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk behind annotate(): one class, its parts in annotate_*.cpp by kind of node.
#pragma once

#include "analysis/instance_types.hpp"
#include "ast/unit.hpp"
#include "ast/visitor.hpp"
#include "check/annotate.hpp"
#include "check/template_arguments.hpp"
#include "check/types.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hpcc::check {

using ast::Scope;
using ast::SymbolKind;

enum class Taking : std::uint8_t;  // annotate_operators.cpp
struct Candidate;

class Annotator : public ast::Visitor {
public:
    Annotator(const ast::Unit& unit, TypeParameters parameters);
    void run();

private:
    // What a declarator declares: `const T *p[3]` of base T declares p, a C array of pointers.
    struct Declared {
        NodePtr name = nullptr;      // Identifier, QualifiedName, OperatorName ..
        NodePtr function = nullptr;  // the FunctionDeclarator, if the name itself is a function
        NodePtr bindings = nullptr;  // StructuredBinding
        const Type* type = nullptr;
        bool isAuto = false;  // the initializer gives the type
    };
    // What stands before the declarators.
    struct Specified {
        const Type* type = nullptr;
        bool isAuto = false;
        bool isTypedef = false;
        bool isFriend = false;
        bool isStatic = false;  // or thread_local
    };
    struct Place {
        Scope* scope = nullptr;
        std::vector<const Symbol*> classes = {};
        const Symbol* symbol = nullptr;  // of a lambda
        const Type* type = nullptr;      // as it is written
    };
    struct Body {
        const Type* deduced = nullptr;  // of the first return statement
    };

    // Scopes (annotator.cpp).
    Scope* push(Scope::Kind kind);
    Scope* push(Scope* scope);
    void pop() { scopes_.pop_back(); }
    const Scope* scope() const { return scopes_.back(); }
    Scope* declaringScope() const;
    Symbol* declare(std::string_view name, SymbolKind kind, NodePtr declaration, const Type* type);
    Symbol* declareName(NodePtr name, SymbolKind kind, NodePtr declaration, const Type* type);
    Scope* namespaceScope(std::string_view name);
    void adoptNamespaces(Scope* here);
    void inBlock(NodePtr node);  // the children in a scope of their own

    // Names and types (annotate_types.cpp, annotate_declarators.cpp).
    const Symbol* resolve(NodePtr name);
    const Symbol* resolveIn(const Scope* members, NodePtr name);
    const Scope* membersOf(const Symbol* symbol) const;
    const Type* typeOfName(NodePtr name);
    Specified specified(NodePtr specifiers);
    const Type* specifiedType(NodePtr specifiers);
    const Type* coreType(NodePtr core);
    const Type* multiarrayType(NodePtr node);
    const Type* instance(const Symbol& classSymbol, NodePtr name);
    Declared declared(const Specified& base, NodePtr declarator);
    void applyDeclarator(NodePtr declarator, Declared& out);
    const Type* pointed(NodePtr operators, const Type* type);
    const Type* functionType(NodePtr declarator, const Type* result);
    void parameter(NodePtr node, Type& function);
    const Type* deducedType(const Type* declaredType, const Type* initializer);
    const Type* deducedSequence(const Type* type, NodePtr initializer);
    const Type* initializerType(NodePtr initializer);

    // Declarations (annotate_variables.cpp, annotate_functions.cpp, annotate_classes.cpp,
    // annotate_namespaces.cpp).
    void visitDeclaration(NodePtr node) override;
    void visitFunctionDefinition(NodePtr node) override;
    void visitDefaultedFunction(NodePtr node) override { visitSpecialDeclaration(node); }
    void visitSpecialDeclaration(NodePtr node) override;
    void visitTemplate(NodePtr node) override;
    void visitNamespace(NodePtr node) override;
    void visitNamespaceAlias(NodePtr node) override;
    void visitUsingDirective(NodePtr node) override;
    void visitUsingDeclaration(NodePtr node) override;
    void visitAliasDeclaration(NodePtr node) override;
    void visitClass(NodePtr node) override;
    void visitEnum(NodePtr node) override;
    void visitConditionDeclaration(NodePtr node) override;
    void visitHpspmdAttribute(NodePtr) override {}
    void initDeclarator(const Specified& base, NodePtr node);
    void declareVariable(const Specified& base, const Declared& declared, NodePtr node);
    void declareFunction(const Declared& declared, NodePtr node);
    void declareBindings(NodePtr bindings, const Type* type, NodePtr declaration);
    void functionBody(NodePtr node, NodePtr function, const Symbol* deduced);
    void declareParameters(NodePtr parameters);
    void templateParameter(NodePtr node, NodePtr head);
    const Symbol* classSymbol(NodePtr node, NodePtr name);
    void specialise(const Symbol& primary);
    void memberInitializers(NodePtr node);
    void baseClasses(NodePtr bases, Scope* members);
    void later(std::function<void()> work);
    void runDeferred();
    bool inClass() const { return declaringScope()->kind() == Scope::Kind::Class; }

    // Statements (annotate_statements.cpp).
    void visitCompound(NodePtr node) override { inBlock(node); }
    void visitIf(NodePtr node) override;
    void visitWhile(NodePtr node) override { inBlock(node); }
    void visitFor(NodePtr node) override { inBlock(node); }
    void visitSwitch(NodePtr node) override { inBlock(node); }
    void visitHandler(NodePtr node) override;
    void visitRangeFor(NodePtr node) override;
    void visitReturn(NodePtr node) override;
    void visitAt(NodePtr node) override;
    void visitOverall(NodePtr node) override;
    void visitOverallExpression(NodePtr node) override;
    void visitLabel(NodePtr node) override;
    void visitGoto(NodePtr) override {}
    void overallNest(NodePtr headers, NodePtr body);
    void bindIndex(NodePtr name, NodePtr declaration);

    // Expressions (annotate_expressions.cpp, annotate_functions.cpp).
    void visitOther(NodePtr node) override;
    void visitIdentifier(NodePtr node) override;
    void visitQualifiedName(NodePtr node) override { visitIdentifier(node); }
    void visitTemplateName(NodePtr node) override { visitIdentifier(node); }
    void visitNumberLiteral(NodePtr node) override;
    void visitStringLiteral(NodePtr node) override { node->type = stringType(); }
    void visitCharacterLiteral(NodePtr node) override { node->type = builtinType(arena(), "char"); }
    void visitKeywordLiteral(NodePtr node) override;
    void visitParenthesized(NodePtr node) override {
        takeType(node, ast::Parenthesized::expression);
    }
    void visitComma(NodePtr node) override { takeType(node, ast::Comma::right); }
    void visitAssign(NodePtr node) override;
    void visitConditional(NodePtr node) override;
    void visitBinary(NodePtr node) override;
    void visitUnary(NodePtr node) override;
    void visitPostfix(NodePtr node) override;
    void visitSizeof(NodePtr node) override;
    void visitTypeName(NodePtr node) override;
    void visitSpecifiers(NodePtr node) override { specifiedType(node); }
    void visitMultiarrayType(NodePtr node) override { specifiedType(node); }
    void visitFunctionalCast(NodePtr node) override;
    void visitCast(NodePtr node) override { takeType(node, ast::Cast::type); }
    void visitNamedCast(NodePtr node) override { takeType(node, ast::NamedCast::type); }
    void visitNew(NodePtr node) override;
    void visitLambda(NodePtr node) override;
    void captures(NodePtr node);
    void visitDesignatedInitializer(NodePtr node) override {
        visit(node->child(ast::DesignatedInitializer::value));
    }
    void takeType(NodePtr node, uint32_t slot);  // that of one of its parts
    void reassign(NodePtr target);
    bool seesForeignNames() const;

    // Elements, members and calls (annotate_access.cpp, annotate_calls.cpp).
    void visitSubscript(NodePtr node) override;
    void visitSection(NodePtr node) override;
    void visitGlobalIndex(NodePtr node) override;
    void visitNewMultiarray(NodePtr node) override;
    void visitMember(NodePtr node) override;
    void visitPointerMember(NodePtr node) override;
    void visitCall(NodePtr node) override;
    const Type* subscripted(const Type* base, std::size_t count);
    const Type* sectionOf(const Type* base, NodePtr slots);
    const Type* standardElement(const Type* type);
    const Type* iterated(const Type* range);
    const Type* pairOf(const Type* first, const Type* second);
    const Type* madePair(NodePtr arguments);
    const Type* pointee(const Type* type);
    const Type* memberType(NodePtr node, const Type* base);
    const Type* standardMember(const Type* base, std::string_view name);
    const Type* callType(NodePtr node);
    const Type* libraryCall(const Symbol& function, NodePtr call);
    const Type* overloadedCall(const Symbol& function, NodePtr arguments, const Type* object);
    const Type* resultOf(const Type& function, NodePtr arguments);
    void joinOverloads(NodePtr callee);
    const Type* constructed(const Symbol& symbol, NodePtr callee);
    void reassignArguments(NodePtr call);
    void knowMacro(NodePtr call);

    // Operators of classes (annotate_operators.cpp).
    void operated(NodePtr node, std::string_view op, std::initializer_list<NodePtr> operands);
    std::pair<const Symbol*, Taking> judged(const Candidate& candidate,
                                            std::span<const NodePtr> operands);

    // Templates and overloads (annotate_templates.cpp).
    void choose(NodePtr call);
    std::vector<const Symbol*> candidatesOf(NodePtr callee,
                                            std::span<const Type* const> arguments) const;
    const Symbol* chosen(std::vector<const Symbol*> all, NodePtr callee,
                         std::span<const Type* const> arguments);
    const Symbol* instanceOf(const Symbol& generic, const TemplateArguments& bound);
    const Symbol* instanceOf(NodePtr lambda, std::span<const Type* const> types);
    void applyPattern(NodePtr call);
    const Symbol* asInstance(const Symbol& generic, NodePtr node);
    const Type* typeOfCalled(const Symbol& function,
                             analysis::Premise premise = analysis::Premise::Numbers);
    void inScope(const Place& place, const std::function<void()>& work);
    const Symbol* named(const TemplateArguments::Argument& argument);

    ast::Arena& arena() { return *unit_.arena; }

    const ast::Unit& unit_;
    std::vector<Scope*> scopes_;
    std::vector<const Symbol*> classes_;  // around this place, innermost last
    std::vector<Body> bodies_;
    std::vector<std::function<void()>> deferred_;
    int classDepth_ = 0;
    int unionDepth_ = 0;
    std::unordered_set<const Symbol*> specialised_;  // class templates with specialisations
    std::unordered_set<std::string_view> assigned_;  // names, for the whole text
    std::optional<std::unordered_set<std::string_view>> plainMacros_;  // once asked for
    const TypeParameters typeParameters_;
    bool underTemplate_ = false;  // the declaration stands directly under a template head,
    NodePtr template_ = nullptr;  // this one
    std::map<std::pair<const Symbol*, std::string>, const Symbol*> instances_;
    int instancesAround_ = 0;
    std::unordered_map<NodePtr, Place> lambdas_;
    std::unordered_map<NodePtr, const Type*> autos_;      // in instances of lambdas
    std::unordered_map<NodePtr, const Symbol*> applied_;  // functions of patterns
};

// The lambda that a variable stands for; null if it is none.
NodePtr lambdaOf(const Symbol& variable);

// All functions of that name in this namespace and those below it.
std::vector<const Symbol*> functionsEverywhere(const Scope& scope, std::string_view name);

// The functions that a callee may mean, in the scope where it stands.
std::vector<const Symbol*> overloadsOf(const Symbol& function);

}  // namespace hpcc::check
