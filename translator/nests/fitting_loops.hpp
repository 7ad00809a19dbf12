// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

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
    FittingLoops(Context& context, const Nest& nest, const EntryTest& test, Elements& elements,
                 const Reaches& reaches)
        : context_(context), nest_(nest), test_(test), elements_(elements), reaches_(reaches) {}

    /// Finds them, behind nameExtents() of the elements. Arrays of `apart`, to which pairs are
    /// added, must share no element.
    void find(ArrayPairs& apart);

    /// The loop, which `write` gives, in both copies if it is one of these.
    ast::NodePtr written(const Loop& loop, const std::function<ast::NodePtr()>& write);

    /// True if a subscript is checked where a loop begins.
    bool covers(const std::pair<ast::NodePtr, size_t>& subscript) const;

    /// How many iterations of a loop with checks are written one after the other: `two` where
    /// it runs to another end each time, perhaps a near one; 0: each for itself.
    int unrolled(const Loop& loop) const;
    static constexpr int few = 9, two = 2;
    ast::NodePtr unrolled(const Loop& loop, ast::NodePtr statement) const;

private:
    struct Fit {
        std::vector<ast::NodePtr> declarations;
        ast::NodePtr condition = nullptr;
        Subscripts covered;
    };
    std::optional<Fit> fitOf(const Loop& loop, ArrayPairs& apart);

    Context& context_;
    const Nest& nest_;
    const EntryTest& test_;
    Elements& elements_;
    const Reaches& reaches_;
    std::unordered_map<const Loop*, Fit> fits_;
};

}  // namespace hpcc::nests
