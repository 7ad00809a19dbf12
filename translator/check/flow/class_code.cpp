// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/flow/class_code.hpp"

#include "ast/declarators.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "check/facts.hpp"

#include <algorithm>
#include <vector>

namespace hpcc::check::flow {
namespace {

enum class Asked { Any, Destructor, Conversion };

bool isVariableOfTemplate(const Symbol* symbol) {
    return symbol && symbol->kind == ast::SymbolKind::TemplateParameter;
}

bool isStandard(const Symbol* symbol) {
    return symbol && symbol->shape != ast::StandardShape::None;
}

// Looks for functions that run by themselves, in a class and in what its objects are made of.
class Search {
public:
    explicit Search(Asked asked) : asked_(asked) {}

    bool mayRun(const Type& type) {
        if (type.kind == TypeKind::CArray) return mayRun(*type.element);
        return isUnknown(&type) || (type.kind == TypeKind::Class && ofClass(type));
    }

private:
    bool ofClass(const Type& type) {
        const Symbol* symbol = type.classSymbol;
        if (!symbol || isVariableOfTemplate(symbol)) return true;
        if (isStandard(symbol))
            return asked_ != Asked::Conversion && ofStandard(type, symbol->shape);
        if (!symbol->declaration || ast::is<ast::Enum>(symbol->declaration)) return false;
        return !ast::is<ast::Class>(symbol->declaration) || inDefinition(symbol->declaration);
    }

    bool ofStandard(const Type& type, ast::StandardShape shape) {
        if (shape == ast::StandardShape::Callable) return true;
        return std::ranges::any_of(type.arguments, [&](const Type* each) { return mayRun(*each); });
    }

    bool inDefinition(NodePtr classNode) {
        if (std::ranges::find(path_, classNode) != path_.end()) return false;
        path_.push_back(classNode);
        const bool found = inBases(classNode->child(ast::Class::bases)) ||
                           std::ranges::any_of(classNode->child(ast::Class::members)->children(),
                                               [&](NodePtr each) { return inMember(each); });
        path_.pop_back();
        return found;
    }

    bool inBases(NodePtr bases) {
        if (!bases) return false;
        return std::ranges::any_of(bases->children(), [&](NodePtr base) {
            const Symbol* symbol = base->child(ast::Base::name)->symbol;
            return !symbol || !ast::is<ast::Class>(symbol->declaration) ||
                   inDefinition(symbol->declaration);
        });
    }

    bool inMember(NodePtr member) {
        if (!member) return false;
        switch (member->kind()) {
        case ast::Kind::FunctionDefinition:
            return isAsked(member->child(ast::FunctionDefinition::specifiers),
                           member->child(ast::FunctionDefinition::declarator));
        case ast::Kind::SpecialDeclaration:
            return isAsked(member->child(ast::SpecialDeclaration::specifiers),
                           member->child(ast::SpecialDeclaration::declarator));
        case ast::Kind::Template:
            return inMember(member->child(ast::Template::declaration));
        case ast::Kind::Attributed:
            return inMember(member->child(ast::Attributed::declaration));
        case ast::Kind::OpaqueDeclaration:
        case ast::Kind::UsingDeclaration:
            return true;
        case ast::Kind::Declaration:
            return inFields(member);
        default:
            return false;
        }
    }

    bool inFields(NodePtr declaration) {
        const NodePtr specifiers = declaration->child(ast::Declaration::specifiers);
        const NodePtr declarators = declaration->child(ast::Declaration::declarators);
        if (!declarators || specifiers->text().starts_with("static")) return false;
        return std::ranges::any_of(declarators->children(), [&](NodePtr each) {
            const bool isField = ast::is<ast::InitDeclarator>(each);
            const NodePtr declarator =
                isField ? each->child(ast::InitDeclarator::declarator) : each;
            const NodePtr value = isField ? each->child(ast::InitDeclarator::initializer) : nullptr;
            if (ast::functionDeclarator(declarator)) return isAsked(specifiers, declarator);
            if (asked_ == Asked::Conversion) return false;
            return (!typeOf(each)->isReference && mayRun(*typeOf(each))) ||
                   (asked_ == Asked::Any && holdsCall(value));
        });
    }

    // True if the function is a constructor, destructor, conversion or assignment, as asked.
    bool isAsked(NodePtr specifiers, NodePtr declarator) {
        const NodePtr name = ast::declaredName(declarator);
        if (!name) return false;
        const bool isDestructor = name->is<ast::DestructorName>();
        const bool isOperator = name->is<ast::OperatorName>();
        const bool hasType = specifiers && !specifiers->is<ast::SpecifierList>();
        const bool isConversion = name->is<ast::ConversionName>() || (isOperator && !hasType);
        switch (asked_) {
        case Asked::Destructor:
            return isDestructor;
        case Asked::Conversion:
            return isConversion;
        case Asked::Any:
            break;
        }
        return isDestructor || isConversion || !hasType ||
               (isOperator && name->text().ends_with("="));
    }

    static bool holdsCall(NodePtr node) {
        return ast::anywhere(node, ast::isAny<ast::Call, ast::FunctionalCast>);
    }

    Asked asked_;
    std::vector<NodePtr> path_;  // classes that the search stands in
};

// "std::string name", "auto t = std::chrono::steady_clock::now()": a class of the standard library
// that the translator does not know and that has no argument of the program's.
bool isPlainStandard(NodePtr written) {
    return written && written->text().starts_with("std::") &&
           written->text().find('<') == std::string_view::npos;
}

}  // namespace

bool mayRunCode(const Type* type) { return Search(Asked::Any).mayRun(*type); }

bool isStandardClass(const Type* type) {
    return type->kind == TypeKind::Class && isStandard(type->classSymbol);
}

bool mayConvert(const Type* type) {
    return type->kind == TypeKind::Class && Search(Asked::Conversion).mayRun(*type);
}

bool mayHaveOperators(const Type* type) {
    if (isUnknown(type)) return true;
    if (type->kind != TypeKind::Class || !type->classSymbol) return false;
    return type->classSymbol->declaration || isVariableOfTemplate(type->classSymbol) ||
           isStandard(type->classSymbol);
}

bool mayEndWithCode(NodePtr declaration, NodePtr declarator) {
    if (!ast::is<ast::InitDeclarator>(declarator)) return false;
    if (ast::functionDeclarator(declarator->child(ast::InitDeclarator::declarator))) return false;
    const Type* type = typeOf(declarator);
    if (!isUnknown(type)) return Search(Asked::Destructor).mayRun(*type);
    const bool hasSpecifiers = ast::is<ast::Declaration>(declaration);
    return !isPlainStandard(hasSpecifiers ? declaration->child(ast::Declaration::specifiers)
                                          : nullptr) &&
           !isPlainStandard(singleInitializer(declarator->child(ast::InitDeclarator::initializer)));
}

bool mayEndLoopWithCode(NodePtr range) {
    if (range->is<ast::BracedInitializer>())
        return std::ranges::any_of(range->children(),
                                   [](NodePtr each) { return mayRunCode(typeOf(each)); });
    const bool isHeldElsewhere = ast::isAny<ast::Identifier, ast::QualifiedName, ast::Member,
                                            ast::PointerMember, ast::Unary, ast::Subscript>(range);
    return !isHeldElsewhere && mayRunCode(typeOf(range));
}

}  // namespace hpcc::check::flow
