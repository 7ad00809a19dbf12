// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pieces of messages that several rules share.
#pragma once

#include "check/rules.hpp"

#include <string>

namespace hpcc::check {

std::string withArticle(std::string_view name);  // a BlockRange, an IrregRange
std::string textOf(NodePtr node);                // its source on one line, cut to 40 characters

source::Span headOf(NodePtr statement);  // its first line, or up to its block

// How one element of an array is written, "a[i, j]", and the header of the loop over those that the
// process holds, "overall (i = a.rng(0) for :, j = a.rng(1) for :)"; "" without distributed slots.
std::string elementOf(NodePtr array);
std::string loopOver(NodePtr array);

// What to do where arithmetic with an index is to name an element of another place: w[2 * i].
extern const std::string adviceToMove;

// If `expression` is a distributed index (shifted or not), reports that it "cannot be <use>" and
// proposes its global index.
//
//     rejectIndex(context, k, "compared")    'i' is a distributed index, not an integer, and
//                                            cannot be compared;   fix-it: i`
bool rejectIndex(const Context& context, NodePtr expression, const std::string& use);

// Whether the expression is a name without any declaration that the translator could see or miss.
bool isUndeclared(const Context& context, NodePtr expression);

// Reports an index that nothing binds here, with the nearest bound one and where it was bound.
void reportUnbound(const Context& context, NodePtr name);

}  // namespace hpcc::check
