// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text that stands alone in a file, given to a C++ compiler.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace hpcc::testing {

/// What the compiler says of the text: as C++17 with the public headers, with -Wall -Wextra
/// -Werror; makes no object file.
///
///     EXPECT_TRUE(compilesAlone(HPCPP_COMPILER, "int main() {}"));   // this build's own compiler
::testing::AssertionResult compilesAlone(const std::string& compiler, const std::string& text);

}  // namespace hpcc::testing
