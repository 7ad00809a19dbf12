// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "nests/context.hpp"
#include "nests/independence.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

/// How a nest falls into an interior, which reads no ghost cell and changes nothing that is sent,
/// and a rim.
struct Splitting {
    /// An `overall` that contains nothing but the next one, or the statements of the nest.
    struct Side {
        const Loop* loop = nullptr;
        long step = 1;           // of what the process holds of it at the entry
        long low = 0, high = 0;  // how many elements next to the block's ends read ghost cells
        std::set<std::pair<std::string, size_t>> sent = {};  // dimensions of exchanged arrays in
                                                             // which it changes elements
    };
    std::vector<Side> sides;  // outermost first
    ArrayPairs apart;         // arrays that must share no element
};

/// Or why the iterations of the nest must not run in that order, while `exchanged` (as the program
/// names them) are under way.
std::variant<Splitting, Obstacle> splittingOf(Context& context, const Nest& nest,
                                              const std::vector<std::string>& exchanged);

}  // namespace hpcc::nests
