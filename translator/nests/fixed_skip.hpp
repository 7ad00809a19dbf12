// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <optional>

#include "nests/reaches.hpp"

namespace hpcc::nests {

/// A condition that leaves out all iterations of an innermost loop or none, as its first statement
/// asks:
///
///     for (j ..) {                            if (!(i` % 2 == 1))
///         if (i` % 2 == 1) continue;    ->        for (j ..) { c[i, j] = 0; }
///         c[i, j] = 0;
///     }
///
/// C++ compilers compute all iterations of a long body, and store none.
struct FixedSkip {
    ast::NodePtr condition = nullptr, rest = nullptr;  // the body without it

    ast::NodePtr before(Context& context, const std::function<ast::NodePtr(ast::NodePtr)>& fast,
                        ast::NodePtr loop) const;
};
std::optional<FixedSkip> fixedSkip(Context& context, const Reaches& reaches, const Loop& loop,
                                   ast::NodePtr body);

}  // namespace hpcc::nests
