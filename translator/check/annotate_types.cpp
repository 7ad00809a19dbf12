// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a name, qualified or not, stands for; specifiers, and what auto stands for.
#include "analysis/written_parts.hpp"
#include "ast/declarators.hpp"
#include "ast/specifiers.hpp"
#include "check/annotator.hpp"

#include <algorithm>
#include <string>

namespace hpcc::check {
// ---- specifiers ------------------------------------------------------------------------------

const Type* Annotator::coreType(NodePtr core) {
    switch (core->kind()) {
    case ast::Kind::BuiltinType:
        return builtinType(arena(), core->text());
    case ast::Kind::AutoType:
        if (const auto known = autos_.find(core); known != autos_.end()) return known->second;
        return unknownType();
    case ast::Kind::ConstrainedAuto:
        return unknownType();
    case ast::Kind::DecltypeType:
        visitChildren(core);
        return valueOf(arena(), typeOf(core->child(ast::DecltypeType::expression)));
    case ast::Kind::TypenameType:
        return typeOfName(core->child(ast::TypenameType::name));
    case ast::Kind::ElaboratedType: {
        const NodePtr name = core->child(ast::ElaboratedType::name);
        const Type* known = typeOfName(name);
        if (name->symbol || !name->is<ast::Identifier>()) return known;
        visitClass(core);
        return core->type;
    }
    case ast::Kind::Class:
    case ast::Kind::Enum:
        visit(core);
        return typeOf(core);
    default:
        return typeOfName(core);
    }
}

const Type* Annotator::multiarrayType(NodePtr node) {
    const NodePtr specifiers = node->child(ast::MultiarrayType::specifiers);
    const bool isPointer = ast::is<ast::TypeName>(specifiers);
    if (isPointer) visit(specifiers);
    const Type* element = isPointer ? typeOf(specifiers) : specifiedType(specifiers);
    const bool isConst = isPointer ? specifiers->text().ends_with("const") : element->isConst;
    std::vector<SlotKind> slots;
    for (NodePtr slot : node->child(ast::MultiarrayType::dimensions)->children())
        slots.push_back(slot->is<ast::SequentialSlot>() ? SlotKind::Sequential
                                                        : SlotKind::Distributed);
    const Type* type = multiarrayOf(arena(), element, isConst, std::move(slots));
    const NodePtr dimensions = node->child(ast::MultiarrayType::dimensions);
    if (std::ranges::none_of(dimensions->children(), ast::is<ast::Identifier>)) return type;
    Type named = *type;
    named.spelled.erase(named.spelled.rfind("[["));
    named.spelled += dimensions->text();
    named.isDependent = true;
    return arena().makeType(named);
}

const Type* Annotator::specifiedType(NodePtr node) {
    if (node->is<ast::MultiarrayType>()) {
        node->type = multiarrayType(node);
        return node->type;
    }
    const NodePtr core = node->child(ast::Specifiers::core);
    const Type* type = core ? coreType(core) : unknownType();
    if (core && !core->type) core->type = type;
    const bool isConst = ast::holdsWord(node->child(ast::Specifiers::before), "const") ||
                         ast::holdsWord(node->child(ast::Specifiers::before), "constexpr") ||
                         ast::holdsWord(node->child(ast::Specifiers::after), "const");
    node->type = isConst ? constantOf(arena(), type) : type;
    return node->type;
}

Annotator::Specified Annotator::specified(NodePtr specifiers) {
    Specified base;
    if (!specifiers || specifiers->is<ast::SpecifierList>()) {  // constructors and the like
        base.type = unknownType();
        return base;
    }
    base.type = specifiedType(specifiers);
    const NodePtr plain =
        specifiers->is<ast::MultiarrayType>() ? ast::elementSpecifiers(specifiers) : specifiers;
    const NodePtr before = plain->child(ast::Specifiers::before);
    const NodePtr core = plain->child(ast::Specifiers::core);
    base.isTypedef = ast::holdsWord(before, "typedef");
    base.isFriend = ast::holdsWord(before, "friend");
    base.isStatic = ast::holdsWord(before, "static") || ast::holdsWord(before, "thread_local");
    base.isAuto = plain == specifiers &&
                  (ast::is<ast::AutoType>(core) || ast::is<ast::ConstrainedAuto>(core));
    return base;
}

// ---- auto ------------------------------------------------------------------------------------

const Type* Annotator::initializerType(NodePtr initializer) {
    if (!initializer) return unknownType();
    if (initializer->is<ast::EqualInitializer>())
        return typeOf(initializer->child(ast::EqualInitializer::value));
    return initializer->children().size() == 1 ? typeOf(initializer->child(0)) : unknownType();
}

// `auto`, `const auto &`, `auto *` with that initializer.
const Type* Annotator::deducedType(const Type* declaredType, const Type* initializer) {
    if (isUnknown(initializer)) return unknownType();
    if (declaredType->kind == TypeKind::Pointer || declaredType->kind == TypeKind::CArray)
        return initializer->kind == TypeKind::Pointer ? initializer : unknownType();
    const Type* type = valueOf(arena(), initializer);
    if (declaredType->isConst) type = constantOf(arena(), type);
    return declaredType->isReference ? referenceTo(arena(), type) : type;
}

// `std::array w = {0.5, 1.0};`, `std::vector w{1, 2};`: of one type of numbers.
const Type* Annotator::deducedSequence(const Type* type, NodePtr initializer) {
    if (ast::is<ast::EqualInitializer>(initializer)) initializer = initializer->child(0);
    const bool isBare = type->kind == TypeKind::Class && type->classSymbol &&
                        type->classSymbol->shape == ast::StandardShape::Sequence &&
                        type->arguments.empty();
    if (!isBare || !ast::is<ast::BracedInitializer>(initializer)) return type;
    const auto values = initializer->children();
    const Type* element = values.empty() ? unknownType() : valueOf(arena(), typeOf(values[0]));
    const bool isOfOne = std::ranges::all_of(values, [&](NodePtr each) {
        return isNumber(typeOf(each)) && nameOf(valueOf(arena(), typeOf(each))) == nameOf(element);
    });
    Type whole = *type;
    whole.arguments = {element};
    const auto length = isOfOne ? analysis::writtenCount(initializer, &whole) : std::nullopt;
    if (!length) return type;
    const bool isArray = type->classSymbol->name == "array";
    whole.spelled = "std::" + type->classSymbol->name + "<" + element->spelled +
                    (isArray ? ", " + std::to_string(*length) : "") + ">";
    return arena().makeType(whole);
}

// ---- names ------------------------------------------------------------------------------------

const Scope* Annotator::membersOf(const Symbol* symbol) const {
    if (!symbol) return nullptr;
    if (symbol->members) return symbol->members;
    const Type* type = symbol->type;
    return type && type->classSymbol && type->classSymbol != symbol ? type->classSymbol->members
                                                                    : nullptr;
}

// The symbol of a possibly qualified name, or null; sets node->symbol of each of its parts.
const Symbol* Annotator::resolve(NodePtr name) {
    if (!name) return nullptr;
    if (name->is<ast::QualifiedName>()) {
        const NodePtr qualifier = name->child(ast::QualifiedName::qualifier);
        const Symbol* outer = qualifier ? resolve(qualifier) : nullptr;
        const Scope* members = qualifier ? membersOf(outer) : unit_.scope;
        name->symbol = resolveIn(members, name->child(ast::QualifiedName::name));
        return name->symbol;
    }
    if (name->is<ast::TemplateName>()) {
        name->symbol = resolve(name->child(ast::TemplateName::name));
        visit(name->child(ast::TemplateName::arguments));
        return name->symbol;
    }
    name->symbol = scope()->find(name->text());
    return name->symbol;
}

// The symbol of an unqualified name among `members`; null members: it is not known.
const Symbol* Annotator::resolveIn(const Scope* members, NodePtr name) {
    if (name->is<ast::TemplateName>()) {
        visit(name->child(ast::TemplateName::arguments));
        const NodePtr inner = name->child(ast::TemplateName::name);
        inner->symbol = members ? members->findHere(inner->text()) : nullptr;
        name->symbol = inner->symbol;
    } else {
        name->symbol = members ? members->findHere(name->text()) : nullptr;
    }
    return name->symbol;
}

namespace {

NodePtr templateArguments(NodePtr name) {
    if (name->is<ast::QualifiedName>())
        return templateArguments(name->child(ast::QualifiedName::name));
    return name->is<ast::TemplateName>() ? name->child(ast::TemplateName::arguments) : nullptr;
}

// Whether a template parameter occurs anywhere in an annotated name: T::value_type, vector<T>.
bool namesParameter(NodePtr name) {
    if (!name) return false;
    if (name->symbol && name->symbol->kind == SymbolKind::TemplateParameter) return true;
    if ((name->type && name->type->isDependent)) return true;
    return std::ranges::any_of(name->children(), namesParameter);
}

// "std::array<double, 5>" for `std::array<double, 2 * r + 1>`, where r is known.
std::string withLength(std::string array, NodePtr length) {
    const auto value = analysis::constantValue(length);
    if (value) array.replace(array.rfind(length->text()), array.npos, std::to_string(*value) + ">");
    return array;
}

}  // namespace

// The class type that a name of a class template with its arguments stands for.
const Type* Annotator::instance(const Symbol& classSymbol, NodePtr name) {
    const NodePtr arguments = templateArguments(name);
    if (!arguments) return classSymbol.type;
    if (specialised_.contains(&classSymbol)) return unknownType();
    Type type = *classSymbol.type;
    if (type.kind == TypeKind::Class) type.spelled = name->text();
    for (NodePtr argument : arguments->children()) type.arguments.push_back(typeOf(argument));
    if (ast::isStandardArray(&type) && type.arguments.size() == 2)
        type.spelled = withLength(type.spelled, arguments->child(1));
    type.isDependent = namesParameter(arguments);
    return arena().makeType(type);
}

const Type* Annotator::typeOfName(NodePtr name) {
    const Symbol* symbol = resolve(name);
    if (symbol && symbol->kind == SymbolKind::Class) return instance(*symbol, name);
    if (symbol &&
        (symbol->kind == SymbolKind::Alias || symbol->kind == SymbolKind::TemplateParameter))
        return symbol->type;
    Type type;
    type.spelled = name->text();
    type.isDependent = namesParameter(name);
    return arena().makeType(type);
}

}  // namespace hpcc::check
