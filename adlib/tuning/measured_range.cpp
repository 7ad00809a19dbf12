// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/measured_range.hpp>

#include "tuning/shares.hpp"
#include "tuning/speeds.hpp"

namespace hpspmd {
namespace {

std::vector<Index> sizes(Index n, const Dimension& d, const detail::Probe& probe,
                         detail::Where where) {
    detail::checkedExtent(n, "MeasuredRange", where);
    const detail::Call call("MeasuredRange", where);
    return detail::shares(n, detail::speeds(call, n, d, probe));
}

}  // namespace

MeasuredRange::MeasuredRange(Index n, const Dimension& d, Index lo, Index hi,
                             const detail::Probe& probe, detail::Where where)
    : Range(IrregRange(sizes(n, d, probe, where), d, lo, hi, where)) {}

}  // namespace hpspmd
