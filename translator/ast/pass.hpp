// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that change a unit within one form of the language; nests/ and optimize/ list them.
#pragma once

#include <string_view>

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::ast {

// A pass sees one outermost declaration of the text at a time: that is all that unit.root holds,
// and what it adds to unit.arena goes when the declaration has been printed. What it must know
// about the others, it asks unit.whole.
struct Pass {
    std::string_view name;   // --pass=[no-]name, --print-after=name
    std::string_view about;  // one line
    int level = 0;           // runs from -O<level> on
    Unit (*function)(Unit unit, Quoter& quote) = nullptr;
};

// Runs one pass. Ends the program if it leaves a node standing twice in one function: passes keep
// their knowledge by node.
Unit runPass(const Pass& pass, Unit unit, Quoter& quote);

// A node that stands twice in one function (or in the declarations outside all functions); null if
// there is none. Nodes of a schema do not count: all uses of the schema share them.
NodePtr findSharedNode(NodePtr root);

}  // namespace hpcc::ast
