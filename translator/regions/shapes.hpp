// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/constant.hpp"
#include "ast/fresh_names.hpp"
#include "diagnostics/engine.hpp"

namespace hpcc::regions {

using ast::NodePtr;
using ast::Symbol;

// Index vectors in sight: the index that stands for each dimension, by the vector's symbol.
using Vectors = std::map<const Symbol*, std::vector<std::string>>;

// Variables of loops over dimensions that are being written out, and their values.
using Values = std::map<const Symbol*, long>;

// What one dimension has of a shape, or of an integer.
struct Part {
    std::string text;
    std::optional<long long> value;  // if it is known
    bool isAtom = true;              // it needs no parentheses
};

// Shape<2>, Shape
bool isShape(const ast::Type* type);

// A call of one of the library's functions of dimensions, dim(a), shape(a), unit(d), which the
// program has no function of its own for; its argument, or null.
NodePtr argumentOf(NodePtr node, std::string_view function);

// Reads expressions of shapes: integers, `shape(a)`, `unit(d)`, `Shape{1, 0}`, `` v` ``, variables,
// and sums and products of these.
class Shapes {
public:
    using Text = std::function<std::string(NodePtr)>;  // of an expression, written out in one line

    Shapes(const Vectors& vectors, const Values& values, diagnostics::Engine& engine, Text text)
        : vectors_(vectors), values_(values), engine_(engine), text_(std::move(text)) {}

    // Of an expression that stands where something of this rank is wanted.
    Part part(NodePtr expression, std::size_t r, std::size_t rank) const;

    // The value of an integer, dim(a) among its operands.
    std::optional<long long> valueOf(NodePtr expression) const;

    // `v + s - t`: the index of dimension r, shifted; nothing if no index vector, nor v`, stands
    // in front. As an integer where a sequential slot takes one.
    std::optional<std::string> shifted(NodePtr subscript, std::size_t r,
                                       bool asInteger = false) const;
    // The rank of that vector.
    std::optional<std::size_t> rankOf(NodePtr subscript) const;

private:
    NodePtr leading(NodePtr expression) const;
    const std::vector<std::string>* indices(NodePtr expression) const;
    template <class... Arguments>
    void tell(diagnostics::Id id, source::Span place, const Arguments&... arguments) const;
    void requireRank(NodePtr shape, std::size_t own, std::size_t rank) const;
    Part made(NodePtr shape, std::size_t r, std::size_t rank) const;
    Part combined(NodePtr binary, std::size_t r, std::size_t rank) const;
    Part simple(NodePtr expression, std::size_t r, std::size_t rank) const;

    const Vectors& vectors_;
    const Values& values_;
    diagnostics::Engine& engine_;
    Text text_;
    mutable std::set<uint32_t> told_;  // where something was wrong
};

}  // namespace hpcc::regions
