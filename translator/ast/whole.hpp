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

private:
    NodePtr root_;
    MacroNames macros_;
    mutable std::optional<Effects> effects_;
};

}  // namespace hpcc::ast
