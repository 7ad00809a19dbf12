// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "ast/unit.hpp"

namespace hpcc::emit {

struct Options {
    /// With `#line`: errors and debuggers show the .hpcpp file. Without: text for people.
    bool lineDirectives = true;
};

/// The program text of a unit after any stage. What no pass replaced is copied byte for byte, a
/// file without extensions whole; replaced and moved statements are indented to their new place.
///
///     overall (i = x for :)            {
///         a[i] = 0.0;          ->          const hpspmd::detail::Active i_active(x.dim());
///                                          ...
std::string emit(const ast::Unit& unit, const Options& options = {});

}  // namespace hpcc::emit
