// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/library.hpp"

#include "ast/known_calls.hpp"

#include <cctype>

namespace hpcc::check {

using ast::RuntimeResult;
using ast::Scope;
using ast::StandardShape;
using ast::SymbolKind;

namespace {

std::string capitalised(std::string name) {
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
}

class Library {
public:
    Library() {
        fillRuntime(space(global_, "hpspmd"));
        fillStandard(space(global_, "std"));
    }
    const Scope* global() const { return global_; }

private:
    Scope* space(Scope* parent, const char* name) {
        Scope* scope = arena_.makeScope(Scope::Kind::Namespace, parent);
        add(parent, name, SymbolKind::Namespace)->members = scope;
        return scope;
    }
    Symbol* add(Scope* scope, const char* name, SymbolKind kind) {
        Symbol symbol;
        symbol.name = name;
        symbol.kind = kind;
        symbol.type = unknownType();
        symbol.isReassigned = true;  // maybe; and so no file changes it for the next one
        Symbol* made = arena_.makeSymbol(symbol);
        scope->declare(*made);
        return made;
    }
    void addClass(Scope* scope, const char* name, TypeKind kind, StandardShape shape) {
        Symbol* symbol = add(scope, name, SymbolKind::Class);
        Type type;
        type.kind = kind;
        type.spelled = name;
        if (kind == TypeKind::Integer) type.number = ast::numberNamed(name);
        if (kind == TypeKind::Class) type.classSymbol = symbol;
        symbol->type = arena_.makeType(type);
        symbol->shape = shape;
    }
    void addInteger(Scope* standard, const char* name) {
        addClass(standard, name, TypeKind::Integer, StandardShape::None);
        const Symbol* symbol = standard->findHere(name);
        Type type = *symbol->type;
        type.spelled = std::string("std::") + name;
        symbol->type = arena_.makeType(type);
        add(global_, name, SymbolKind::Class)->type = symbol->type;
    }
    /// std::string: a sequence of `char`.
    void addText(Scope* standard, const char* name) {
        addClass(standard, name, TypeKind::Class, StandardShape::Sequence);
        const Symbol* symbol = standard->findHere(name);
        Type type = *symbol->type;
        type.spelled = std::string("std::") + name;
        type.arguments = {builtinType(arena_, "char")};
        symbol->type = arena_.makeType(type);
    }
    void addFunction(Scope* scope, const char* name, RuntimeResult result) {
        add(scope, name, SymbolKind::Function)->result = result;
    }

    void fillRuntime(Scope* hpspmd) {
#define RUNTIME_CLASS(name, kind) addClass(hpspmd, #name, TypeKind::kind, StandardShape::None);
#define RUNTIME_FUNCTION(name, result) addFunction(hpspmd, #name, RuntimeResult::result);
        Scope* targets = space(hpspmd, "targets");
#define RUNTIME_TARGET(name) add(targets, #name, SymbolKind::Variable)->type = targetType();
#include "ast/runtime_names.def"
        Scope* patterns = space(hpspmd, "patterns");
        patterns->setOpen();  // further names of its header
#define PATTERN_FUNCTION(name, result) addFunction(patterns, #name, RuntimeResult::result);
        Scope* adlib = space(hpspmd, "Adlib");
#define ADLIB_FUNCTION(name, result)                  \
    addFunction(adlib, #name, RuntimeResult::result); \
    addClass(adlib, capitalised(#name).c_str(), TypeKind::Class, StandardShape::Opaque);
#define ADLIB_SCHEDULE(name) addClass(adlib, #name, TypeKind::Class, StandardShape::Opaque);
#include "ast/runtime_names.def"
    }

    void fillStandard(Scope* standard) {
#define STANDARD_CLASS(name, shape) \
    addClass(standard, #name, TypeKind::Class, StandardShape::shape);
#define STANDARD_TEXT(name) addText(standard, #name);
#define STANDARD_INTEGER(name, bits, isSigned) addInteger(standard, #name);
#define STANDARD_FUNCTION(name, result) addFunction(standard, #name, RuntimeResult::result);
#define STANDARD_MATH(name, result)                      \
    addFunction(standard, #name, RuntimeResult::result); \
    addFunction(global_, #name, RuntimeResult::result);
#define STANDARD_ONLY_MATH(name, result) addFunction(standard, #name, RuntimeResult::result);
#define STANDARD_STREAM(name) add(standard, #name, SymbolKind::Variable)->type = streamType();
#include "ast/standard_names.def"
    }

    ast::Arena arena_;
    Scope* global_ = arena_.makeScope(Scope::Kind::Namespace, nullptr);
};

}  // namespace

const Scope* libraryScope() {
    static const Library library;
    return library.global();
}

const Symbol* findInAdlib(std::string_view name) {
    static const Scope* const adlib =
        libraryScope()->findHere("hpspmd")->members->findHere("Adlib")->members;
    return adlib->findHere(name);
}

bool isOfAdlib(const Symbol& symbol) { return findInAdlib(symbol.name) == &symbol; }

const RuntimeResult* memberResult(TypeKind kind, std::string_view name) {
    const ast::RuntimeMember* member = ast::runtimeMember(kind, name);
    return member ? &member->result : nullptr;
}

std::vector<std::string> memberNames(TypeKind kind) {
    std::vector<std::string> names;
    for (const ast::RuntimeMember& each : ast::runtimeMembers())
        if (ast::hasMembersOf(kind, each.owner)) names.emplace_back(each.name);
    return names;
}

const Type* fixedResult(RuntimeResult result) {
    static const std::pair<RuntimeResult, const Type*> types[] = {
        {RuntimeResult::Void, voidType()},           {RuntimeResult::Bool, boolType()},
        {RuntimeResult::Integer, globalIndexType()}, {RuntimeResult::Floating, doubleType()},
        {RuntimeResult::Range, rangeType()},         {RuntimeResult::Group, groupType()},
        {RuntimeResult::Dimension, dimensionType()}, {RuntimeResult::Location, locationType()},
        {RuntimeResult::Target, targetType()}};
    for (const auto& [each, type] : types)
        if (each == result) return type;
    return unknownType();
}

}  // namespace hpcc::check
