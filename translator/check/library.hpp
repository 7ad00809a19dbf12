// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of the runtime and of the standard library, as scopes and tables.
#pragma once

#include "check/types.hpp"

#include <string>
#include <vector>

namespace hpcc::check {

// The global namespace as the libraries fill it: hpspmd (with Adlib), std, and C's functions of
// numbers. A file's global scope includes it, so that using-directives find the names.
const ast::Scope* libraryScope();

// A name of hpspmd::Adlib; null if there is none.
const Symbol* findInAdlib(std::string_view name);

// Whether the symbol is one of those.
bool isOfAdlib(const Symbol& symbol);

// The result of a member function of a multiarray, range, dimension or group; null if it has none
// of that name.
const ast::RuntimeResult* memberResult(TypeKind kind, std::string_view name);

// All such members, for "did you mean".
std::vector<std::string> memberNames(TypeKind kind);

// The fixed type that a result names; unknown for those derived from arguments.
const Type* fixedResult(ast::RuntimeResult result);

}  // namespace hpcc::check
