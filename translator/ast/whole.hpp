// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a whole text, for the stages that see one declaration of it at a time.
#pragma once

#include <mutex>
#include <string_view>
#include <unordered_set>

#include "ast/macro_names.hpp"

namespace hpcc::ast {

class Whole {
public:
    Whole(const source::Text& text, NodePtr root) : root_(root), macros_(text) {}

    const MacroNames& macros() const { return macros_; }

    // Whether a variable of that name may get a value somewhere other than by its declaration
    // (effects.hpp). Known after check.
    bool assigns(std::string_view name) const { return assigned_.contains(name); }
    void setAssigned(std::unordered_set<std::string_view> names) { assigned_ = std::move(names); }

    // The names of functions that are declared [[hpspmd::refreshes(..)]].
    const std::unordered_set<std::string_view>& refreshing() const {
        std::call_once(isCollected_, [this] { refreshing_ = refreshingIn(root_); });
        return refreshing_;
    }

    // True if there is a namespace or type called hpspmd inside of something, so that the library
    // has to be called ::hpspmd.
    bool hidesLibrary() const {
        std::call_once(isSearched_, [this] { hidesLibrary_ = hidesLibraryIn(root_); });
        return hidesLibrary_;
    }

private:
    static bool hidesLibraryIn(NodePtr root);
    static std::unordered_set<std::string_view> refreshingIn(NodePtr root);

    NodePtr root_;  // as parsed, with the annotations of check
    MacroNames macros_;
    std::unordered_set<std::string_view> assigned_;
    mutable std::once_flag isCollected_, isSearched_;
    mutable bool hidesLibrary_ = false;
    mutable std::unordered_set<std::string_view> refreshing_;
};

}  // namespace hpcc::ast
