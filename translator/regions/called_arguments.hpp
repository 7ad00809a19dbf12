// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of calls, and the parameters that they are given for.
#pragma once

#include <string>
#include <string_view>

#include "regions/called_code.hpp"

namespace hpcc::regions {

// Of one type: a value of the one is converted to the other without a change.
bool isSameNumber(const ast::Type* a, const ast::Type* b);

// In one line, without comments.
std::string flat(std::string_view text);

// A name, a member of one, or an element of a container of arrays: written again, it is the same.
bool isPath(NodePtr value);

bool isLvalue(NodePtr e);
bool isLiteral(NodePtr e);

// `auto v`, `T v`: it has the type of the argument.
bool isDeduced(NodePtr parameter);

// Of a member of the class: "public", "protected" or "private"; "" if it is none.
std::string_view accessOf(const Symbol* member, const Symbol* owner);
// Code outside of the class may name it.
bool isPublic(const Symbol* member, const Symbol* owner);

bool isThis(NodePtr node);
/// `*this`
bool isThisObject(NodePtr node);
/// `this->by`
bool isOfThis(NodePtr node);

}  // namespace hpcc::regions
