// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Sums of products over two outer loops: matrix multiplication and its relatives. hpcc -O3 emits
/// calls of sumsOfProducts().

#include <hpspmd/independent.hpp>
#include <hpspmd/tiles.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace hpspmd::detail {

/// Steps of the sum after which a panel of rows still fits the first cache.
inline constexpr Index stepsPerPanel = 128;

/// Room for panels and sums at a multiple of a pack's size, kept from call to call.
template <class T>
T* roomForPanel(std::size_t elements) {
    static thread_local std::vector<T> room;
    constexpr std::size_t most = packBytes / sizeof(T);
    if (room.size() < elements + most) room.resize(elements + most);
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(room.data()) / sizeof(T) % most;
    return room.data() + (most - beyond) % most;
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
    static constexpr std::size_t loops = sizeof...(Those);
    static constexpr bool hasFactor = (Those::hasFactor || ...);

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
        std::array<Span, loops> steps;
        forEachLoop([&](const auto& those, std::size_t n) { steps[n] = those.steps.of(rows_); });
        const bool areShort = std::all_of(steps.begin(), steps.end(), [](const Span& each) {
            return each.count() <= stepsPerPanel;
        });
        oneByOne(areShort ? addByTiles(steps) : addInChunks());
    }

private:
    static constexpr Index lanes = Lanes<T>::count, wide = packsPerTile * lanes;
    static constexpr Index number = sizeof...(Sums);
    static constexpr std::size_t loops = (0 + ... + Sums::loops);
    static constexpr std::size_t mostOfPanel =
        std::max({Sums::template mostRows<T>...}) * stepsPerPanel * wide;
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
    /// Calls f(terms, number) for the terms of all sums.
    template <class Function>
    void forEachLoop(const Function& f) const {
        std::size_t n = 0;
        forEachSum(nullptr, 0, [&](const auto& sum, T*) {
            sum.forEach([&](const auto& those) { f(those, n++); });
        });
    }

    /// What the tiles of a panel read of the steps of each loop, and the factors of all rows.
    struct Steps {
        std::array<Span, loops> of;
        T *panels, *factors;

        T* panelOf(std::size_t n) const { return panels + n * mostOfPanel; }
    };
    static constexpr Index factorsOfRow = stepsPerPanel + lanes;
    std::size_t factorsOfLoop() const {
        return static_cast<std::size_t>(rows_.count() * factorsOfRow);
    }

    /// Tile by tile: what its sums start with, all steps, and what is done with them.
    Index addByTiles(const std::array<Span, loops>& all) const {
        constexpr std::size_t ofPanels = mostOfPanel * loops;
        const std::size_t more = (Sums::hasFactor || ...) ? factorsOfLoop() * loops : 0;
        T* const room = roomForPanel<T>(ofPanels + more);
        const Steps steps{all, room, room + ofPanels};
        forEachLoop([&](const auto& those, std::size_t n) {
            fillFactors(steps.factors + n * factorsOfLoop(), steps.of[n], those);
        });
        return forEachPanel<T>(columns_, [&](auto packs, Index j, Index fresh) {
            constexpr int width = decltype(packs)::value;
            forEachLoop([&](const auto& those, std::size_t n) {
                fillPanel<width>(steps.panelOf(n), steps.of[n], j, those);
            });
            forEachTile<rowsPerTile>(rows_, [&](auto count, Index i) {
                addTile<decltype(count)::value, width>(steps, i, j, fresh);
            });
        });
    }
    template <class Those>
    void fillFactors(T* factors, const Span& steps, const Those& those) const {
        if constexpr (Those::hasFactor)
            for (Index i = rows_.first; i <= rows_.last; ++i, factors += factorsOfRow) {
                if (columnsOf_(i).isEmpty()) continue;
                const Span own = those.steps(i);
                HPSPMD_INDEPENDENT(k)
                for (Index k = own.first; k <= own.last; ++k)
                    factors[k - steps.first] = those.factor(i, k);
            }
    }
    template <int rows, int packs>
    void addTile(const Steps& steps, Index i, Index j, Index fresh) const {
        constexpr Index room = static_cast<Index>(rows) * packs * lanes;
        const Span own{i, i + rows - 1};
        if (!areAsked(own, Span{fresh, j + packs * lanes - 1}, columnsOf_)) return;
        alignas(packBytes) T tile[number * room];
        std::size_t n = 0;
        forEachSum(tile, room, [&](const auto& sum, T* sums) {
            begin<packs>(sums, own, j, sum.start);
            sum.forEach([&](const auto& those) {
                const T* const factors = steps.factors + n * factorsOfLoop();
                addToTile<rows, packs>(sums, steps.panelOf(n), steps.of[n], i, columnsOf_,
                                       withFactors(those, factors, steps.of[n]));
                ++n;
            });
        });
        finish<packs>(tile, room, own, j, fresh, std::make_index_sequence<number>());
    }
    template <class Those>
    auto withFactors(const Those& those, const T* factors, const Span& steps) const {
        if constexpr (Those::hasFactor)
            return WithFactors<T, Those, factorsOfRow>{those.steps, those, factors, rows_.first,
                                                       steps.first};
        else
            return those;
    }

    Index addInChunks() const {
        const Index all = std::max<Index>(columns_.count() + lanes, wide) * rows_.count();
        const bool together = all * number <= cached;
        const Index each = together ? all : wide * rows_.count();
        T* const panel = roomForPanel<T>(mostOfPanel + static_cast<std::size_t>(number * each));
        T* const sums = panel + mostOfPanel;
        return together ? addTogether(panel, sums, each) : addByPanels(panel, sums, each);
    }

    /// All panels take some steps before any takes the next, so that what they read comes from
    /// memory once.
    Index addTogether(T* panel, T* sums, Index room) const {
        const auto placeOf = [&](Index fresh) { return (fresh - columns_.first) * rows_.count(); };
        forEachSum(sums, room, [&](const auto& sum, T* own) {
            forEachPanel<T>(columns_, [&](auto packs, Index j, Index fresh) {
                begin<decltype(packs)::value>(own + placeOf(fresh), rows_, j, sum.start);
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
            finish<decltype(packs)::value>(sums + placeOf(fresh), room, rows_, j, fresh,
                                           std::make_index_sequence<number>());
        });
    }

    Index addByPanels(T* panel, T* sums, Index room) const {
        return forEachPanel<T>(columns_, [&](auto packs, Index j, Index fresh) {
            constexpr int width = decltype(packs)::value;
            forEachSum(sums, room, [&](const auto& sum, T* own) {
                begin<width>(own, rows_, j, sum.start);
                sum.forEach([&](const auto& those) {
                    forEachChunk<std::decay_t<decltype(those)>::direction>(
                        those.steps.of(rows_), [&](const Span& chunk) {
                            addSteps<width>(own, panel, chunk, j, fresh, those);
                        });
                });
            });
            finish<width>(sums, room, rows_, j, fresh, std::make_index_sequence<number>());
        });
    }

    /// A start that is a function is asked for sums of the loops only.
    template <int packs, class Start>
    void begin(T* own, const Span& rows, Index j, const Start& start) const {
        constexpr Index width = packs * lanes;
        if constexpr (!std::is_invocable_v<const Start&, Index, Index>) {
            std::fill_n(own, width * rows.count(), static_cast<T>(start));
        } else {
            for (Index i = rows.first; i <= rows.last; ++i, own += width) {
                Span asked{j, j + width - 1};
                if constexpr (Columns::areRagged) {
                    asked = common(columnsOf_(i), asked);
                    if (asked.count() < width) std::fill_n(own, width, T());
                }
                forEachColumn<width>(
                    asked, [&](Index c)
                               __attribute__((always_inline)) { own[c - j] = start(i, c); });
            }
        }
    }
    /// Calls f(column), whose calls are independent; all of a panel's as a loop of fixed length.
    template <Index width, class Function>
    static void forEachColumn(const Span& asked, const Function& f) {
        if (asked.count() == width) {
            HPSPMD_INDEPENDENT(c)
            for (Index c = 0; c < width; ++c) f(asked.first + c);
        } else {
            HPSPMD_INDEPENDENT(c)
            for (Index c = asked.first; c <= asked.last; ++c) f(c);
        }
    }

    template <int packs, class Those>
    void addSteps(T* sums, T* panel, const Span& chunk, Index j, Index fresh,
                  const Those& those) const {
        fillPanel<packs>(panel, chunk, j, those);
        addToPanel<packs>(sums, panel, chunk, rows_, Span{fresh, j + packs * lanes - 1}, columnsOf_,
                          those);
    }

    template <int packs, std::size_t... n>
    void finish(const T* own, Index room, const Span& rows, Index j, Index fresh,
                std::index_sequence<n...>) const {
        constexpr Index width = packs * lanes;
        // GCC warns unless it sees that c does not pass the last column.
        const Span fromHere{fresh, std::min(j + width - 1, columns_.last)};
        for (Index i = rows.first; i <= rows.last; ++i, own += width) {
            forEachColumn<width>(
                Columns::areRagged ? common(columnsOf_(i), fromHere) : fromHere,
                [&](Index c) __attribute__((always_inline)) {
                    store_(i, c, own[static_cast<Index>(n) * room + c - j]...);
                });
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

}  // namespace hpspmd::detail
