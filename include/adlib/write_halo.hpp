// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// writeHalo, the update of ghost cells: HPJava's Adlib.writeHalo (thesis, 3.5).

#include <adlib/alone.hpp>
#include <adlib/schedule.hpp>
#include <hpspmd/ghosts.hpp>

namespace hpspmd {
namespace Adlib {

/// What writeHalo does with the ghost cells of one dimension.
enum Mode {
    Edge,    ///< fills those inside the array; those beyond its ends keep what they hold
    Cyclic,  ///< those beyond an end get the elements of the other end
    None     ///< leaves them all alone
};

}  // namespace Adlib

namespace detail {

/// Widths and modes for all dimensions; null pointers: the full widths, Edge.
struct HaloRequest {
    const int* low = nullptr;
    const int* high = nullptr;
    const Adlib::Mode* modes = nullptr;
};

void writeHalo(const Operand& array, const HaloRequest& request, Where where);

/// writeHalo(array) of a process alone, which has no neighbours; false, and nothing done, of
/// others.
template <class T, class... Slots>
bool fillsAlone(const Array<T, Slots...>& array, Where where) noexcept {
    if (!isSurelyContained(array.groupRecord()) || !entersAlone("writeHalo", where)) return false;
    if (Ghosts* const ghosts = array.ghosts()) ghosts->fillWhole(array.maps().data(), array.rank());
    return true;
}
Schedule makeWriteHalo(const Operand& array, const HaloRequest& request, Where where);

template <class A>
constexpr void requireChangeable() {
    static_assert(!std::is_const_v<typename A::Element>,
                  "the array must not have const elements: this call writes to it");
}

}  // namespace detail

namespace Adlib {

/// The schedule of writeHalo with the same arguments.
template <class A>
class WriteHalo : public detail::OneArraySchedule<A> {
    using Widths = std::array<int, static_cast<std::size_t>(A::rank())>;
    using Modes = std::array<Mode, static_cast<std::size_t>(A::rank())>;

public:
    explicit WriteHalo(const A& array, detail::Where where = detail::Where::here())
        : WriteHalo(array, detail::HaloRequest{}, where) {}
    WriteHalo(const A& array, const Widths& low, const Widths& high,
              detail::Where where = detail::Where::here())
        : WriteHalo(array, detail::HaloRequest{low.data(), high.data(), nullptr}, where) {}
    WriteHalo(const A& array, const Widths& low, const Widths& high, const Modes& modes,
              detail::Where where = detail::Where::here())
        : WriteHalo(array, detail::HaloRequest{low.data(), high.data(), modes.data()}, where) {}

private:
    WriteHalo(const A& array, const detail::HaloRequest& request, detail::Where where)
        : detail::OneArraySchedule<A>(
              array,
              detail::makeWriteHalo(detail::operand("array", array, where), request, where)) {
        detail::requireChangeable<A>();
    }
};

/// Fills the ghost cells of `array`, corners included, from the processes that hold their elements.
/// Cells beyond the ends of the array keep what they hold (see setBoundary). A halo wider than the
/// neighbour's block reaches further. One message per neighbour.
/// Example: ExtBlockRange x(8, d, 1, 1) on 2 processes: the process with 0..3 gets a copy of
/// element 4 above, the one with 4..7 a copy of 3 below. Errors (AdlibError): the array is not
/// contained in the APG. Thesis 3.4.5.
template <class T, class... Slots>
void writeHalo(const Array<T, Slots...>& array, detail::Where where = detail::Where::here()) {
    detail::requireChangeable<Array<T, Slots...>>();
    if (!detail::fillsAlone(array, where))
        detail::writeHalo(detail::operandAnywhere("array", array, where), {}, where);
}

/// Only `low[r]` cells below and `high[r]` above the blocks of dimension r. AdlibError also if a
/// width is negative or exceeds the range's extension.
template <class T, class... Slots>
void writeHalo(const Array<T, Slots...>& array, const std::array<int, sizeof...(Slots)>& low,
               const std::array<int, sizeof...(Slots)>& high,
               detail::Where where = detail::Where::here()) {
    detail::requireChangeable<Array<T, Slots...>>();
    detail::writeHalo(detail::operandAnywhere("array", array, where),
                      {low.data(), high.data(), nullptr}, where);
}

/// The same with a mode per dimension. Example: `writeHalo(a, {1, 1}, {1, 1}, {Cyclic, Cyclic})`
/// makes a torus.
template <class T, class... Slots>
void writeHalo(const Array<T, Slots...>& array, const std::array<int, sizeof...(Slots)>& low,
               const std::array<int, sizeof...(Slots)>& high,
               const std::array<Mode, sizeof...(Slots)>& modes,
               detail::Where where = detail::Where::here()) {
    detail::requireChangeable<Array<T, Slots...>>();
    detail::writeHalo(detail::operandAnywhere("array", array, where),
                      {low.data(), high.data(), modes.data()}, where);
}

}  // namespace Adlib
}  // namespace hpspmd
