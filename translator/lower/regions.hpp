// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "ast/node.hpp"

namespace hpcc::lower {

/// Which statements of a block stand under the same `#if`. What is checked for one of them may not
/// be checked outside of its region, where the macro may say otherwise.
///
///     a[i] = 0;      // region 0
///     #ifdef TRACED
///     t[i] = 1;      // region 1
///     #else
///     u[i] = 1;      // region 2
///     #endif
///     b[i] = 0;      // region 0
class Regions {
public:
    explicit Regions(ast::NodePtr block);

    /// Of statement k; 0 if no `#if` of this block is open there.
    size_t of(size_t k) const { return regions_.empty() ? 0 : regions_[k]; }
    /// True if statement k stands in that region, or in one inside of it.
    bool isInside(size_t k, size_t region) const;

private:
    void enterLines(std::string_view gap);

    std::vector<size_t> regions_;  // of each statement; empty if all are 0
    std::vector<size_t> outer_;    // of each region; of 0 itself
    std::vector<size_t> open_;
};

/// What stands first in such a block may be there in one branch of an `#if` only.
bool beginsWithDirective(ast::NodePtr block);

/// True if a line of the preprocessor stands between the parts of a statement, so that some of them
/// may not be there.
bool isSplitByDirective(ast::NodePtr statement);

/// True if the preprocessor leaves what the names of the expression mean wherever it leaves the
/// statement.
bool isThereWith(ast::NodePtr statement, ast::NodePtr expression);

}  // namespace hpcc::lower
