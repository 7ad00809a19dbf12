// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a body computes subscripts, descriptors and inquiries.
#pragma once

#include "ast/macro_names.hpp"
#include "optimize/linear.hpp"
#include "optimize/versions.hpp"

namespace hpcc::optimize {

/// One element access or inquiry of the program.
struct Site {
    NodePtr node = nullptr;
    Variables keys;  // an access: offset (-1: zero), data (-1: a temporary); an inquiry: itself
    int place = 0;
    int block = 0;
    int step = 0;
    bool isHead = false;         // in the condition or step of a loop
    bool isConditional = false;  // behind ?:, && or ||
};

/// All sites of a body, in order. Arguments of macros are left out: they may never be evaluated.
std::vector<Site> findSites(Keys& keys, const ast::MacroNames& macros);

}  // namespace hpcc::optimize
