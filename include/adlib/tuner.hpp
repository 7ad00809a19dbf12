// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Tuner, which finds out how many processes a loop should run on, and what each should hold.

#include <adlib/remap.hpp>
#include <hpspmd/create.hpp>

#include <memory>
#include <string>

namespace hpspmd {
namespace detail {

class Tuning;

/// The next parts of a range over the dimension that is tuned; another range stays. AdlibError if
/// it is a part of a range.
Range retuned(const Tuning& tuning, const Range& x);

}  // namespace detail

namespace Adlib {

/// Tries how many processes of a dimension, and which parts of the arrays for each, make the steps
/// of a loop fastest:
///
///     Adlib::Tuner tuner(p.dim(0), Adlib::Tuner::Shrink);
///     for (Index step = 0; step < steps; ++step) {
///         relax(a, b);
///         tuner.next(a, b);
///     }
///
/// Every few calls are a round. At its end the processes learn how long the slowest took, and
/// choose what the next round runs on: the m fastest processes, each with a part in proportion to
/// its speed. Then `next` gives the arrays ranges with these parts, and their elements with them
/// (remap); the others hold nothing.
///
/// * Grow tries 1, 2, 4, .. processes, Shrink half as many each time; both then numbers around the
///   best one, and at last those that are nearly as good once more, in 11 trials at most. A gain
///   below 2 % is none; one set that is worse does not end the search. The best set stays, and
///   `next` costs nothing any more.
/// * Balance keeps all processes and moves the parts, whenever it would win more than 5 %.
///
/// Speeds are measured at first as MeasuredRange does, and then by the time that each process
/// spends outside collectives. Nests over the arrays run over `a.rng(0)`; a range that was made
/// before is no longer that of the arrays. All arrays that meet in a nest go into one call. Ghost
/// cells are not filled behind a call that returns true.
class Tuner {
public:
    enum Mode { Grow, Shrink, Balance };

    /// `every` calls of next are a round. Collective over the APG, which holds the grid of d.
    /// BadExtent if every < 1; AdlibError for wrong HPSPMD_SPEEDS.
    Tuner(const Dimension& d, Mode mode, Index every = 10,
          detail::Where where = detail::Where::here());
    ~Tuner();
    Tuner(const Tuner&) = delete;
    Tuner& operator=(const Tuner&) = delete;

    /// Behind a step. True if the arrays have been moved. Collective over the APG, in the same
    /// order in all processes; communicates at the end of a round. NullArray; AdlibError for an
    /// array of which a dimension over d is a part of a range.
    template <class... Arrays>
    bool next(Arrays&... arrays) {
        if (!endsRound()) return false;
        (move(arrays), ...);
        return true;
    }

    /// True if nothing will be moved any more.
    bool isSettled() const;
    /// A line for each trial of a set: processes, seconds per step, "<" at the best.
    std::string report() const;

private:
    bool endsRound();

    template <class T, class... Slots>
    void move(Array<T, Slots...>& array) {
        static_assert(!std::is_const_v<T>, "a Tuner moves arrays whose elements can be written");
        if (!array.valid()) detail::raiseNullArray(where_);
        std::array<detail::Map, sizeof...(Slots)> maps = array.maps();
        bool isMoved = false;
        std::array<Range, sizeof...(Slots)> kept;
        for (std::size_t r = 0; r < sizeof...(Slots); ++r) {
            kept[r] = detail::retuned(*tuning_, maps[r].range);
            isMoved = isMoved || kept[r] != maps[r].range;
            maps[r].range = kept[r];
        }
        if (!isMoved) return;
        auto moved =
            detail::newArray<T, Slots...>(detail::Placement(array.grp(where_), where_), maps);
        remap(moved, array, where_);
        array = moved;
    }

    detail::Where where_;
    std::unique_ptr<detail::Tuning> tuning_;
};

}  // namespace Adlib
}  // namespace hpspmd
