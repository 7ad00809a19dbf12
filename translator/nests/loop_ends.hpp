// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nests/plan.hpp"
#include "nests/reaches.hpp"

namespace hpcc::nests {

/// True if the expression calls anything.
bool holdsCall(ast::NodePtr expression);

/// The last value of a counting loop's variable, or one behind it in steps of several, if it is an
/// integer: `hpspmd::Index(n) - 1` of `k < n`. `end` stands for what the variable is compared with.
ast::NodePtr lastOf(Context& context, const Loop& loop, ast::NodePtr end);

/// The condition that a counting loop runs, from what its variable starts at and is compared with:
/// `0 < n`.
ast::NodePtr runsAtAll(Context& context, const Loop& loop, ast::NodePtr first, ast::NodePtr end);

/// True of a counting loop upwards by one whose ends are integers that may be computed once, before
/// it.
bool hasEndsAtStart(const Loop& loop, const Reaches& reaches);

/// Inquiries as constants of the fast form, as the C++ compiler does not know that they always give
/// the same: where they are the ends of counting loops and anywhere else; and the end of one of
/// perhaps few iterations.
class LoopEnds {
public:
    LoopEnds(Context& context, const Nest& nest, const Reaches& reaches);

    /// True if the end of this loop has a constant.
    bool has(const Loop& loop) const { return names_.contains(&loop); }

    /// The constant of an inquiry that all iterations ask alike, `x.size()`; null of other
    /// expressions.
    ast::NodePtr inPlaceOfInquiry(ast::NodePtr call);

    /// Its name, to be mentioned; "" if there is none.
    std::string nameOf(const Loop& loop);

    /// A copy of the loop, compared with the constant if there is one.
    ast::NodePtr inPlaceOf(const Loop& loop, ast::NodePtr copy);

    /// Asks for a copy of the nest for each small end of this loop, if it is all that the nest
    /// holds.
    void copyForFew(const Loop& loop, NestPlan& plan);

    /// The fast form behind the declarations of those that are mentioned:
    ///
    ///     const auto k_end = a.size(1);       or      hpspmd::detail::forFew(n, [&](const auto
    ///     &k_few) { for (..)                                        const auto k_end = k_few();
    ///                                                     for (..)
    ///                                                 });
    std::vector<ast::NodePtr> before(ast::NodePtr body) const;

private:
    bool asksNestOnly(ast::NodePtr expression) const;
    ast::NodePtr withCopies(ast::NodePtr body) const;

    Context& context_;
    const Nest& nest_;
    const Reaches& reaches_;
    std::unordered_map<const Loop*, std::string> names_;
    std::unordered_set<const Loop*> mentioned_;
    const Loop* copied_ = nullptr;
    struct Inquiry {
        std::string name;
        ast::NodePtr call;
    };
    std::map<std::string, Inquiry> inquiries_;  // by their text
};

}  // namespace hpcc::nests
