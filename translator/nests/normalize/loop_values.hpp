// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ast/macro_names.hpp"
#include "nests/context.hpp"

namespace hpcc::nests {

/// `const Range x = ..`: dimensions of two arrays, which must be over the same range.
struct CommonRange {
    ast::NodePtr name = nullptr;
    ast::NodePtr one = nullptr, other = nullptr;
    size_t dimension = 0, otherDimension = 0;
};

/// A reduction that each iteration of a loop makes once, and what its process contributes.
///
///     double s = 0;                          start: 0
///     overall (i = x for :) s += a[i, j];    made, which changes the number s
///     c[j] = Adlib::sum(s);                  call
struct LoopValue {
    ast::NodePtr call = nullptr;
    std::string_view reduction = {};      // `sum`
    const ast::Type* type = nullptr;      // of the number,
    const ast::Type* result = nullptr;    // and of the call
    const ast::Symbol* number = nullptr;  // which the statement `made` changes,
    ast::NodePtr made = nullptr;
    ast::NodePtr start = nullptr;           // from this value on; null: from what changes nothing
    std::vector<ast::NodePtr> ranges = {};  // whose processes are joined; if none, all are
    std::vector<CommonRange> common = {};   // those of them that have no name in the program
    size_t position = 0;                    // of the statement with the call, in the body
    std::vector<size_t> parts = {};         // statements of the body that do nothing else
};

/// `double`, `unsigned long`; "" of what no value can be.
std::string wordFor(const ast::Type* type);

/// Those that the statements of a loop's body make in each iteration, under no condition.
std::vector<LoopValue> valuesIn(Context& context, const ast::MacroNames& macros,
                                std::span<const ast::NodePtr> body);

}  // namespace hpcc::nests
