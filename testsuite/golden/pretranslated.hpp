// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"
#include "diagnostics/engine.hpp"
#include "source/text.hpp"

#include <string>

namespace hpcc::testing {

/// A program parsed, checked and pre-translated. Keeps what its trees need: must outlive `unit` and
/// what later stages make of it with `quote`.
class Pretranslated {
public:
    Pretranslated(const std::string& path, const std::string& source);

    std::string errors() const;  // of parser and checker, as a user sees them; then `unit` is as
                                 // far as it came

private:
    source::Text text_;
    diagnostics::Engine engine_;

public:
    ast::Unit unit;
    ast::Quoter quote;
};

}  // namespace hpcc::testing
