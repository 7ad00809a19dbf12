// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// gprint and gprintln, text once per group.

#include <hpspmd/where.hpp>
#include <memory>
#include <ostream>
#include <type_traits>

namespace hpspmd {
namespace detail {

/// Text that the first process of the APG prints, in one piece, and the others drop.
class GroupText {
public:
    GroupText();
    ~GroupText();

    bool isPrinted() const { return stream_ != nullptr; }  ///< on this process
    std::ostream& stream() { return *stream_; }
    void print(Where where);

private:
    std::unique_ptr<std::ostream> stream_;
};

/// The first item of a call, of any type, and the place of the call: no default argument can stand
/// behind a pack of items.
class FirstItem {
public:
    template <class T>
    FirstItem(const T& item, Where place = Where::here())
        : where(place), address_(addressOf(item)), print_(print<T>) {}

    friend std::ostream& operator<<(std::ostream& stream, const FirstItem& first) {
        first.print_(stream, first.address_);
        return stream;
    }

    const Where where;

private:
    template <class T>
    static const void* addressOf(const T& item) {
        if constexpr (std::is_function_v<T>)  // std::hex
            return reinterpret_cast<const void*>(&item);
        else
            return const_cast<const void*>(static_cast<const volatile void*>(std::addressof(item)));
    }
    template <class T>
    static void print(std::ostream& stream, const void* address) {
        if constexpr (std::is_function_v<T>)
            stream << *reinterpret_cast<T*>(const_cast<void*>(address));
        else
            stream << *static_cast<const T*>(address);
    }

    const void* address_;
    void (*print_)(std::ostream&, const void*);
};

template <class... T>
void printOnce(Where where, const T&... items) {
    GroupText text;
    if (!text.isPrinted()) return;
    static_cast<void>((text.stream() << ... << items));
    text.print(where);
}

}  // namespace detail

namespace Adlib {

/// Prints the items, one after the other as `<<` prints them, on standard output: once, by the
/// first process of the APG. The items should be equal on all its processes. No communication.
/// IoError.
template <class... T>
void gprint(const detail::FirstItem& first, const T&... others) {
    detail::printOnce(first.where, first, others...);
}

/// The same and a newline. Example: `gprintln("sum = ", Adlib::sum(a))`.
template <class... T>
void gprintln(const detail::FirstItem& first, const T&... others) {
    detail::printOnce(first.where, first, others..., '\n');
}

inline void gprintln(detail::Where where = detail::Where::here()) {
    detail::printOnce(where, '\n');
}

}  // namespace Adlib
}  // namespace hpspmd
