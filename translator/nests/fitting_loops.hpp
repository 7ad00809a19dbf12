// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <set>
#include <string>

#include "nests/elements.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {

/// Innermost loops with subscripts that the entry of the nest cannot tell, but the beginning of
/// the loop can: of what an iteration round it has computed. There are two copies of such a loop,
/// one of them without these checks:
///
///     const hpspmd::detail::Reach w_reach(weight, n - 1);
///     if (hpspmd::detail::areThere({w_reach, w_reach - weight}, c_n1))
///         for (int w = n - 1; w >= weight; --w) c_data[w] += c_data[w - weight];
///     else
///         for (int w = n - 1; w >= weight; --w)
///             c_data[bounded(w, c_n1, 1)] += c_data[bounded(w - weight, c_n1, 1)];
class FittingLoops {
public:
    /// `write` gives the fast form of a loop.
    FittingLoops(Context& context, const Nest& nest, const EntryTest& test, Elements& elements,
                 const Reaches& reaches, std::function<ast::NodePtr(const Loop&)> write)
        : context_(context),
          nest_(nest),
          test_(test),
          elements_(elements),
          reaches_(reaches),
          write_(std::move(write)) {}

    /// Finds them, behind nameExtents() of the elements, and notes in the plan where subscripts
    /// are checked. Arrays of `apart`, to which pairs are added, must share no element.
    void find(NestPlan& plan, ArrayPairs& apart);

    /// The loop, in both copies if it is one of these.
    ast::NodePtr written(const Loop& loop);

    /// The loop with several iterations one after the other, if it has checks: two where it runs
    /// to another end each time, perhaps a near one.
    ast::NodePtr unrolled(const Loop& loop, ast::NodePtr statement) const;
    /// True if these are so many that a loop of few iterations has no others.
    bool isForFew(const Loop& loop) const { return timesUnrolled(loop) == few; }

private:
    struct Fit {
        std::vector<ast::NodePtr> declarations;
        ast::NodePtr condition = nullptr;
        Subscripts covered;
    };
    static constexpr int few = 9, two = 2;
    int timesUnrolled(const Loop& loop) const;
    std::optional<Fit> fitOf(const Loop& loop, ArrayPairs& apart);
    /// That a loop in steps of one comes to its end, and before that to places below these extents.
    ast::NodePtr meets(const Loop& loop, const std::set<std::string>& extents);

    Context& context_;
    const Nest& nest_;
    const EntryTest& test_;
    Elements& elements_;
    const Reaches& reaches_;
    const std::function<ast::NodePtr(const Loop&)> write_;
    std::unordered_map<const Loop*, Fit> fits_;
};

}  // namespace hpcc::nests
