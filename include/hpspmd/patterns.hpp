// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Patterns: functions of elements made functions of arrays. Plain C++17, with or without hpcc.
///
///     using namespace hpspmd::patterns;
///     const auto product = map([](float x, float y) { return x * y; });
///     const auto dot = zip | product | reduce(std::plus<>(), 0.0f);
///     const auto saxpy = map([alpha](float x, float y) { return alpha * x + y; });
///     float d = dot(a, b);
///     auto r = saxpy(a, b);
///     saxpy.into(r, a, b);
///     auto [call, put] = map([](float x) { return std::tuple(x + 1, x - 1); })(prices);
///
/// Arguments are contiguous containers (vectors, spans, std::arrays, C arrays) or multiarrays, and
/// all have one shape. Results are vectors, or multiarrays like the first argument; a function that
/// returns a tuple makes a tuple of arrays. A chain runs as one loop, without arrays in between,
/// and is divided among the threads of the process where that is worth it (program compiled with
/// -fopenmp). Over arrays with `-` slots each process takes its elements, and `reduce` is a
/// collective over the APG. Functions are called once per element, in any order and several at
/// once.

#include <hpspmd/patterns/chain.hpp>
