// What is known of a whole text, for the stages that see one declaration of it at a time.
#pragma once

#include <optional>

#include "ast/effects.hpp"
#include "ast/macro_names.hpp"

namespace hpcc::ast {

class Whole {
public:
    Whole(const source::Text& text, NodePtr root) : root_(root), macros_(text) {}

    NodePtr root() const { return root_; }  // as parsed, with the annotations of check
    const MacroNames& macros() const { return macros_; }

    // Of all its functions together; computed when first asked for, which must be after check.
    const Effects& effects() const {
        if (!effects_) effects_ = effectsOf(root_);
        return *effects_;
    }

    // The names of functions that are declared [[hpspmd::refreshes(..)]].
    const std::unordered_set<std::string_view>& refreshing() const {
        if (!refreshing_) refreshing_ = refreshingIn(root_);
        return *refreshing_;
    }

private:
    static std::unordered_set<std::string_view> refreshingIn(NodePtr root);

    NodePtr root_;
    MacroNames macros_;
    mutable std::optional<Effects> effects_;
    mutable std::optional<std::unordered_set<std::string_view>> refreshing_;
};

}  // namespace hpcc::ast
