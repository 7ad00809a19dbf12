// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Sums of products over two outer loops: matrix multiplication and its relatives. hpcc -O3 emits
/// calls of sumsOfProducts().

#include <hpspmd/tiles.hpp>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace hpspmd::detail {

/// Steps of the sum after which a panel of rows still fits the first cache.
inline constexpr Index stepsPerPanel = 128;

/// Room for a panel and sums, kept from call to call.
template <class T>
T* roomForPanel(std::size_t elements) {
    static thread_local std::vector<T> room;
    if (room.size() < elements) room.resize(elements);
    return room.data();
}

/// Calls f(packs, j, fresh) for panels of columns j .. j + packs * lanes - 1, of which those from
/// `fresh` on are in no panel before; returns the first column that is in none.
template <class T, class Function>
Index forEachPanel(const Span& columns, const Function& f) {
    constexpr Index lanes = Lanes<T>::count, wide = packsPerTile * lanes;
    Index j = columns.first;
    for (; j + wide - 1 <= columns.last; j += wide)
        f(std::integral_constant<int, packsPerTile>(), j, j);
    for (; j + lanes - 1 <= columns.last; j += lanes) f(std::integral_constant<int, 1>(), j, j);
    const Index atEnd = columns.last - lanes + 1;  // the last columns, together with some before
    if (j > columns.last || atEnd < columns.first) return j;
    f(std::integral_constant<int, 1>(), atEnd, j);
    return columns.last + 1;
}

/// Calls f(chunk) for the steps in chunks that fit a panel, in their order.
template <Index direction, class Function>
void forEachChunk(Span steps, const Function& f) {
    while (!steps.isEmpty()) {
        Span chunk = steps;
        if constexpr (direction > 0) {
            chunk.last = std::min(steps.first + stepsPerPanel - 1, steps.last);
            steps.first = chunk.last + 1;
        } else {
            chunk.first = std::max(steps.last - stepsPerPanel + 1, steps.first);
            steps.last = chunk.first - 1;
        }
        f(chunk);
    }
}

/// What a sum starts with, a number or a function of its indices, and the terms() of the loops that
/// add to it, in their order.
template <class Start, class... Those>
struct Sum {
    Start start;
    std::tuple<Those...> terms;

    template <class T>
    static constexpr int mostRows = std::max({Those::template Read<T>::rows...});

    template <class Function>
    void forEach(const Function& f) const {
        std::apply([&](const auto&... each) { (f(each), ...); }, terms);
    }
    /// Of one pair of indices.
    template <class... I>
    auto at(Index j, I... i) const {
        auto sum = valueAt(start, i..., j);
        forEach([&](const auto& those) { those.addTo(sum, those.steps(i...), j, i...); });
        return sum;
    }
};
template <class Start, class... Those>
Sum<Start, Those...> sumFrom(const Start& start, const Those&... terms) {
    return {start, {terms...}};
}

/// The sums of all rows.
template <class T, class Columns, class Store, class... Sums>
class SumsOfRows {
public:
    SumsOfRows(const Span& rows, const Columns& columnsOf, const Store& store, const Sums&... sums)
        : rows_(rows),
          columnsOf_(columnsOf),
          columns_(columnsOf.of(rows)),
          store_(store),
          all_(sums...) {}

    void compute() const {
        if (rows_.isEmpty() || columns_.isEmpty()) return;
        if (columns_.count() < lanes) return oneByOne(columns_.first);
        const Index all = std::max<Index>(columns_.count() + lanes, wide) * rows_.count();
        const bool together = all * number <= cached;
        const Index each = together ? all : wide * rows_.count();
        constexpr Index most = std::max({Sums::template mostRows<T>...}) * stepsPerPanel * wide;
        T* const panel = roomForPanel<T>(static_cast<std::size_t>(most + number * each));
        T* const sums = panel + most;
        oneByOne(together ? addTogether(panel, sums, each) : addByPanels(panel, sums, each));
    }

private:
    static constexpr Index lanes = Lanes<T>::count, wide = packsPerTile * lanes;
    static constexpr Index number = sizeof...(Sums);
    static constexpr auto cached = static_cast<Index>((std::size_t{1} << 16) / sizeof(T));

    /// Calls f(sum, where its sums are), `room` being that of each.
    template <class Function>
    void forEachSum(T* sums, Index room, const Function& f) const {
        std::apply(
            [&](const auto&... sum) {
                Index n = 0;
                (f(sum, sums + room * n++), ...);
            },
            all_);
    }

    /// All panels take some steps before any takes the next, so that what they read comes from
    /// memory once.
    Index addTogether(T* panel, T* sums, Index room) const {
        const auto placeOf = [&](Index fresh) { return (fresh - columns_.first) * rows_.count(); };
        forEachSum(sums, room, [&](const auto& sum, T* own) {
            forEachPanel<T>(columns_, [&](auto packs, Index j, Index fresh) {
                begin<decltype(packs)::value>(own + placeOf(fresh), j, sum.start);
            });
            sum.forEach([&](const auto& those) {
                forEachChunk<std::decay_t<decltype(those)>::direction>(
                    those.steps.of(rows_), [&](const Span& chunk) {
                        forEachPanel<T>(columns_, [&](auto packs, Index j, Index fresh) {
                            addSteps<decltype(packs)::value>(own + placeOf(fresh), panel, chunk, j,
                                                             fresh, those);
                        });
                    });
            });
        });
        return forEachPanel<T>(columns_, [&](auto packs, Index j, Index fresh) {
            finish<decltype(packs)::value>(sums + placeOf(fresh), room, j, fresh,
                                           std::make_index_sequence<number>());
        });
    }

    Index addByPanels(T* panel, T* sums, Index room) const {
        return forEachPanel<T>(columns_, [&](auto packs, Index j, Index fresh) {
            constexpr int width = decltype(packs)::value;
            forEachSum(sums, room, [&](const auto& sum, T* own) {
                begin<width>(own, j, sum.start);
                sum.forEach([&](const auto& those) {
                    forEachChunk<std::decay_t<decltype(those)>::direction>(
                        those.steps.of(rows_), [&](const Span& chunk) {
                            addSteps<width>(own, panel, chunk, j, fresh, those);
                        });
                });
            });
            finish<width>(sums, room, j, fresh, std::make_index_sequence<number>());
        });
    }

    /// A start that is a function is asked for sums of the loops only.
    template <int packs, class Start>
    void begin(T* own, Index j, const Start& start) const {
        constexpr Index width = packs * lanes;
        for (Index i = rows_.first; i <= rows_.last; ++i, own += width) {
            Span asked{j, j + width - 1};
            if constexpr (Columns::areRagged && std::is_invocable_v<const Start&, Index, Index>) {
                asked = common(columnsOf_(i), asked);
                if (asked.count() < width) std::fill_n(own, width, T());
            }
            for (Index c = asked.first; c <= asked.last; ++c) own[c - j] = valueAt(start, i, c);
        }
    }

    template <int packs, class Those>
    void addSteps(T* sums, T* panel, const Span& chunk, Index j, Index fresh,
                  const Those& those) const {
        fillPanel<packs>(panel, chunk, j, those);
        addToPanel<rowsPerTile, packs>(sums, panel, chunk, rows_,
                                       Span{fresh, j + packs * lanes - 1}, columnsOf_, those);
    }

    template <int packs, std::size_t... n>
    void finish(const T* own, Index room, Index j, Index fresh, std::index_sequence<n...>) const {
        constexpr Index width = packs * lanes;
        // GCC warns unless it sees that c does not pass the last column.
        const Span fromHere{fresh, std::min(j + width - 1, columns_.last)};
        for (Index i = rows_.first; i <= rows_.last; ++i, own += width) {
            const Span asked = common(columnsOf_(i), fromHere);
            for (Index c = asked.first; c <= asked.last; ++c)
                store_(i, c, own[static_cast<Index>(n) * room + c - j]...);
        }
    }

    void oneByOne(Index from) const {
        for (Index i = rows_.first; i <= rows_.last; ++i) {
            const Span own = columnsOf_(i);
            for (Index j = std::max(from, own.first); j <= own.last; ++j)
                std::apply([&](const auto&... sum) { store_(i, j, sum.at(j, i)...); }, all_);
        }
    }

    const Span rows_;
    const Columns& columnsOf_;
    const Span columns_;  // of all rows
    const Store& store_;
    const std::tuple<const Sums&...> all_;
};

/// For i in iFirst .. iLast and j in jFirst .. jLast: store(i, j, sums ..), where each sum is what
/// sumFrom() starts with plus what its terms() add, in their order. The bounds of j, as those of
/// the terms' steps, may be functions of i. A row gives several neighbouring columns at once. A
/// start is asked before the sum is stored, and perhaps again behind that.
///
/// Goes over tiles of rows and columns whose sums stay in registers while k runs: each element of a
/// row is then loaded once for several i, and each factor that depends on i once for several j. If
/// all sums fit a cache, all panels take some steps together.
template <class JFirst, class JLast, class Store, class... Sums>
void sumsOfProducts(Index iFirst, Index iLast, const JFirst& jFirst, const JLast& jLast,
                    const Store& store, const Sums&... sums) {
    using T = std::common_type_t<decltype(valueAt(sums.start, iFirst, iFirst))...>;
    const Bounds<JFirst, JLast> columns{jFirst, jLast};
    SumsOfRows<T, Bounds<JFirst, JLast>, Store, Sums...>({iFirst, iLast}, columns, store, sums...)
        .compute();
}

/// The same for i and j in first .. last, where the sum of i, j is that of j, i: computes one of
/// the two, by tiles, and stores it for both.
template <class Store, class... Sums>
void symmetricSumsOfProducts(Index first, Index last, const Store& store, const Sums&... sums) {
    const auto both = [&](Index i, Index j, auto... values) {
        store(i, j, values...);
        if (i < j) store(j, i, values...);
    };
    sumsOfProducts(
        first, last, [](Index i) { return i; }, last, both, sums...);
}

/// Sums of `packs` packs of columns, from `column` on, `steps` steps one after the other.
template <int packs, int steps, class T, class Those>
[[gnu::always_inline]] inline void addToColumns(T* sums, Index column, Index j, Index k,
                                                const Those& those) {
    using L = Lanes<T>;
    typename L::Pack sum[packs];
#pragma GCC unroll 8
    for (int p = 0; p < packs; ++p) sum[p] = L::load(sums + column + p * L::count);
#pragma GCC unroll 8
    for (int s = 0; s < steps; ++s)
#pragma GCC unroll 8
        for (int p = 0; p < packs; ++p)
            sum[p] += those.term(k + s, those.row(k + s, PackOfRow<T>{j + column + p * L::count}));
#pragma GCC unroll 8
    for (int p = 0; p < packs; ++p) L::store(sums + column + p * L::count, sum[p]);
}

/// Steps k .. k + steps - 1 of the sums of `count` columns from j on.
template <int steps, class T, class Those>
void addRows(T* sums, Index count, Index j, Index k, const Those& those) {
    constexpr Index lanes = Lanes<T>::count;
    constexpr int wide = 4;
    Index c = 0;
    for (; c + wide * lanes <= count; c += wide * lanes)
        addToColumns<wide, steps>(sums, c, j, k, those);
    for (; c + lanes <= count; c += lanes) addToColumns<1, steps>(sums, c, j, k, those);
    for (; c < count; ++c) those.addTo(sums[c], {k, k + steps - 1}, j + c);
}

/// sumsOfColumns() of `packs` packs of columns from j on, whose sums stay in registers.
template <int packs, class T, class Store, class Start, class Those>
[[gnu::always_inline]] inline void sumsInRegisters(Index j, const Span& all, const Store& store,
                                                   const Start& start, const Those& those) {
    using L = Lanes<T>;
    alignas(packBytes) T sums[packs * L::count];
    for (Index c = 0; c < packs * L::count; ++c) sums[c] = valueAt(start, j + c);
    typename L::Pack sum[packs];
#pragma GCC unroll 8
    for (int p = 0; p < packs; ++p) sum[p] = L::load(sums + p * L::count);
#pragma GCC unroll 4
    for (Index k = all.first; k <= all.last; ++k)
#pragma GCC unroll 8
        for (int p = 0; p < packs; ++p)
            sum[p] += those.term(k, those.row(k, PackOfRow<T>{j + p * L::count}));
#pragma GCC unroll 8
    for (int p = 0; p < packs; ++p) L::store(sums + p * L::count, sum[p]);
    for (Index c = 0; c < packs * L::count; ++c) store(j + c, sums[c]);
}

/// sumsOfColumns() where there are few.
template <class T, class Store, class Start, class Those>
[[gnu::always_inline]] inline void sumsOfFewColumns(Index j, Index jLast, const Store& store,
                                                    const Start& start, const Those& those) {
    constexpr Index lanes = Lanes<T>::count;
    const Span all = those.steps(0);
    for (; j + 2 * lanes - 1 <= jLast; j += 2 * lanes)
        sumsInRegisters<2, T>(j, all, store, start, those);
    for (; j + lanes - 1 <= jLast; j += lanes) sumsInRegisters<1, T>(j, all, store, start, those);
    for (; j <= jLast; ++j) {
        T sum = valueAt(start, j);
        those.addTo(sum, all, j);
        store(j, sum);
    }
}

/// sumsOfColumns() of any number, with those of so many as fit the first cache at once.
template <class T, class Store, class Start, class Those>
void sumsOfManyColumns(Index jFirst, Index jLast, const Store& store, const Start& start,
                       const Those& those) {
    constexpr Index most = 512;
    constexpr int steps = 4;
    const Span all = those.steps(0);
    const Index rest = std::max<Index>(all.count(), 0) % steps;
    const Index single = std::max(all.last + 1, all.first) - rest;  // from here on one by one
    alignas(packBytes) T sums[most];
    for (Index j = jFirst; j <= jLast; j += most) {
        const Index count = std::min(most, jLast - j + 1);
        for (Index c = 0; c < count; ++c) sums[c] = valueAt(start, j + c);
        for (Index k = all.first; k < single; k += steps) addRows<steps>(sums, count, j, k, those);
        for (Index r = 0; r < rest; ++r) addRows<1>(sums, count, j, single + r, those);
        for (Index c = 0; c < count; ++c) store(j + c, sums[c]);
    }
}

/// For j in jFirst .. jLast: store(j, sum), where sum is what sumFrom() starts with plus what its
/// terms() add, term(k, row(k, the place of j)), in their order. A row gives several neighbouring
/// columns at once. Goes over the rows one after the other, some at once, as they lie in memory;
/// the sums of few columns stay in registers meanwhile.
template <class Store, class Start, class Those>
[[gnu::always_inline]] inline void sumsOfColumns(Index jFirst, Index jLast, const Store& store,
                                                 const Sum<Start, Those>& sum) {
    using T = decltype(valueAt(sum.start, jFirst));
    constexpr Index few = 8 * Lanes<T>::count;
    const Those& terms = std::get<0>(sum.terms);
    if (jLast - jFirst < few)
        sumsOfFewColumns<T>(jFirst, jLast, store, sum.start, terms);
    else
        sumsOfManyColumns<T>(jFirst, jLast, store, sum.start, terms);
}

}  // namespace hpspmd::detail
