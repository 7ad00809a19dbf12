#pragma once

#include <span>

#include "ast/pass.hpp"

namespace hpcc::nests {

/// Passes on whole `overall` nests, while ranges, independence and access sets are still known:
/// pre-translated HPspmd C++ in and out. docs/optimizer.md describes each.
std::span<const ast::Pass> passes();

}  // namespace hpcc::nests
