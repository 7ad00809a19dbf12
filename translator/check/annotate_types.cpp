// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Specifiers, and what auto stands for.
#include "ast/declarators.hpp"
#include "check/annotator.hpp"

#include <algorithm>

namespace hpcc::check {
namespace {

bool holdsWord(NodePtr list, std::string_view word) {
    return list && std::ranges::any_of(list->children(), [&](NodePtr specifier) {
               return specifier && specifier->text() == word;
           });
}

}  // namespace

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
    const bool isPointer = ast::is<ast::TypeName>(specifiers);
    if (isPointer) visit(specifiers);
    const Type* element = isPointer ? typeOf(specifiers) : specifiedType(specifiers);
    const bool isConst = isPointer ? specifiers->text().ends_with("const") : element->isConst;
    std::vector<SlotKind> slots;
    for (NodePtr slot : node->child(ast::MultiarrayType::dimensions)->children())
        slots.push_back(slot->is<ast::DistributedSlot>() ? SlotKind::Distributed
                                                         : SlotKind::Sequential);
    return multiarrayOf(arena(), element, isConst, std::move(slots));
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
    const NodePtr plain =
        specifiers->is<ast::MultiarrayType>() ? ast::elementSpecifiers(specifiers) : specifiers;
    const NodePtr before = plain->child(ast::Specifiers::before);
    const NodePtr core = plain->child(ast::Specifiers::core);
    base.isTypedef = holdsWord(before, "typedef");
    base.isFriend = holdsWord(before, "friend");
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

}  // namespace hpcc::check
