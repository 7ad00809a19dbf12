// Objects at whose end code runs.
#pragma once

#include "check/types.hpp"

namespace hpcc::check::flow {

// Whether the object that an InitDeclarator declares may run a destructor of the program that does
// something to arrays: its class is in sight and has one, or is out of sight and is given an array.
bool mayEndWithCode(NodePtr declarator);

}  // namespace hpcc::check::flow
