// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lower/context.hpp"

namespace hpcc::lower {

/// What the mark of a nest says whose outermost loop threads may divide among them.
///
///     HPSPMD_IN_THREADS(hpspmd::detail::Work(x, n), hpspmd::detail::bySum(sum)) overall (i = x ..
struct ThreadMark {
    ast::NodePtr work = nullptr;
    std::vector<ast::NodePtr> joined;  // calls with one number each
};

bool isMarkedForThreads(ast::NodePtr statement);

/// That of a statement; nothing if it is marked in another way, or not at all.
std::optional<ThreadMark> threadMarkOf(ast::NodePtr statement);

/// A loop over `share` as the body of a function of each thread, which returns its numbers:
///
///     sum = hpspmd::detail::inThreads(work, [&](const hpspmd::detail::BlockShare &share, auto sum)
///         { loop; return sum; }, blocks, hpspmd::detail::bySum(sum));
ast::NodePtr inThreads(Context& context, const ThreadMark& mark, ast::NodePtr share,
                       ast::NodePtr blocks, ast::NodePtr loop);

}  // namespace hpcc::lower
