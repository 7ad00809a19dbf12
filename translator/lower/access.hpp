// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>

#include "lower/context.hpp"

namespace hpcc::lower {

/// How an element is reached.
enum class AccessForm {
    Offset,   ///< a.data()[a.stride(0) * i.sub + ..]: the formula of thesis 4.5.6
    Library,  ///< hpspmd::detail::Element()(a, i, ..): checks everything itself
    Foreign   ///< not an element of a multiarray: left as it is
};

/// `original` is the access before, `lowered` after its parts were lowered.
struct Access {
    ast::NodePtr original;
    ast::NodePtr lowered;
    AccessForm form;
    std::set<size_t> within;  // the sequential dimensions that a check has bounded
    std::string flag;         // not empty: offset form if it is true, else library form
    bool isMarked = false;    // in the library form it notes that the element is written
};

ast::NodePtr lowerAccess(Context& context, const Access& access);

/// `` i` `` -> `i.global`.
ast::NodePtr lowerGlobalIndex(Context& context, ast::NodePtr globalIndex);

}  // namespace hpcc::lower
