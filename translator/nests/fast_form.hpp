#pragma once

#include <string>
#include <vector>

#include "ast/node.hpp"

namespace hpcc::nests {

/// A nest as fast-nests has left it: `{ .. if (test) fast else nest }`.
struct FastForm {
    ast::NodePtr choice = nullptr;     // the If
    std::vector<ast::NodePtr> before;  // declarations in front of the call
    ast::NodePtr call = nullptr;       // of apart or inThreads in it; null if it is a block
    ast::NodePtr nest = nullptr;       // the Overall
    std::vector<ast::NodePtr> fused;   // if it stands for several, these; `nest` is the first
    std::vector<std::string> runs;     // of its ranges, in the order of the text
};

/// The nest that a statement is, with a fast form or without, perhaps behind declarations of made
/// code; `nest` is null if it is something else, `choice` if it has no fast form.
FastForm fastFormIn(ast::NodePtr statement);

/// Is this If the choice between a fast form, in a function of its own, and the nest?
bool isFastForm(ast::NodePtr choice);

}  // namespace hpcc::nests
