// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The distribution formats (thesis, 3.4.5). N is the number of locations, P = d.size(). All raise
/// BadExtent for impossible sizes. Default-constructed ones are null, as a Range is.

#include <hpspmd/range.hpp>

#include <vector>

namespace hpspmd {

/// Blocks of B = ceil(N/P): location g on coordinate g / B. 10 on 4: 3, 3, 3, 1; trailing processes
/// may hold nothing.
class BlockRange : public Range {
public:
    constexpr BlockRange() noexcept = default;
    BlockRange(Index n, const Dimension& d, detail::Where where = detail::Where::here());
};

/// The locations of BlockRange, with `lo` ghost cells below and `hi` above each block; one each if
/// they are not given.
class ExtBlockRange : public Range {
public:
    constexpr ExtBlockRange() noexcept = default;
    ExtBlockRange(Index n, const Dimension& d, detail::Where where = detail::Where::here())
        : ExtBlockRange(n, d, 1, 1, where) {}
    ExtBlockRange(Index n, const Dimension& d, Index lo, Index hi,
                  detail::Where where = detail::Where::here());
};

/// Dealt round: location g on coordinate g % P, local subscript g / P.
class CyclicRange : public Range {
public:
    constexpr CyclicRange() noexcept = default;
    CyclicRange(Index n, const Dimension& d, detail::Where where = detail::Where::here());
};

/// Blocks of b dealt round; the only format with several blocks per process.
class BlockCyclicRange : public Range {
public:
    constexpr BlockCyclicRange() noexcept = default;
    BlockCyclicRange(Index n, const Dimension& d, Index b,
                     detail::Where where = detail::Where::here());
};

/// A contiguous block of sizes[c] locations on coordinate c; N is their sum. With `lo` ghost cells
/// below and `hi` above each block; none if they are not given. BadExtent if there are not P sizes.
class IrregRange : public Range {
public:
    constexpr IrregRange() noexcept = default;
    IrregRange(std::vector<Index> sizes, const Dimension& d,
               detail::Where where = detail::Where::here())
        : IrregRange(std::move(sizes), d, 0, 0, where) {}
    IrregRange(std::vector<Index> sizes, const Dimension& d, Index lo, Index hi,
               detail::Where where = detail::Where::here());

    /// Any list of integers.
    template <class Sizes, class = decltype(std::begin(std::declval<const Sizes&>()))>
    IrregRange(const Sizes& sizes, const Dimension& d, detail::Where where = detail::Where::here())
        : IrregRange(sizes, d, 0, 0, where) {}
    template <class Sizes, class = decltype(std::begin(std::declval<const Sizes&>()))>
    IrregRange(const Sizes& sizes, const Dimension& d, Index lo, Index hi,
               detail::Where where = detail::Where::here())
        : IrregRange(std::vector<Index>(std::begin(sizes), std::end(sizes)), d, lo, hi, where) {}
};

/// Not distributed: every process of the array's group holds all locations.
class CollapsedRange : public Range {
public:
    constexpr CollapsedRange() noexcept = default;
    explicit CollapsedRange(Index n, detail::Where where = detail::Where::here());
};

/// The range x, of which each process has room for all locations: the local subscript of location n
/// is n. Only the own locations are written by nests; the slots of the others take the part of
/// ghost cells, of which there are as many as there are other locations. A range over all locations
/// of its format (BadExtent for a subrange); of one that is not distributed, itself. Example:
/// whole(BlockRange(8, d)) on 2 processes: the one with 4 .. 7 holds them in slots 4 .. 7.
Range whole(const Range& x, detail::Where where = detail::Where::here());

}  // namespace hpspmd
