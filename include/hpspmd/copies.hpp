// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Copies of the loops of a fast form: a function of its own for them, or one copy for each of a
/// few constants.

#include <hpspmd/where.hpp>

#include <type_traits>
#include <utility>

namespace hpspmd::detail {

/// By value if that is cheap, so that nothing that a loop stores can change it.
template <class V>
using Passed =
    std::conditional_t<std::is_trivially_copyable_v<V> && !std::is_array_v<V> && sizeof(V) <= 128,
                       V, const V&>;

template <class Body, class... Values>
[[gnu::always_inline]] inline auto withCopies(const Body& body, Values... values) {
    return body(values...);
}
// The copies are made here, member by member as the loops need them. The caller has just written
// the values, and to copy them whole would wait until all of that has reached the cache.
template <class Body, class... Values>
[[gnu::noinline]] auto apartOf(const Body& body, const std::remove_reference_t<Values>&... values) {
    return withCopies<Body, Values...>(body, values...);
}

/// body(values...) as a function of its own, whose loops have all registers for themselves.
template <class Body, class... Values>
auto apart(const Body& body, const Values&... values) {
    return apartOf<Body, Passed<Values>...>(body, values...);
}

/// In front of a function whose loops take registers of 512 bits where there are some. (On Intel
/// processors GCC prefers half of that.)
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#define HPSPMD_WIDE_LOOPS [[gnu::target("prefer-vector-width=512")]]
#else
#define HPSPMD_WIDE_LOOPS
#endif

/// A body whose loops use the widest registers.
template <class Body>
struct Wide {
    const Body& body;
};
template <class Body>
Wide<Body> wide(const Body& body) {
    return {body};
}
template <class Body, class... Values>
[[gnu::noinline]] HPSPMD_WIDE_LOOPS auto wideApartOf(
    const Body& body, const std::remove_reference_t<Values>&... values) {
    return withCopies<Body, Values...>(body, values...);
}
template <class Body, class... Values>
auto apart(const Wide<Body>& given, const Values&... values) {
    return wideApartOf<Body, Passed<Values>...>(given.body, values...);
}

/// body(number), where number() is n: a constant if it is one of 1 to 9, so that the C++ compiler
/// writes out loops that end there.
///
///     forFew(n, [&](const auto& number) {
///         const auto k_end = number();
///         for (Index k = 0; k < k_end; ++k) ..
///     });
template <class N, class Body, int... few>
[[gnu::always_inline]] inline void forOneOf(N n, const Body& body,
                                            std::integer_sequence<int, few...>) {
    const bool isFew = ((static_cast<Index>(n) == few + 1 &&
                         (body(std::integral_constant<N, static_cast<N>(few + 1)>()), true)) ||
                        ...);
    if (!isFew) body([n] { return n; });
}
template <class N, class Body>
[[gnu::always_inline]] inline void forFew(N n, const Body& body) {
    forOneOf(n, body, std::make_integer_sequence<int, 9>());
}

/// body(actual...), with constants if they are these.
///
///     forPitches<3>([&](const auto a_s0) { for (..) .. a_data[a_s0 * i + 1] .. }, a_s0);
template <Index... pitches, class Body, class... Actual>
[[gnu::always_inline]] inline void forPitches(const Body& body, Actual... actual) {
    if (((actual == pitches) && ...))
        body(std::integral_constant<Index, pitches>()...);
    else
        body(actual...);
}

}  // namespace hpspmd::detail
