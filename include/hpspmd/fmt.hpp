// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Arrays, ranges and groups for {fmt}: `fmt::print("{}", a)` prints what `std::cout << a` does.
/// <hpspmd> brings it where <fmt/..> was included before.

#include <hpspmd/print.hpp>

#include <fmt/format.h>
#include <sstream>

namespace hpspmd::detail {

template <class T>
struct Formatter : fmt::formatter<std::string> {
    template <class Context>
    auto format(const T& value, Context& context) const {
        std::ostringstream text;
        text << value;
        // That of {fmt} 8 is no const function.
        return fmt::formatter<std::string>(*this).format(text.str(), context);
    }
};

}  // namespace hpspmd::detail

template <class T, class... Slots>
struct fmt::formatter<hpspmd::Array<T, Slots...>>
    : hpspmd::detail::Formatter<hpspmd::Array<T, Slots...>> {};
template <class T>
struct fmt::formatter<T, std::enable_if_t<std::is_base_of_v<hpspmd::BorrowedRange, T>, char>>
    : hpspmd::detail::Formatter<hpspmd::Range> {};
template <class T>
struct fmt::formatter<T, std::enable_if_t<std::is_base_of_v<hpspmd::Group, T>, char>>
    : hpspmd::detail::Formatter<hpspmd::Group> {};
