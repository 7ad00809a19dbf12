#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "nests/reaches.hpp"

namespace hpcc::nests {

/// An integer expression as a sum: a constant, loop variables (overall indices as global ones), and
/// whatever else has one value all through the nest, each with a factor.
///
///     2 * (i` - 1) + n     2 i + 1 n - 2
struct Linear {
    std::map<const Loop*, long> loops;
    std::map<std::string, long> others;  // by their text
    long constant = 0;

    Linear& add(const Linear& more, long factor);
    bool isConstant() const { return loops.empty() && others.empty(); }
};

/// Modulo a number > 0, in which (e % modulus) is e; exactly, if the modulus is 0. Nothing for
/// other expressions.
std::optional<Linear> linear(ast::NodePtr expression, long modulus, const Loop* innermost,
                             const Reaches& reaches);

/// e and m of `e % m` with a literal m = 2, 4, 8 .., or of `e & 1`; null and 0 for anything else.
/// Unsigned numbers that wrap round keep only such remainders.
std::pair<ast::NodePtr, long> asRemainder(ast::NodePtr expression);

}  // namespace hpcc::nests
