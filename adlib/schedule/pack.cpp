// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/pack.hpp"

#include "schedule/copy_plane.hpp"

namespace hpspmd::detail {
namespace {

/// Combines the elements of a plane with those of another array.
template <class Size>
void combinePlane(char* to, const char* from, const Plane<2>& plane, Size size,
                  const Combining& combining) {
    const auto bytes = static_cast<Index>(std::size_t{size});
    if (isInner(plane, From))
        combining({to + plane.start[To] * bytes, from + plane.start[From] * bytes, plane.counts[0],
                   plane.counts[1], plane.steps[0][To], plane.steps[1][To], plane.steps[0][From],
                   plane.steps[1][From]});
    else
        forEachPatch(to, from, plane, size, [&](const Patch& patch) {
            combining({patch.to, patch.from, patch.rows, patch.columns, plane.steps[0][To],
                       plane.steps[1][To], plane.steps[0][From], plane.steps[1][From]});
        });
}

/// Copies a plane from the array at `from` to the one at `to`, or combines.
template <class Size>
void movePlane(char* to, const char* from, const Plane<2>& plane, Size size,
               const Combining& combining) {
    if (!combining) return copyPlane(to, from, plane, size);
    combinePlane(to, from, isInner(plane, To) ? plane : turned(plane), size, combining);
}

/// A plane of an array and the same elements one after the other from `next` on; `first` is the
/// place of the stretch.
Plane<2> besideStretch(const Plane<1>& plane, Index next, End first) {
    Plane<2> both{{}, plane.counts, {}};
    const End other = first == To ? From : To;
    both.start[first] = next;
    both.start[other] = plane.start[0];
    both.steps[0][first] = plane.counts[1];
    both.steps[1][first] = 1;
    for (int r = 0; r < 2; ++r) both.steps[r][other] = plane.steps[r][0];
    return both;
}

/// Copies a region of one dimension, which may consist of many short runs, from an array to a
/// stretch of memory, or back. Returns the end of the stretch.
template <class Size>
char* packRuns(char* out, const char* data, const plan::Region& region, Size size) {
    const auto bytes = static_cast<Index>(std::size_t{size});
    data += region.offset[0] * bytes;
    for (const plan::Run<1>& run : region.dims[0]) {
        copyRow(out, 1, data + run.base[0] * bytes, run.step[0], run.count, size);
        out += run.count * bytes;
    }
    return out;
}
template <class Size>
const char* unpackRuns(char* data, const char* in, const plan::Region& region, Size size) {
    const auto bytes = static_cast<Index>(std::size_t{size});
    data += region.offset[0] * bytes;
    for (const plan::Run<1>& run : region.dims[0]) {
        copyRow(data + run.base[0] * bytes, run.step[0], in, 1, run.count, size);
        in += run.count * bytes;
    }
    return in;
}

}  // namespace

char* pack(char* out, const void* data, const plan::Region& region, std::size_t size) {
    const char* base = static_cast<const char*>(data);
    return withSize(size, [&](auto known) {
        if (region.dims.size() == 1) return packRuns(out, base, region, known);
        Index next = 0;
        plan::forEachPlane(region, [&](const Plane<1>& plane) {
            copyPlane(out, base, besideStretch(plane, next, To), known);
            next += plane.counts[0] * plane.counts[1];
        });
        return out + next * static_cast<Index>(size);
    });
}

const char* unpack(void* data, const char* in, const plan::Region& region, std::size_t size,
                   const Combining& combining) {
    char* base = static_cast<char*>(data);
    return withSize(size, [&](auto known) {
        if (region.dims.size() == 1 && !combining) return unpackRuns(base, in, region, known);
        Index next = 0;
        plan::forEachPlane(region, [&](const Plane<1>& plane) {
            movePlane(base, in, besideStretch(plane, next, From), known, combining);
            next += plane.counts[0] * plane.counts[1];
        });
        return in + next * static_cast<Index>(size);
    });
}

void copyProduct(void* to, const void* from, const plan::Copy& copy, std::size_t size,
                 const Combining& combining) {
    char* target = static_cast<char*>(to);
    const char* source = static_cast<const char*>(from);
    withSize(size, [&](auto known) {
        plan::forEachPlane(copy, [&](const Plane<2>& plane) {
            movePlane(target, source, plane, known, combining);
        });
    });
}

}  // namespace hpspmd::detail
