// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Process grids (thesis, 3.4.2).

#include <hpspmd/range.hpp>

#include <array>
#include <initializer_list>
#include <type_traits>

namespace hpspmd {
namespace detail {

/// The grid of the first processes of the APG that this place of the program makes: the same one
/// each time. ProcsArrayTooLarge; BadExtent unless all extents
/// are positive.
const GroupRecord* makeGrid(const Index* extents, int rank, Where where);
/// All processes of the APG, as square as they go, larger extents first.
const GroupRecord* makeBalancedGrid(int rank, Where where);
[[noreturn]] void raiseWrongRank(int given, int rank, Where where);
Dimension gridDimension(const Group& g, int r, Where where);

template <int R>
std::array<Index, R> exactly(std::initializer_list<Index> extents, Where where) {
    if (extents.size() != R) raiseWrongRank(static_cast<int>(extents.size()), R, where);
    std::array<Index, R> result{};
    std::size_t r = 0;
    for (Index extent : extents) result[r++] = extent;
    return result;
}

}  // namespace detail

/// An R-dimensional grid of the first P0 * P1 * .. processes of the APG, row-major. Collective over
/// the APG. A line that is executed again, by the same APG with the same extents, makes the same
/// grid again, with all that is kept for it (schedules, communicators); other lines make others.
template <int R>
class Procs : public Group {
public:
    explicit Procs(detail::Where where = detail::Where::here())
        : Group(detail::makeBalancedGrid(R, where)) {}

    explicit Procs(const std::array<Index, R>& extents, detail::Where where = detail::Where::here())
        : Group(detail::makeGrid(extents.data(), R, where)) {}

    /// `Procs<4> p({2, 2, 3, 1})`; BadExtent unless there are R extents.
    explicit Procs(std::initializer_list<Index> extents,
                   detail::Where where = detail::Where::here())
        : Procs(detail::exactly<R>(extents, where), where) {}

    template <class... Rest, class = std::enable_if_t<sizeof...(Rest) + 1 == R &&
                                                      (std::is_integral_v<Rest> && ...)>>
    explicit Procs(detail::Position first, Rest... rest)
        : Procs(std::array<Index, R>{first.value, static_cast<Index>(rest)...}, first.where) {}

    /// Axis r; OutOfBounds unless 0 <= r < R.
    Dimension dim(int r, detail::Where where = detail::Where::here()) const {
        return detail::gridDimension(*this, r, where);
    }
};

using Procs0 = Procs<0>;
using Procs1 = Procs<1>;
using Procs2 = Procs<2>;
using Procs3 = Procs<3>;

}  // namespace hpspmd
