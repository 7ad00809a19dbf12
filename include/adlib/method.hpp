// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What hpcc makes of a function with [[hpspmd::dist]]: its arrays divided over the APG.

#include <adlib/assemble.hpp>
#include <adlib/bit_operators.hpp>
#include <adlib/broadcast.hpp>
#include <adlib/changed_lines.hpp>
#include <adlib/operators.hpp>
#include <adlib/reduction.hpp>
#include <hpspmd/divide.hpp>
#include <hpspmd/procs.hpp>
#include <hpspmd/threads.hpp>

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace hpspmd::detail {

/// Elements that a pointer reaches.
template <class T>
class Elements {
public:
    Elements(T* data, Index size) : data_(data), size_(size) {}
    T* data() const { return data_; }
    std::size_t size() const { return static_cast<std::size_t>(size_); }

private:
    T* data_;
    Index size_;
};

/// The memory behind one name; `extent` of the dimension that is divided, or -1, and of further
/// ones that are. Of a container of containers that of its rows, too, which `row` finds.
struct Reached {
    const char* begin;
    const char* end;
    Index extent;
    const void* rows = nullptr;
    Reached (*row)(const void* rows, Index k) = nullptr;
    bool isScattered = false;  // elements anywhere in it are changed
    bool isUneven = false;     // the last row is shorter, or rows have no elements
    std::array<Index, 2> further = {0, 0};
};

template <class T>
Reached reached(T* begin, Index count, Index extent) {
    const auto* const first = reinterpret_cast<const char*>(begin);
    return {first, first + static_cast<std::size_t>(count) * sizeof(T), extent};
}

/// An array that is divided along dimension D, and further ones, from its first to its last
/// element.
template <int D, int... Further, class T, class... S>
Reached divided(const Array<T, S...>& a) {
    Index last = 1;
    for (const Map& map : a.maps()) last += (map.range.size() - 1) * map.stride;
    const bool isEmpty = a.size(D) == 0 || ((a.size(Further) == 0) || ...);
    Reached all = reached(a.data(), isEmpty ? 0 : last, a.size(D));
    all.further = {a.size(Further)...};
    return all;
}
template <int D, class C, class = decltype(std::size(std::declval<const C&>()))>
Reached divided(const C& elements) {
    const auto count = static_cast<Index>(std::size(elements));
    return reached(std::data(elements), count, count);
}

/// What a divided loop reads besides: an array, a container or one object.
template <class X, class = void>
struct IsContainer : std::false_type {};
template <class X>
struct IsContainer<X, std::void_t<decltype(std::data(std::declval<const X&>()))>> : std::true_type {
};
template <class X>
Reached other(const X& x) {
    if constexpr (isArray<X>) {
        Reached all = divided<0>(x);
        all.extent = -1;
        return all;
    } else if constexpr (IsContainer<X>::value) {
        return reached(std::data(x), static_cast<Index>(std::size(x)), -1);
    } else {
        return reached(&x, 1, -1);
    }
}

/// An array without dist of which loops change elements anywhere.
template <class X>
Reached scattered(const X& x) {
    Reached all = other(x);
    all.isScattered = true;
    return all;
}

/// A function of the program that tells the sizes of so many parts of n elements.
struct Strategy {
    const char* name;
    std::function<std::vector<Index>(Index n, int parts)> sizes;

    /// AdlibError if they are no parts of n.
    std::vector<Index> checkedSizes(Index n, int parts, Where where) const;
};

/// How many dimensions of the arrays of a method are divided.
struct Divided {
    int dimensions;
};

/// One call of a method. While it lives, the APG is a grid of the processes that have called it, of
/// one dimension or as many as are divided, over which the arrays are divided in blocks. If the
/// arrays have different extents, share memory, or are no longer than the `widest` distance of two
/// elements that one iteration reads, each process is a grid of its own, and does everything.
/// Blocks begin at multiples of `multiple`.
class Method {
public:
    Method(const char* name, std::initializer_list<Reached> arrays,
           std::initializer_list<Reached> others, Index widest, Index multiple = 1,
           Where where = Where::here());
    /// The same with a range of another format.
    using Format = std::function<Range(Index n, const Dimension& d)>;
    Method(const char* name, std::initializer_list<Reached> arrays,
           std::initializer_list<Reached> others, Index widest, const Format& format,
           Where where = Where::here());
    /// The same with parts of which a strategy of the program tells the sizes.
    Method(const char* name, std::initializer_list<Reached> arrays,
           std::initializer_list<Reached> others, Index widest, const Strategy& strategy,
           Where where = Where::here());
    /// The same for one loop over some lines: all processes have as many of these, if they are half
    /// of all at most.
    Method(const char* name, std::initializer_list<Reached> arrays,
           std::initializer_list<Reached> others, Index widest, Lines lines,
           Where where = Where::here());
    /// The same with several ranges.
    Method(const char* name, std::initializer_list<Reached> arrays,
           std::initializer_list<Reached> others, Index widest, Divided divided,
           Where where = Where::here());
    ~Method() { activeGroup = saved_; }
    Method(const Method&) = delete;
    Method& operator=(const Method&) = delete;

    const Range& range(int k = 0) const { return ranges_[static_cast<std::size_t>(k)]; }

    /// All processes have been told a line of an array; nothing has been changed since.
    void noteTold(const void* elements, Index location) const {
        changedLines_.remove(elements, location);
        told_ = {elements, location, now.load(std::memory_order_relaxed)};
    }
    bool isTold(const void* elements, Index location) const {
        return !changedLines_.of(elements).contain(location) ||
               (told_.elements == elements && told_.location == location &&
                told_.time == now.load(std::memory_order_relaxed));
    }
    ChangedLines& changedLines() const { return changedLines_; }
    /// True if no iteration of a loop reaches an element that another one changes. On several
    /// processes their parts are a strategy's, and not those of threads.
    bool mayUseThreads() const;
    /// Where threads may divide loops; null: anywhere.
    const Cuts* cuts() const { return cuts_ ? &cuts_ : nullptr; }
    bool isFirst() const { return isFirst_; }
    bool isSingle() const { return isSingle_; }

    /// AdlibError if an array of the method has another extent than those that it was called with.
    void requireExtent(Index extent, Where where, int k = 0) const;

    /// A number that the processes change by one operation: all but the first start anew ..
    template <class Op, class T>
    T start(const T& value) const {
        return isFirst_ ? value : Op::template identity<T>();
    }
    /// .. and behind the loop it is what all have made of it.
    template <class Op, class T>
    T join(const T& value, Where where = Where::here()) const;

private:
    struct Told {
        const void* elements = nullptr;
        Index location = 0;
        Time time = 0;
    };
    Group divide(std::initializer_list<Reached> arrays, std::initializer_list<Reached> others,
                 Index widest, int dimensions, Where where);

    const GroupRecord* saved_;
    std::array<Range, 3> ranges_;
    mutable Told told_;
    mutable ChangedLines changedLines_;
    const char* name_;
    bool isFirst_ = true, isSingle_ = true;
    Cuts cuts_;
    // Of one process, until threads ask whether they share memory.
    mutable std::vector<Reached> arrays_, others_;
    mutable std::optional<bool> areApart_;
};

template <class O>
struct MethodReduction {
    static constexpr const char* name = "reduce";
    using Op = O;
    template <class T>
    static T convert(const T& value) {
        return value;
    }
};

template <class Op, class T>
T Method::join(const T& value, Where where) const {
    return isSingle_ ? value : reduceAny<MethodReduction<Op>>(value, where, Order::OfProcesses);
}

template <class T, class D, class R>
struct Along;
template <class T, std::size_t... D, std::size_t... R>
struct Along<T, std::index_sequence<D...>, std::index_sequence<R...>> {
    template <std::size_t r>
    static constexpr bool isDivided = ((r == D) || ...);
    using type = Array<T, std::conditional_t<isDivided<R>, Dist, Seq>...>;
};
/// T [[*, -, ..]] with R slots, dimensions D.. divided.
template <class D, class T, std::size_t R>
using PartOf = typename Along<T, D, std::make_index_sequence<R>>::type;

template <std::size_t... D, class T, std::size_t R>
PartOf<std::index_sequence<D...>, T, R> partOf(std::index_sequence<D...>, T*, const Method& method,
                                               StorageHandle storage, Index offset,
                                               std::array<Map, R> maps, Where where) {
    int k = 0;
    const auto divide = [&](Map& map) {
        method.requireExtent(map.range.size(), where, k);
        map.range = method.range(k++);
    };
    (divide(maps[D]), ...);
    stampView(*storage.get(), maps.data(), static_cast<int>(R));
    storage.get()->ghosts->fillAll();  // all processes have the same elements
    PartOf<std::index_sequence<D...>, T, R> part(
        Adopt(), Handle<static_cast<int>(R)>(std::move(storage), offset, maps, apg()));
    if (!method.isSingle()) method.changedLines().forget(part.data());
    return part;
}

/// The view of an array that is divided along dimensions D..
template <std::size_t... D, class T, class... S>
auto part(const Method& method, const Array<T, S...>& a, Where where = Where::here()) {
    static_assert((std::is_same_v<S, Seq> && ...), "dist takes an array of `*` slots");
    if (!a.valid()) raiseNullArray(where);
    return partOf(std::index_sequence<D...>(), static_cast<T*>(nullptr), method, a.storageHandle(),
                  a.offset(), a.maps(), where);
}
template <std::size_t D, class C, class = decltype(std::size(std::declval<C&>()))>
auto part(const Method& method, C& elements, Where where = Where::here())
    -> PartOf<std::index_sequence<D>, std::remove_pointer_t<decltype(std::data(elements))>, 1> {
    using T = std::remove_pointer_t<decltype(std::data(elements))>;
    const auto count = static_cast<Index>(std::size(elements));
    void* const address = const_cast<std::remove_const_t<T>*>(std::data(elements));
    return partOf(std::index_sequence<D>(), static_cast<T*>(nullptr), method,
                  borrowed(address, count, sizeof(T)), 0,
                  std::array<Map, 1>{Map{CollapsedRange(count), 1}}, where);
}

template <class Op, class T>
T start(const Method& method, const T& value) {
    return method.start<Op>(value);
}
template <class Op, class T>
T join(const Method& method, const T& value, Where where = Where::here()) {
    return method.join<Op>(value, where);
}

/// What the first process has, for all.
template <class T>
void tell(T& value, Where where = Where::here()) {
    static_assert(std::is_trivially_copyable_v<T>, "what is told must be trivially copyable");
    broadcast(&value, sizeof value, apg(), where);
}

/// Memory that is told.
struct Piece {
    void* begin;
    std::size_t bytes;
};
/// What the process that holds a location has, for all, in one message.
void tell(const Method& method, Index location, std::initializer_list<Piece> pieces, Where where);

/// .. what the first process has.
void tellFromFirst(std::initializer_list<Piece> pieces, Where where);

void complete(const Method& method, const Operand& part, Where where);
void refresh(const Method& method, const Operand& part, int d, int low, int high, Where where);
void fetch(const Method& method, const Operand& part, int d, Index location, Where where);
Piece lineOf(const Method& method, const Operand& part, int d, Index location);

/// What tells arrays apart.
template <class T, class... S>
const void* elementsOf(const Array<T, S...>& part) {
    return part.data();
}

/// A divided loop has written own elements of these lines to the part ..
template <class T, class... S>
void written(const Method& method, const Array<T, S...>& part, Lines lines) {
    if (!method.isSingle()) method.changedLines().add(part.data(), lines);
}
/// .. or to the memory behind it, which the part does not see.
template <class T, class... S>
void changed(const Method& method, const Array<T, S...>& part, Lines lines) {
    if (method.isSingle()) return;
    markWritten(part.descriptor());
    written(method, part, lines);
}

/// Every process has all elements, if something was written since they last had. On one process
/// they stay on the device where they are: who reads them asks for them.
template <class T, class... S>
void complete(const Method& method, const Array<T, S...>& part, Where where = Where::here()) {
    if (!method.isSingle())
        complete(method, operand("array", part, where), where);
    else if (part.ghosts() != nullptr)
        part.ghosts()->fillAll();
}
/// .. or those of one location in dimension D, which its process sends to all.
template <int D, class T, class... S>
void fetch(const Method& method, const Array<T, S...>& part, Index location,
           Where where = Where::here()) {
    if (!method.isSingle()) fetch(method, operand("array", part, where), D, location, where);
}
/// .. or those next to its own in dimension D. On one process elements stay on the device where
/// they are: the nest that reads the part asks for them.
template <int D, class T, class... S>
void refresh(const Method& method, const Array<T, S...>& part, int low, int high,
             Where where = Where::here()) {
    if (!method.isSingle())
        refresh(method, operand("array", part, where), D, low, high, where);
    else if (part.ghosts() != nullptr)
        part.ghosts()->fillAll();
}
/// .. or those next to its own in several dimensions, with the corners between them.
template <class T, class... S>
void refreshWithCorners(const Method& method, const Array<T, S...>& part,
                        const std::array<int, sizeof...(S)>& low,
                        const std::array<int, sizeof...(S)>& high, Where where = Where::here()) {
    if (!method.isSingle())
        refresh(operand("array", part, where), low.data(), high.data(), where);
    else if (part.ghosts() != nullptr)
        part.ghosts()->fillAll();
}
/// .. for a loop that reads the array by its own name, too.
template <int D, class P>
void refreshAtHome(const Method& method, const P& part, int low, int high,
                   Where where = Where::here()) {
    atHome(where, uses(part));
    refresh<D>(method, part, low, high, where);
}

/// A line, if its elements lie one behind the other.
template <int D, class T, class... S>
Piece lineOf(const Method& method, const Array<T, S...>& part, Index location) {
    return lineOf(method, operand("array", part, Where()), D, location);
}

/// The process of a line has changed it, and numbers: all get them.
template <int D, class P, class... T>
void tellLine(const Method& method, const P& part, Index location,
              const std::tuple<T&...>& numbers = {}, Where where = Where::here()) {
    static_assert((std::is_trivially_copyable_v<T> && ...),
                  "what is told must be trivially copyable");
    if (method.isSingle()) return;
    changed(method, part, {location, location});
    const Piece line = lineOf<D>(method, part, location);
    std::apply(
        [&](T&... number) {
            tell(method, location, {{&number, sizeof number}..., line}, where);
        },
        numbers);
    if (line.bytes == 0) fetch<D>(method, part, location, where);
    method.noteTold(elementsOf(part), location);
}

}  // namespace hpspmd::detail

namespace hpspmd::Adlib {

/// What hpcc makes of a loop with [[hpspmd::overall]] outside of methods. Making one is a
/// collective.
class DividedLoop : public detail::Method {
public:
    using Method::Method;
};

}  // namespace hpspmd::Adlib
