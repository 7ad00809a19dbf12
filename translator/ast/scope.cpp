// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/scope.hpp"

#include <algorithm>

namespace hpcc::ast {

void Scope::declare(const Symbol& symbol) {
    constexpr std::size_t few = 8;  // so many are found as fast without a map
    const Symbol* const known = own(symbol.name);
    if (known && symbol.kind == SymbolKind::Function && known->kind == SymbolKind::Function)
        symbol.previous = known;
    symbols_.push_back(&symbol);
    if (symbols_.size() <= few) return;
    if (names_.empty())
        for (const Symbol* each : symbols_) names_[each->name] = each;
    else
        names_[symbol.name] = &symbol;
}

const Symbol* Scope::own(std::string_view name) const {
    if (!names_.empty()) {
        const auto found = names_.find(name);
        return found == names_.end() ? nullptr : found->second;
    }
    const auto isIt = [&](const Symbol* symbol) { return symbol->name == name; };
    const auto last = std::find_if(symbols_.rbegin(), symbols_.rend(), isIt);
    return last == symbols_.rend() ? nullptr : *last;
}

bool Scope::isOpen() const {
    std::vector<const Scope*> scopes = {this};  // they may include each other
    for (size_t k = 0; k < scopes.size(); ++k) {
        if (scopes[k]->isOpen_) return true;
        for (const Scope* other : scopes[k]->included_)
            if (std::ranges::find(scopes, other) == scopes.end()) scopes.push_back(other);
    }
    return false;
}

void Scope::collect(std::string_view name, std::vector<const Symbol*>& found,
                    std::vector<const Scope*>& seen) const {
    if (!included_.empty()) {
        if (std::ranges::find(seen, this) != seen.end()) return;
        seen.push_back(this);
    }
    const Symbol* const last = own(name);
    if (last && std::ranges::find(found, last) == found.end())
        for (const Symbol* s = last; s; s = s->previous) found.push_back(s);
    const bool hidden = kind_ == Kind::Class && !found.empty();
    if (hidden) return;
    for (const Scope* other : included_) other->collect(name, found, seen);
}

const Symbol* Scope::findHere(std::string_view name) const { return findHere(name, 0); }

// Using-directives may include one another in a circle; no honest chain is this long.
const Symbol* Scope::findHere(std::string_view name, int depth) const {
    if (const Symbol* symbol = own(name)) return symbol;
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
