// Macros of another library, as far as the cases need them.
#pragma once

#define READ_INTEGER(n) n = 4
#define CHECK(condition) \
    if (!(condition)) throw 1
#define UNREACHABLE() __builtin_unreachable()
#define FOR_EACH_CELL(n) for (n = 0; n < 4; ++n)
#define STOP_IF(condition) \
    if (condition) break
#define EXPECT_ANY_THROW(...) __VA_ARGS__
#define expect_any_throw(...) __VA_ARGS__
