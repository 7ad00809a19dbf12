// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {

/// A unit with `changed` for its declaration k, and in front of it the kernels that have been
/// written so far.
ast::NodePtr withKernels(Context& context, Plans& plans, ast::NodePtr unit, size_t k,
                         ast::NodePtr changed);

/// A statement behind the question where the arrays of a nest are.
ast::NodePtr atHome(Context& context, const Nest& nest, ast::NodePtr statement);

/// `if (const auto i_device = ..) .. else` the loops of a fast form on the host; these alone if the
/// plan has no form for a device, or its kernel cannot be written. Notes the kernel.
ast::NodePtr onDevice(Context& context, Plans& plans, NestPlan& plan, Reaches& reaches,
                      const RunNames& runs, const ArrayPairs& proven, ast::NodePtr loops);

/// `if (!..) loops`: the sums of a fold by a library of a device; the loops alone if it is no
/// product of matrices.
ast::NodePtr byLibrary(Context& context, Plans& plans, NestPlan& plan, const Reaches& reaches,
                       const RunNames& runs, ast::NodePtr loops);

}  // namespace hpcc::nests
