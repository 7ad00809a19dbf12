// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/halo/box.hpp"

#include <algorithm>
#include <cstdlib>

namespace hpcc::check::halo {
namespace {

using Kind = Bound::Kind;

constexpr long farthest = 64;  // offsets from an end of unknown extent

// a - b, for the extent n.
std::optional<long> difference(const Bound& a, const Bound& b, long n) {
    if (a.kind == Kind::Unknown || b.kind == Kind::Unknown) return std::nullopt;
    if (a.kind == b.kind && a.variable == b.variable) return a.offset - b.offset;
    if (a.kind == Kind::Variable || b.kind == Kind::Variable) return std::nullopt;
    return a.offset - b.offset + (a.kind == Kind::High ? n - 1 : 1 - n);
}

bool isAtMost(const Bound& a, const Bound& b, long n) {
    const auto d = difference(a, b, n);
    return d && *d <= 0;
}

bool isMore(const Bound& a, const Bound& b, long n) {
    const auto d = difference(a, b, n);
    return d && *d > 0;
}

// True if it goes over as many locations as are wanted of it. What does not depend on n: over one.
bool runs(const Span& span, long n) {
    const auto length = difference(span.last, span.first, n);
    if (!length) return true;
    const bool dependsOnExtent = !span.extent && span.first.kind != span.last.kind;
    return *length >= (dependsOnExtent ? span.step : 0);
}

// A location of `a` at or above the first one of `b`, and in step with it, lies in both.
Meeting inStep(const Span& a, const Span& b, long n) {
    const auto ahead = difference(a.first, b.first, n);
    if (!ahead) return Meeting::Perhaps;
    long from = *ahead >= 0 ? 0 : (-*ahead + a.step - 1) / a.step * a.step;  // from a.first
    for (long k = 0; k < b.step; ++k, from += a.step) {
        if ((*ahead + from) % b.step != 0) continue;
        Bound common = a.first;
        common.offset += from;
        if (isMore(common, a.last, n) || isMore(common, b.last, n)) return Meeting::Never;
        const bool isInBoth = (from == 0 || isAtMost(common, a.last, n)) &&
                              (*ahead + from == 0 || isAtMost(common, b.last, n));
        return isInBoth ? Meeting::Surely : Meeting::Perhaps;
    }
    return Meeting::Never;
}

Meeting meetingFor(const Span& a, const Span& b, long n) {
    if (isMore(a.first, b.last, n) || isMore(b.first, a.last, n)) return Meeting::Never;
    const Meeting met = inStep(a, b, n);
    if (met != Meeting::Perhaps || a.step > 1 || b.step > 1) return met;
    // Without steps an end of the one that lies in the other will do.
    const auto holds = [n](const Span& span, const Bound& end) {
        return isAtMost(span.first, end, n) && isAtMost(end, span.last, n);
    };
    const auto covers = [n](const Span& outer, const Span& inner) {
        return isAtMost(outer.first, inner.first, n) && isAtMost(inner.last, outer.last, n);
    };
    const bool isMet = covers(a, b) || covers(b, a) || holds(a, b.first) || holds(b, a.first) ||
                       holds(a, b.last) || holds(b, a.last);
    return isMet ? Meeting::Surely : Meeting::Perhaps;
}

bool isNear(const Bound& bound) {
    return bound.kind == Kind::Unknown || std::labs(bound.offset) <= farthest;
}

bool isBeyond(const Span& span) {
    const auto isAbove = [&](const Bound& end) {
        return (end.kind == Kind::High && end.offset > 0) ||
               (end.kind == Kind::Low && span.extent && end.offset >= *span.extent);
    };
    return (span.first.kind == Kind::Low && span.first.offset < 0) || isAbove(span.last);
}

// n - 1, with n for N, is N - 1.
Span ofExtent(Span span, std::optional<int> variable) {
    for (Bound* end : {&span.first, &span.last})
        if (end->kind == Kind::Variable && end->variable == variable)
            *end = {Kind::High, 0, end->offset + 1};
    return span;
}

Meeting meeting(Span a, Span b) {
    const auto variable = a.extentVariable ? a.extentVariable : b.extentVariable;
    a = ofExtent(a, variable);
    b = ofExtent(b, variable);
    const bool isExact = a.isExact && b.isExact;
    const auto judged = [&](Meeting met) {
        return met == Meeting::Surely && !isExact ? Meeting::Perhaps : met;
    };
    if (const auto extent = a.extent ? a.extent : b.extent)
        return judged(meetingFor(a, b, *extent));
    const bool areNear = isNear(a.first) && isNear(a.last) && isNear(b.first) && isNear(b.last) &&
                         a.step <= farthest && b.step <= farthest;
    if (!areNear) return Meeting::Perhaps;
    constexpr long large = 8 * farthest;
    Meeting met = meetingFor(a, b, large);
    if (met == Meeting::Never) {
        for (long n = 1; n < a.step * b.step && met == Meeting::Never; ++n)  // in or out of step
            met = meetingFor(a, b, large + n);
        return met == Meeting::Never ? met : Meeting::Perhaps;
    }
    for (long n = 1; n < large && met == Meeting::Surely; ++n)
        if (runs(a, n) && runs(b, n) && meetingFor(a, b, n) != met) met = Meeting::Perhaps;
    return judged(met);
}

}  // namespace

bool mayWrap(const Box& box) { return std::ranges::any_of(box, isBeyond); }

Meeting meeting(const Box& a, const Box& b) {
    if (a.size() != b.size()) return Meeting::Perhaps;
    Meeting met = Meeting::Surely;
    for (std::size_t r = 0; r < a.size(); ++r) {
        const Meeting own = meeting(a[r], b[r]);
        const bool isOther = own == Meeting::Never && (isBeyond(a[r]) || isBeyond(b[r]));
        met = std::min(met, isOther ? Meeting::Perhaps : own);
    }
    return met;
}

Box withoutVariables(Box box) {
    for (Span& span : box) {
        span = ofExtent(span, span.extentVariable);
        for (Bound* bound : {&span.first, &span.last})
            if (bound->kind == Kind::Variable) *bound = {};
        span.extentVariable.reset();
        span.isExact &= span.first.kind != Kind::Unknown && span.last.kind != Kind::Unknown;
    }
    return box;
}

}  // namespace hpcc::check::halo
