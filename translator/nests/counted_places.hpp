// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "nests/elements.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {

/// Innermost loops that only count, in a table of which the nest does nothing else:
///
///     for (int j = 0; j < m; ++j) ++counts[binOf(a[i, j])];
///
/// The library computes some places at once, and counts neighbours in several tables, so that none
/// waits for the one before:
///
///     auto counts_in = hpspmd::detail::countsIn<false>(std::data(counts), std::size(counts), 1);
///     ..
///         counts_in.add(0, hpspmd::Index(m) - 1, [&](hpspmd::Index j) {
///             return binOf(a_data[a_s0 * i + j]);
///         });
class CountedPlaces {
public:
    CountedPlaces(Context& context, const Nest& nest, EntryTest& test, Elements& elements)
        : context_(context), nest_(nest), test_(test), elements_(elements) {}

    /// Notes them in the plan. Arrays of `apart`, to which pairs are added, must share no element.
    void find(NestPlan& plan, ArrayPairs& apart);

    bool has(const Loop& loop) const { return found_.contains(&loop); }

    /// Such a loop, from the first to the last value of its variable in the order of the program.
    ast::NodePtr written(const Loop& loop, ast::NodePtr first, ast::NodePtr last);

    /// The declarations of the tables. To be called when all loops have been written.
    const std::vector<ast::NodePtr>& tables() const { return tables_; }

private:
    struct Count {
        ast::NodePtr element = nullptr;
        const Access* access = nullptr;  // of a multiarray
        std::vector<ast::NodePtr> before = {};
        int by = 0;
        std::string name = {};
    };
    std::optional<Count> countOf(const Loop& loop) const;
    bool isAlone(const Loop& loop, const Count& count) const;
    bool onlyReads(const Loop& loop, ast::NodePtr e) const;
    bool isForElements(ast::NodePtr e, std::string_view variable) const;
    std::string declared(const Count& count);

    Context& context_;
    const Nest& nest_;
    EntryTest& test_;
    Elements& elements_;
    std::unordered_map<const Loop*, Count> found_;
    std::vector<ast::NodePtr> tables_;
};

}  // namespace hpcc::nests
