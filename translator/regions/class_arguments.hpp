// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>

#include "ast/node.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::regions {

// What stands for the parameters of a class template that a member of it names, where it is called
// for an object of the type: double for T of `Field<double>`.
std::map<const ast::Symbol*, std::string> classArguments(const ast::Type& type, ast::NodePtr member,
                                                         ast::NodePtr call);

}  // namespace hpcc::regions
