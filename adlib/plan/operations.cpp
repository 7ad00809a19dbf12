// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/operations.hpp"

#include "plan/relay.hpp"

namespace hpspmd::detail::plan {
namespace {

Operation between(const Descriptor& to, const Descriptor& from) {
    return {Layout(to), Layout(from), {}};
}

/// All elements move, and copies of the destination may be far from the source.
Operation anywhere(const Descriptor& to, const Descriptor& from) {
    Operation operation = between(to, from);
    operation.redistributes = true;
    if (isRelayWorthwhile(operation.to, operation.from)) {
        operation.copies = operation.to;
        operation.to = operation.to.firstCopies();
    }
    return operation;
}

/// Ranges that distribute alike need no search for partners.
std::unique_ptr<Pairing> whole(const Range& to, const Range& from) {
    if (equivalent(to, from)) return aligned(to);
    return moved(to, from, {{0, to.size() - 1, 0}});
}

}  // namespace

bool equivalent(const Range& a, const Range& b) {
    const RangeRecord& x = *a.record();
    const RangeRecord& y = *b.record();
    return fits(a, b) && x.base == y.base && x.stride == y.stride && x.extent == y.extent;
}

Operation remap(const Descriptor& to, const Descriptor& from) {
    Operation operation = anywhere(to, from);
    operation.origin = originOf("remap", {to, from});
    for (int r = 0; r < to.rank; ++r)
        operation.joins.push_back({r, r, whole(to[r].range, from[r].range)});
    return operation;
}

Operation copy(const Descriptor& to, const Descriptor& from) {
    Operation operation = between(to, from);
    for (int r = 0; r < to.rank; ++r) operation.joins.push_back({r, r, aligned(to[r].range)});
    return operation;
}

Operation shift(const Descriptor& to, const Descriptor& from, Index amount, int d, bool cyclic) {
    Operation operation = copy(to, from);
    operation.origin = originOf("shift", {to, from}, {amount, d, cyclic});
    operation.joins[d].pairing = shifted(to[d].range, from[d].range, amount, cyclic);
    return operation;
}

Operation transpose(const Descriptor& to, const Descriptor& from,
                    const std::vector<int>& permutation) {
    Operation operation = anywhere(to, from);
    operation.origin = originOf("transpose", {to, from}, {permutation.begin(), permutation.end()});
    for (int r = 0; r < to.rank; ++r) {
        const int source = permutation[r];
        operation.joins.push_back({r, source, whole(to[r].range, from[source].range)});
    }
    return operation;
}

Operation writeHalo(const Descriptor& array, const std::vector<HaloWidth>& widths) {
    Operation operation = between(array, array);
    operation.skipsInPlace = true;
    std::vector<Index> parameters;
    for (const HaloWidth& width : widths)
        parameters.insert(parameters.end(), {width.low, width.high, width.cyclic});
    operation.origin = originOf("writeHalo", {array}, parameters);
    for (int r = 0; r < array.rank; ++r) {
        const HaloWidth& width = widths[r];
        const Range& x = array[r].range;
        operation.joins.push_back({r, r, halo(x, width.low, width.high, width.cyclic)});
        if (width.low == 0 && width.high == 0) operation.joins.back().pairing = aligned(x);
    }
    return operation;
}

}  // namespace hpspmd::detail::plan
