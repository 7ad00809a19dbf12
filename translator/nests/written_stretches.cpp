// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/written_stretches.hpp"

#include <algorithm>
#include <optional>

namespace hpcc::nests {

using analysis::Sum;
using ast::Symbol;

void Stretches::add(WrittenBefore& state, const Symbol* vector, Stretch stretch) const {
    Written& written = state.of[vector];
    if (written.all || !stretch.low.isKnown() || !stretch.high.isKnown()) return;
    std::erase_if(written.stretches, [&](const Stretch& each) { return join(stretch, each); });
    if (isFrom(stretch.low, Sum(0)) && isNotNegative_(stretch.high - lengths.at(vector)))
        written = {true, {}};
    else
        written.stretches.push_back(stretch);
}

/// Takes another stretch in, if there is nothing between them.
bool Stretches::join(Stretch& stretch, const Stretch& other) const {
    const bool isNext = other.high == stretch.low;
    if (isNext || holds(other, {stretch.low, stretch.low})) {
        const bool isLonger = !isNext && isNotNegative_(other.high - stretch.high);
        if (!isNext && !isLonger && !isNotNegative_(stretch.high - other.high)) return false;
        stretch = {other.low, isLonger ? other.high : stretch.high};
        return true;
    }
    if (stretch.high != other.low) return holds(stretch, other);
    stretch.high = other.high;
    return true;
}

bool Stretches::holds(const Stretch& stretch, const Stretch& other) const {
    return isFrom(stretch.low, other.low) && isNotNegative_(stretch.high - other.high);
}

/// There are no elements below 0.
bool Stretches::isFrom(const Sum& low, const Sum& at) const {
    const bool isStart = low.isKnown() && low.isConstant() && low.constant() <= 0;
    return isStart || isNotNegative_(at - low);
}

bool Stretches::hold(const WrittenBefore& state, const Symbol* vector,
                     const Stretch& stretch) const {
    const auto found = state.of.find(vector);
    if (found == state.of.end()) return false;
    return found->second.all ||
           std::ranges::any_of(found->second.stretches,
                               [&](const Stretch& each) { return holds(each, stretch); });
}

/// The factor of the atom; nothing if it stands in a product.
static std::optional<long> factorOf(const Sum& sum, analysis::Atom atom) {
    for (const auto& [product, factor] : sum.terms())
        if (product.holds(atom) && product.size() != 1) return std::nullopt;
    return sum.factorOf({atom});
}

void Stretches::addRounds(WrittenBefore& to, const WrittenBefore& entry, const WrittenBefore& each,
                          const Steps& steps, const Sum& now) const {
    const auto at = [&](const Sum& sum, const Sum& value) {
        return sum.with(steps.counter, value);
    };
    for (const auto& [vector, written] : each.of)
        for (const auto& [low, high] : written.stretches) {
            const auto ofLow = factorOf(low, steps.counter), ofHigh = factorOf(high, steps.counter);
            const auto until = [&, low = low, high = high](const Sum& next) {
                const Sum last = next - Sum(steps.goesUp ? 1 : -1);
                return Stretch{at(low, last), at(high, last)};
            };
            if (ofLow == 1 && ofHigh == 1 && isNotNegative_(high - low - Sum(1)))
                add(to, vector,
                    steps.goesUp ? Stretch{at(low, steps.first), at(low, now)}
                                 : Stretch{at(high, now), at(high, steps.first)});
            else if (ofLow == (steps.goesUp ? 0 : 1) && ofHigh == (steps.goesUp ? 1 : 0) &&
                     hold(entry, vector, until(steps.first)))
                add(to, vector, until(now));
        }
}

WrittenBefore Stretches::common(const WrittenBefore& a, const WrittenBefore& b) const {
    if (a.isLeft) return b;
    if (b.isLeft) return a;
    WrittenBefore result;
    for (const auto& [vector, written] : a.of) {
        const auto other = b.of.find(vector);
        if (other == b.of.end()) continue;
        if (written.all || other->second.all) {
            result.of[vector] = written.all ? other->second : written;
            continue;
        }
        for (const Stretch& each : written.stretches)
            if (hold(b, vector, each)) result.of[vector].stretches.push_back(each);
    }
    return result;
}

}  // namespace hpcc::nests
