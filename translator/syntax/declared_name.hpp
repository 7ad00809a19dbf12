// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names declared by the parser's reductions, entered into the filter's table.
#pragma once

#include "syntax/filter.hpp"
#include "syntax/tree_builder.hpp"

namespace hpcc::syntax {

void declareNames(Filter& filter, NodePtr declarator, NameKind kind);

// The declared name is a multiarray if the specifiers say so.
void declareMultiarray(Filter& filter, NodePtr specifiers, NodePtr declarator);
void declareMultiarrays(Filter& filter, NodePtr specifiers, const NodeList& initDeclarators);

// A variable template is no variable: '<' behind its name opens template arguments.
void declareTemplate(Filter& filter, NodePtr declaration);

// The classes, aliases and values that an imported unit declares at namespace scope.
void declareImported(Filter& filter, NodePtr root);

// Names of the standard library and of hpspmd that stand for types.
void declareKnownTypes(Filter& filter);

}  // namespace hpcc::syntax
