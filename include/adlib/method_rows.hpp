// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Methods over arrays of two dimensions that are no multiarrays: double [4][3], containers of
/// containers, whose rows lie anywhere, and containers of which n elements each are a row.

#include <adlib/method.hpp>
#include <hpspmd/create.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace hpspmd::detail {

/// The elements of a row of fixed length: of T [M] and std::array<T, M>.
template <class Row>
struct FixedRow;
template <class T, std::size_t M>
struct FixedRow<T[M]> {
    using Element = T;
    static constexpr Index size = M;
};
template <class T, std::size_t M>
struct FixedRow<std::array<T, M>> : FixedRow<T[M]> {};
template <class T, std::size_t M>
struct FixedRow<const std::array<T, M>> : FixedRow<const T[M]> {};

template <class C>
using FixedRowOf = FixedRow<std::remove_pointer_t<decltype(std::data(std::declval<C&>()))>>;

template <int D, int... Further, class C>
Reached dividedGrid(const C& rows) {
    const auto count = static_cast<Index>(std::size(rows));
    constexpr Index columns = FixedRowOf<const C>::size;
    Reached all = reached(std::data(rows), count, D == 0 ? count : columns);
    all.further = {(Further == 0 ? count : columns)...};
    return all;
}

/// The view of rows of fixed length, one behind the other.
template <std::size_t... D, class C>
auto grid(const Method& method, C& rows, Where where = Where::here()) {
    using T = typename FixedRowOf<C>::Element;
    constexpr Index columns = FixedRowOf<C>::size;
    const auto count = static_cast<Index>(std::size(rows));
    const void* const address = std::data(rows);
    return partOf(
        std::index_sequence<D...>(), static_cast<T*>(nullptr), method,
        borrowed(const_cast<void*>(address), count * columns, sizeof(T)), 0,
        std::array<Map, 2>{Map{CollapsedRange(count), columns}, Map{CollapsedRange(columns), 1}},
        where);
}

template <class C>
Reached dividedRows(const C& rows) {
    const auto count = static_cast<Index>(std::size(rows));
    Reached all = reached(std::data(rows), count, count);
    all.rows = &rows;
    all.row = [](const void* container, Index k) {
        const auto& row = std::data(*static_cast<const C*>(container))[k];
        return reached(std::data(row), static_cast<Index>(std::size(row)), -1);
    };
    return all;
}

/// The row of an element in rows of `width`; 0 if those have none.
inline Index rowOf(Index element, Index width) { return width > 0 ? element / width : 0; }

/// Loops over rows without elements count to anything.
template <class C>
Reached dividedRows(const C& elements, Index width) {
    const auto count = static_cast<Index>(std::size(elements));
    Reached all =
        reached(std::data(elements), count,
                width > 0 ? (count + width - 1) / width : std::numeric_limits<int>::max());
    all.isUneven = width <= 0 || count % width != 0;
    return all;
}

template <class C>
auto rows(const Method& method, C& elements, Index width, Where where = Where::here()) {
    using T = std::remove_pointer_t<decltype(std::data(elements))>;
    const auto count = static_cast<Index>(std::size(elements));
    const Index columns = std::max<Index>(width, 1);
    void* const address = const_cast<std::remove_const_t<T>*>(std::data(elements));
    return partOf(std::index_sequence<0>(), static_cast<T*>(nullptr), method,
                  borrowed(address, count, sizeof(T)), 0,
                  std::array<Map, 2>{Map{CollapsedRange(count / columns), columns},
                                     Map{CollapsedRange(columns), 1}},
                  where);
}

/// Where the rows of a container lie at this time.
struct RowTable {
    const void* rows;
    std::byte* (*find)(const void* rows, Index k);
};

/// The rows of a container as a divided array: loops work in the rows themselves. `elements` is
/// what is sent and received of them, and when it was; it is not there on one process.
template <class C>
class Rows {
public:
    using T = std::remove_pointer_t<decltype(std::data(*std::data(std::declval<C&>())))>;

    Rows(const Method& method, C& rows, Where where) : rows_(&rows) {
        if (method.isSingle()) return;
        const auto count = static_cast<Index>(std::size(rows));
        const Index columns = count == 0 ? 0 : static_cast<Index>(std::size(*std::data(rows)));
        const auto whole =
            newArray<T, Seq, Seq>(Placement(apg(), where),
                                  {Map{CollapsedRange(count), 1}, Map{CollapsedRange(columns), 1}});
        elements = part<0>(method, whole, where);
    }

    RowTable table() const {
        return {rows_, [](const void* container, Index k) {
                    C& rows = *static_cast<C*>(const_cast<void*>(container));
                    return reinterpret_cast<std::byte*>(std::data(std::data(rows)[k]));
                }};
    }

    Array<T, Dist, Seq> elements;

private:
    C* rows_;
};

template <class C>
Rows<C> rows(const Method& method, C& container, Where where = Where::here()) {
    return {method, container, where};
}

void completeRows(const Method& method, const Operand& elements, RowTable table, Where where);
void refreshRows(const Method& method, const Operand& elements, RowTable table, int low, int high,
                 Where where);
void fetchRow(const Method& method, const Operand& elements, RowTable table, Index k, Where where);

template <class C>
const void* elementsOf(const Rows<C>& rows) {
    return rows.elements.data();
}
template <class C>
void changed(const Method& method, const Rows<C>& rows, Lines lines) {
    changed(method, rows.elements, lines);
}
template <int D, class C>
Piece lineOf(const Method&, const Rows<C>& rows, Index location) {
    const auto columns = static_cast<std::size_t>(rows.elements.size(1));
    const RowTable table = rows.table();
    return {table.find(table.rows, location), columns * sizeof(typename Rows<C>::T)};
}
template <class C>
void complete(const Method& method, const Rows<C>& rows, Where where = Where::here()) {
    if (method.isSingle()) return;
    completeRows(method, operand("array", rows.elements, where), rows.table(), where);
}
template <int D, class C>
void fetch(const Method& method, const Rows<C>& rows, Index k, Where where = Where::here()) {
    if (method.isSingle() || method.isTold(elementsOf(rows), k)) return;
    fetchRow(method, operand("array", rows.elements, where), rows.table(), k, where);
}
template <int D, class C>
void refresh(const Method& method, const Rows<C>& rows, int low, int high,
             Where where = Where::here()) {
    if (method.isSingle()) return;
    refreshRows(method, operand("array", rows.elements, where), rows.table(), low, high, where);
}

/// An array of which all get elements next to their own, or all elements; of rows of a container,
/// with their table.
struct Neighbours {
    Operand part;
    std::vector<int> low, high;
    std::optional<RowTable> rows = std::nullopt;
    bool isWhole = false;
};
template <int D, class T, class... S>
Neighbours neighboursOf(const Array<T, S...>& part, int low, int high, Where where) {
    Neighbours result{operand("array", part, where), std::vector<int>(sizeof...(S)), {}};
    result.high = result.low;
    result.low[D] = low;
    result.high[D] = high;
    return result;
}
template <int D, class C>
Neighbours neighboursOf(const Rows<C>& rows, int low, int high, Where where) {
    Neighbours result = neighboursOf<D>(rows.elements, low, high, where);
    result.rows = rows.table();
    return result;
}
/// Nothing on one process, where they are known to be fresh at once.
template <int D, class P>
std::optional<Neighbours> neighbours(const Method& method, const P& part, int low, int high,
                                     Where where = Where::here()) {
    if (!method.isSingle()) return neighboursOf<D>(part, low, high, where);
    refresh<D>(method, part, low, high, where);
    return std::nullopt;
}
template <class T, class... S>
Neighbours everythingOf(const Array<T, S...>& part, Where where) {
    Neighbours result{operand("array", part, where), {}};
    for (int r = 0; r < static_cast<int>(sizeof...(S)); ++r)
        result.low.push_back(static_cast<int>(part.size(r)));
    result.high = result.low;
    result.isWhole = true;
    return result;
}
template <class C>
Neighbours everythingOf(const Rows<C>& rows, Where where) {
    Neighbours result = everythingOf(rows.elements, where);
    result.rows = rows.table();
    return result;
}
/// All elements of it.
template <class P>
std::optional<Neighbours> everything(const Method& method, const P& part,
                                     Where where = Where::here()) {
    if (!method.isSingle()) return everythingOf(part, where);
    complete(method, part, where);
    return std::nullopt;
}
/// All of them that are older than the last write: elements next to the own ones in one exchange,
/// and whole arrays in another one, but for long ones.
void fetchTogether(const Method& method,
                   std::initializer_list<std::optional<Neighbours>> neighbours,
                   Where where = Where::here());

}  // namespace hpspmd::detail
