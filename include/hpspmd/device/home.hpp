// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What host code asks before it reaches elements, because their only valid copy may lie on a
/// device (docs/devices.md). A program without devices pays one comparison with null for each.

#include <hpspmd/array.hpp>

#include <exception>
#include <vector>

namespace hpspmd::detail {

/// Distances lo .. hi from an index.
struct Shifts {
    Index lo, hi;
};

/// The rows of an array that an iteration of a nest's outermost loop reaches: those at its index
/// plus shifts.
struct RowsTaken {
    bool areKnown = false;  ///< else it may be any row
    Shifts shifts{};
    Index written = 0;  ///< the shift of the only one that it writes, if it writes
    Index offset = 0;   ///< in slots, of the array
    Index stride = 0;   ///< from row to row
};

/// A storage, and what is done with it.
struct Taken {
    Storage* storage;
    Use use;
    RowsTaken rows{};
};

template <class T, class... Slots>
Taken reads(const Array<T, Slots...>& a) {
    return {a.storage(), Use::Reads};
}
template <class T, class... Slots>
Taken writes(const Array<T, Slots...>& a) {
    return {a.storage(), Use::Writes};
}
/// By iteration i of an outermost loop: elements whose first subscripts are i plus shifts.
template <class T, class... Slots>
Taken reads(const Array<T, Slots...>& a, Shifts shifts) {
    return {a.storage(), Use::Reads, {true, shifts, 0, a.offset(), a.stride(0)}};
}
/// It writes only those whose first subscript is i + written.
template <class T, class... Slots>
Taken writes(const Array<T, Slots...>& a, Index written, Shifts shifts) {
    return {a.storage(), Use::Writes, {true, shifts, written, a.offset(), a.stride(0)}};
}
/// What may be done with an array: `const T [[..]]` is only read.
template <class T, class... Slots>
Taken uses(const Array<T, Slots...>& a) {
    return {a.storage(), std::is_const_v<T> ? Use::Reads : Use::Writes};
}

/// The elements at home are valid from here on; those that are written, at home only. Their address
/// does not change. Nothing for a null array.
template <class... A>
void atHome(Where where, const A&... taken) {
    (bringHome(taken.storage, taken.use, where), ...);
}
/// The same at the entry of a nest that runs on the host: `atHome({reads(a), writes(b)})`.
inline void atHome(std::initializer_list<Taken> all, Where where = Where::here()) {
    for (const Taken& taken : all) bringHome(taken.storage, taken.use, where);
}

/// Waits for kernels that check subscripts in each iteration, if there are any that nobody has
/// waited for. OutOfBounds of the first of them that has come to one beyond a dimension.
void requireFitting();
/// That kernels which a `try` block has launched tell it there, and not behind the block: the first
/// that stands in it.
class Tried {
public:
    Tried() = default;
    Tried(const Tried&) = delete;
    Tried& operator=(const Tried&) = delete;
    ~Tried() noexcept(false) {
        if (std::uncaught_exceptions() == before_) requireFitting();
    }

private:
    int before_ = std::uncaught_exceptions();
};

/// Bytes of a storage: `rows` stretches of `width` bytes, `pitch` bytes apart, the first one at
/// `first`.
struct Box {
    std::size_t first, width, rows, pitch;
};

/// What an exchange of ghost cells reads at home of a storage, whose only valid copy may lie on a
/// device, and what it has written there: nothing else of it is copied. True if the device has a
/// valid copy, which then needs boxesToDevice(), and at last boxesLeaveHome() of them all; else all
/// of it is at home, as by Use::Writes.
bool boxesHome(Mirror& mirror, const std::vector<Box>& read, Where where);
void boxesToDevice(Mirror& mirror, const std::vector<Box>& written, Where where);
void boxesLeaveHome(Mirror& mirror, const std::vector<Box>& boxes);

/// The elements stay at home for good: somebody keeps their address, or messages are under way.
template <class T, class... Slots>
void keepHome(const Array<T, Slots...>& a, Where where) {
    if (a.storage() == nullptr) return;
    a.storage()->staysHome = true;
    bringHome(a.storage(), Use::Writes, where);
}

/// Notes a source file whose nests do not ask. Then no nest of the program runs on a device.
bool noteUnawareOfDevices(const char* file) noexcept;

}  // namespace hpspmd::detail
