// What a program of this folder finds, beside what it must find.
#pragma once

#include <cmath>
#include <iostream>
#include <limits>
#include <type_traits>

namespace expectations {

inline int made = 0, failed = 0;  // in this process

template <class T, class U>
bool agree(const T& found, const U& wanted) {
    if constexpr (std::is_floating_point_v<T>)
        return std::abs(found - wanted) <=
               64 * std::numeric_limits<T>::epsilon() * (1 + std::abs(static_cast<double>(wanted)));
    else
        return found == static_cast<T>(wanted);
}

}  // namespace expectations

/// Says so if this process has not found what it must; floating point to the last few bits.
///
///     expect(Adlib::sum(a), 45.0);
template <class T, class U>
void expect(const T& found, const U& wanted, const char* file = __builtin_FILE(),
            int line = __builtin_LINE()) {
    ++expectations::made;
    if (expectations::agree(found, wanted)) return;
    ++expectations::failed;
    std::cerr << file << ':' << line << ": " << found << " instead of " << wanted << std::endl;
}

/// For the end of main: 1 if an expectation of this process has failed.
inline int failures() { return expectations::failed > 0; }
