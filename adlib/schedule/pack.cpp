#include "schedule/pack.hpp"

#include "schedule/copy_plane.hpp"

namespace hpspmd::detail {
namespace {

/// A part of a plane.
Plane<2> window(const Plane<2>& plane, Index top, Index left, Index rows, Index columns) {
    Plane<2> part = plane;
    for (const Place place : {To, From})
        part.start[place] += top * plane.steps[0][place] + left * plane.steps[1][place];
    part.counts = {rows, columns};
    return part;
}

/// Combines row by row with elements that follow one another.
void combineRows(char* to, const char* from, const Plane<2>& plane, std::size_t size,
                 const Combining& combining) {
    const auto bytes = static_cast<Index>(size);
    for (Index i = 0; i < plane.counts[0]; ++i)
        combining.row(combining.op, to + (plane.start[To] + i * plane.steps[0][To]) * bytes,
                      plane.steps[1][To],
                      from + (plane.start[From] + i * plane.steps[0][From]) * bytes,
                      plane.counts[1]);
}

/// The same with elements that lie anywhere: tile by tile they are copied to one place before.
template <class Size>
void combineTiles(char* to, const char* from, const Plane<2>& plane, Size size,
                  const Combining& combining) {
    constexpr Index stageBytes = Index{1} << 15;
    alignas(64) char stage[stageBytes];
    const auto bytes = static_cast<Index>(std::size_t{size});
    const Index width = bytes <= 8 ? 64 : bytes <= 128 ? 16 : 1;
    for (Index top = 0; top < plane.counts[0]; top += width)
        for (Index left = 0; left < plane.counts[1]; left += width) {
            Plane<2> tile = window(plane, top, left, std::min(width, plane.counts[0] - top),
                                   std::min(width, plane.counts[1] - left));
            if (width == 1) {
                combineRows(to, from, tile, size, combining);
                continue;
            }
            const Index columns = tile.counts[1];
            Plane<2> staged = tile;
            for (const auto& [each, place] : {std::pair(&staged, To), std::pair(&tile, From)}) {
                each->start[place] = 0;
                each->steps[0][place] = columns;
                each->steps[1][place] = 1;
            }
            copyPlane(stage, from, staged, size);
            combineRows(to, stage, tile, size, combining);
        }
}

/// Copies a plane from the array at `from` to the one at `to`, or combines.
template <class Size>
void movePlane(char* to, const char* from, const Plane<2>& plane, Size size,
               const Combining& combining) {
    if (!combining) return copyPlane(to, from, plane, size);
    const Plane<2> along = !isInner(plane, To) && plane.counts[0] > 1 ? turned(plane) : plane;
    if (along.steps[1][From] == 1 || along.counts[1] == 1)
        combineRows(to, from, along, size, combining);
    else
        combineTiles(to, from, along, size, combining);
}

/// A plane of an array and the same elements one after the other from `next` on; `first` is the
/// place of the stretch.
Plane<2> besideStretch(const Plane<1>& plane, Index next, Place first) {
    Plane<2> both{{}, plane.counts, {}};
    const Place other = first == To ? From : To;
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
