// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/remarks.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {

/// Where threads, devices and vector functions are wanted, remarks tell what becomes of a nest
/// there.
struct Wanted {
    bool threads = false, devices = false, vectorMath = false;
};

/// What the fast form of a nest is, and what keeps it from a better one.
void remarkOnFastForm(ast::Remarks& remarks, const NestPlan& plan, Wanted wanted);

/// Why a nest has none.
void remarkOnGeneralForm(ast::Remarks& remarks, const NestPlan& plan, Wanted wanted);

}  // namespace hpcc::nests
