// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// transpose, a remap that permutes dimensions.

#include <adlib/schedule.hpp>

namespace hpspmd {
namespace detail {

void transpose(const Operand& to, const Operand& from, const int* permutation,
               const Combining& combining, Where where);
Schedule makeTranspose(const Operand& to, const Operand& from, const int* permutation, Where where);

}  // namespace detail

namespace Adlib {

/// The schedule of transpose(destination, source, permutation).
template <class To, class From>
class Transpose : public detail::TwoArraySchedule<To, From> {
public:
    Transpose(const To& destination, const From& source,
              const std::array<int, static_cast<std::size_t>(To::rank())>& permutation,
              detail::Where where = detail::Where::here())
        : detail::TwoArraySchedule<To, From>(
              destination, source,
              detail::makeTranspose(detail::operandAnywhere("destination", destination, where),
                                    detail::operandAnywhere("source", source, where),
                                    permutation.data(), where)) {
        detail::requireSameKind<To, From>();
    }
};

/// Dimension r of the destination is dimension permutation[r] of the source; any two distributions.
/// Example: `transpose(b, a, {1, 0})` makes b[i, j] = a[j, i].
/// Errors (AdlibError): not a permutation; shapes that do not fit; an array not contained in the
/// APG; overlapping arrays.
template <class T, class... To, class U, class... From>
void transpose(const Array<T, To...>& destination, const Array<U, From...>& source,
               const std::array<int, sizeof...(To)>& permutation,
               detail::Where where = detail::Where::here()) {
    detail::requireSameKind<Array<T, To...>, Array<U, From...>>();
    detail::transpose(detail::operandAnywhere("destination", destination, where),
                      detail::operandAnywhere("source", source, where), permutation.data(), {},
                      where);
}

/// The same, combining: `transpose(b, a, {1, 0}, std::plus<>())` makes b[i, j] = b[i, j] + a[j, i],
/// in one pass through both arrays.
template <class T, class... To, class U, class... From, class Op>
void transpose(const Array<T, To...>& destination, const Array<U, From...>& source,
               const std::array<int, sizeof...(To)>& permutation, const Op& op,
               detail::Where where = detail::Where::here()) {
    detail::requireSameKind<Array<T, To...>, Array<U, From...>>();
    const auto& operation = detail::callable(op);
    detail::transpose(detail::operandAnywhere("destination", destination, where),
                      detail::operandAnywhere("source", source, where), permutation.data(),
                      detail::combiningBy<T>(operation), where);
}

}  // namespace Adlib
}  // namespace hpspmd
