// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/name_table.hpp"

namespace hpcc::syntax {

void NameTable::declare(NameId name, NameKind kind) {
    if (name < 0) return;
    if (static_cast<std::size_t>(name) >= entries_.size())
        entries_.resize(static_cast<std::size_t>(name) + 64);
    Entry& entry = entries_[name];
    const auto scope = static_cast<uint32_t>(scopes_.size());
    // A name known to be a multiarray stays one when its declarator is reduced.
    if (entry.kind == NameKind::Parallel && kind == NameKind::Variable && entry.scope == scope)
        return;
    log_.push_back({name, entry});
    entry = {kind, scope};
}

NameKind NameTable::kind(NameId name) const {
    return name >= 0 && static_cast<std::size_t>(name) < entries_.size() ? entries_[name].kind
                                                                         : NameKind::Unknown;
}

void NameTable::closeScope() {
    if (scopes_.empty()) return;
    for (; log_.size() > scopes_.back(); log_.pop_back())
        entries_[log_.back().name] = log_.back().before;
    scopes_.pop_back();
}

}  // namespace hpcc::syntax
