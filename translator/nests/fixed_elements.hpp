// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/elements.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {

/// Elements that an innermost loop reads in each iteration and does not change, in constants in
/// front of it: the C++ compiler would read them again behind each store.
///
///     const auto v_value = v_data[k];
///     for (j ..) y_data[j] = y_data[j] + a_data[a_s0 * k + j] * v_value;
class FixedElements {
public:
    FixedElements(Context& context, const NestPlan& plan, const EntryTest& test, Elements& elements,
                  const Reaches& reaches)
        : context_(context), plan_(plan), test_(test), elements_(elements), reaches_(reaches) {}

    /// Finds loops that run in order and have such elements, behind the forms of all loops. Arrays
    /// of `apart`, to which pairs are added, must share no element.
    void find(ArrayPairs& apart);

    /// Their declarations. What the loop writes is apart from what it reads, as the entry test
    /// says.
    std::vector<ast::NodePtr> before(const Loop& loop);

    /// The constant that stands for an access; null if there is none.
    const std::string* inPlaceOf(ast::NodePtr access) const;

private:
    bool isSameThroughout(const Access& access, const Loop& loop) const;
    std::set<size_t> writtenBeside(const Access& access, const Loop& loop) const;
    bool isThere(const Access& access) const;
    bool isApart(const Access& access, const Loop& loop) const;

    Context& context_;
    const NestPlan& plan_;
    const EntryTest& test_;
    Elements& elements_;
    const Reaches& reaches_;
    std::unordered_map<ast::NodePtr, std::string> names_;
    std::set<std::pair<const Loop*, size_t>> apart_;  // arrays that an ordered loop does not change
};

}  // namespace hpcc::nests
