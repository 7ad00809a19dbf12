// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/passes.hpp"

#include <array>

#include "optimize/control.hpp"
#include "optimize/dead_code.hpp"
#include "optimize/pre.hpp"
#include "optimize/strength.hpp"
#include "optimize/unread.hpp"
#include "optimize/unroll.hpp"

namespace hpcc::optimize {
namespace {

// The order is that of HPJOPT2 (thesis, 5.5.2).
constexpr std::array<ast::Pass, 6> table{{
    {"unroll", "unrolls loops by two where an inner loop asks for parity, and small loops", 2,
     unrollLoops},
    {"control", "hoists local blocks and group guards of inner loops", 2, hoistControls},
    {"pre", "computes subscripts, descriptors and inquiries once (PRE)", 1, eliminateRedundancies},
    {"strength", "moves subscripts on by additions instead of multiplying", 2, reduceStrength},
    {"dead", "removes indices and temporaries that nothing reads", 2, eliminateDeadCode},
    {"unread", "marks constants that numbers have taken the place of", 1, markUnread},
}};

}  // namespace

std::span<const ast::Pass> passes() { return table; }

}  // namespace hpcc::optimize
