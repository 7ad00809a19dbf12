// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// kernel.hpp
#undef HPSPMD_KERNEL
#undef HPSPMD_WITHOUT_PARENTHESES
#undef IN
#undef OUT
#undef INOUT
#undef JOINED
#undef JOIN_SUM
#undef JOIN_MAX
#undef JOIN_MIN
#undef AT
#undef COLUMNS
#undef MIDDLE
#undef EVERY_ROW_OF
#undef ROWS_OF
#undef EACH_ROW
