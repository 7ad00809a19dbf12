// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows, with the first inner element of each at the start of a cache line.
#pragma once
#define ALIGNED true
#include "rows.hpp"
