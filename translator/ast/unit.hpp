// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one source text has become: handed from stage to stage.
#pragma once

#include "ast/arena.hpp"
#include "ast/fresh_names.hpp"
#include "ast/whole.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace hpcc::nests {
class Plans;
}

namespace hpcc::ast {

class Remarks;

struct Unit {
    const source::Text* text = nullptr;
    std::shared_ptr<Arena> arena;      // where stages put what they make
    NodePtr root = nullptr;            // TranslationUnit; never null after parsing. From check on,
                                       // stages get one outermost declaration after the other
    std::shared_ptr<Whole> whole;      // what is known of all of them
    bool hasExtensions = false;        // false: the text passes through byte for byte
    std::vector<const Unit*> imports;  // the included .hph, in order of inclusion
    std::unordered_set<std::string_view>
        identifiers;                       // every identifier of the text, for fresh names
    mutable const Scope* scope = nullptr;  // names at file scope; set by check/
    bool threads = false;                  // nests may use several (-fopenmp)
    std::shared_ptr<nests::Plans> plans;   // what passes on nests have found and decided, beside
                                           // the tree (nests/plan.hpp)
    Remarks* remarks = nullptr;            // where passes tell what they do; null: nobody listens
};

}  // namespace hpcc::ast
