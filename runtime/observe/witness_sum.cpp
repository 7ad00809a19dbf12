// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observe/witness_sum.hpp"

#include <hpspmd/range.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hpspmd::detail {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t spread = 0x9E3779B97F4A7C15U, first = 0xA0761D6478BD642FU,
                        second = 0xE7037ED1A0B428DBU;

/// A product of 128 bits whose halves depend on all bits of both; as wyhash mixes.
struct Product {
    std::uint64_t low, high;

    Product(std::uint64_t bits, std::uint64_t place) {
        const auto product = static_cast<Wide>(bits ^ first) * (place ^ second);
        low = static_cast<std::uint64_t>(product);
        high = static_cast<std::uint64_t>(product >> 64);
    }
    std::uint64_t folded() const { return low ^ high; }
};

void take(WitnessSum& sum, const Product& product) {
    sum.first += product.folded();
    sum.second += product.low + (product.high << 17 | product.high >> 47);
}

/// Elements of at most eight bytes.
template <std::size_t bytes>
void takeShort(WitnessSum& sum, const HeldRun& run) {
    const char* element = run.start;
    std::uint64_t place = static_cast<std::uint64_t>(run.place) * spread;
    const std::uint64_t step = static_cast<std::uint64_t>(run.placeStep) * spread;
    WitnessSum own;
    for (Index k = 0; k < run.count; ++k, element += run.step, place += step) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, element, bytes);
        take(own, Product(bits, place));
    }
    sum.first += own.first;
    sum.second += own.second;
}

void takeLong(WitnessSum& sum, const HeldRun& run, std::size_t bytes) {
    const char* element = run.start;
    std::uint64_t place = static_cast<std::uint64_t>(run.place) * spread;
    const std::uint64_t step = static_cast<std::uint64_t>(run.placeStep) * spread;
    for (Index k = 0; k < run.count; ++k, element += run.step, place += step) {
        std::uint64_t mixed = place;
        for (std::size_t at = 0; at < bytes; at += sizeof mixed) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, element + at, std::min(bytes - at, sizeof bits));
            const Product product(bits, mixed);
            mixed = product.folded();
            if (at + sizeof mixed >= bytes) take(sum, product);
        }
    }
}

/// The elements with some leading subscripts fixed, which have moved `start` and `place`.
void walk(const WrittenArray& array, int r, const char* start, Index place,
          const std::function<void(const HeldRun&)>& action) {
    const auto size = static_cast<std::ptrdiff_t>(array.elementSize);
    if (r == array.layout.rank) return action({start, size, place, 1, 1});
    const Map& map = array.layout[r];
    const std::ptrdiff_t stride = map.stride * size;
    const bool isLast = r == array.layout.rank - 1;
    for (const Block& block : map.range.localBlocks()) {
        const char* const first = start + block.localBase * stride;
        const Index firstPlace = place * extentOf(map.range) + block.globalBase;
        if (isLast && block.count > 0)
            action({first, block.localStep * stride, firstPlace, block.globalStep, block.count});
        for (Index k = 0; !isLast && k < block.count; ++k)
            walk(array, r + 1, first + k * block.localStep * stride,
                 firstPlace + k * block.globalStep, action);
    }
}

}  // namespace

void forEachHeldRun(const WrittenArray& array, const std::function<void(const HeldRun&)>& action) {
    if (array.data == nullptr || !array.layout.group.amMember()) return;
    walk(array, 0, static_cast<const char*>(array.data), 0, action);
}

WitnessSum witnessSum(const WrittenArray& array) {
    WitnessSum sum;
    forEachHeldRun(array, [&](const HeldRun& run) {
        switch (array.form.bytes) {
        case 1:
            return takeShort<1>(sum, run);
        case 2:
            return takeShort<2>(sum, run);
        case 4:
            return takeShort<4>(sum, run);
        case 8:
            return takeShort<8>(sum, run);
        default:
            return takeLong(sum, run, array.form.bytes);
        }
    });
    return sum;
}

namespace {

/// From 0.5 to 1.5, with a sign.
long double weightOf(std::uint64_t place) {
    const std::uint64_t mixed = Product(place, place).folded();
    const long double size = 0.5L + static_cast<long double>(mixed >> 1) * 0x1p-63L;
    return (mixed & 1) != 0 ? size : -size;
}

void take(NearSum& sum, long double x, std::uint64_t place) {
    const long double weight = weightOf(place);
    if (std::isfinite(x)) {
        sum.sum += weight * x;
        sum.magnitude += std::fabs(weight) * std::max(1.0L, std::fabs(x));
    } else {
        const std::uint64_t which = std::isnan(x) ? 1 : x > 0 ? 2 : 3;
        sum.odd += Product(which, place).folded();
    }
}

/// Real numbers R of which an element has `parts`.
template <class R>
void takeNumbers(NearSum& sum, const HeldRun& run, int parts) {
    for (Index k = 0; k < run.count; ++k)
        for (int part = 0; part < parts; ++part) {
            R x;
            std::memcpy(&x, run.start + k * run.step + part * static_cast<int>(sizeof x), sizeof x);
            const Index place = (run.place + k * run.placeStep) * parts + part;
            take(sum, x, static_cast<std::uint64_t>(place) * spread);
        }
}

}  // namespace

NearSum nearSum(const WrittenArray& array) {
    const int parts = array.form.kind == ElementForm::Complex ? 2 : 1;
    const unsigned bytes = array.form.bytes / static_cast<unsigned>(parts);
    NearSum sum;
    forEachHeldRun(array, [&](const HeldRun& run) {
        if (bytes == sizeof(float)) return takeNumbers<float>(sum, run, parts);
        if (bytes == sizeof(double)) return takeNumbers<double>(sum, run, parts);
        takeNumbers<long double>(sum, run, parts);
    });
    return sum;
}

Index copyHeld(const Descriptor& array) {
    Index copy = 0;
    for (const Dimension& d : freeDimensions(array.group)) {
        const bool isUsed = std::any_of(array.begin(), array.end(),
                                        [&](const Map& map) { return map.range.dim() == d; });
        if (!isUsed) copy = copy * d.size() + d.crd();
    }
    return copy;
}

}  // namespace hpspmd::detail
