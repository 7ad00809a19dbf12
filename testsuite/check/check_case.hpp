// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/unit.hpp"
#include "diagnostics/engine.hpp"
#include "source/text.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hpcc::testing {

/// A program of cases/, parsed and checked. Its comments say what is expected:
///
///     // expect: HP2201 at 7:11        (one line each; a file `fail_..` has at least one)
///     // options: -Rhalo               (the remarks on needless calls of writeHalo, too)
///
/// A header .hph that it includes is one of cases/ too.
class CheckCase {
public:
    explicit CheckCase(const std::string& name);  // "fail_index_compared"

    std::vector<std::string> expected() const;  // sorted: "HP2201 at 7:11"
    std::vector<std::string> reported() const;  // sorted, in the same form
    std::string rendered() const;               // the diagnostics as a user sees them

    const ast::Unit& unit() const { return *units_.back(); }

private:
    const ast::Unit* parse(const std::string& path);

    diagnostics::Engine engine_;
    std::vector<std::unique_ptr<source::Text>> texts_;
    std::vector<std::unique_ptr<ast::Unit>> units_;
};

std::vector<std::string> caseNames();  // in alphabetical order

}  // namespace hpcc::testing
