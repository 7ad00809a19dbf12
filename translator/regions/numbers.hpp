// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of a loop, as texts in its nest.
#pragma once

#include <functional>
#include <string>

#include "ast/unit.hpp"
#include "regions/decision.hpp"

namespace hpcc::regions {

// `i + 2`
std::string shifted(const std::string& text, long by);

// An integer of the width of locations: an empty loop stays empty.
std::string bound(NodePtr node);
std::string bound(NodePtr node, const std::string& text);  // the node, written so
using Bound = std::function<std::string(NodePtr)>;

// first : last of a nest; what is asked of objects is asked once, by `entry`.
struct Triplet {
    std::string first, last;
};
Triplet tripletOf(const Division& division, const ast::Unit& unit, std::string& entry,
                  const Bound& bound);

// `overall (i = range for 1 : n - 2) `
std::string nestHead(const Division& division, const std::string& range, const Triplet& triplet);

// The lines that it changes: `hpspmd::detail::Lines::of(1, n - 2)`.
std::string lines(const Division& division, const Triplet& triplet);
// The same before anything is asked of objects; empty if it must be.
std::string linesAtEntry(const Division& division, const ast::Unit& unit);

// That name, or one that the program has not.
std::string freshName(std::string name, const ast::Unit& unit);

// The variable as the number that it was.
std::string value(const Division& division);

}  // namespace hpcc::regions
