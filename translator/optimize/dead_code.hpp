#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::optimize {

/// Dead code elimination (thesis, 5.3) of what lowering and the other passes declared: indices,
/// control variables and temporaries that nothing reads any more. Their initializers have no
/// effect.
///
///     const hpspmd::DistributedIndex j(y, j_block, j_k);   // gone if nobody names j
ast::Unit eliminateDeadCode(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::optimize
