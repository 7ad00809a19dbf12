// Passes that change a unit within one form of the language, and the function that runs a table.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::ast {

struct Pass {
    std::string_view name;   // --pass=[no-]name, --print-after=name
    std::string_view about;  // one line
    int level = 0;           // runs from -O<level> on
    Unit (*run)(Unit unit, Quoter& quote) = nullptr;
};

// `wanted` decides which passes run (by level and by name), `after` is called with each result.
struct PassOptions {
    std::function<bool(const Pass&)> wanted;
    std::function<void(const Pass&, const Unit&)> after;
};

// Runs the passes in the order of the table. Ends the program if a pass leaves a node standing
// twice in one function: passes keep their knowledge by node.
Unit runPasses(std::span<const Pass> passes, Unit unit, Quoter& quote, const PassOptions& options);

// A node that stands twice in one function (or in the declarations outside all functions); null if
// there is none.
NodePtr findSharedNode(NodePtr root);

}  // namespace hpcc::ast
