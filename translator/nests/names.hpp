#pragma once

#include "nests/nest.hpp"

namespace hpcc::nests {

/// `s` of `s.t.a`.
ast::NodePtr rootOf(ast::NodePtr base);

/// A name that means something else inside of a nest than at its entry, where the fast form
/// evaluates it, or that stands for two variables of which one is assigned; null if there is none.
/// `outer`: what is assigned of variables that are known round the nest.
Obstacle ambiguousName(const Nest& nest, const Assignments& outer);

}  // namespace hpcc::nests
