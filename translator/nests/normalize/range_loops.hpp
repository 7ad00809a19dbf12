// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/analyse.hpp"
#include "nests/context.hpp"

namespace hpcc::nests {

/// Loops over the elements of containers, C arrays and lists of numbers, of tables of plain
/// structs, and of containers of multiarrays, as loops that count.
class RangeLoops {
public:
    RangeLoops(Context& context, const Surroundings& surroundings, ast::FreshNames::Counts& counts)
        : context_(context), surroundings_(surroundings), counts_(counts) {}

    /// The loop itself if it goes over something else, or its body changes what it goes over.
    ast::NodePtr counting(ast::NodePtr loop);

private:
    ast::NodePtr overContainer(ast::NodePtr loop);
    ast::NodePtr overStructs(ast::NodePtr loop, ast::NodePtr container, const ast::Type* element,
                             ast::NodePtr end);
    ast::NodePtr overHandles(ast::NodePtr loop, ast::NodePtr container, const ast::Type* element,
                             ast::NodePtr end);
    ast::NodePtr counted(ast::NodePtr loop, ast::NodePtr counter, ast::NodePtr end,
                         ast::NodePtr body);
    ast::NodePtr elementAt(ast::NodePtr container, const ast::Type* element, ast::NodePtr counter,
                           ast::NodePtr place);
    ast::NodePtr counterOf(ast::NodePtr loop, std::string_view name);
    ast::NodePtr overList(ast::NodePtr loop, ast::NodePtr name);
    ast::NodePtr overConstants(ast::NodePtr loop, ast::NodePtr name, const ast::Type* type);
    ast::NodePtr writtenOut(ast::NodePtr loop, ast::NodePtr name,
                            const std::vector<long long>& values, const ast::Type* type);
    ast::NodePtr overElements(ast::NodePtr loop, ast::NodePtr name, ast::NodePtr container,
                              const ast::Type* element, ast::NodePtr end);
    static bool isOnlyRead(ast::NodePtr node, ast::NodePtr name, bool isCopy = true);

    Context& context_;
    const Surroundings& surroundings_;
    ast::FreshNames::Counts& counts_;
};

}  // namespace hpcc::nests
