// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace hpcc::fuzz {

/// Small random choices; one seed gives one sequence.
class Random {
public:
    explicit Random(unsigned seed) : engine_(seed * 2654435761u + 1) {}

    /// 0 .. count-1; count > 0.
    std::size_t below(std::size_t count) { return engine_() % count; }
    bool oneIn(std::size_t count) { return below(count) == 0; }

    template <class List>
    const auto& oneOf(const List& list) {
        return list[below(std::size(list))];
    }

private:
    std::minstd_rand engine_;
};

}  // namespace hpcc::fuzz
