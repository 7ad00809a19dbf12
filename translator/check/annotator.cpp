// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/annotator.hpp"

#include "check/annotate.hpp"
#include "check/functions.hpp"
#include "check/library.hpp"
#include "check/words.hpp"

namespace hpcc::check {
namespace {

// `operator +` as "operator+"; those of words, `operator new`, keep their blank.
std::string operatorName(NodePtr name) {
    constexpr std::string_view word = "operator";
    std::string result(name->text());
    const std::size_t sign = result.find_first_not_of(" \t\r\n", word.size());
    if (sign != result.npos && !isWordCharacter(result[sign]))
        std::erase_if(result,
                      [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
    return result;
}

}  // namespace

Annotator::Annotator(const ast::Unit& unit, TypeParameters parameters)
    : unit_(unit), typeParameters_(parameters) {}

void Annotator::run() {
    Scope* file = push(Scope::Kind::Namespace);
    file->include(libraryScope());
    for (const ast::Unit* import : unit_.imports) file->include(import->scope);
    unit_.scope = file;
    adoptNamespaces(file);
    visitChildren(unit_.root);
    unit_.whole->setAssigned(std::move(assigned_));
}

Scope* Annotator::push(Scope::Kind kind) {
    return push(arena().makeScope(kind, scopes_.empty() ? nullptr : scopes_.back()));
}

Scope* Annotator::push(Scope* scope) {
    scopes_.push_back(scope);
    return scope;
}

// A template head's scope holds its parameters only; what the head introduces belongs outside.
Scope* Annotator::declaringScope() const {
    auto place = scopes_.rbegin();
    while ((*place)->kind() == Scope::Kind::Template && place + 1 != scopes_.rend()) ++place;
    return *place;
}

Symbol* Annotator::declare(std::string_view name, SymbolKind kind, NodePtr declaration,
                           const Type* type) {
    Symbol symbol;
    symbol.name = name;
    symbol.kind = kind;
    symbol.declaration = declaration;
    symbol.type = type;
    symbol.isTemplate = underTemplate_;
    if (kind == SymbolKind::Function && declaringScope()->kind() == Scope::Kind::Namespace) {
        symbol.home = declaringScope();
        const bool isUnderOneHead = underTemplate_ && scopes_.back()->parent() == symbol.home;
        symbol.head = isUnderOneHead ? template_ : nullptr;
    }
    Symbol* made = arena().makeSymbol(symbol);
    Scope* place = kind == SymbolKind::TemplateParameter ? scopes_.back() : declaringScope();
    place->declare(*made);
    return made;
}

Symbol* Annotator::declareName(NodePtr name, SymbolKind kind, NodePtr declaration,
                               const Type* type) {
    const bool isOperator = ast::is<ast::OperatorName>(name);
    Symbol* symbol = declare(isOperator ? operatorName(name) : std::string(name->text()), kind,
                             declaration, type);
    name->symbol = symbol;
    name->type = type;
    return symbol;
}

// The scope of the namespace `name` opened here: one per file, which includes what the imports and
// the libraries have under that name.
Scope* Annotator::namespaceScope(std::string_view name) {
    Scope* here = declaringScope();
    const Symbol* known = name.empty() ? nullptr : here->findHere(name);
    if (known && known->kind == SymbolKind::Namespace && known->members->parent() == here)
        return const_cast<Scope*>(known->members);
    Scope* made = arena().makeScope(Scope::Kind::Namespace, here);
    if (name.empty()) {
        here->include(made);
        return made;
    }
    for (const Symbol* other : here->allHere(name))
        if (other->members) made->include(other->members);
    declare(name, SymbolKind::Namespace, nullptr, unknownType())->members = made;
    return made;
}

// A namespace that several imports fill is one namespace.
void Annotator::adoptNamespaces(Scope* here) {
    const std::vector<const Scope*> included = here->included();
    for (const Scope* other : included) {
        for (const Symbol* symbol : other->symbols()) {
            if (symbol->kind != SymbolKind::Namespace) continue;
            push(namespaceScope(symbol->name));
            adoptNamespaces(scopes_.back());
            pop();
        }
    }
}

void Annotator::inBlock(NodePtr node) {
    push(Scope::Kind::Block);
    visitChildren(node);
    pop();
}

void annotate(const ast::Unit& unit, TypeParameters parameters) {
    if (unit.scope) return;
    for (const ast::Unit* import : unit.imports) annotate(*import);
    Annotator(unit, parameters).run();
    Functions(unit).noteVarying();
}

}  // namespace hpcc::check
