// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/transpose.hpp>
#include <algorithm>
#include <hpspmd/error.hpp>

#include "checks/checks.hpp"
#include "plan/operations.hpp"
#include "schedule/run.hpp"

namespace hpspmd::detail {
namespace {

using Permutation = std::vector<int>;

void requirePermutation(const Call& call, Permutation permutation) {
    std::sort(permutation.begin(), permutation.end());
    for (std::size_t r = 0; r < permutation.size(); ++r)
        if (permutation[r] != static_cast<int>(r))
            throw AdlibError(std::string(call.name) + ": the permutation must name each of 0 .. " +
                                 std::to_string(permutation.size() - 1) + " once",
                             call.where);
}

/// The source as the destination sees its dimensions, to compare shapes.
plan::Plan checkedPlan(const Call& call, const Operand& to, const Operand& from,
                       const Permutation& permutation) {
    requirePermutation(call, permutation);
    std::vector<Map> permuted;
    for (const int r : permutation) permuted.push_back(from.layout[r]);
    Operand seen = from;
    seen.role = "permuted source";
    seen.layout.maps = permuted.data();
    requireSameShape(call, to, seen);
    requireContained(call, to);
    requireContained(call, from);
    return ownPlan(plan::transpose(to.layout, from.layout, permutation));
}

Key keyOf(const Operand& to, const Operand& from, const int* permutation) {
    Key key(Kind::Transpose);
    key.add(to.layout).add(from.layout).add(static_cast<Index>(to.elementSize));
    for (int r = 0; r < to.layout.rank; ++r) key.add(permutation[r]);
    return key;
}

}  // namespace

void transpose(const Operand& to, const Operand& from, const int* permutation,
               const Combining& combining, Where where) {
    const Call call{"transpose", where};
    const Key key = keyOf(to, from, permutation);
    Transfer& schedule = cachedTransfer(key, to.elementSize, [&] {
        return checkedPlan(call, to, from, Permutation(permutation, permutation + to.layout.rank));
    });
    requireDisjoint(call, to, from);
    execute(schedule, call, key, to, from, combining);
}

Schedule makeTranspose(const Operand& to, const Operand& from, const int* permutation,
                       Where where) {
    const Call call{"Transpose", where};
    requireDisjoint(call, to, from);
    return ownedSchedule(call, keyOf(to, from, permutation), to, from, [&] {
        return checkedPlan(call, to, from, Permutation(permutation, permutation + to.layout.rank));
    });
}

}  // namespace hpspmd::detail
