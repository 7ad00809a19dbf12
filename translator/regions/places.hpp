// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "diagnostics/engine.hpp"
#include "regions/attributes.hpp"
#include "regions/edits.hpp"

namespace hpcc::regions {

// Reports attributes of methods where they mean nothing, and arguments that they do not take; takes
// all of them out of the text. True if there are any.
bool checkPlaces(NodePtr root, Edits& edits, diagnostics::Engine& engine);

// The parameters of a function, or of a declaration of one, that are to be divided.
std::vector<NodePtr> dividedParameters(NodePtr parameters);

}  // namespace hpcc::regions
