// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Several neighbouring iterations of a loop at once, a lane for each. hpcc -O3 emits calls of
/// eachInLanes().

#include <hpspmd/each.hpp>

#include <initializer_list>
#include <vector>

namespace hpspmd::detail {

/// The global indices from a local one on, of a run that isEven().
template <int n = packsOfEach, class Run>
Each<Index, n> globalsOf(const Run& run, Index first) {
    return countedFrom<n>(0) * (run.global(1) - run.global(0)) + run.global(first);
}

template <class T, int n>
using EachAt = Each<std::remove_const_t<T>, n>;

/// All iterations of so many packs.
template <int n = packsOfEach>
struct All {
    static constexpr int count = n, iterations = n * packLanes;

    bool operator[](int) const { return true; }
    Some<n> copy() const { return Some<n>::all(); }
    Some<n> where(const Some<n>& condition) const { return condition; }
    template <class F, class... X>
    auto eachOf(const F& f, const X&... x) const {
        return eachInTurn(*this, f, x...);
    }

    /// Neighbours, or elements at a distance from one another.
    template <class T>
    EachAt<T, n> load(T* p) const {
        using Number = std::remove_const_t<T>;
        return eachOfPacks<Number, n>(
            [&](int k) { return LanesOfEach<Number>::load(p + k * packLanes); });
    }
    template <class T, class V>
    void store(T* p, const V& value) const {
        const Each<T, n> given(value);
        for (int k = 0; k < n; ++k) LanesOfEach<T>::store(p + k * packLanes, given.packs[k]);
    }
    template <class T>
    EachAt<T, n> load(T* p, Index stride) const {
        EachAt<T, n> result;
        for (int k = 0; k < iterations; ++k) result.setLane(k, p[k * stride]);
        return result;
    }
    template <class T, class V>
    void store(T* p, const V& value, Index stride) const {
        const Each<T, n> given(value);
        for (int k = 0; k < iterations; ++k) p[k * stride] = given.inLane(k);
    }
};

/// Those of a pack that come to a place. The others neither load nor store.
template <int n = packsOfEach>
struct [[maybe_unused]] Running : Some<n> {
    static constexpr int iterations = n * packLanes;

    Running(const Some<n>& some) : Some<n>(some) {}
    Running copy() const { return *this; }
    Running where(const Some<n>& condition) const { return *this && condition; }
    template <class F, class... X>
    auto eachOf(const F& f, const X&... x) const {
        return eachInTurn(*this, f, x...);
    }

    /// Leaves out those for which it does not hold; false if there are none left.
    bool keep(const Some<n>& condition) {
        this->leaveOutBut(condition);
        return this->any();
    }
    void drop(const Some<n>& those) { *this = *this && !those; }
    void clear() { *this = Some<n>::all(false); }

    template <class T, class V>
    void set(Each<T, n>& x, const V& value) const {
        x = either<T, n>(*this, value, x);
    }
    void set(Some<n>& x, const Some<n>& value) const { x = (*this && value) || (x && !*this); }

    template <class T>
    EachAt<T, n> load(T* p) const {
#ifdef HPSPMD_MASKS
        if constexpr (std::is_same_v<const T, const double>)
            return eachOfPacks<double, n>([&](int k) {
                return __builtin_ia32_loadupd512_mask(p + k * packLanes, PackOfEach<double>{},
                                                      this->packs[k]);
            });
#endif
        return load(p, 1);
    }
    template <class T, class V>
    void store(T* p, const V& value) const {
#ifdef HPSPMD_MASKS
        if constexpr (std::is_same_v<T, double>) {
            const Each<T, n> given(value);
            for (int k = 0; k < n; ++k)
                __builtin_ia32_storeupd512_mask(p + k * packLanes, given.packs[k], this->packs[k]);
            return;
        }
#endif
        store(p, value, 1);
    }
    template <class T>
    EachAt<T, n> load(T* p, Index stride) const {
        EachAt<T, n> result = 0;
        for (int k = 0; k < iterations; ++k)
            if ((*this)[k]) result.setLane(k, p[k * stride]);
        return result;
    }
    template <class T, class V>
    void store(T* p, const V& value, Index stride) const {
        const Each<T, n> given(value);
        for (int k = 0; k < iterations; ++k)
            if ((*this)[k]) p[k * stride] = given.inLane(k);
    }
};

/// condition ? a() : b() of each; each is computed only if some of those come to it.
template <int n, class Those, class A, class B>
auto chosenWhere(const Those& those, const Some<n>& condition, const A& a, const B& b) {
    using Number = Each<Common<decltype(a()), decltype(b())>, n>;
    const bool someDo = those.where(condition).any(), othersDo = those.where(!condition).any();
    return either(condition, someDo ? Number(a()) : Number(0), othersDo ? Number(b()) : Number(0));
}

/// condition && other() of each; the latter is computed only if some of those come to it.
template <int n, class Those, class Other>
Some<n> both(const Those& those, const Some<n>& condition, const Other& other) {
    return those.where(condition).any() ? condition && other() : Some<n>::all(false);
}

/// What is left of a loop.
struct Rest {
    Index first, last;
};

/// So many elements of a row at most are copied to packs, which then stay in the caches.
constexpr Index mostInLanes = 512;
inline bool fitInLanes(std::initializer_list<Index> lengths) {
    Index sum = 0;
    for (const Index each : lengths) sum += each;
    return sum <= mostInLanes;
}
/// Where little is computed of each element, it takes longer to copy short rows than to compute
/// one after the other, and beyond the second cache several rows are read slower than one.
inline bool fitInLanes(const Rest& rest, std::initializer_list<Index> lengths) {
    constexpr Index shortest = 40, mostInCache = 1 << 17;
    Index sum = 0;
    for (const Index each : lengths) {
        if (each < shortest) return false;
        sum += each;
    }
    return sum <= mostInLanes && (rest.last - rest.first + 1) * sum <= mostInCache;
}

/// The rows of iterations as packs, with an element of each. `rows` is that of the first. If they
/// are as long as `written`, all elements are written before any is read.
template <class T, int n>
class RowsInLanes {
    using Number = std::remove_const_t<T>;

public:
    template <class Those>
    RowsInLanes(const Those& those, T* rows, Index stride, Index count, Index written = -1)
        : rows_(rows), stride_(stride), count_(count) {
        if (count < 1) packs_[0] = {};  // for g++'s warnings
        if (written == count) return;
        Index k = 0;
        if constexpr (isTransposed<T>)
            for (; k <= count - packLanes; k += packLanes)
                for (int p = 0; p < n; ++p) {
                    PackOfEach<Number> block[packLanes];
                    for (int r = 0; r < packLanes; ++r) {
                        const int row = p * packLanes + r;
                        block[r] = those[row] ? LanesOfEach<Number>::load(rows + row * stride + k)
                                              : PackOfEach<Number>{};
                    }
                    transpose<packLanes>([&](int r) -> auto& { return block[r]; });
                    for (int r = 0; r < packLanes; ++r) packs_[k + r].packs[p] = block[r];
                }
        for (; k < count; ++k) packs_[k] = those.load(rows + k, stride);
    }
    template <class Those>
    void store(const Those& those) const {
        Index k = 0;
        if constexpr (isTransposed<T>)
            for (; k <= count_ - packLanes; k += packLanes)
                for (int p = 0; p < n; ++p) {
                    PackOfEach<Number> block[packLanes];
                    for (int r = 0; r < packLanes; ++r) block[r] = packs_[k + r].packs[p];
                    transpose<packLanes>([&](int r) -> auto& { return block[r]; });
                    for (int r = 0; r < packLanes; ++r) {
                        const int row = p * packLanes + r;
                        if (those[row]) LanesOfEach<T>::store(rows_ + row * stride_ + k, block[r]);
                    }
                }
        for (; k < count_; ++k) those.store(rows_ + k, packs_[k], stride_);
    }
    EachAt<T, n>& operator[](Index k) { return packs_[k]; }
    const EachAt<T, n>& operator[](Index k) const { return packs_[k]; }

private:
    T* rows_;
    Index stride_, count_;
    EachAt<T, n> packs_[mostInLanes];
};
template <class Those, class T, class... Lengths>
RowsInLanes(const Those&, T*, Lengths...) -> RowsInLanes<T, Those::count>;

/// What a function makes of each of the elements of such rows.
template <class Number>
class ComputedInLanes {
public:
    template <class T, int n, class F>
    ComputedInLanes(const RowsInLanes<T, n>& rows, Index count, const F& of) {
        for (Index k = 0; k < count; ++k) numbers_[k] = of(rows[k]);
    }
    const Number& operator[](Index k) const { return numbers_[k]; }

private:
    Number numbers_[mostInLanes];
};
template <class T, int n, class F>
ComputedInLanes(const RowsInLanes<T, n>&, Index, const F& of)
    -> ComputedInLanes<decltype(of(EachAt<T, n>()))>;

/// A vector of numbers that each iteration has for itself, as packs.
template <class T, int n>
class VectorInLanes {
public:
    explicit VectorInLanes(std::vector<Each<T, n>>& packs)
        : packs_(packs.data()), size_(packs.size()) {}
    template <class V>
    VectorInLanes(std::vector<Each<T, n>>& packs, std::size_t size, const V& value)
        : packs_((packs.assign(size, Each<T, n>(value)), packs.data())), size_(size) {}
    Each<T, n>& operator[](std::size_t k) const { return packs_[k]; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

private:
    Each<T, n>* packs_;
    std::size_t size_;
};

/// How many packs `i_all` of a body stands for.
template <class Those>
inline constexpr int packsOfThose = std::remove_reference_t<Those>::count;

/// `for (i = rest.first; i <= rest.last; ++i) ..`, where `body` is called with the first index of
/// n packs and those iterations that they hold. Returns the first that is left to be done, which
/// are fewer than that, and none where there are masks.
template <bool usesMasks, int n = packsOfEach, class Body>
[[gnu::always_inline]] inline Index eachInLanes(const Rest& rest, const Body& body) {
    constexpr Index atOnce = n * packLanes;
    Index i = rest.first;
    for (; i <= rest.last - atOnce + 1; i += atOnce) body(i, All<n>{});
    if constexpr (hasLanes<true>)
        if (i <= rest.last) {
            if constexpr (n > packsOfEach)
                if (rest.last - i < packsOfEach * packLanes)
                    return eachInLanes<usesMasks>(Rest{i, rest.last}, body);
            body(i, Running<n>(countedFrom<n>(i) <= rest.last));
            i = rest.last + 1;
        }
    return i;
}

}  // namespace hpspmd::detail
