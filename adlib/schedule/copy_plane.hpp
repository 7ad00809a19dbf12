// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "plan/overlap.hpp"

namespace hpspmd::detail {

using plan::End;
using plan::From;
using plan::Plane;
using plan::To;

/// An element size that the compiler knows, so that one element is one load and one store.
template <std::size_t bytes>
struct Known {
    constexpr operator std::size_t() const { return bytes; }
};

/// Calls f with the element size, as a constant for the usual sizes.
template <class Function>
auto withSize(std::size_t size, Function f) {
    switch (size) {
    case 1:
        return f(Known<1>());
    case 2:
        return f(Known<2>());
    case 4:
        return f(Known<4>());
    case 8:
        return f(Known<8>());
    case 16:
        return f(Known<16>());
    default:
        return f(size);
    }
}

/// A row whose steps the compiler knows.
template <Index toStep, Index fromStep, class Size>
void copySteps(char* to, const char* from, Index count, Size size) {
    const auto bytes = static_cast<Index>(std::size_t{size});
    for (Index t = 0; t < count; ++t)
        std::memcpy(to + t * toStep * bytes, from + t * fromStep * bytes, size);
}

/// One row: `count` elements, from `from` with a step to `to` with a step (in elements).
template <class Size>
void copyRow(char* to, Index toStep, const char* from, Index fromStep, Index count, Size size) {
    const auto bytes = static_cast<Index>(std::size_t{size});
    if (toStep == 1 && fromStep == 1) {
        std::memcpy(to, from, static_cast<std::size_t>(count * bytes));
        return;
    }
    if (toStep == 1 && fromStep == -1) return copySteps<1, -1>(to, from, count, size);
    if (toStep == -1 && fromStep == 1) return copySteps<-1, 1>(to, from, count, size);
    for (Index t = 0; t < count; ++t)
        std::memcpy(to + t * toStep * bytes, from + t * fromStep * bytes, size);
}

/// The plane with its two runs exchanged.
inline Plane<2> turned(Plane<2> plane) {
    std::swap(plane.counts[0], plane.counts[1]);
    std::swap(plane.steps[0], plane.steps[1]);
    return plane;
}

/// True if the inner run is the one with short steps.
inline bool isInner(const Plane<2>& plane, End place) {
    return plane.counts[0] == 1 ||
           std::abs(plane.steps[1][place]) <= std::abs(plane.steps[0][place]);
}

/// `rows` x `columns` elements of a plane, which begin at these addresses; steps in bytes.
struct Patch {
    char* to;
    const char* from;
    Index rows, columns;
    Index toRow, toColumn, fromRow, fromColumn;
};

/// Eight rows of eight 8-byte elements, where rows follow one another in the source and columns in
/// the destination: in squares of two by two, each of which is two loads and two stores.
inline void copySquares(const Patch& patch) {
    typedef std::uint64_t Pair __attribute__((vector_size(16)));
    for (Index j = 0; j < 8; j += 2)
        for (Index i = 0; i < 8; i += 2) {
            const char* const in = patch.from + j * patch.fromColumn + i * 8;
            char* const out = patch.to + i * patch.toRow + j * 8;
            Pair left, right;
            std::memcpy(&left, in, sizeof left);
            std::memcpy(&right, in + patch.fromColumn, sizeof right);
            const Pair upper = {left[0], right[0]}, lower = {left[1], right[1]};
            std::memcpy(out, &upper, sizeof upper);
            std::memcpy(out + patch.toRow, &lower, sizeof lower);
        }
}

template <class Size>
void copyPatch(const Patch& patch, Size size) {
    if constexpr (std::is_same_v<Size, Known<8>>)
        if (patch.rows == 8 && patch.columns == 8 && patch.toColumn == 8 && patch.fromRow == 8)
            return copySquares(patch);
    for (Index i = 0; i < patch.rows; ++i)
        for (Index j = 0; j < patch.columns; ++j)
            std::memcpy(patch.to + i * patch.toRow + j * patch.toColumn,
                        patch.from + i * patch.fromRow + j * patch.fromColumn, size);
}

/// Goes over a plane whose rows are the source's columns, in patches of at most eight rows and
/// columns, along the rows: these stream, and what will be read next is fetched ahead, as the
/// source's steps are too long for the processor to foresee. In tiles, so that the source's lines
/// stay in the cache until the next rows read the rest of them, which is why the last element of
/// a patch's column is fetched, not the first.
template <class Size, class Move>
void forEachPatch(char* to, const char* from, const Plane<2>& plane, Size size, Move move) {
    constexpr Index tile = 1024, width = 8;
    const auto bytes = static_cast<Index>(std::size_t{size});
    const auto [rows, columns] = plane.counts;
    const auto step = [&](int run, End place) { return plane.steps[run][place] * bytes; };
    to += plane.start[To] * bytes;
    from += plane.start[From] * bytes;
    for (Index left = 0; left < columns; left += tile)
        for (Index i = 0; i < rows; i += width)
            for (Index j = left; j < std::min(columns, left + tile); j += width) {
                const Patch patch{to + i * step(0, To) + j * step(1, To),
                                  from + i * step(0, From) + j * step(1, From),
                                  std::min(width, rows - i),
                                  std::min(width, columns - j),
                                  step(0, To),
                                  step(1, To),
                                  step(0, From),
                                  step(1, From)};
                const char* const last = patch.from + (patch.rows - 1) * patch.fromRow;
                for (Index ahead = width; ahead < 2 * width; ++ahead)
                    __builtin_prefetch(last + ahead * patch.fromColumn);
                move(patch);
            }
}

/// Copies the elements of a plane of the array at `from` to the one at `to`.
template <class Size>
void copyPlane(char* to, const char* from, const Plane<2>& plane, Size size) {
    if (!isInner(plane, To)) {
        copyPlane(to, from, turned(plane), size);
        return;
    }
    if (!isInner(plane, From)) {
        forEachPatch(to, from, plane, size, [&](const Patch& patch) { copyPatch(patch, size); });
        return;
    }
    const auto bytes = static_cast<Index>(std::size_t{size});
    for (Index i = 0; i < plane.counts[0]; ++i)
        copyRow(to + (plane.start[To] + i * plane.steps[0][To]) * bytes, plane.steps[1][To],
                from + (plane.start[From] + i * plane.steps[0][From]) * bytes, plane.steps[1][From],
                plane.counts[1], size);
}

}  // namespace hpspmd::detail
