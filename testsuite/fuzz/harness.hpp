// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a fuzzer does with one input: lexer.cpp, parser.cpp and translator.cpp each define `examine`
// and `mix`.
#pragma once

#include <string>
#include <string_view>

#include "ast/unit.hpp"
#include "diagnostics/engine.hpp"
#include "mutator.hpp"

namespace hpcc::fuzz {

/// How far an input came: through the parser without an error, through all stages.
enum class Reached { Tokens, Tree, Output };

/// Takes the input through the stages; ends the program with a message if a promise of theirs is
/// broken.
Reached examine(const std::string& input);

/// Of ten mutations, how many keep the syntax (trees), how many move tokens; the rest move bytes.
extern const Mix mix;

/// Examines and counts one input; an exception is a finding, too.
void run(const std::string& input);

/// A line on the standard error output: how many inputs came how far.
void tellCounts();

/// Ends the program, which is how a fuzzer learns of a finding.
void require(bool promise, std::string_view what);

/// Every message stands in the text, or nowhere, and can be shown.
void requirePlaced(const diagnostics::Engine& engine, const source::Text& text);

/// Parsed children lie inside their parents, in order.
void requireNested(ast::NodePtr node);

}  // namespace hpcc::fuzz
