// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/harmless_calls.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

#include "analysis/constant.hpp"
#include "analysis/instance_types.hpp"
#include "analysis/numbers.hpp"
#include "analysis/plain_values.hpp"
#include "ast/declarators.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {
namespace {

using ast::NodePtr;

bool isConversion(NodePtr callee) {
    return callee->symbol &&
           (callee->symbol->kind == ast::SymbolKind::Class ||
            callee->symbol->kind == ast::SymbolKind::Alias) &&
           isPlainValue(callee->symbol->type);
}

/// `z.real()` of a complex number.
bool isPartOfComplex(NodePtr callee) {
    if (!ast::is<ast::Member>(callee)) return false;
    const std::string_view name = callee->child(ast::Member::name)->text();
    const ast::Type* type = callee->child(ast::Member::base)->type;
    return (name == "real" || name == "imag") && type && type->classSymbol &&
           type->classSymbol->shape == ast::StandardShape::Opaque;
}

/// The lambda that an `auto` variable stands for; null if it is none.
NodePtr lambdaOf(const ast::Symbol* variable) {
    if (!variable || variable->kind != ast::SymbolKind::Variable || variable->isReassigned ||
        ast::isObject(variable->type) || !ast::is<ast::EqualInitializer>(variable->initializer))
        return nullptr;
    const NodePtr value = variable->initializer->child(ast::EqualInitializer::value);
    return ast::is<ast::Lambda>(value) ? value : nullptr;
}

/// Looks into functions and lambdas of this file; one that calls itself counts as harmless until it
/// is seen to do something else.
class FunctionBodies {
public:
    /// `areNumbers`: what parameters of templates stand for.
    explicit FunctionBodies(bool areNumbers = false) : areNumbers_(areNumbers) {}

    std::vector<ReadVariable> read;
    std::set<std::string> parameters;  // of which functions take for granted that they are numbers

    bool isHarmless(NodePtr call) {
        if (!first_) first_ = call;
        const NodePtr callee = call->child(ast::Call::callee);
        if (ast::isMathematical(callee) || isConversion(callee) || isPartOfComplex(callee) ||
            ast::isPure(call) || convertsToNumber(call))
            return true;
        if (const auto choices = choicesOf(callee); !choices.empty())
            return areNumbers_ && std::ranges::all_of(choices, [this](const ast::Symbol* each) {
                       return isHarmlessFunction(each->declaration);
                   });
        const NodePtr definition = definitionOf(callee);
        return definition && isOfTheseTypes(call, definition) && isHarmlessFunction(definition);
    }

    bool isHarmlessFunction(NodePtr definition) {
        if (!seen_.insert(definition).second) return true;
        const NodePtr parameters = ast::parametersOf(definition);
        return (parameters ? areValues(parameters) : ast::is<ast::Lambda>(definition)) &&
               onlyComputes(definition->children().back());
    }

private:
    bool isParameter(const ast::Type* type) const { return areNumbers_ && typeParameterOf(type); }

    /// `T(2)`, where T is a parameter or what an instance takes for one.
    bool convertsToNumber(NodePtr call) const {
        const NodePtr callee = call->child(ast::Call::callee);
        const ast::Symbol* const symbol = callee->symbol;
        const bool isType = symbol && (symbol->kind == ast::SymbolKind::Alias ||
                                       symbol->kind == ast::SymbolKind::TemplateParameter);
        return isType && ast::is<ast::Identifier>(callee) && isParameter(symbol->type);
    }

    /// What an instance of a template is made for, and what another function mentions, must be
    /// parameters of the templates round the first call. Arguments tell themselves what they are.
    bool isOfTheseTypes(NodePtr call, NodePtr definition) {
        const NodePtr callee = call->child(ast::Call::callee);
        const ast::Symbol* const called = callee->type ? callee->type->called : nullptr;
        const bool isInstance =
            called && called->generic && called->generic->kind == ast::SymbolKind::Function;
        return !ast::anywhere(isInstance ? callee : definition, [&](NodePtr each) {
            const ast::Symbol* const parameter = typeParameterOf(each->type);
            if (!parameter || (isInstance && !ast::is<ast::TypeName>(each))) return false;
            parameters.insert(parameter->name);
            const bool isKnown = isInstance || !isOfAnother(callee);
            return !areNumbers_ || !isKnown || !isRoundFirst(*parameter);
        });
    }
    bool isRoundFirst(const ast::Symbol& parameter) const {
        return parameter.head &&
               parameter.head->origin()->span().contains(first_->origin()->span());
    }
    /// A member of another instance of a class, perhaps.
    static bool isOfAnother(NodePtr callee) {
        if (ast::is<ast::PointerMember>(callee))
            return callee->child(ast::PointerMember::base)->text() != "this";
        return !ast::is<ast::Identifier>(callee);
    }

    /// By value or by reference to const, and nothing that holds elements.
    bool areValues(NodePtr parameters) const {
        return std::ranges::all_of(parameters->children(), [this](NodePtr parameter) {
            const NodePtr name =
                ast::is<ast::Parameter>(parameter)
                    ? ast::declaredName(parameter->child(ast::Parameter::declarator))
                    : nullptr;
            return ast::is<ast::Identifier>(name) && name->symbol && isValue(name->symbol->type);
        });
    }

    bool isValue(const ast::Type* type) const {
        if (pointsToNumbers(type)) return true;
        if (isParameter(type)) return !type->isReference || type->isConst;
        if (!type || !type->isReference) return isPlainValue(type);
        ast::Type referred = *type;
        referred.isReference = false;
        return type->isConst && isPlainValue(&referred);
    }

    /// `const double *`, by which it cannot change them.
    static bool pointsToNumbers(const ast::Type* type) {
        return type && type->kind == ast::TypeKind::Pointer && !type->isReference &&
               type->element && type->element->isConst && ast::isNumber(type->element);
    }

    /// True for what does nothing but what its parts do.
    static bool isMadeOfParts(NodePtr node) {
        return ast::isAny<
            ast::Compound, ast::ExpressionStatement, ast::EmptyStatement, ast::If, ast::For,
            ast::While, ast::DoWhile, ast::Return, ast::Break, ast::Continue, ast::InitDeclarators,
            ast::InitDeclarator, ast::EqualInitializer, ast::Specifiers, ast::SpecifierList,
            ast::Specifier, ast::BuiltinType, ast::AutoType, ast::TypeName, ast::QualifiedName,
            ast::NumberLiteral, ast::CharacterLiteral, ast::KeywordLiteral, ast::Parenthesized,
            ast::Conditional, ast::Operator, ast::Arguments, ast::Cast, ast::NamedCast,
            ast::ArrayDeclarator, ast::BracedInitializer>(node);
    }

    bool onlyComputes(NodePtr node) {
        switch (node->kind()) {
        case ast::Kind::Call:
            if (!isHarmless(node)) return false;
            if (namesTemplate(node->child(ast::Call::callee)))
                return onlyComputes(node->child(ast::Call::arguments));
            break;
        case ast::Kind::Assign:
            if (!isLocal(node->child(ast::Assign::target)) || operatesOnObjects(node)) return false;
            break;
        case ast::Kind::Postfix:
            if (!isLocal(node->child(ast::Postfix::operand))) return false;
            break;
        case ast::Kind::Unary:
            if (!isValueOperator(node) || operatesOnObjects(node)) return false;
            break;
        case ast::Kind::Binary:
            if (operatesOnObjects(node)) return false;
            break;
        case ast::Kind::Identifier:
            if (!isReadable(node)) return false;
            break;
        case ast::Kind::PointerMember:  // `this->by`
            if (node->child(ast::PointerMember::base)->text() != "this") return false;
            noteRead(node->child(ast::PointerMember::name));
            return !ast::isObject(node->type) || isValue(node->type);
        case ast::Kind::Member:
            return readsMember(node);
        case ast::Kind::Subscript:
            return readsElement(node);
        case ast::Kind::Declaration:
            if (!isPlainDeclaration(node)) return false;
            break;
        case ast::Kind::If:
            if (const auto branch = compiledBranch(node)) return !*branch || onlyComputes(*branch);
            break;
        case ast::Kind::FunctionalCast:
            if (!isPlainValue(node->type) && !isParameter(node->type)) return false;
            break;
        case ast::Kind::Lambda:  // what it does counts where it is called
            return std::ranges::all_of(node->child(ast::Lambda::captures)->children(),
                                       [this](NodePtr each) { return isPlainCapture(each); });
        default:
            if (!isMadeOfParts(node)) return false;
        }
        return std::ranges::all_of(node->children(),
                                   [this](NodePtr child) { return !child || onlyComputes(child); });
    }

    static bool namesTemplate(NodePtr callee) {
        if (ast::is<ast::QualifiedName>(callee)) callee = callee->child(ast::QualifiedName::name);
        return ast::is<ast::TemplateName>(callee);
    }

    /// `&`, `=`, `&x`, or a copy of a plain value.
    bool isPlainCapture(NodePtr capture) const {
        if (ast::is<ast::DefaultCapture>(capture)) return true;
        if (ast::is<ast::ReferenceCapture>(capture))
            return !capture->child(ast::ReferenceCapture::initializer);
        if (!ast::is<ast::ValueCapture>(capture) || capture->child(ast::ValueCapture::initializer))
            return false;
        const NodePtr name = capture->child(ast::ValueCapture::name);
        return name->symbol &&
               (isPlainValue(name->symbol->type) || isParameter(name->symbol->type));
    }

    /// A name, if it is no object that perhaps converts itself.
    bool isReadable(NodePtr name) {
        const ast::Symbol* symbol = name->symbol;
        if (!symbol ||
            (symbol->kind != ast::SymbolKind::Variable && symbol->kind != ast::SymbolKind::Field))
            return true;
        if (!declared_.contains(symbol->declaration)) noteRead(name);
        return !ast::isObject(symbol->type) || isValue(symbol->type);
    }
    void noteRead(NodePtr name) { read.push_back({name->text(), name->symbol}); }
    void noteMemory(NodePtr name) {
        const ast::Type* type = name->symbol ? name->symbol->type : nullptr;
        const bool isConstant = type && type->kind != ast::TypeKind::Pointer &&
                                name->symbol->kind != ast::SymbolKind::Parameter &&
                                (type->isConst || (type->element && type->element->isConst)) &&
                                !type->isReference;
        if (!isConstant) read.push_back({name->text(), nullptr, true});
    }

    /// `config.gamma`: of the object, that member.
    bool readsMember(NodePtr member) {
        const NodePtr name = member->child(ast::Member::name);
        const size_t before = read.size();
        if (!onlyComputes(member->child(ast::Member::base))) return false;
        if (read.size() > before) {
            read[before].number = name->symbol;
            noteRead(name);
        }
        return !ast::isObject(member->type) || isValue(member->type);
    }

    /// `weights[k]`, of a C array or std::array, or of another container of numbers.
    bool readsElement(NodePtr element) {
        const NodePtr base = element->child(ast::Subscript::base),
                      subscripts = element->child(ast::Subscript::subscripts);
        const ast::Type* type = base->type;
        const bool isArray = type && type->kind == ast::TypeKind::CArray;
        const bool isPointer = pointsToNumbers(type);
        if (!isArray && !isPointer && !isContainerOfNumbers(type)) return false;
        if (!ast::is<ast::Identifier>(base)) {
            if (isPointer || !onlyComputes(base)) return false;
        } else if (!base->symbol || !declared_.contains(base->symbol->declaration)) {
            noteMemory(base);
        }
        return isPlainValue(element->type) &&
               std::ranges::all_of(subscripts->children(),
                                   [this](NodePtr child) { return onlyComputes(child); });
    }

    bool isLocal(NodePtr target) const {
        target = ast::withoutParentheses(target);
        const auto isPart = [](NodePtr e) {
            const NodePtr base = ast::isAny<ast::Member, ast::Subscript>(e) ? e->child(0) : nullptr;
            return base && (ast::is<ast::Member>(e) ||
                            (base->type && base->type->kind == ast::TypeKind::CArray));
        };
        if (isPart(target) && !isPlainValue(target->type)) return false;
        while (isPart(target)) target = target->child(0);
        if (!ast::is<ast::Identifier>(target) || !target->symbol) return false;
        const ast::Symbol& symbol = *target->symbol;
        const bool isPointer = symbol.type && symbol.type->kind == ast::TypeKind::CArray;
        return (symbol.kind == ast::SymbolKind::Parameter && !isPointer) ||
               declared_.contains(symbol.declaration);
    }

    bool isValueOperator(NodePtr unary) {
        const std::string_view op = unary->child(ast::Unary::op)->text();
        if (op == "++" || op == "--") return isLocal(unary->child(ast::Unary::operand));
        return op == "-" || op == "+" || op == "!" || op == "~";
    }

    /// Of numbers of its own.
    bool isPlainDeclaration(NodePtr declaration) {
        const NodePtr specifiers = declaration->child(ast::Declaration::specifiers);
        const NodePtr declarators = declaration->child(ast::Declaration::declarators);
        if (!ast::is<ast::Specifiers>(specifiers) || !declarators) return false;
        const NodePtr before = specifiers->child(ast::Specifiers::before);
        if (before && before->text() != "const" && before->text() != "constexpr") return false;
        for (const NodePtr each : declarators->children()) {
            const NodePtr name = variableOf(each->child(ast::InitDeclarator::declarator));
            if (!ast::is<ast::Identifier>(name) ||
                !(declaresNumber(specifiers, name) ||
                  (name->symbol &&
                   (isPlainValue(name->symbol->type) || isParameter(name->symbol->type))) ||
                  lambdaOf(name->symbol)))
                return false;
            declared_.insert(each);
        }
        return true;
    }

    const bool areNumbers_;
    NodePtr first_ = nullptr;  // call
    std::unordered_set<NodePtr> seen_;
    std::unordered_set<NodePtr> declared_;
};

}  // namespace

NodePtr definitionOf(NodePtr callee) {
    const ast::Symbol* function = callee->symbol;
    const ast::Symbol* called = callee->type ? callee->type->called : nullptr;
    if (const NodePtr lambda = lambdaOf(function)) return called ? called->declaration : lambda;
    if (called && (function->kind == ast::SymbolKind::Function || calledObject(callee)))
        return called->declaration;
    const bool isOne =
        function && function->kind == ast::SymbolKind::Function && !function->previous;
    return isOne && ast::is<ast::FunctionDefinition>(function->declaration) ? function->declaration
                                                                            : nullptr;
}

std::vector<const ast::Symbol*> choicesOf(NodePtr callee) {
    const ast::Symbol* const called = callee->type ? callee->type->called : nullptr;
    std::vector<const ast::Symbol*> all;
    if (called && !called->declaration)
        for (const ast::Symbol* each = called->previous; each; each = each->previous)
            all.push_back(each);
    return all;
}

const ast::Type* calledObject(NodePtr callee) {
    const ast::Symbol* const object = callee->symbol;
    const bool isObject = ast::is<ast::Identifier>(callee) && callee->type &&
                          callee->type->called && object && object->type &&
                          object->type->kind == ast::TypeKind::Class;
    return isObject ? object->type : nullptr;
}

const ast::Type* calledType(NodePtr callee) {
    if (callee->type && callee->type->called) return callee->type;
    return callee->symbol ? callee->symbol->type : nullptr;
}

bool isHarmlessCall(NodePtr call) { return FunctionBodies().isHarmless(call); }

bool mayAssignByCalls(const ast::Effects& effects) {
    return !std::ranges::all_of(effects.calls, isHarmlessCall);
}

bool isHarmlessFunction(NodePtr definition) {
    FunctionBodies bodies;
    return bodies.isHarmlessFunction(definition) && bodies.read.empty();
}

bool isHarmlessForNumbers(NodePtr call) {
    return convertsToParameter(call) || FunctionBodies(true).isHarmless(call);
}

std::string numbersPremise(NodePtr call) {
    FunctionBodies bodies(true);
    bodies.isHarmless(call);
    std::string all;
    for (const std::string& each : bodies.parameters) all += (all.empty() ? "" : ", ") + each;
    return all.empty() ? "" : "hpspmd::detail::areNumbers<" + all + ">";
}

std::vector<ReadVariable> readByFunctions(NodePtr harmlessCall) {
    FunctionBodies bodies(true);
    bodies.isHarmless(harmlessCall);
    return std::move(bodies.read);
}

bool isForeignFunction(NodePtr callee) {
    if (!ast::isSimple(callee) || ast::isLibraryName(callee)) return false;
    const ast::Symbol* symbol = callee->symbol;
    if (!symbol) return true;
    const bool isMadeHere = symbol->declaration;
    return isMadeHere && (symbol->kind == ast::SymbolKind::Function ||
                          symbol->kind == ast::SymbolKind::Variable ||
                          symbol->kind == ast::SymbolKind::Parameter);
}

}  // namespace hpcc::analysis
