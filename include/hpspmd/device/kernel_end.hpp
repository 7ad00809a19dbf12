// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// kernel.hpp
#undef HPSPMD_KERNEL
#undef HPSPMD_KERNEL_OF
#undef TYPE
#undef HPSPMD_STAGE
#undef OVERLOADED
#undef UNROLLED
#undef HPSPMD_WITHOUT_PARENTHESES
#undef IN
#undef OUT
#undef INOUT
#undef LIST
#undef EXTENT
#undef JOINED
#undef JOIN_SUM
#undef JOIN_MAX
#undef JOIN_MIN
#undef CHECKED
#undef FIT
#undef FITTED
#undef TELL
#undef RECORD
#undef COMPLEX
#undef HPSPMD_COMPLEX_FUNCTIONS
#undef SAME
#undef MADE
#undef ZERO
#undef AT
#undef COLUMNS
#undef MIDDLE
#undef EVERY_ROW_OF
#undef ROWS_OF
#undef EACH_ROW
#ifndef HPSPMD_AHEAD
#pragma GCC diagnostic pop
#endif
