// Expressions of global indices, modulo a number.
#pragma once

#include "check/types.hpp"

#include <map>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace hpcc::check::halo {

// How an expression changes when indices do, modulo m: the coefficient of each index.
// 1 + (i` + k) % 2, modulo 2: {i: 1}, for everything else is the same in all iterations.
using Residues = std::map<const Symbol*, long long>;

// Nothing if it is not of that kind. `changed`: names that the nest assigns.
std::optional<Residues> residuesOf(NodePtr expression, long long modulus,
                                   const std::unordered_set<std::string_view>& changed);

// What `condition` says of an expression modulo m: (i` + j`) % 2 == k, i` % 3 != 0, i` & 1.
struct Congruence {
    NodePtr expression = nullptr;
    long long modulus = 0;
    bool isEqual = true;  // false: differs from the value, which only tells something modulo 2
};

std::optional<Congruence> congruenceOf(NodePtr condition);

}  // namespace hpcc::check::halo
