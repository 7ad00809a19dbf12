// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "nests/normalize/loop_values.hpp"

namespace hpcc::nests {

/// Statements behind one another whose reductions can be made in front of the first one.
struct ReductionRun {
    size_t length = 0;  // statements; 0 where there is no such run
    std::vector<LoopValue> values = {};
    std::vector<ast::NodePtr> ranges = {};  // that all of them have, by names of the program; none
                                            // if these are values of processes, or of arrays
};

/// The runs of a block:
///
///     const double n = double(x.size()), s = Adlib::sum(a);
///     t = Adlib::dotProduct(a, b) / n;
///     return s * t;                                            // not of the run
class ReductionRuns {
public:
    ReductionRuns(Context& context, const ast::MacroNames& macros, ast::NodePtr function,
                  std::span<const ast::NodePtr> statements);

    /// The one that begins at the place k, if it is worth while.
    ReductionRun at(size_t k) const;

private:
    std::span<const ast::NodePtr> statements_;
    std::vector<std::vector<LoopValue>> values_;  // of each statement
    std::unordered_set<std::string_view> own_;    // names that the function declares
};

}  // namespace hpcc::nests
