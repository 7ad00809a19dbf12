#pragma once

#include <map>
#include <optional>
#include <string_view>

#include "ast/node.hpp"

namespace hpcc::nests {

/// Variables of signed integer types whose values are known.
using Constants = std::map<std::string_view, long>;

/// The value of an expression of literals, these variables, constants of the program (`const int r
/// = 2;`, `constexpr int r{2};`) and operators; conditions are 0 or 1.
/// Nothing where it is not known, or so large that sums of a few might overflow.
std::optional<long> valueOf(ast::NodePtr expression, const Constants& constants);

}  // namespace hpcc::nests
