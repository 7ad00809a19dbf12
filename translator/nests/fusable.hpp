// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <variant>
#include <vector>

#include "nests/context.hpp"
#include "nests/independence.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

/// A nest that may become one with others. It stays where it is: `chain` points into it.
struct Member {
    ast::NodePtr statement = nullptr;
    std::vector<ast::NodePtr> stamps;  // declared before the nest in `statement`
    const Nest& nest;
    std::vector<const Loop*> chain;  // the nest, and each loop that is all that the one before does

    ast::NodePtr overall() const { return nest.loops.front().statement; }
    ast::NodePtr place() const;  // for remarks
};

/// True if a statement is `const hpspmd::detail::Nest i_nest(..);`.
bool isStamp(ast::NodePtr statement);

/// True if a statement is a nest behind `const hpspmd::detail::Nest i_nest(..);`.
bool isStamped(ast::NodePtr statement);

/// What in a nest depends on when it runs, by itself: null if nothing does.
Obstacle obstacleTo(Context& context, const Member& member);

/// True if the variables of the `depth` outermost loops of the first nest can stand for those of
/// the second one.
bool canBeRenamed(const Member& first, const Member& second, size_t depth);

bool haveCommonArray(const Member& first, const Member& second);

/// How many loops of `chain`, from the outermost on, can be one loop for both, or why not even one:
/// no iteration of the second nest may reach what another iteration of the first one changes, nor
/// change what another one reaches. Nor does a loop whose iterations are computed at once join one
/// whose iterations are not, unless that is faster: `isForTiles`.
std::variant<size_t, Obstacle> commonDepth(Context& context, const Member& first,
                                           const Member& second, bool isForTiles = false);

/// True if a declaration of numbers behind a nest may stand before it.
bool mayStandBefore(ast::NodePtr declaration, const Member& member);

/// Pairs of arrays, by name, that must share no element for that.
using NamePairs = std::set<std::pair<std::string, std::string>>;
void addPairs(NamePairs& pairs, const Member& first, const Member& second);

}  // namespace hpcc::nests
