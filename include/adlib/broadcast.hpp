// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// broadcast, one process's value for all.

#include <adlib/alone.hpp>

namespace hpspmd {
namespace detail {

void broadcast(void* value, std::size_t bytes, const Group& from, Where where);

}  // namespace detail

namespace Adlib {

/// The value that the first process of g has, told to all processes of the APG.
/// AdlibError if g is not contained in the APG.
template <class T>
T broadcast(T value, const Group& g, detail::Where where = detail::Where::here()) {
    static_assert(std::is_trivially_copyable_v<T>, "a broadcast value must be trivially copyable");
    if (detail::isSurelyContained(g.isNull() ? nullptr : g.record()) &&
        detail::entersAlone("broadcast", where))
        return value;
    detail::broadcast(&value, sizeof value, g, where);
    return value;
}

/// The value of the first process of the APG.
template <class T>
T broadcast(T value, detail::Where where = detail::Where::here()) {
    return broadcast(value, apg(), where);
}

}  // namespace Adlib
}  // namespace hpspmd
