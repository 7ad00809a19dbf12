// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace hpcc::emit {

/// The macros that a text defines.
std::unordered_set<std::string> macrosOf(std::string_view text);

/// The emitted text with every name of the runtime that is a macro of the program protected from
/// its expansion. The program's own uses of the macro stay as they are.
///
///     hpspmd::detail::check(a, ..      ->      hpspmd::detail::
///                                              #pragma push_macro("check")
///                                              #undef check
///                                              check
///                                              #pragma pop_macro("check")
///                                              #line 7 "f.hpcpp"
///                                              (a, ..
///
/// Not in arguments of macros, where the C++ compiler takes no directives.
std::string withOwnNames(std::string text, const std::unordered_set<std::string>& macros);

}  // namespace hpcc::emit
