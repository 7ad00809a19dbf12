// Names, specifiers and declarators: what type a declaration gives to what name.
#include "check/annotator.hpp"

#include <algorithm>
#include <utility>

namespace hpcc::check {
namespace {

bool holdsWord(NodePtr list, std::string_view word) {
    return list && std::ranges::any_of(list->children(), [&](NodePtr specifier) {
               return specifier && specifier->text() == word;
           });
}

bool mentionsParameter(const Type* type) { return type && type->isDependent; }

}  // namespace

// ---- names -----------------------------------------------------------------------------------

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
    if (mentionsParameter(name->type)) return true;
    return std::ranges::any_of(name->children(), namesParameter);
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

// ---- specifiers ------------------------------------------------------------------------------

const Type* Annotator::coreType(NodePtr core) {
    switch (core->kind()) {
    case ast::Kind::BuiltinType:
        return builtinType(arena(), core->text());
    case ast::Kind::AutoType:
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
    const Type* element = specifiedType(specifiers);
    std::vector<SlotKind> slots;
    for (NodePtr slot : node->child(ast::MultiarrayType::dimensions)->children())
        slots.push_back(slot->is<ast::DistributedSlot>() ? SlotKind::Distributed
                                                         : SlotKind::Sequential);
    return multiarrayOf(arena(), element, element->isConst, std::move(slots));
}

const Type* Annotator::specifiedType(NodePtr node) {
    if (node->is<ast::MultiarrayType>()) {
        node->type = multiarrayType(node);
        return node->type;
    }
    const NodePtr core = node->child(ast::Specifiers::core);
    const Type* type = core ? coreType(core) : unknownType();
    if (core && !core->type) core->type = type;
    const bool isConst = holdsWord(node->child(ast::Specifiers::before), "const") ||
                         holdsWord(node->child(ast::Specifiers::before), "constexpr") ||
                         holdsWord(node->child(ast::Specifiers::after), "const");
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
    const NodePtr plain = specifiers->is<ast::MultiarrayType>()
                              ? specifiers->child(ast::MultiarrayType::specifiers)
                              : specifiers;
    const NodePtr before = plain->child(ast::Specifiers::before);
    const NodePtr core = plain->child(ast::Specifiers::core);
    base.isTypedef = holdsWord(before, "typedef");
    base.isFriend = holdsWord(before, "friend");
    base.isAuto = plain == specifiers &&
                  (ast::is<ast::AutoType>(core) || ast::is<ast::ConstrainedAuto>(core));
    return base;
}

// ---- declarators -----------------------------------------------------------------------------

NodePtr nameIn(NodePtr declarator) {
    if (!declarator) return nullptr;
    switch (declarator->kind()) {
    case ast::Kind::PointerDeclarator:
        return nameIn(declarator->child(ast::PointerDeclarator::declarator));
    case ast::Kind::ArrayDeclarator:
        return nameIn(declarator->child(ast::ArrayDeclarator::declarator));
    case ast::Kind::FunctionDeclarator:
        return nameIn(declarator->child(ast::FunctionDeclarator::declarator));
    case ast::Kind::ParenthesizedDeclarator:
        return nameIn(declarator->child(ast::ParenthesizedDeclarator::declarator));
    case ast::Kind::PackDeclarator:
        return declarator->child(ast::PackDeclarator::name);
    case ast::Kind::BitField:
        return nameIn(declarator->child(ast::BitField::declarator));
    case ast::Kind::StructuredBinding:
        return nullptr;
    default:
        return declarator;
    }
}

Annotator::Declared Annotator::declared(const Specified& base, NodePtr declarator) {
    Declared out;
    out.type = base.type;
    out.isAuto = base.isAuto;
    applyDeclarator(declarator, out);
    return out;
}

const Type* Annotator::pointed(NodePtr operators, const Type* type) {
    for (NodePtr op : operators->children()) {
        if (op->is<ast::Pointer>())
            type = pointerTo(arena(), type);
        else if (op->is<ast::MemberPointer>())
            type = unknownType();
        else
            type = referenceTo(arena(), type);
    }
    return type;
}

void Annotator::applyDeclarator(NodePtr declarator, Declared& out) {
    if (!declarator) return;
    switch (declarator->kind()) {
    case ast::Kind::PointerDeclarator:
        out.type = pointed(declarator->child(ast::PointerDeclarator::operators), out.type);
        return applyDeclarator(declarator->child(ast::PointerDeclarator::declarator), out);
    case ast::Kind::ArrayDeclarator:
        visit(declarator->child(ast::ArrayDeclarator::size));
        out.type = cArrayOf(arena(), out.type);
        return applyDeclarator(declarator->child(ast::ArrayDeclarator::declarator), out);
    case ast::Kind::FunctionDeclarator: {
        const NodePtr inner = declarator->child(ast::FunctionDeclarator::declarator);
        out.type = functionType(declarator, out.isAuto ? unknownType() : out.type);
        out.isAuto = false;
        if (inner && nameIn(inner) == inner) out.function = declarator;
        return applyDeclarator(inner, out);
    }
    case ast::Kind::ParenthesizedDeclarator:
        return applyDeclarator(declarator->child(ast::ParenthesizedDeclarator::declarator), out);
    case ast::Kind::BitField:
        visit(declarator->child(ast::BitField::width));
        return applyDeclarator(declarator->child(ast::BitField::declarator), out);
    case ast::Kind::PackDeclarator:
        out.name = declarator->child(ast::PackDeclarator::name);
        out.type = unknownType();
        return;
    case ast::Kind::StructuredBinding:
        out.bindings = declarator;
        return;
    default:
        out.name = declarator;
        return;
    }
}

void Annotator::parameter(NodePtr node, Type& function) {
    if (!node->is<ast::Parameter>()) {
        function.isVariadic = true;
        return;
    }
    const NodePtr declarator = node->child(ast::Parameter::declarator);
    const Declared what = declared(specified(node->child(ast::Parameter::specifiers)), declarator);
    const bool isPack = ast::is<ast::PackDeclarator>(declarator) ||
                        node->text().find("...") != std::string_view::npos;
    if (isPack) {
        function.isVariadic = true;
    } else {
        function.parameters.push_back(what.type);
        if (!node->child(ast::Parameter::defaultValue))
            function.requiredParameters = function.parameters.size();
    }
    if (what.name) declareName(what.name, SymbolKind::Parameter, node, what.type);
    node->type = what.type;
    node->symbol = what.name ? what.name->symbol : nullptr;
}

// Also makes the parameters' symbols (node->symbol of each Parameter).
const Type* Annotator::functionType(NodePtr declarator, const Type* result) {
    Type type;
    type.kind = TypeKind::Function;
    push(Scope::Kind::Function);
    const bool wasTemplate = std::exchange(underTemplate_, false);
    for (NodePtr node : declarator->child(ast::FunctionDeclarator::parameters)->children())
        parameter(node, type);
    if (const NodePtr qualifiers = declarator->child(ast::FunctionDeclarator::qualifiers)) {
        for (NodePtr qualifier : qualifiers->children()) {
            visit(qualifier);
            if (ast::is<ast::TrailingReturn>(qualifier))
                result = typeOf(qualifier->child(ast::TrailingReturn::type));
        }
    }
    underTemplate_ = wasTemplate;
    pop();
    type.result = result;
    type.spelled = "function";
    return arena().makeType(type);
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

}  // namespace hpcc::check
