// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/types.hpp"

#include "ast/symbol.hpp"

#include <algorithm>
#include <sstream>

namespace hpcc::check {
namespace {

Type plain(TypeKind kind, const char* spelled) {
    Type type;
    type.kind = kind;
    type.spelled = spelled;
    if (kind == TypeKind::Integer) type.number = ast::numberNamed(spelled);
    return type;
}

// Words in C++'s canonical order, "int" left out where it says nothing: "long unsigned int" is
// "unsigned long".
std::string canonicalWords(std::string_view words) {
    std::istringstream in{std::string(words)};
    int longs = 0;
    bool isUnsigned = false, isSigned = false, isShort = false;
    std::string core = "int";
    for (std::string word; in >> word;) {
        if (word == "long")
            ++longs;
        else if (word == "unsigned")
            isUnsigned = true;
        else if (word == "signed")
            isSigned = true;
        else if (word == "short")
            isShort = true;
        else
            core = word;
    }
    if (core == "double") return longs > 0 ? "long double" : core;
    std::string name = isUnsigned ? "unsigned " : isSigned && core == "char" ? "signed " : "";
    if (isShort) return name + "short";
    if (longs > 0) return name + (longs > 1 ? "long long" : "long");
    return name + core;
}

TypeKind kindOfWords(const std::string& canonical) {
    if (canonical == "void") return TypeKind::Void;
    if (canonical == "bool") return TypeKind::Bool;
    const bool floating =
        canonical == "float" || canonical == "double" || canonical == "long double";
    return floating ? TypeKind::Floating : TypeKind::Integer;
}

std::string slotText(const std::vector<SlotKind>& slots) {
    std::string text = "[[";
    for (std::size_t r = 0; r < slots.size(); ++r) {
        if (r > 0) text += ',';
        text += slots[r] == SlotKind::Distributed ? '-' : '*';
    }
    return text + "]]";
}

}  // namespace

#define PLAIN_TYPE(function, kind, spelled)                      \
    const Type* function() {                                     \
        static const Type type = plain(TypeKind::kind, spelled); \
        return &type;                                            \
    }
PLAIN_TYPE(unknownType, Unknown, "")
PLAIN_TYPE(undeclaredType, Unknown, "")
PLAIN_TYPE(voidType, Void, "void")
PLAIN_TYPE(boolType, Bool, "bool")
PLAIN_TYPE(intType, Integer, "int")
PLAIN_TYPE(globalIndexType, Integer, "Index")
PLAIN_TYPE(doubleType, Floating, "double")
PLAIN_TYPE(stringType, String, "const char *")
PLAIN_TYPE(rangeType, Range, "Range")
PLAIN_TYPE(groupType, Group, "Group")
PLAIN_TYPE(dimensionType, Dimension, "Dimension")
PLAIN_TYPE(locationType, Location, "Location")
PLAIN_TYPE(targetType, Target, "Target")
PLAIN_TYPE(indexType, Index, "DistributedIndex")
PLAIN_TYPE(shiftedIndexType, ShiftedIndex, "ShiftedIndex")
PLAIN_TYPE(streamType, Class, "std::ostream")
#undef PLAIN_TYPE

const Type* builtinType(ast::Arena& arena, std::string_view words) {
    if (words == "int") return intType();
    if (words == "double") return doubleType();
    if (words == "void") return voidType();
    if (words == "bool") return boolType();
    Type type;
    type.spelled = canonicalWords(words);
    type.kind = kindOfWords(type.spelled);
    if (type.kind == TypeKind::Integer) type.number = ast::numberNamed(type.spelled);
    return arena.makeType(type);
}

const Type* multiarrayOf(ast::Arena& arena, const Type* element, bool elementConst,
                         std::vector<SlotKind> slots) {
    Type type;
    type.kind = TypeKind::Multiarray;
    type.element = valueOf(arena, element);
    type.elementConst = elementConst;
    type.spelled = (elementConst ? "const " : "") + nameOf(type.element) + " " + slotText(slots);
    type.slots = std::move(slots);
    type.isDependent = element->isDependent;
    return arena.makeType(type);
}

const Type* pointerTo(ast::Arena& arena, const Type* element) {
    Type type;
    type.kind = TypeKind::Pointer;
    type.element = element;
    type.spelled = nameOf(element) + " *";
    type.isDependent = element->isDependent;
    return arena.makeType(type);
}

const Type* cArrayOf(ast::Arena& arena, const Type* element) {
    Type type;
    type.kind = TypeKind::CArray;
    type.element = element;
    type.spelled = nameOf(element) + " []";
    type.isDependent = element->isDependent;
    return arena.makeType(type);
}

const Type* constantOf(ast::Arena& arena, const Type* type) {
    if (type->isConst) return type;
    Type copy = *type;
    copy.isConst = true;
    return arena.makeType(copy);
}

const Type* referenceTo(ast::Arena& arena, const Type* type) {
    if (type->isReference) return type;
    Type copy = *type;
    copy.isReference = true;
    return arena.makeType(copy);
}

const Type* inInstance(const Type* type, const Type* object) {
    if (object->arguments.empty() || !type->classSymbol) return type;
    if (type->classSymbol == object->classSymbol && type->arguments.empty()) return object;
    const NodePtr definition = object->classSymbol ? object->classSymbol->declaration : nullptr;
    const auto isParameter = [&](const Type* each) {
        const Symbol* const own = each->classSymbol;
        return own && own->kind == ast::SymbolKind::TemplateParameter && !each->element &&
               own->head && own->head->span().contains(definition->span());
    };
    if (!definition) return type;
    if (isParameter(type)) {
        const auto all = type->classSymbol->head->child(ast::Template::parameters)->children();
        for (std::size_t k = 0; k < std::min(all.size(), object->arguments.size()); ++k) {
            if (all[k]->text().find("...") != std::string_view::npos) break;
            if (all[k]->child(0) && all[k]->child(0)->symbol == type->classSymbol)
                return object->arguments[k];
        }
        return type;
    }
    if (object->arguments.size() != 1) return type;
    const bool isItself = type->classSymbol == object->classSymbol && type->arguments.size() == 1 &&
                          isParameter(type->arguments[0]);
    return isItself ? object : type;
}

const Type* valueOf(ast::Arena& arena, const Type* type) {
    if (!type->isConst && !type->isReference) return type;
    Type copy = *type;
    copy.isConst = copy.isReference = false;
    return arena.makeType(copy);
}

bool isIndex(const Type* type) {
    return type->kind == TypeKind::Index || type->kind == TypeKind::ShiftedIndex;
}
bool isRange(const Type* type) {
    return type->kind == TypeKind::Range || type->kind == TypeKind::Dimension;
}
bool isUnknown(const Type* type) { return type->kind == TypeKind::Unknown; }

std::string nameOf(const Type* type) { return type->spelled.empty() ? "auto" : type->spelled; }

std::string describe(const Type* type) {
    constexpr std::pair<TypeKind, const char*> words[] = {
        {TypeKind::Void, "of type 'void'"},       {TypeKind::Bool, "a truth value"},
        {TypeKind::Integer, "an integer"},        {TypeKind::Floating, "a floating-point number"},
        {TypeKind::String, "a string"},           {TypeKind::Range, "a range"},
        {TypeKind::Group, "a process group"},     {TypeKind::Dimension, "a process dimension"},
        {TypeKind::Location, "a location"},       {TypeKind::Target, "a target"},
        {TypeKind::Index, "a distributed index"}, {TypeKind::ShiftedIndex, "a shifted index"},
        {TypeKind::Pointer, "a pointer"},         {TypeKind::CArray, "a C array"},
        {TypeKind::Function, "a function"},
    };
    if (type->kind == TypeKind::Class) return "of class '" + nameOf(type) + "'";
    if (type->kind == TypeKind::Multiarray) return "a multiarray of type '" + nameOf(type) + "'";
    for (const auto& [kind, text] : words)
        if (type->kind == kind) return text;
    return "of unknown type";
}

}  // namespace hpcc::check
