// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/constant.hpp"

namespace hpcc::analysis {

/// The data members of an object, as declared; empty if the class is not a plain struct of them.
std::vector<const Symbol*> fieldsOf(const ast::Type* type);

/// The expression that gives a constant, an element of a constant table or a member of one its
/// value; null where it is not written out.
///
///     constexpr Offset at[2] = {{-1, 0}, {1, 0}};
///     at[1].di                                         1
NodePtr writtenPart(NodePtr part, const Bindings& bindings = {});

/// True of a part of a table that is constant itself, and so never changes.
bool isPartOfConstant(NodePtr e);

/// How many elements the list of an initializer, `= {1, 2, 1}`, gives a container of that type.
std::optional<long long> writtenCount(NodePtr initializer, const ast::Type* container);

}  // namespace hpcc::analysis
