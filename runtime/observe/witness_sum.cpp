// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observe/witness_sum.hpp"

#include <hpspmd/range.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace hpspmd::detail {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t spread = 0x9E3779B97F4A7C15U, first = 0xA0761D6478BD642FU,
                        second = 0xE7037ED1A0B428DBU, otherSpread = 0x8EBC6AF09C88C6E3U;

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

/// The sums over elements of at most eight bytes, one after the other: of each a product of its two
/// halves, each under a key of 32 bits that depends on its place (the hash NH of UMAC), since
/// machines have such products for several elements at once.
class ShortSums {
public:
    explicit ShortSums(const HeldRun& run)
        : one_{static_cast<std::uint64_t>(run.place) * spread + first,
               static_cast<std::uint64_t>(run.placeStep) * spread},
          other_{static_cast<std::uint64_t>(run.place) * otherSpread + second,
                 static_cast<std::uint64_t>(run.placeStep) * otherSpread} {}

    void take(std::uint64_t bits) {
        sum_.first += product(bits ^ one_.next());
        sum_.second += product(bits ^ other_.next());
    }
    /// So many pairs of elements of eight bytes that lie side by side.
    void takePairs(const char* elements, Index count);

    const WitnessSum& sum() const { return sum_; }

private:
    struct Key {
        std::uint64_t value, step;

        std::uint64_t next() { return std::exchange(value, value + step); }
    };
    static std::uint64_t product(std::uint64_t mixed) {
        return (mixed & 0xFFFFFFFFU) * (mixed >> 32);
    }

    Key one_, other_;
    WitnessSum sum_;
};

#if defined(__SSE2__)
__m128i ofTwo(std::uint64_t a, std::uint64_t b) {
    return _mm_set_epi64x(static_cast<std::int64_t>(b), static_cast<std::int64_t>(a));
}

void ShortSums::takePairs(const char* elements, Index count) {
    /// One of the two sums.
    struct Pair {
        __m128i key, step, sum = _mm_setzero_si128();

        explicit Pair(const Key& k)
            : key(ofTwo(k.value, k.value + k.step)), step(ofTwo(2 * k.step, 2 * k.step)) {}
        void take(__m128i bits) {
            const __m128i mixed = _mm_xor_si128(bits, key);
            sum = _mm_add_epi64(sum, _mm_mul_epu32(mixed, _mm_srli_epi64(mixed, 32)));
            key = _mm_add_epi64(key, step);
        }
        std::uint64_t total() const {
            return static_cast<std::uint64_t>(
                _mm_cvtsi128_si64(_mm_add_epi64(sum, _mm_unpackhi_epi64(sum, sum))));
        }
    };
    Pair one(one_), other(other_);
    for (Index k = 0; k < count; ++k) {
        __m128i bits;
        std::memcpy(&bits, elements + k * Index{sizeof bits}, sizeof bits);
        one.take(bits);
        other.take(bits);
    }
    sum_.first += one.total();
    sum_.second += other.total();
    const std::uint64_t taken = 2 * static_cast<std::uint64_t>(count);
    one_.value += taken * one_.step;
    other_.value += taken * other_.step;
}
#else
void ShortSums::takePairs(const char* elements, Index count) {
    for (Index k = 0; k < 2 * count; ++k) {
        std::uint64_t bits;
        std::memcpy(&bits, elements + k * Index{sizeof bits}, sizeof bits);
        take(bits);
    }
}
#endif

template <std::size_t bytes>
void takeShort(WitnessSum& sum, const HeldRun& run) {
    ShortSums sums(run);
    Index taken = 0;
    if (bytes == sizeof(std::uint64_t) && run.step == static_cast<std::ptrdiff_t>(bytes)) {
        sums.takePairs(run.start, run.count / 2);
        taken = run.count / 2 * 2;
    }
    for (Index k = taken; k < run.count; ++k) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, run.start + k * run.step, bytes);
        sums.take(bits);
    }
    sum.first += sums.sum().first;
    sum.second += sums.sum().second;
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
