// A header of another library, as far as the cases need it.
#pragma once

#include <hpspmd>

#include <cstdlib>

namespace setup {

enum class Side { Left, Right };
using Status = void;

inline void fail(const char*) { std::exit(3); }

struct Log {
    void fatal(const char*) { std::exit(3); }
};

// A range of five, an array over it, and its last index.
inline void make(hpspmd::Range& x, hpspmd::Array<double, hpspmd::Dist>& a, int& last) {
    x = hpspmd::CollapsedRange(5);
    a = hpspmd::create<double>(hpspmd::apg(), x);
    last = 4;
}

}  // namespace setup

#define FATAL(text) std::exit(2)
