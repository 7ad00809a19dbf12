// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Array<T, Slots...>, the class a multiarray type `T [[..]]` lowers to: Dist for a `-` slot, Seq
/// for a `*` slot (thesis, 3.4.1 and 4.1).

#include <hpspmd/descriptor.hpp>
#include <hpspmd/index.hpp>
#include <hpspmd/storage.hpp>

#include <array>
#include <cstring>

namespace hpspmd {

struct Dist {};  ///< slot kind `-`, distributed
struct Seq {};   ///< slot kind `*`, sequential

template <class T, class... Slots>
class Array;

namespace detail {

template <class S>
inline constexpr bool isSlot = std::is_same_v<S, Dist> || std::is_same_v<S, Seq>;

template <class...>
struct Types {};

/// True if every slot converts implicitly, `*` to `-`. False for different ranks.
template <class From, class To>
inline constexpr bool widens = false;
template <class... From, class... To>
inline constexpr bool widens<Types<From...>, Types<To...>> = [] {
    if constexpr (sizeof...(From) == sizeof...(To))
        return ((std::is_same_v<From, To> || std::is_same_v<To, Dist>)&&...);
    else
        return false;
}();

template <class A>
inline constexpr bool isArray = false;
template <class T, class... S>
inline constexpr bool isArray<Array<T, S...>> = true;

/// What a `-` slot takes: an index, or one shifted by `distance`.
struct IndexSubscript {
    DistributedIndex index;
    Index distance = 0;

    IndexSubscript(const DistributedIndex& i) : index(i) {}
    IndexSubscript(const ShiftedIndex& i) : index(i.index), distance(i.distance) {}
};

template <class S>
using SubscriptOf = std::conditional_t<std::is_same_v<S, Dist>, IndexSubscript, Index>;

/// What stands in `a[..]` of rank 1, and where: operator[] has no further argument for that.
template <class... S>
struct SoleSubscript;
template <>
struct SoleSubscript<Dist> {
    IndexSubscript subscript;
    Where where;

    SoleSubscript(const DistributedIndex& i, Where where = Where::here())
        : subscript(i), where(where) {}
    SoleSubscript(const ShiftedIndex& i, Where where = Where::here())
        : subscript(i), where(where) {}
};
template <>
struct SoleSubscript<Seq> {
    Index subscript;
    Where where;

    template <class I, std::enable_if_t<(std::is_integral_v<I> ||
                                         std::is_enum_v<I>)&&std::is_convertible_v<I, Index>,
                                        int> = 0>
    SoleSubscript(I i, Where where = Where::here())
        : subscript(static_cast<Index>(i)), where(where) {}
};

[[noreturn]] void raiseNullArray(Where where);
[[noreturn]] void raiseNoSuchDimension(int r, int rank, Where where);
/// Locations of x on this process.
Index localCount(const Range& x);
/// Turns a `-` map over a collapsed range into a `*` map; RangeNotCollapsed.
void collapse(Map& map, Index& offset, int r, Where where);
Group restrictReplicated(const Descriptor& a, const Divisor& at);

/// The maps of a handle: copied as bytes, and never destroyed. What keeps their ranges is what the
/// handle counts, so that a copy costs no more than that.
template <int R>
class HeldMaps {
public:
    HeldMaps() noexcept : maps{} {}
    explicit HeldMaps(const std::array<Map, R>& all) noexcept { take(&all); }
    HeldMaps(const HeldMaps& other) noexcept { take(&other); }
    HeldMaps& operator=(const HeldMaps& other) noexcept {
        take(&other);
        return *this;
    }
    ~HeldMaps() {}

    const std::array<Map, R>& all() const { return maps; }
    /// Sets map r, which the same keeps.
    void set(std::size_t r, const Map& map) noexcept {
        std::memcpy(static_cast<void*>(&maps[r]), &map, sizeof map);
    }

private:
    void take(const void* all) noexcept {
        if constexpr (R > 0) std::memcpy(static_cast<void*>(this), all, sizeof(HeldMaps));
    }

    union {
        std::array<Map, R> maps;
    };
};

/// A storage handle that also keeps the ranges of the maps, if any of them is counted.
StorageHandle keepRanges(StorageHandle storage, const Map* maps, int rank);

template <std::size_t R>
StorageHandle keeping(StorageHandle storage, const std::array<Map, R>& maps) {
    for (const Map& map : maps)
        if (recordOf(map.range)->isCounted)
            return keepRanges(std::move(storage), maps.data(), static_cast<int>(R));
    return storage;
}

}  // namespace detail

/// Apart from what else the library has: what stands in the namespace of a base class comes before
/// functions of the program that are called with an array.
namespace detail::handles {

/// What all arrays of one rank share. A counted handle: copies alias, the last one frees the
/// elements.
template <int R>
class Handle {
public:
    Handle() noexcept = default;
    Handle(StorageHandle storage, Index offset, const std::array<Map, R>& maps, const Group& group)
        : Handle(keeping(std::move(storage), maps), offset, HeldMaps<R>(maps), group) {}
    /// Of maps that the storage handle keeps: those of another handle with it.
    Handle(StorageHandle storage, Index offset, const HeldMaps<R>& maps, const Group& group)
        : storage_(std::move(storage)), offset_(offset), maps_(maps), group_(group) {
        if (group.amMember() && storage_)
            address_ = storage_->address + offset * static_cast<Index>(storage_->elementSize);
    }

    Handle(const Handle&) = default;
    Handle& operator=(const Handle&) = default;
    Handle(Handle&& other) noexcept { take(other); }
    Handle& operator=(Handle&& other) noexcept {
        if (this != &other) take(other);
        return *this;
    }

    static constexpr int rank() { return R; }
    /// False for a default-constructed or moved-from handle.
    bool valid() const { return !group_.isNull(); }

    // Of a handle that is not valid: NullArray. Of no dimension r, 0 <= r < R: OutOfBounds.
    Group grp(Where where = Where::here()) const {
        if (!valid()) raiseNullArray(where);
        return group_;
    }
    Range rng(int r, Where where = Where::here()) const { return map(r, where).range; }
    /// Global extent of dimension r.
    Index size(int r, Where where = Where::here()) const { return map(r, where).range.size(); }
    /// Elements between neighbours in dimension r, which is not checked.
    Index stride(int r) const { return maps()[static_cast<std::size_t>(r)].stride; }
    /// Locations of dimension r that this process holds, ghost cells not included.
    Index localExtent(int r, Where where = Where::here()) const {
        return localCount(map(r, where).range);
    }

    // For libraries.
    Descriptor descriptor() const { return {group_, maps().data(), R, ghosts()}; }
    const GroupRecord* groupRecord() const { return group_.isNull() ? nullptr : group_.record(); }
    bool isHeld() const { return address_ != nullptr; }  ///< false where data() is null
    Ghosts* ghosts() const { return storage_ ? storage_->whole->ghosts : nullptr; }
    /// Whose elements these are.
    Storage* storage() const { return storage_ ? storage_->whole : nullptr; }
    /// What is counted: also keeps the ranges.
    const StorageHandle& storageHandle() const { return storage_; }
    /// True if this is the only handle of the elements.
    bool isSole() const {
        return storage_->references.load() == 1 && storage()->references.load() == 1;
    }
    Index offset() const { return offset_; }
    const std::array<Map, R>& maps() const { return maps_.all(); }
    const HeldMaps<R>& heldMaps() const { return maps_; }

protected:
    const Map& map(int r, Where where) const {
        if (!valid()) raiseNullArray(where);
        if (r < 0 || r >= R) raiseNoSuchDimension(r, R, where);
        return maps()[static_cast<std::size_t>(r)];
    }
    std::byte* address() const { return address_; }

private:
    void take(Handle& other) noexcept {
        storage_ = std::move(other.storage_);
        offset_ = other.offset_;
        maps_ = other.maps_;
        group_ = std::exchange(other.group_, Group());
        address_ = std::exchange(other.address_, nullptr);
    }

    StorageHandle storage_;
    Index offset_ = 0;
    HeldMaps<R> maps_;
    Group group_;
    // What data() is: on members of the group, nothing elsewhere. Kept, so that no test and no
    // pointer is left in an access, and a loop can hold the address in a register.
    std::byte* address_ = nullptr;
};

}  // namespace detail::handles

namespace detail {

using handles::Handle;

/// Marks the constructor that takes a handle on trust: elements and slots are as the array's type
/// says.
struct Adopt {};

/// The handle `from` with the dimensions marked in `sequential` made sequential.
template <int R>
Handle<R> narrow(const Handle<R>& from, const std::array<bool, R>& sequential, Where where) {
    if (!from.valid()) return from;
    std::array<Map, R> maps = from.maps();
    Index offset = from.offset();
    for (std::size_t r = 0; r < maps.size(); ++r)
        if (sequential[r]) collapse(maps[r], offset, static_cast<int>(r), where);
    return Handle<R>(from.storageHandle(), offset, maps, from.grp());
}

}  // namespace detail

/// `const T [[..]]`: the elements cannot be changed through it; the handle may be assigned.
template <class T, class... Slots>
class Array<const T, Slots...> : public detail::Handle<static_cast<int>(sizeof...(Slots))> {
public:
    static_assert((detail::isSlot<Slots> && ...), "a slot of a multiarray is Dist or Seq");
    static_assert(std::is_object_v<T> && !std::is_array_v<T> && !detail::isArray<T>,
                  "the elements of a multiarray are objects, no multiarrays and no C arrays: write "
                  "std::array<T, n> for these");
    using Element = const T;
    using Handle = detail::Handle<static_cast<int>(sizeof...(Slots))>;

    Array() noexcept = default;
    Array(detail::Adopt, Handle handle) noexcept : Handle(std::move(handle)) {}

    /// `*` to `-` and T to const T.
    template <
        class... From,
        std::enable_if_t<detail::widens<detail::Types<From...>, detail::Types<Slots...>>, int> = 0>
    Array(const Array<const T, From...>& a) : Handle(a) {}

    /// `-` to `*`, by static_cast; RangeNotCollapsed.
    template <class... From,
              std::enable_if_t<sizeof...(From) == sizeof...(Slots) &&
                                   !detail::widens<detail::Types<From...>, detail::Types<Slots...>>,
                               int> = 0>
    explicit Array(const Array<const T, From...>& a, detail::Where where = detail::Where::here())
        : Handle(detail::narrow<static_cast<int>(sizeof...(Slots))>(
              a, {std::is_same_v<Slots, Seq>...}, where)) {}

    /// The element with local subscripts 0; null on processes outside the group. The one with local
    /// subscripts s0, s1, .. is data()[s0 * stride(0) + s1 * stride(1) + ..].
    const T* data() const { return reinterpret_cast<const T*>(this->address()); }

    /// The element at a location that this process holds, or in a ghost cell, for programs without
    /// hpcc: `a(i, j - 1, 3)`. IndexMismatch, ShiftTooWide, OutOfBounds, GroupNotContained.
    /// `a[i]`, `s[3]` of rank 1 where hpcc does not know that it is an array, as in a template.
    template <int R = static_cast<int>(sizeof...(Slots)), std::enable_if_t<R == 1, int> = 0>
    const T& operator[](const detail::SoleSubscript<Slots...>& at) const {
        return (*this)(at.subscript, at.where);
    }

    const T& operator()(detail::SubscriptOf<Slots>... subs,
                        detail::Where where = detail::Where::here()) const;
};

/// `T [[..]]`. Derives from `const T [[..]]`, so that a formal `const T [[..]]` of a template is
/// deduced from it.
template <class T, class... Slots>
class Array : public Array<const T, Slots...> {
public:
    using Element = T;
    using Handle = typename Array<const T, Slots...>::Handle;

    Array() noexcept = default;
    Array(detail::Adopt, Handle handle) noexcept
        : Array<const T, Slots...>(detail::Adopt(), std::move(handle)) {}

    template <
        class... From,
        std::enable_if_t<detail::widens<detail::Types<From...>, detail::Types<Slots...>>, int> = 0>
    Array(const Array<T, From...>& a) : Array<const T, Slots...>(detail::Adopt(), a) {}

    template <class... From,
              std::enable_if_t<sizeof...(From) == sizeof...(Slots) &&
                                   !detail::widens<detail::Types<From...>, detail::Types<Slots...>>,
                               int> = 0>
    explicit Array(const Array<T, From...>& a, detail::Where where = detail::Where::here())
        : Array<const T, Slots...>(a, where) {}

    T* data() const { return reinterpret_cast<T*>(this->address()); }

    /// `a[i]`, `s[3]` of rank 1 where hpcc does not know that it is an array, as in a template.
    template <int R = static_cast<int>(sizeof...(Slots)), std::enable_if_t<R == 1, int> = 0>
    T& operator[](const detail::SoleSubscript<Slots...>& at) const {
        return (*this)(at.subscript, at.where);
    }

    T& operator()(detail::SubscriptOf<Slots>... subs,
                  detail::Where where = detail::Where::here()) const;
};

/// `a / i`, `a / x[n]`: an array replicated over the location's dimension, restricted to the
/// processes that hold it. DimensionNotInGroup if a range of the array uses that dimension.
template <class T, class... Slots>
Array<T, Slots...> operator/(const Array<T, Slots...>& a, const detail::Divisor& at) {
    using Handle = typename Array<T, Slots...>::Handle;
    const Group group = detail::restrictReplicated(a.descriptor(), at);
    return Array<T, Slots...>(detail::Adopt(),
                              Handle(a.storageHandle(), a.offset(), a.heldMaps(), group));
}

}  // namespace hpspmd
