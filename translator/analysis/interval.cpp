// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/interval.hpp"

namespace hpcc::analysis {
namespace {

constexpr long unbounded = Interval::unbounded;

// What is not known stays so.
long moved(long bound, long by) {
    if (bound <= -unbounded || bound >= unbounded) return bound;
    return std::clamp(bound + by, -unbounded, unbounded);
}

}  // namespace

Interval sum(Interval a, Interval b) {
    const bool isLeastKnown = b.least > -unbounded, isMostKnown = b.most < unbounded;
    return {isLeastKnown ? moved(a.least, b.least) : -unbounded,
            isMostKnown ? moved(a.most, b.most) : unbounded};
}

std::optional<Interval> narrowed(Interval value, std::string_view op, Interval other) {
    if (op == "<") other.most = moved(other.most, -1);
    if (op == ">") other.least = moved(other.least, 1);
    if (op == "<" || op == "<=" || op == "==") value.most = std::min(value.most, other.most);
    if (op == ">" || op == ">=" || op == "==") value.least = std::max(value.least, other.least);
    if (op == "!=" && other.least == other.most) {
        if (value.least == other.least) ++value.least;
        if (value.most == other.most) --value.most;
    }
    return value.isEmpty() ? std::nullopt : std::optional(value);
}

}  // namespace hpcc::analysis
