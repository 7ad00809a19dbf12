// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "ast/effects.hpp"
#include "ast/macro_names.hpp"
#include "ast/writer.hpp"
#include "lower/writes.hpp"

namespace hpcc::lower {

/// Tells which elements of an array a nest surely writes, and which parts of them.
///
///     at (i = x[0]) overall (j = y for 1 : n - 2) { a[i, j].u = b[i, j]; if (c) a[i, j].v = 0; }
///     ->  perhaps(a), further(part(a, {span(x, 0, 0), span(y, 1, n - 2)}, bytes(a, ..)))
class WrittenParts {
public:
    WrittenParts(ast::Writer& writer, const ast::MacroNames& macros, const ast::Effects& effects,
                 ast::NodePtr origin)
        : writer_(writer), macros_(macros), effects_(effects), origin_(origin) {}

    /// Arguments of `hpspmd::detail::Nest`.
    std::vector<ast::NodePtr> of(const Writes::Written& written);

private:
    using NodePtr = ast::NodePtr;

    NodePtr part(NodePtr array, const Writes::Elements& elements);
    NodePtr span(const Writes::Elements& elements, size_t r);
    NodePtr counted(const CountingLoop& loop);
    NodePtr spanOf(NodePtr construct);
    bool isKnown(NodePtr expression) const;
    NodePtr runtimeName(std::string_view name);

    ast::Writer& writer_;
    const ast::MacroNames& macros_;
    const ast::Effects& effects_;
    NodePtr origin_;
};

/// Made text if it stays as it is, so that it does not pull the line number to where it stands.
ast::NodePtr madeOf(ast::Arena& arena, ast::NodePtr expression, ast::NodePtr origin);

}  // namespace hpcc::lower
