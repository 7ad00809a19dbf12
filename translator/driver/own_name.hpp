// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace hpcc::driver {

/// The name that hpcc was called by: packages may install it as `hpcpp`, because another program is
/// called hpcc there.
std::string ownName();

/// A text in which the word hpcc is replaced by that name.
std::string inOwnName(std::string text);

}  // namespace hpcc::driver
