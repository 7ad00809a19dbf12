// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/arena.hpp"

namespace hpcc::pretranslate {

/// `overall (i = x for :, j = y for :) S` -> `overall (i = x for :) overall (j = y for :) S`. An
/// `overall` that is the argument of a reduction has its list, and those of what stands directly in
/// it: `overall (i = x for :) overall (j = y for :) e` -> `overall (i = x for :, j = y for :) e`.
ast::NodePtr splitHeaders(ast::Arena& arena, ast::NodePtr root);

}  // namespace hpcc::pretranslate
