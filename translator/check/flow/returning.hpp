// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which calls come back.
#pragma once

#include "check/types.hpp"

namespace hpcc::check::flow {

// std::exit, std::abort, a function declared [[noreturn]] in this translation.
bool neverReturns(NodePtr call);

// A call that is a statement of its own: false if the function is out of sight, or in sight and
// may end by a throw or such a call.
bool surelyReturns(NodePtr call);

}  // namespace hpcc::check::flow
