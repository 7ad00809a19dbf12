// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element access, sections, members.
#include "analysis/own_elements.hpp"
#include "check/annotator.hpp"
#include "check/library.hpp"

namespace hpcc::check {

using ast::StandardShape;

namespace {

StandardShape shapeOf(const Type* type) {
    return type->kind == TypeKind::Class && type->classSymbol ? type->classSymbol->shape
                                                              : StandardShape::None;
}

const Type* argument(const Type* type, std::size_t k) {
    return k < type->arguments.size() ? type->arguments[k] : unknownType();
}

}  // namespace

// ---- subscripts and sections -----------------------------------------------------------------

// What v[k] is for a standard container, *p for a standard handle.
const Type* Annotator::standardElement(const Type* type) {
    switch (shapeOf(type)) {
    case StandardShape::Sequence:
    case StandardShape::Handle:
        return argument(type, 0);
    case StandardShape::Associative:
        return argument(type, 1);
    default:
        return unknownType();
    }
}

const Type* Annotator::pointee(const Type* type) {
    if (type->kind == TypeKind::Pointer || type->kind == TypeKind::CArray) return type->element;
    return shapeOf(type) == StandardShape::Handle ? argument(type, 0) : unknownType();
}

// What `for (auto &e : range)` gives e.
const Type* Annotator::iterated(const Type* range) {
    if (range->kind == TypeKind::CArray) return range->element;
    if (shapeOf(range) == StandardShape::Sequence) return argument(range, 0);
    if (const Type* element = analysis::elementHeldBy(range)) return element;
    if (shapeOf(range) != StandardShape::Associative || range->arguments.size() < 2)
        return unknownType();
    return pairOf(range->arguments[0], range->arguments[1]);
}

const Type* Annotator::pairOf(const Type* first, const Type* second) {
    const Symbol* standard = libraryScope()->findHere("std");
    Type pair;
    pair.kind = TypeKind::Class;
    pair.spelled = "std::pair";
    pair.classSymbol = standard->members->findHere("pair");
    pair.arguments = {first, second};
    return arena().makeType(pair);
}

const Type* Annotator::subscripted(const Type* base, std::size_t count) {
    if (base->kind == TypeKind::Multiarray)
        return base->elementConst ? constantOf(arena(), base->element) : base->element;
    if (count != 1) return unknownType();
    if (isRange(base)) return locationType();
    if (base->kind == TypeKind::Pointer || base->kind == TypeKind::CArray) return base->element;
    if (shapeOf(base) != StandardShape::Handle && shapeOf(base) != StandardShape::None)
        return standardElement(base);
    if (base->kind != TypeKind::Class || !base->classSymbol || !base->classSymbol->members)
        return unknownType();
    const Symbol* access = base->classSymbol->members->findHere("operator[]");
    const bool isOne = access && !access->previous && access->type->result;
    return isOne && !access->type->result->isDependent ? access->type->result : unknownType();
}

void Annotator::visitSubscript(NodePtr node) {
    visitChildren(node);
    const Type* base = typeOf(node->child(ast::Subscript::base));
    const auto subscripts = node->child(ast::Subscript::subscripts)->children();
    node->type = subscripted(base, subscripts.size());
    if (subscripts.size() == 1)
        operated(node, "[]", {node->child(ast::Subscript::base), subscripts[0]});
}

// The type of base[[slots]]: a triplet keeps its slot, <> makes two of it, anything else drops it.
const Type* Annotator::sectionOf(const Type* base, NodePtr slots) {
    if (isRange(base)) return rangeType();
    const auto entries = slots->children();
    if (base->kind != TypeKind::Multiarray || entries.size() != base->slots.size())
        return unknownType();
    std::vector<SlotKind> kept;
    for (std::size_t r = 0; r < entries.size(); ++r) {
        if (ast::is<ast::PackExpansion>(entries[r])) return unknownType();
        if (ast::is<ast::Triplet>(entries[r])) kept.push_back(base->slots[r]);
        if (!ast::is<ast::Split>(entries[r])) continue;
        kept.push_back(SlotKind::Distributed);
        kept.push_back(SlotKind::Sequential);
    }
    return multiarrayOf(arena(), base->element, base->elementConst, std::move(kept));
}

void Annotator::visitSection(NodePtr node) {
    visitChildren(node);
    node->type =
        sectionOf(typeOf(node->child(ast::Section::base)), node->child(ast::Section::slots));
}

// Of a name that nothing binds it is unknown, so that one mistake is one error.
void Annotator::visitGlobalIndex(NodePtr node) {
    visitChildren(node);
    const NodePtr operand = node->child(ast::GlobalIndex::operand);
    node->type = typeOf(operand) == undeclaredType() ? unknownType() : globalIndexType();
}

// Slots are known where every extent's kind is known.
void Annotator::visitNewMultiarray(NodePtr node) {
    visitChildren(node);
    const Type* element = typeOf(node->child(ast::NewMultiarray::elementType));
    std::vector<SlotKind> slots;
    node->type = unknownType();
    for (NodePtr extent : node->child(ast::NewMultiarray::extents)->children()) {
        const Type* type = typeOf(extent);
        if (ast::is<ast::PackExpansion>(extent)) return;
        if (isRange(type))
            slots.push_back(SlotKind::Distributed);
        else if (isInteger(type))
            slots.push_back(SlotKind::Sequential);
        else
            return;
    }
    node->type = multiarrayOf(arena(), element, element->isConst, std::move(slots));
}

// ---- members ---------------------------------------------------------------------------------

const Type* Annotator::standardMember(const Type* base, std::string_view name) {
    const StandardShape shape = shapeOf(base);
    if (shape == StandardShape::Pair && name == "first") return argument(base, 0);
    if (shape == StandardShape::Pair && name == "second") return argument(base, 1);
    return unknownType();
}

// The type of base.name where it is no function of the runtime; those are typed at their call.
const Type* Annotator::memberType(NodePtr name, const Type* base) {
    if (base->kind != TypeKind::Class || !base->classSymbol) {
        if (name->is<ast::TemplateName>()) visit(name->child(ast::TemplateName::arguments));
        return unknownType();
    }
    if (shapeOf(base) != StandardShape::None) return standardMember(base, name->text());
    const Symbol* symbol = nullptr;
    if (name->is<ast::QualifiedName>())
        symbol = resolve(name);
    else if (base->classSymbol->members)
        symbol = resolveIn(base->classSymbol->members, name);
    if (!symbol || !symbol->type) return unknownType();
    const bool isOwn = symbol->kind == SymbolKind::Field && !symbol->type->isReference;
    const Type* const type = isOwn ? inInstance(symbol->type, base) : symbol->type;
    return symbol->type->isConst ? constantOf(arena(), type) : type;
}

void Annotator::visitMember(NodePtr node) {
    visit(node->child(ast::Member::base));
    const NodePtr name = node->child(ast::Member::name);
    node->type = memberType(name, typeOf(node->child(ast::Member::base)));
    name->type = node->type;
    node->symbol = name->symbol;
}

void Annotator::visitPointerMember(NodePtr node) {
    visit(node->child(ast::PointerMember::base));
    const NodePtr name = node->child(ast::PointerMember::name);
    node->type = memberType(name, pointee(typeOf(node->child(ast::PointerMember::base))));
    name->type = node->type;
    node->symbol = name->symbol;
}

}  // namespace hpcc::check
