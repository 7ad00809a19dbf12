#include "ast/scope.hpp"

#include <algorithm>

namespace hpcc::ast {

void Scope::declare(const Symbol& symbol) {
    symbols_.push_back(&symbol);
    const auto [place, isNew] = names_.try_emplace(symbol.name, &symbol);
    if (isNew) return;
    if (symbol.kind == SymbolKind::Function && place->second->kind == SymbolKind::Function)
        symbol.previous = place->second;
    names_.erase(place);
    names_.emplace(symbol.name, &symbol);
}

bool Scope::isOpen() const {
    if (isOpen_) return true;
    return std::ranges::any_of(included_, [](const Scope* other) { return other->isOpen(); });
}

void Scope::collect(std::string_view name, std::vector<const Symbol*>& found,
                    std::vector<const Scope*>& seen) const {
    if (std::ranges::find(seen, this) != seen.end()) return;
    seen.push_back(this);
    const auto own = names_.find(name);
    if (own != names_.end())
        for (const Symbol* s = own->second; s; s = s->previous) found.push_back(s);
    const bool hidden = kind_ == Kind::Class && !found.empty();
    if (hidden) return;
    for (const Scope* other : included_) other->collect(name, found, seen);
}

const Symbol* Scope::findHere(std::string_view name) const { return findHere(name, 0); }

// Using-directives may include one another in a circle; no honest chain is this long.
const Symbol* Scope::findHere(std::string_view name, int depth) const {
    const auto own = names_.find(name);
    if (own != names_.end()) return own->second;
    if (depth > 8) return nullptr;
    for (const Scope* other : included_)
        if (const Symbol* symbol = other->findHere(name, depth + 1)) return symbol;
    return nullptr;
}

std::vector<const Symbol*> Scope::allHere(std::string_view name) const {
    std::vector<const Symbol*> found;
    std::vector<const Scope*> seen;
    collect(name, found, seen);
    return found;
}

const Symbol* Scope::find(std::string_view name) const {
    for (const Scope* scope = this; scope; scope = scope->parent_)
        if (const Symbol* symbol = scope->findHere(name)) return symbol;
    return nullptr;
}

std::vector<const Symbol*> Scope::overloads(std::string_view name) const {
    std::vector<const Symbol*> found;
    for (const Scope* scope = this; scope && found.empty(); scope = scope->parent_)
        found = scope->allHere(name);
    std::erase_if(found, [](const Symbol* s) { return s->kind != SymbolKind::Function; });
    return found;
}

}  // namespace hpcc::ast
