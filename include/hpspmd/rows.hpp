// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Loops over the elements of a row that are independent of each other. hpcc -O3 emits calls of
/// eachOfRow().

#include <hpspmd/independent.hpp>
#include <hpspmd/lanes.hpp>
#include <hpspmd/where.hpp>

#include <cstdint>

namespace hpspmd::detail {

/// The operands of element j of a row.
struct SingleOperand {
    Index j;
    double at(const double* row) const { return row[j]; }
    double at(const double* row, Index distance) const { return row[j + distance]; }
    /// A number that each element changes for itself.
    double of(double x) const { return x; }
};

/// The operands of the elements from j on, as many as a pack of `bytes` holds.
template <int bytes>
struct PackOperand {
    Index j;
    auto at(const double* row) const { return Lanes<double, bytes>::load(row + j); }
    auto at(const double* row, Index distance) const { return at(row + distance); }
    template <class X>
    auto of(const X& x) const {
        return packOf<typename Lanes<double, bytes>::Pack>(x);
    }
};

/// The places of element 0 of several rows, each of which gets one of the values of an iteration.
template <int n>
struct StoredRows {
    double* rows[n];
    StoredRows operator+(Index j) const {
        StoredRows result = *this;
        for (double*& row : result.rows) row += j;
        return result;
    }
};
template <class... Row>
StoredRows<sizeof...(Row)> rowsOf(Row*... rows) {
    return {{rows...}};
}
/// What one iteration, or several neighbouring ones, give several rows.
template <class T, int n>
struct StoredValues {
    T values[n];
};
template <class T, class... More>
StoredValues<T, 1 + sizeof...(More)> ofEachRow(const T& first, const More&... more) {
    return {{first, more...}};
}

/// What decides where the packs of a row, or of several, begin.
inline double* firstOf(double* row) { return row; }
template <int n>
double* firstOf(const StoredRows<n>& rows) {
    return rows.rows[0];
}

/// Stores numbers or packs.
inline void put(double* at, double value) { *at = value; }
template <class Pack, std::enable_if_t<!std::is_arithmetic_v<Pack>, int> = 0>
[[gnu::always_inline]] inline void put(double* at, const Pack& pack) {
    Lanes<double, sizeof(Pack)>::store(at, pack);
}
template <int n, class T>
[[gnu::always_inline]] inline void put(const StoredRows<n>& at, const StoredValues<T, n>& values) {
#pragma GCC unroll 8
    for (int k = 0; k < n; ++k) put(at.rows[k], values.values[k]);
}

/// The packs of a row of at least so many that is changed in place lie at multiples of their size.
/// Where a pack is as wide as a cache line, each load and store of one that lies elsewhere touches
/// two lines. To begin with the elements in front of the first multiple costs what about two packs
/// do, which shorter rows don't earn again.
constexpr Index packsOfLongRow = 4;

/// How many elements a loop over `count` elements of a row does first, so that those behind them
/// start at a multiple of a pack's size: 0 if they do so anyhow, or if the row is short.
inline Index elementsInFront(const double* row, Index count) {
    constexpr int lanes = Lanes<double>::count;
    const auto place = reinterpret_cast<std::uintptr_t>(row) / sizeof(double) % lanes;
    return place == 0 || count < packsOfLongRow * lanes ? 0 : lanes - static_cast<Index>(place);
}

/// The elements from j on that fill no pack: `count` modulo those of two packs of `bytes`, by packs
/// of `bytes`, half of it and so on, to single elements. Each is loaded and stored once. (A pack
/// that overlaps its neighbour would wait until what has just been stored reaches the cache:
/// a store can be read at once only as it was made. That makes loops that change one and the same
/// row of 60 elements again and again take 2.5 times as long.)
template <int bytes, class Row, class Body>
[[gnu::always_inline]] inline void eachOfPart(Row row, Index j, Index count, const Body& body) {
    if constexpr (bytes < 2 * static_cast<int>(sizeof(double))) {
        if (count & 1) put(row + j, body(SingleOperand{j}));
    } else {
        using L = Lanes<double, bytes>;
        if (count & L::count) {
            put(row + j, body(PackOperand<bytes>{j}));
            j += L::count;
        }
        eachOfPart<bytes / 2>(row, j, count, body);
    }
}

/// The elements of a row that is not read as packs that overlap: the first starts at the first
/// element, those behind it at multiples of their size, and the last one ends at the last element.
/// So some elements are computed twice. (The packs in the middle have a loop of their own, because
/// processors fetch ahead what one and the same load asks for in even steps. With plain stores in
/// place of storePart() g++ 12 leaves the loops of diffusion in a function of their own, which
/// reads its numbers from memory.)
template <class Body>
[[gnu::always_inline]] inline void eachOverlapping(double* row, Index first, Index last,
                                                   const Body& body) {
    using L = Lanes<double>;
    constexpr Index lanes = L::count;
    const Index lastPack = last - lanes + 1;
    if (lastPack < first) {
        for (Index j = first; j <= last; ++j) row[j] = body(SingleOperand{j});
        return;
    }
    const auto place = reinterpret_cast<std::uintptr_t>(row + first) / sizeof(double);
    storePart(row + first, body(PackOperand<packBytes>{first}), 0, lanes);
    Index j = first + lanes - static_cast<Index>(place) % lanes;  // the next multiple
    for (; j <= lastPack; j += lanes) L::store(row + j, body(PackOperand<packBytes>{j}));
    if (j <= last) storePart(row + lastPack, body(PackOperand<packBytes>{lastPack}), 0, lanes);
}

/// The elements of a row that is changed in place, or of several, as packs, with parts of packs in
/// front of them, if elementsInFront() says so, and behind them. Each is computed once.
template <class Row, class Body>
[[gnu::always_inline]] inline void eachInParts(Row row, Index first, Index last, const Body& body) {
    using L = Lanes<double>;
    if (last < first) return;
    Index j = first;
    if (const Index front = elementsInFront(firstOf(row) + first, last - first + 1)) {
        eachOfPart<packBytes / 2>(row, j, front, body);
        j += front;
    }
    for (; j <= last - L::count + 1; j += L::count) put(row + j, body(PackOperand<packBytes>{j}));
    eachOfPart<packBytes / 2>(row, j, last - j + 1, body);
}

/// `for (j = first; j <= last; ++j) row[j] = body(operands of j);`, where the body reads at(p) =
/// p[j] of other rows and, if isInPlace, of this one. Or the same with several rows, of which none
/// reads more of another than at(p), before it is stored.
template <bool isInPlace, class Row, class Body>
[[gnu::always_inline]] inline void eachOfRow(Row row, Index first, Index last, const Body& body) {
    if constexpr (isInPlace || !std::is_pointer_v<Row>)
        eachInParts(row, first, last, body);
    else
        eachOverlapping(row, first, last, body);
}

// Sanitizers of addresses check what each load reads.
#if defined(__SANITIZE_ADDRESS__)
#define HPSPMD_CHECKED_LOADS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HPSPMD_CHECKED_LOADS 1
#endif
#endif

#if defined(__AVX512F__) && !defined(HPSPMD_CHECKED_LOADS)
/// The operands of a pack at a multiple of its size, where all rows that are read at a distance lie
/// as its own row does: those are put together from two packs at multiples, because each load of a
/// pack that lies on two cache lines counts twice. (They may hold elements that nobody asks for, of
/// a cache line that holds one that is asked for.) Elements are those at j + offset.
template <Index offset>
struct ShiftedOperand {
    using Pack = DoublePack;
    Index j;
    Pack at(const double* row) const { return loaded(row + j + offset); }
    Pack at(const double* row, Index distance) const {
        constexpr Index lanes = Lanes<double>::count;
        const double* const own = row + j;  // so that g++ sees which packs are the same
        if (distance <= -lanes || distance >= lanes) return loaded(own + (offset + distance));
        const Index from = distance < 0 ? offset - lanes : offset;
        return joined(loaded(own + from), loaded(own + (from + lanes)), distance - (from - offset));
    }
    /// In a register from then on: as operands of instructions g++ loads it once for each.
    [[gnu::always_inline]] static Pack loaded(const double* p) {
        Pack pack = Lanes<double>::load(p);
        asm("" : "+v"(pack));
        return pack;
    }
    template <class X>
    Pack of(const X& x) const {
        return packOf<Pack>(x);
    }
};

/// Finds out whether all rows that are read at a distance lie as the row at `own` does.
struct PlaceOperand {
    std::uintptr_t own;
    bool& areAlike;
    double at(const double*) const { return 0; }
    double at(const double* row, Index) const {
        areAlike &= (reinterpret_cast<std::uintptr_t>(row) - own) % packBytes == 0;
        return 0;
    }
    template <class X>
    X of(const X& x) const {
        return x;
    }
};

/// The operands of some elements of a pack; no others are read.
struct PartOperand {
    using Pack = DoublePack;
    Index j;
    unsigned char wanted;  // a bit for each
    Pack at(const double* row) const {
        return __builtin_ia32_loadupd512_mask(row + j, Pack{}, wanted);
    }
    Pack at(const double* row, Index distance) const { return at(row + distance); }
    template <class X>
    Pack of(const X& x) const {
        return packOf<Pack>(x);
    }
};
/// Elements begin .. end - 1 of the pack at j. (Several rows at once are faster by smaller packs.)
template <class Row, class Body>
[[gnu::always_inline]] inline void onePart(Row row, Index j, Index begin, Index end,
                                           const Body& body) {
    if constexpr (!std::is_pointer_v<Row>) {
        eachOfPart<packBytes / 2>(row, j + begin, end - begin, body);
    } else if (begin < end) {
        const auto wanted = static_cast<unsigned char>((1U << end) - (1U << begin));
        const DoublePack values = body(PartOperand{j, wanted});
        __builtin_ia32_storeupd512_mask(row + j, values, wanted);
    }
}

/// eachInParts() of a long row, two packs at once, whose operands have some loads in common; false
/// if the rows lie otherwise.
template <class Row, class Body>
[[gnu::always_inline]] inline bool eachShifted(Row row, Index first, Index last, const Body& body) {
    using L = Lanes<double>;
    const Index count = last - first + 1;
    bool areAlike = count >= packsOfLongRow * L::count;
    if (areAlike) body(PlaceOperand{reinterpret_cast<std::uintptr_t>(firstOf(row)), areAlike});
    if (!areAlike) return false;
    const Index front = elementsInFront(firstOf(row) + first, count);
    Index j = first + front;
    onePart(row, j - L::count, L::count - front, L::count, body);
    for (; j + 2 * L::count - 1 <= last; j += 2 * L::count) {
        const auto here = body(ShiftedOperand<0>{j}), next = body(ShiftedOperand<L::count>{j});
        put(row + j, here);
        put(row + (j + L::count), next);
    }
    if (j + L::count - 1 <= last) {
        put(row + j, body(ShiftedOperand<0>{j}));
        j += L::count;
    }
    onePart(row, j, 0, last - j + 1, body);
    return true;
}
#else
template <class Row, class Body>
bool eachShifted(const Row&, Index, Index, const Body&) {
    return false;
}
#endif

/// eachOfRow() of a body that also reads at(p, d) = p[j + d] of other rows at constant distances
/// within 7.
template <bool isInPlace, class Row, class Body>
[[gnu::always_inline]] inline void eachOfStencil(Row row, Index first, Index last,
                                                 const Body& body) {
    if (!eachShifted(row, first, last, body)) eachOfRow<isInPlace>(row, first, last, body);
}

#if (defined(__znver1__) || defined(__znver2__) || defined(__znver3__) || defined(__znver4__)) && \
    !defined(__AVX512VP2INTERSECT__)
/// 64 bytes are computed in two halves. (Zen 5, which some C++ compilers take for an older one,
/// tells itself by an instruction that those have not.)
constexpr bool arePacksHalved = true;
#else
constexpr bool arePacksHalved = false;
#endif

/// eachOfStencil() of a body that reads more than twelve elements at distances. Where packs are
/// computed in halves, narrower registers, of which fewer lie on two cache lines, are faster (a box
/// of 5 x 5 on AMD Zen 4: 126 us as a loop of g++, 147 to 160 in packs; on an Intel Xeon 207 and
/// 150).
template <bool isInPlace, class Row, class Body>
[[gnu::always_inline]] inline void eachOfWideStencil(Row row, Index first, Index last,
                                                     const Body& body) {
    if constexpr (arePacksHalved) {
        HPSPMD_INDEPENDENT(j)
        for (Index j = first; j <= last; ++j) put(row + j, body(SingleOperand{j}));
    } else {
        eachOfStencil<isInPlace>(row, first, last, body);
    }
}

/// What a row keeps of two numbers, or of each two.
struct Larger {
    template <class T>
    T operator()(const T& a, const T& b) const {
        return largerOf(a, b);
    }
};
struct Smaller {
    template <class T>
    T operator()(const T& a, const T& b) const {
        return smallerOf(a, b);
    }
};

/// `for (j = first; j <= last; ++j) { row[j] = body(operands of j); kept = choose(kept,
/// offer(operands of j, row[j])); }` gives what is kept in the end. Neither reads other elements of
/// the row. The packs are those of eachOverlapping().
template <class Choose, class Body, class Offer>
[[gnu::always_inline]] inline double keptOfRow(double* row, Index first, Index last, double kept,
                                               const Body& body, const Offer& offer) {
    using L = Lanes<double>;
    constexpr Index lanes = L::count;
    const Choose choose;
    const Index lastPack = last - lanes + 1;
    if (lastPack < first) {
        for (Index j = first; j <= last; ++j) {
            row[j] = body(SingleOperand{j});
            kept = choose(kept, offer(SingleOperand{j}, row[j]));
        }
        return kept;
    }
    DoublePack each = kept - DoublePack{};
    const auto step = [&](Index j) {
        const DoublePack values = body(PackOperand<packBytes>{j});
        L::store(row + j, values);
        each = choose(each, offer(PackOperand<packBytes>{j}, values));
    };
    const auto place = reinterpret_cast<std::uintptr_t>(row + first) / sizeof(double);
    step(first);
    Index j = first + lanes - static_cast<Index>(place) % lanes;
    for (; j <= lastPack; j += lanes) step(j);
    if (j <= last) step(lastPack);
    for (int k = 0; k < lanes; ++k) kept = choose(kept, double(each[k]));
    return kept;
}

}  // namespace hpspmd::detail
