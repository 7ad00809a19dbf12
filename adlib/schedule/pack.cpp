#include "schedule/pack.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace hpspmd::detail {
namespace {

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

/// One row: `count` elements, from `from` with a step to `to` with a step (in elements).
template <class Size>
void copyRow(char* to, Index toStep, const char* from, Index fromStep, Index count, Size size) {
    const auto bytes = static_cast<Index>(std::size_t{size});
    if (toStep == 1 && fromStep == 1) {
        std::memcpy(to, from, static_cast<std::size_t>(count * bytes));
        return;
    }
    for (Index t = 0; t < count; ++t)
        std::memcpy(to + t * toStep * bytes, from + t * fromStep * bytes, size);
}

/// Places of a plane.
enum Place { To = 0, From = 1 };
using plan::Plane;

/// The plane with its two runs exchanged.
Plane<2> turned(Plane<2> plane) {
    std::swap(plane.counts[0], plane.counts[1]);
    std::swap(plane.steps[0], plane.steps[1]);
    return plane;
}

/// Is the inner run the one with short steps?
bool isInner(const Plane<2>& plane, Place place) {
    return std::abs(plane.steps[1][place]) <= std::abs(plane.steps[0][place]);
}

/// Transposes: the source's rows are the destination's columns. In strips of a cache line: `width`
/// rows of the source are read side by side, and written as stretches of as many elements.
template <class Size>
void copyAcross(char* to, const char* from, const Plane<2>& plane, Size size) {
    constexpr Index width = 8, height = 64;
    const auto bytes = static_cast<Index>(std::size_t{size});
    const auto [rows, columns] = plane.counts;
    const auto at = [&](Place place, Index i, Index j) {
        return (plane.start[place] + i * plane.steps[0][place] + j * plane.steps[1][place]) * bytes;
    };
    const Index toStep = plane.steps[1][To] * bytes, fromStep = plane.steps[1][From] * bytes;
    for (Index top = 0; top < rows; top += height)
        for (Index left = 0; left < columns; left += width) {
            const Index bottom = std::min(rows, top + height);
            const Index count = std::min(width, columns - left);
            for (Index i = top; i < bottom; ++i) {
                char* const out = to + at(To, i, left);
                const char* const in = from + at(From, i, left);
                if (count == width)
                    for (Index j = 0; j < width; ++j)
                        std::memcpy(out + j * toStep, in + j * fromStep, size);
                else
                    for (Index j = 0; j < count; ++j)
                        std::memcpy(out + j * toStep, in + j * fromStep, size);
            }
        }
}

template <class Size>
void copyPlane(char* to, const char* from, const Plane<2>& plane, Size size) {
    if (!isInner(plane, To) && plane.counts[0] > 1) {
        copyPlane(to, from, turned(plane), size);
        return;
    }
    if (!isInner(plane, From) && plane.counts[0] > 1) {
        copyAcross(to, from, plane, size);
        return;
    }
    const auto bytes = static_cast<Index>(std::size_t{size});
    for (Index i = 0; i < plane.counts[0]; ++i)
        copyRow(to + (plane.start[To] + i * plane.steps[0][To]) * bytes, plane.steps[1][To],
                from + (plane.start[From] + i * plane.steps[0][From]) * bytes, plane.steps[1][From],
                plane.counts[1], size);
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

}  // namespace

char* pack(char* out, const void* data, const plan::Region& region, std::size_t size) {
    const char* base = static_cast<const char*>(data);
    Index next = 0;
    withSize(size, [&](auto known) {
        plan::forEachPlane(region, [&](const Plane<1>& plane) {
            copyPlane(out, base, besideStretch(plane, next, To), known);
            next += plane.counts[0] * plane.counts[1];
        });
    });
    return out + next * static_cast<Index>(size);
}

const char* unpack(void* data, const char* in, const plan::Region& region, std::size_t size) {
    char* base = static_cast<char*>(data);
    Index next = 0;
    withSize(size, [&](auto known) {
        plan::forEachPlane(region, [&](const Plane<1>& plane) {
            copyPlane(base, in, besideStretch(plane, next, From), known);
            next += plane.counts[0] * plane.counts[1];
        });
    });
    return in + next * static_cast<Index>(size);
}

void copyProduct(void* to, const void* from, const plan::Copy& copy, std::size_t size) {
    char* target = static_cast<char*>(to);
    const char* source = static_cast<const char*>(from);
    withSize(size, [&](auto known) {
        plan::forEachPlane(copy,
                           [&](const Plane<2>& plane) { copyPlane(target, source, plane, known); });
    });
}

}  // namespace hpspmd::detail
