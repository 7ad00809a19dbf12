// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How the templates of Adlib hand an array to the compiled library: without its element type.

#include <hpspmd/array.hpp>
#include <hpspmd/device/home.hpp>
#include <hpspmd/observe.hpp>

#include <atomic>

namespace hpspmd::detail {

/// An array argument of a collective.
struct Operand {
    const char* role;  ///< what a message calls it: "destination"
    Descriptor layout;
    void* data;  ///< the element with local subscripts 0; null where the process holds nothing
    std::size_t elementSize;
    const Storage* storage;  ///< the same for two arrays on all processes or on none
    Index offset = 0;        ///< of that element in the storage, in elements
    ElementForm form{};
};

/// The thread that is in a collective: an address that each thread has for itself; null if none is.
inline std::atomic<const void*> threadInside{nullptr};

/// The call that an error message names, and its place. While it lives, the calling thread may make
/// further ones; in another thread that is an AdlibError, which names both places: collectives,
/// also over different groups, share what is kept for all of them.
class Call {
public:
    /// Observers are told of its begin and its end, if it is no part of another call.
    Call(const char* name, Where where) : name(name), where(where), isOutermost_(begin()) {}
    Call(const Call& other) : name(other.name), where(other.where), isOutermost_(false) {}
    Call& operator=(const Call&) = delete;
    ~Call() {
        if (isOutermost_) end();
    }

    bool isOutermost() const { return isOutermost_; }

    const char* const name;
    const Where where;

private:
    bool begin() const;
    void end() noexcept;

    bool isOutermost_;
};

/// NullArray for a null handle. The elements stay where they are.
template <class T, class... Slots>
Operand operandAnywhere(const char* role, const Array<T, Slots...>& array, Where where) {
    static_assert(std::is_trivially_copyable_v<T>,
                  "Adlib moves elements as bytes: the element type must be trivially copyable");
    if (!array.valid()) raiseNullArray(where);
    return {role,
            array.descriptor(),
            const_cast<std::remove_const_t<T>*>(array.data()),
            sizeof(T),
            array.storage(),
            array.offset(),
            elementForm<std::remove_const_t<T>>()};
}

/// The same with the elements at home.
template <class T, class... Slots>
Operand operand(const char* role, const Array<T, Slots...>& array, Where where) {
    const Operand result = operandAnywhere(role, array, where);
    atHome(where, uses(array));
    return result;
}

/// Of an array that is only read: a copy on a device stays valid, too.
template <class T, class... Slots>
Operand readOperand(const char* role, const Array<T, Slots...>& array, Where where) {
    const Operand result = operandAnywhere(role, array, where);
    atHome(where, reads(array));
    return result;
}

/// Tells the observer that a collective has written an array.
inline void observeWritten(const char* name, Where where, const Operand& to) {
    if (observer != nullptr)
        observer->hasWritten(name, where, {to.layout, to.data, to.elementSize, to.form});
}
/// The value of a reduction; tells the observer.
template <class T>
T observedResult(const char* name, Where where, const T& value) {
    if (observer != nullptr) observer->hasResult(name, where, &value, elementForm<T>());
    return value;
}

// Misuse of a schedule.
[[noreturn]] void raiseNotStarted(const Call& call);
[[noreturn]] void raiseUnderWay(const Call& call);

}  // namespace hpspmd::detail
