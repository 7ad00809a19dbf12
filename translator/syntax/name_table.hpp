// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which names are types and which are values, scope by scope, as far as this text (and its imports)
// says. Names from foreign headers stay unknown; no rule of the filter needs them.
#pragma once

#include "syntax/names.hpp"

#include <vector>

namespace hpcc::syntax {

enum class NameKind : uint8_t {
    Unknown,
    Type,
    Variable,  // variables, parameters, fields
    Function,
    Parallel  // a multiarray or distributed index: a Variable whose use involves HPspmd
};

class NameTable {
public:
    void declare(NameId name, NameKind kind);
    NameKind kind(NameId name) const;

    bool isType(NameId name) const { return kind(name) == NameKind::Type; }
    bool isVariable(NameId name) const {
        return kind(name) == NameKind::Variable || kind(name) == NameKind::Parallel;
    }
    bool isParallel(NameId name) const { return kind(name) == NameKind::Parallel; }

    void openScope() { scopes_.push_back(log_.size()); }
    void closeScope();
    std::size_t openScopes() const { return scopes_.size(); }

private:
    struct Entry {
        NameKind kind = NameKind::Unknown;
        uint32_t scope = 0;
    };
    struct Undo {
        NameId name;
        Entry before;
    };
    std::vector<Entry> entries_;  // by name
    std::vector<Undo> log_;
    std::vector<std::size_t> scopes_;  // where the log of each open scope begins
};

}  // namespace hpcc::syntax
