// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ast/effects.hpp"
#include "ast/macro_names.hpp"
#include "ast/writer.hpp"
#include "lower/writes.hpp"

namespace hpcc::lower {

/// Where in an array a nest perhaps changes elements, as far as its constructs and subscripts show
/// that it is not all of it.
///
///     at (i = x[0]) overall (j = y for 1 : n - 2) a[i, j] = a[i, j - 1] + b[i, k];
///     ->  part(a, {span(x, 0, 0), span(y, 1, n - 2)})
class WrittenParts {
public:
    WrittenParts(ast::Writer& writer, ast::NodePtr nest, const ast::Effects& effects,
                 const ast::MacroNames& macros, const std::vector<Writes::Written>& arrays);

    /// `hpspmd::detail::part(..)` of one of the arrays; null if that is all of it.
    ast::NodePtr of(ast::NodePtr array, ast::NodePtr origin);

private:
    using NodePtr = ast::NodePtr;

    /// How the accesses of one array subscript its dimensions; null where they differ.
    struct Accesses {
        std::vector<NodePtr> subscripts;
        bool areAll = true;  // the array is named by accesses only
    };

    void collect(NodePtr node);
    void collectAccess(NodePtr access);
    void join(Accesses& known, NodePtr access) const;
    NodePtr span(NodePtr subscript, NodePtr origin);
    NodePtr spanOf(NodePtr construct, NodePtr origin);
    bool isKnown(NodePtr expression) const;

    ast::Writer& writer_;
    const ast::Effects& effects_;
    std::unordered_map<std::string, Accesses> arrays_;
    std::unordered_map<std::string_view, NodePtr> constructs_;  // by index; null if there are two
};

/// Made text if it stays as it is, so that it does not pull the line number to where it stands.
ast::NodePtr madeOf(ast::Arena& arena, ast::NodePtr expression, ast::NodePtr origin);

}  // namespace hpcc::lower
