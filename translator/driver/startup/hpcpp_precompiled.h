// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What hpcc precompiles: included before the first line of a file whose first lines include only
   headers of the standard library and <hpspmd>. */
#include <hpspmd.hpp>
#include "cpu_required.h"
