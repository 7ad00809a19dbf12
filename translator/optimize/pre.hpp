// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::optimize {

/// Partial redundancy elimination (thesis, 5.1) on subscripts, descriptors and inquiries: what is
/// computed twice, or in every iteration though it stays the same, is computed once and has a name.
///
///     for (k ..) sum += a.data()[a.stride(0) * i.sub + a.stride(1) * k];
/// becomes
///     auto *const a_data = a.data();
///     const hpspmd::Index a_stride_1 = a.stride(1);
///     const hpspmd::Index a_at_i = a.stride(0) * i.sub;
///     for (k ..) sum += a_data[a_at_i + a_stride_1 * k];
ast::Unit eliminateRedundancies(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::optimize
