// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/loop.hpp"
#include "nests/normalize/loop_values.hpp"

namespace hpcc::nests {

/// The variable.
ast::NodePtr nameOf(Context& context, const ast::Symbol* symbol, ast::NodePtr origin);

/// A value, and the array that holds those of all iterations.
struct Held {
    LoopValue value;
    const ast::Symbol* array = nullptr;
};

/// `hpspmd::detail::SumReduction` of `sum`.
std::string reductionClass(const LoopValue& value);

/// Arrays for the values that the iterations of a loop make, and the code that fills them:
/// `s_values[j]` is that of iteration j.
class ValueArrays {
public:
    ValueArrays(Context& context, ast::FreshNames::Counts& counts,
                const analysis::CountingLoop& loop, std::vector<LoopValue> values);

    const std::vector<Held>& all() const { return held_; }
    std::set<std::string> names() const;

    /// `hpspmd::Array<double, hpspmd::Seq> s_values = ..;`
    ast::NodePtr declaration(const Held& held, const std::string& together);
    /// `const hpspmd::Range x = j_together.rangeOf(a, 0, b, 0);`, of each that has no name yet.
    std::vector<ast::NodePtr> ranges(const Held& held, const std::string& together);
    /// `hpspmd::detail::joined<..>(j_together, s_values, {x})`
    ast::NodePtr join(const Held& held, const std::string& together);

    /// A copy of a statement that makes values, with elements in the place of its numbers,
    ast::NodePtr madeInArrays(ast::NodePtr statement);
    /// or with its numbers, which begin with elements and end in them.
    ast::NodePtr madeInNumbers(ast::NodePtr statement);

    /// The same as what the call gives.
    ast::NodePtr result(const Held& held, ast::NodePtr origin);
    /// That in the place of a variable.
    ast::NodePtr resultInPlaceOf(const ast::Symbol* variable, const Held& held, ast::NodePtr node);

private:
    ast::NodePtr element(const Held& held, ast::NodePtr origin);

    Context& context_;
    analysis::CountingLoop loop_;
    std::vector<Held> held_;
};

}  // namespace hpcc::nests
