// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which branches of #if are parsed.
//
// All branches of an #if are live if each is one statement, the body of the construct in front of
// #if, and there is an #else: they get braces (BranchedBody). They are also live if each holds
// whole statements: bracket-balanced, and #if, #else and #endif stand behind ';', '{' or '}'; and
// no `else` begins a branch behind one whose end is no `else if`. Otherwise only the first branch
// is parsed; the text of the others is kept. The body of "#if 0" is dead, and so is a branch that
// has turned out to be no code.
#pragma once

#include "syntax/token.hpp"

#include <optional>
#include <set>

namespace hpcc::syntax {

// Branches by the offsets at which the directives before them begin.
using BranchSet = std::set<uint32_t>;

// Marks the tokens of dead branches; a directive whose branch is dead although it is neither
// "#if 0" nor one of `noCode` is returned.
std::vector<Directive> markDeadBranches(TokenStream& stream, const BranchSet& noCode = {});

// The innermost branch round a place: its first and last byte but one.
std::optional<source::ByteRange> branchAround(const TokenStream& stream, uint32_t offset);

}  // namespace hpcc::syntax
