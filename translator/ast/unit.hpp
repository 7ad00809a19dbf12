// What one source text has become: handed from stage to stage.
#pragma once

#include "ast/arena.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace hpcc::ast {

struct Unit {
    const source::Text* text = nullptr;
    std::shared_ptr<Arena> arena;      // shared by the trees of all stages of this unit
    NodePtr root = nullptr;            // TranslationUnit; never null after parsing
    bool hasExtensions = false;        // false: the text passes through byte for byte
    std::vector<const Unit*> imports;  // the included .hph, in order of inclusion
    std::unordered_set<std::string_view>
        identifiers;                       // every identifier of the text, for fresh names
    mutable const Scope* scope = nullptr;  // names at file scope; set by check/
};

}  // namespace hpcc::ast
