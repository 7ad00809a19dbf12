// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Sums in register tiles, and the panels of rows that they read.

#include <hpspmd/lanes.hpp>
#include <hpspmd/where.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace hpspmd::detail {

#if defined(__AVX512F__)
inline constexpr int packsPerTile = 3, rowsPerTile = 8;
#else
inline constexpr int packsPerTile = 2, rowsPerTile = 4;
#endif

/// The values of a loop's variable, from first to last.
struct Span {
    Index first = 0, last = -1;

    bool isEmpty() const { return last < first; }
    Index count() const { return last - first + 1; }
    friend Span common(const Span& a, const Span& b) {
        return {std::max(a.first, b.first), std::min(a.last, b.last)};
    }
    friend Span hull(const Span& a, const Span& b) {
        if (a.isEmpty()) return b;
        if (b.isEmpty()) return a;
        return {std::min(a.first, b.first), std::max(a.last, b.last)};
    }
};

/// A value that is the same for all, or that of a function of the indices.
template <class Value, class... Indices>
auto valueAt(const Value& value, Indices... indices) {
    if constexpr (std::is_invocable_v<const Value&, Indices...>)
        return value(indices...);
    else
        return value;
}

/// The first and last value of a loop's variable, each of which may be a function of the row.
template <class First, class Last>
struct Bounds {
    First first;
    Last last;

    /// They are not the same for all rows.
    static constexpr bool areRagged =
        std::is_invocable_v<const First&, Index> || std::is_invocable_v<const Last&, Index>;

    Span operator()(Index i) const {
        return {static_cast<Index>(valueAt(first, i)), static_cast<Index>(valueAt(last, i))};
    }
    Span of(const Span& rows) const {
        if constexpr (!areRagged) return (*this)(rows.first);
        Span all;
        for (Index i = rows.first; i <= rows.last; ++i) all = hull(all, (*this)(i));
        return all;
    }
};

/// Element j of a row, or of a column: of an array whose rows are `pitch` apart.
template <class T>
struct OneOfRow {
    Index j;
    T at(const T* row) const { return row[j]; }
    T across(const T* column, Index pitch) const { return column[j * pitch]; }
    T turned(const T* column, Index pitch, int) const { return column[j * pitch]; }
};

/// Those from j on, as many as a pack holds.
template <class T>
struct PackOfRow {
    using L = Lanes<T>;
    Index j;
    auto at(const T* row) const { return L::load(row + j); }
    auto across(const T* column, Index pitch) const {
        typename L::Pack pack{};
        for (int r = 0; r < L::count; ++r) pack[r] = column[(j + r) * pitch];
        return pack;
    }
    auto turned(const T* column, Index pitch, int) const { return across(column, pitch); }
};

/// So many arrays at most are read across their rows, each step the next column.
inline constexpr int mostTurned = 4;

/// The same, of which several steps follow one another, the first of which loads for all of them.
template <class T>
struct StepOfRows {
    using L = Lanes<T>;
    Index j;
    int step;
    typename L::Pack (*columns)[L::count];  // of each array

    auto at(const T* row) const { return L::load(row + j); }
    auto across(const T* column, Index pitch) const {
        return PackOfRow<T>{j}.across(column, pitch);
    }
    auto turned(const T* column, Index pitch, int which) const {
        if (step == 0) {
            typename L::Pack rows[L::count];
#pragma GCC unroll 8
            for (int r = 0; r < L::count; ++r) rows[r] = L::load(column + (j + r) * pitch);
            transpose<L::count>([&](int r) -> auto& { return rows[r]; });
#pragma GCC unroll 8
            for (int r = 0; r < L::count; ++r) columns[which][r] = rows[r];
        }
        return columns[which][step];
    }
};

/// What a step reads of several rows.
template <class Value, int n>
struct Several {
    static constexpr int count = n;
    Value values[n];
    const Value& operator[](int k) const { return values[k]; }
};
template <class Value, class... More>
Several<Value, 1 + sizeof...(More)> several(const Value& value, const More&... more) {
    return {{value, more...}};
}

/// How it lies in a panel.
template <class T, class Value>
struct InPanel {
    static constexpr int rows = 1;
    static void store(T* to, Index, const Value& value) { Lanes<T>::store(to, value); }
    static Value load(const T* from, Index) { return Lanes<T>::load(from); }
};
template <class T, class Pack, int n>
struct InPanel<T, Several<Pack, n>> {
    static constexpr int rows = n;
    static void store(T* to, Index distance, const Several<Pack, n>& value) {
#pragma GCC unroll 8
        for (int r = 0; r < n; ++r) Lanes<T>::store(to + r * distance, value[r]);
    }
    static Several<Pack, n> load(const T* from, Index distance) {
        Several<Pack, n> value{};
#pragma GCC unroll 8
        for (int r = 0; r < n; ++r) value.values[r] = Lanes<T>::load(from + r * distance);
        return value;
    }
};

/// In place of a factor() where there is none.
struct NoFactor {};

/// What the steps of a loop add to each sum: term(i, k, row(k, the place of j)), for k from
/// steps(i).first to steps(i).last or, if the direction is -1, from the last to the first. Or
/// term(i, k, factor(i, k), row(k, the place of j)), where factor() is a number that is no mere
/// element: it may be computed once for all columns.
template <Index way, class Steps, class Row, class Term, class Factor = NoFactor>
struct Terms {
    Steps steps;
    Row row;
    Term term;
    Factor factor;

    static constexpr Index direction = way;
    static constexpr bool hasFactor = !std::is_same_v<Factor, NoFactor>;
    template <class T>
    using Read = InPanel<T, decltype(std::declval<Row>()(Index(), PackOfRow<T>{}))>;

    template <class Value, class... I>
    [[gnu::always_inline]] auto value(const Value& read, Index k, I... index) const {
        if constexpr (hasFactor)
            return term(index..., k, factor(index..., k), read);
        else
            return term(index..., k, read);
    }
    /// Of one sum. `index` is that of its row, if there are rows.
    template <class T, class... I>
    void addTo(T& sum, const Span& own, Index j, I... index) const {
        for (Index n = 0; n < own.count(); ++n) {
            const Index k = direction > 0 ? own.first + n : own.last - n;
            sum += value(row(k, OneOfRow<T>{j}), k, index...);
        }
    }
};

/// Those of a loop that goes from one value to another one in steps of 1 or -1.
template <Index direction = 1, class From, class To, class Row, class Term, class Factor = NoFactor>
auto terms(const From& from, const To& to, const Row& row, const Term& term,
           const Factor& factor = {}) {
    if constexpr (direction > 0)
        return Terms<1, Bounds<From, To>, Row, Term, Factor>{{from, to}, row, term, factor};
    else
        return Terms<-1, Bounds<To, From>, Row, Term, Factor>{{to, from}, row, term, factor};
}

/// Terms whose factors of row i lie at factors + (i - row) * pitch, from step `step` on.
template <class T, class Those, Index pitch>
struct WithFactors {
    decltype(Those::steps) steps;
    const Those& those;
    const T* factors;
    Index row, step;

    static constexpr Index direction = Those::direction;
    template <class Element>
    using Read = typename Those::template Read<Element>;

    template <class Value>
    [[gnu::always_inline]] auto value(const Value& read, Index k, Index i) const {
        return those.term(i, k, factors[(i - row) * pitch + k - step], read);
    }
};

/// Copies what the steps read of `packs` packs of columns, from j on, to a panel.
template <int packs, class T, class Those>
void fillPanel(T* panel, const Span& steps, Index j, const Those& those) {
    using Read = typename Those::template Read<T>;
    constexpr Index lanes = Lanes<T>::count, width = packs * lanes, pitch = Read::rows * width;
    Index k = steps.first;
    if constexpr (isTransposed<T>) {
        typename Lanes<T>::Pack columns[mostTurned][lanes];
        for (; k + lanes - 1 <= steps.last; k += lanes, panel += lanes * pitch)
#pragma GCC unroll 8
            for (int p = 0; p < packs; ++p)
#pragma GCC unroll 8
                for (int s = 0; s < lanes; ++s)
                    Read::store(panel + s * pitch + p * lanes, width,
                                those.row(k + s, StepOfRows<T>{j + p * lanes, s, columns}));
    }
    for (; k <= steps.last; ++k, panel += pitch)
#pragma GCC unroll 8
        for (int p = 0; p < packs; ++p)
            Read::store(panel + p * lanes, width, those.row(k, PackOfRow<T>{j + p * lanes}));
}

/// The steps that the rows of a tile take: `all` of some row, `shared` those of all of them.
template <int rows>
struct StepsOfTile {
    Span all, shared;
    Span each[rows];

    bool areRagged() const { return shared.first != all.first || shared.last != all.last; }
};

/// Sums at rows i .. i + rows - 1 and `packs` packs of columns, one step after the other, in
/// registers. `sums` holds what they are before, and then what they are; `panel` has what each step
/// reads. isRagged: before and behind the steps of all rows each takes those that are its own. A
/// function of its own, whose loops have all registers for themselves.
template <int rows, int packs, bool isRagged, class T, class Those>
[[gnu::noinline]] void addToTile(T* sums, const T* panel, const StepsOfTile<rows>& steps, Index i,
                                 const Those those) {
    using L = Lanes<T>;
    using Read = typename Those::template Read<T>;
    constexpr Index width = packs * L::count, pitch = Read::rows * width, way = Those::direction;
    typename L::Pack sum[rows][packs];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
        for (int p = 0; p < packs; ++p) sum[r][p] = L::load(sums + r * width + p * L::count);
    const Span all = steps.all, shared = isRagged ? steps.shared : all;
    Index k = way > 0 ? all.first : all.last;
    if (way < 0) panel += (all.count() - 1) * pitch;
    const auto take = [&](Index count, const auto& isTaken) __attribute__((always_inline)) {
        for (; count > 0; --count, k += way, panel += way * pitch) {
            decltype(Read::load(panel, width)) row[packs];
#pragma GCC unroll 8
            for (int p = 0; p < packs; ++p) row[p] = Read::load(panel + p * L::count, width);
#pragma GCC unroll 8
            for (int r = 0; r < rows; ++r)
                if (isTaken(r))
#pragma GCC unroll 8
                    for (int p = 0; p < packs; ++p) sum[r][p] += those.value(row[p], k, i + r);
        }
    };
    const auto byAll = [](int) { return true; };
    const auto bySome = [&](int r) { return steps.each[r].first <= k && k <= steps.each[r].last; };
    const Index below = shared.first - all.first, above = all.last - shared.last;
    if constexpr (isRagged) take(way > 0 ? below : above, bySome);
    take(shared.count(), byAll);
    if constexpr (isRagged) take(way > 0 ? above : below, bySome);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
        for (int p = 0; p < packs; ++p) L::store(sums + r * width + p * L::count, sum[r][p]);
}

/// The steps of `chunk`, which are in the panel; where each row has steps of its own, those. A row
/// without columns takes none.
template <int rows, int packs, class T, class Columns, class Those>
void addToTile(T* sums, const T* panel, const Span& chunk, Index i, const Columns& columns,
               const Those& those) {
    StepsOfTile<rows> steps{chunk, chunk, {}};
    if constexpr (Columns::areRagged || decltype(those.steps)::areRagged) {
        constexpr Index pitch =
            Those::template Read<T>::rows * static_cast<Index>(packs) * Lanes<T>::count;
        steps.all = {};
        for (int r = 0; r < rows; ++r) {
            Span& own = steps.each[r];
            if (!columns(i + r).isEmpty()) own = common(those.steps(i + r), chunk);
            steps.shared = common(steps.shared, own);
            steps.all = hull(steps.all, own);
        }
        if (steps.all.isEmpty()) return;
        if (steps.shared.isEmpty()) steps.shared = {steps.all.last + 1, steps.all.last};
        panel += (steps.all.first - chunk.first) * pitch;
        if (steps.areRagged()) return addToTile<rows, packs, true>(sums, panel, steps, i, those);
    }
    addToTile<rows, packs, false>(sums, panel, steps, i, those);
}

/// Calls f(number, i) for tiles of `rows` rows and, where fewer are left, smaller ones.
template <int rows, class Function>
void forEachTile(Span left, const Function& f) {
    for (; left.count() >= rows; left.first += rows)
        f(std::integral_constant<int, rows>(), left.first);
    if constexpr (rows > 1) forEachTile<rows / 2>(left, f);
}

/// Some row has any of the columns `asked`.
template <class Columns>
bool areAsked(const Span& rows, const Span& asked, const Columns& columns) {
    if constexpr (!Columns::areRagged) return true;
    for (Index i = rows.first; i <= rows.last; ++i)
        if (!common(columns(i), asked).isEmpty()) return true;
    return false;
}

/// The steps of `chunk` of all sums of a panel of `packs` packs of columns, in tiles. Of tiles in
/// which no row has any of the columns `asked` none.
template <int packs, class T, class Columns, class Those>
void addToPanel(T* sums, const T* panel, const Span& chunk, const Span& all, const Span& asked,
                const Columns& columns, const Those& those) {
    forEachTile<rowsPerTile>(all, [&](auto number, Index i) {
        constexpr int rows = decltype(number)::value;
        if (areAsked(Span{i, i + rows - 1}, asked, columns))
            addToTile<rows, packs>(sums + (i - all.first) * packs * Lanes<T>::count, panel, chunk,
                                   i, columns, those);
    });
}

}  // namespace hpspmd::detail
