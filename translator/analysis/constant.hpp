// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that are known before the program runs.
#pragma once

#include <map>
#include <optional>
#include <string_view>

#include "ast/node.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"

namespace hpcc::analysis {

using ast::NodePtr;
using ast::Symbol;

// Without the parentheses around it.
NodePtr bare(NodePtr expression);

// The one value that a variable ever has is that of its declaration.
bool isStable(const Symbol* symbol);

// The value expression of `= e`, `(e)`, `{e}`; null if there is none or more than one.
NodePtr singleInitializer(NodePtr initializer);

// Values that names are taken to have.
using Bindings = std::map<std::string_view, long>;

// The value of an expression of literals, these names, constants of the program (`const int r =
// 2;`, `constexpr int r{2};`), lengths of arrays, conversions and operators, in types as C++ has
// them; conditions are 0 or 1. Nothing where it is not known, where its type does not hold it, or
// beyond 2^48, so that sums of a few do not overflow.
std::optional<long long> constantValue(NodePtr expression, const Bindings& bindings = {});

// The number that a decimal literal without a suffix stands for: 0.5 of `5e-1`.
std::optional<double> decimalValue(NodePtr literal);

// The distance of a shifted index, if it is known and less than 2^31; 0 of an index alone. It is
// added as an Index: `i + (k - 2)` goes two back where k is std::size_t(0), though `k - 2` wraps
// round; not if k is 0u.
std::optional<long> constantDistance(const ast::IndexSubscript& subscript,
                                     const Bindings& bindings = {});

// The branch of an `if constexpr` that is compiled, perhaps null; nothing if that is not known, or
// of another `if`.
std::optional<NodePtr> compiledBranch(NodePtr ifStatement);
bool isConstexprIf(NodePtr ifStatement);

// Declarations may refer to one another in a circle (fields do); no honest chain is this long.
class Descent {
public:
    Descent() { ++depth; }
    Descent(const Descent&) = delete;
    Descent& operator=(const Descent&) = delete;
    ~Descent() { --depth; }
    bool isTooDeep() const { return depth > 32; }

private:
    static thread_local int depth;
};

}  // namespace hpcc::analysis
