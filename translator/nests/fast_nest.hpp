#pragma once

#include <optional>

#include "nests/context.hpp"
#include "nests/fold.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

/// Of a nest that only its fast form can stand for.
struct Alternative {
    std::vector<ast::NodePtr> conditions;  // that the entry test asks, too
    std::vector<ast::NodePtr> before;      // what stands before the fast form, behind the test
    ast::NodePtr otherwise = nullptr;      // what runs if the test says no
};

/// A nest with its fast form in front: plain loops over local subscripts and element pointers, run
/// if a test at the entry says that each process holds one run of every range, that all accesses
/// are legal, and that the last dimensions have stride 1; else the nest itself runs.
///
///     overall (i = x for 1 : n - 2) b[i] = a[i - 1];
/// ->
///     {
///         const hpspmd::detail::Run i_run(x, 1, n - 2);
///         if (i_run && hpspmd::detail::ready(b, {hpspmd::detail::over(x)}) && ..) {
///             auto *const b_data = b.data();
///             auto *const a_data = a.data();
///             HPSPMD_INDEPENDENT(i)
///             for (hpspmd::Index i = i_run.first; i <= i_run.last; ++i) b_data[i] = a_data[i - 1];
///         } else
///             overall (i = x for 1 : n - 2) b[i] = a[i - 1];
///     }
///
/// With a fold, the fast form adds up the array's sums, if they can begin; else it is as always.
/// With an alternative, that stands where the nest itself would.
ast::NodePtr withFastForm(Context& context, const Nest& nest, const Fold* fold = nullptr,
                          const Alternative& alternative = {});

}  // namespace hpcc::nests
