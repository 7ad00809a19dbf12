// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <unordered_map>

#include "lower/context.hpp"

namespace hpcc::lower {

/// The free slots of one function template: its formals `T [[-,*]] a` accept any array that
/// converts.
struct FreeSlots {
    /// For each such formal's MultiarrayType: the name of each slot's parameter, "" for `*` slots.
    std::unordered_map<ast::NodePtr, std::vector<std::string>> ofType;
    std::vector<std::string> names;  // all of them, in order
};

/// `heads` template heads stand before `declaration`; `parameters` is the innermost one.
FreeSlots freeSlots(const Context& context, ast::NodePtr parameters, ast::NodePtr declaration,
                    int heads);

/// `template <class T>` -> `template <class T, class a_0>`, and in a body first
/// `static_assert(hpspmd::detail::isSlot<a_0>);`.
ast::NodePtr addFreeSlots(Context& context, ast::NodePtr lowered, const FreeSlots& slots);

}  // namespace hpcc::lower
