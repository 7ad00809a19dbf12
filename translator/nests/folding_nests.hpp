// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "nests/nest_rewriter.hpp"

namespace hpcc::nests {

/// A pass that lets nests add up the sums of arrays which stand behind them (nests/fold.hpp).
class FoldingNests : public NestRewriter {
protected:
    using NestRewriter::NestRewriter;

    /// From the place of each nest that can add up a sum behind it to the place of that sum.
    std::map<size_t, size_t> foldableSums(std::span<const ast::NodePtr> statements);

    /// Declares these sums before the nests of `result`, and lets the statements use them.
    void addUp(const std::map<size_t, size_t>& sumOf, std::span<const ast::NodePtr> statements,
               std::vector<ast::NodePtr>& result);

    /// A shift by a distance that the nest's entry does not know; null if there is none.
    ast::NodePtr unknownDistance(const Nest& nest) const;

private:
    /// Where statements sum an array, by its name.
    using Sums = std::unordered_map<std::string, std::vector<size_t>>;

    size_t foldableSum(std::span<const ast::NodePtr> statements, size_t k, const Sums& sums);
    void leaveSum(ast::NodePtr statement, const Obstacle& obstacle);

    ast::FreshNames::Given sums_;  // names given to sums
};

}  // namespace hpcc::nests
