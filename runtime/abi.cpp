// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/abi.hpp>

const char hpspmd::detail::version_0_2::library = 0;
