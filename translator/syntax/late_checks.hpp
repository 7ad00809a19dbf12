// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is reported when a text has been parsed and it is known whether it uses HPspmd.
#pragma once

#include "syntax/filter.hpp"
#include "syntax/tree_builder.hpp"

namespace hpcc::syntax {

void reportSkippedBranches(const TokenStream& stream, const std::vector<Directive>& skipped,
                           diagnostics::Engine& engine);
// Constructs that end in a branch of #if and begin before it: what closes them would stand there.
void reportCutConstructs(const TokenStream& stream, ast::NodePtr root, diagnostics::Engine& engine);
void reportMacros(const TokenStream& stream, diagnostics::Engine& engine);
void reportAttributes(const TokenStream& stream, diagnostics::Engine& engine);

}  // namespace hpcc::syntax
