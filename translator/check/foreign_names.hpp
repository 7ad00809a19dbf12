// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that macros or C++ that the grammar does not know may declare.
#pragma once

#include "ast/unit.hpp"

#include <string>
#include <string_view>
#include <unordered_set>

namespace hpcc::check {

// Collected when first asked for, once for a unit: errors are many or none.
class ForeignNames {
public:
    explicit ForeignNames(const ast::Unit& unit) : unit_(unit) {}

    // Whether the name is a macro of this file or spelt like one, or stands in an opaque
    // declaration or statement or among the arguments of a macro that controls a statement.
    bool mayDeclare(std::string_view name) const;

    // Whether this file or a header .hph that it includes declares a function for an operator.
    bool mayOverload(std::string_view op) const;

private:
    void collect() const;
    void collectMacros() const;
    void collectOpaque(ast::NodePtr node) const;
    void collectOperators(const ast::Unit& unit) const;

    const ast::Unit& unit_;
    mutable std::unordered_set<std::string_view> names_;
    mutable std::unordered_set<std::string> operators_;  // "+", "<<"
    mutable bool isCollected_ = false, areOperatorsCollected_ = false;
};

}  // namespace hpcc::check
