// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Collectives of a process alone, which send nothing: a few tests in place of the call. Where one
/// of them says no, the compiled library does it, and raises what there is to raise.

#include <adlib/operand.hpp>
#include <hpspmd/check.hpp>
#include <hpspmd/collective.hpp>

#include <cstring>

namespace hpspmd::detail {

/// True if this process is the active process group, nobody looks at the program while it runs, and
/// no thread is in a collective. Then a call whose demands are met has entered, and sends nothing.
inline bool entersAlone(const char* name, Where where) noexcept {
    const bool isAlone = activeGroup != nullptr && activeGroup->size == 1 && observer == nullptr &&
                         threadInside.load(std::memory_order_relaxed) == nullptr &&
                         !forks::isChild();
    if (isAlone) lastEntered = {name, where};
    return isAlone;
}

/// True if the active process group surely contains an array's group, of which this process is a
/// member.
inline bool isSurelyContained(const GroupRecord* group) noexcept {
    const GroupRecord* const active = activeGroup;
    return group != nullptr && group->rank >= 0 && surelyContains(active, group);
}

/// All elements of an array of rank 0 or 1, where this process holds them whole and at home.
template <class T>
struct HeldRow {
    T* start = nullptr;  ///< null if they are not so
    Index count = 0, step = 0;
};
template <class T, class... Slots>
HeldRow<T> heldRow(const Array<T, Slots...>& array) noexcept {
    static_assert(sizeof...(Slots) <= 1);
    const Storage* const storage = array.storage();
    if (storage == nullptr || storage->mirror != nullptr || array.data() == nullptr ||
        !isSurelyContained(array.groupRecord()))
        return {};
    if constexpr (sizeof...(Slots) == 0) {
        return {array.data(), 1, 0};
    } else {
        const Map& map = array.maps()[0];
        const RangeRecord& x = *recordOf(map.range);
        if (x.run.count != x.extent || x.extent == 0) return {};
        return {array.data() + map.stride * x.run.localBase, x.extent,
                map.stride * x.run.localStep};
    }
}

/// to = from, of arrays of a process alone that have no ghost cells. False, and nothing done, of
/// others.
template <class T, class... To, class U, class... From>
bool copiesRowAlone(const char* name, const Array<T, To...>& to, const Array<U, From...>& from,
                    Where where) noexcept {
    if constexpr (sizeof...(To) <= 1 && std::is_trivially_copyable_v<T>) {
        const HeldRow<T> target = heldRow(to);
        const HeldRow<U> source = heldRow(from);
        if (target.start == nullptr || source.start == nullptr || target.count != source.count ||
            to.storage() == from.storage() || to.ghosts() != nullptr || !entersAlone(name, where))
            return false;
        if (target.step == 1 && source.step == 1)
            std::memmove(target.start, source.start,
                         static_cast<std::size_t>(target.count) * sizeof(T));
        else
            for (Index k = 0; k < target.count; ++k)
                target.start[k * target.step] = source.start[k * source.step];
        return true;
    } else {
        return false;
    }
}

}  // namespace hpspmd::detail
