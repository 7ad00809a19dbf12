// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "indirect.hpp"

#include <hpspmd/active.hpp>
#include <hpspmd/error.hpp>

#include "checks/checks.hpp"
#include "transport/combine.hpp"

namespace hpspmd::detail {
namespace {

void join(void* left, const void* right, std::size_t, const void*) {
    static_cast<Finding*>(left)->join(*static_cast<const Finding*>(right));
}

/// "(2, 0)", the global indices of a position in row-major order.
std::string indicesText(const Descriptor& array, Index order) {
    std::string text;
    for (int r = array.rank - 1; r >= 0; --r) {
        const Index extent = array[r].range.size();
        text = std::to_string(order % extent) + (text.empty() ? "" : ", ") + text;
        order /= extent;
    }
    return "(" + text + ")";
}

}  // namespace

plan::Subscripts readable(const SubscriptArrays& subscripts) {
    plan::Subscripts result;
    for (const Integers& each : subscripts.list) result.layouts.push_back(each.array.layout);
    result.at = [&](int r, Index offset) { return subscripts.list[r].at(offset); };
    if (subscripts.mask) {
        result.mask = subscripts.mask->layout;
        result.isTaken = [&](Index offset) {
            return static_cast<const bool*>(subscripts.mask->data)[offset];
        };
    }
    return result;
}

void requireSubscripts(const Call& call, const Operand& walked, const Operand& indexed,
                       const SubscriptArrays& subscripts) {
    requireContained(call, walked);
    requireContained(call, indexed);
    for (const Integers& each : subscripts.list) requireAligned(call, walked, each.array);
    if (subscripts.mask) requireAligned(call, walked, *subscripts.mask);
}

void requireUntouched(const Call& call, const Operand& written, const Operand& read,
                      const SubscriptArrays& subscripts) {
    requireDisjoint(call, written, read);
    for (const Integers& each : subscripts.list) requireDisjoint(call, written, each.array);
    if (subscripts.mask) requireDisjoint(call, written, *subscripts.mask);
}

Key keyOf(Kind kind, const Operand& to, const Operand& from, const SubscriptArrays& subscripts) {
    Key key(kind);
    key.add(to.layout).add(from.layout).add(static_cast<Index>(to.elementSize));
    for (const Integers& each : subscripts.list) key.add(each.array.layout);
    if (subscripts.mask) key.add(subscripts.mask->layout);
    return key;
}

void Finding::join(const Finding& other) {
    if (other.first.order < first.order) first = other.first;
    places &= other.places;
}

Finding joined(const Entered& entered, const Finding& mine) {
    Finding all = mine;
    transport::combine(entered, apg(), {reinterpret_cast<char*>(&all), sizeof all, 1}, {join});
    return all;
}

void requireInside(const Call& call, const Operand& walked, const Operand& indexed,
                   const Finding& all) {
    const plan::BadSubscript& first = all.first;
    if (first.order == Finding::nothingBad) return;
    throw AdlibError(std::string(call.name) + ": subscript " + std::to_string(first.value) +
                         " for dimension " + std::to_string(first.dimension) + " of the " +
                         indexed.role + ", which has " +
                         std::to_string(indexed.layout[first.dimension].range.size()) +
                         " locations; it stands at " + indicesText(walked.layout, first.order),
                     call.where);
}

}  // namespace hpspmd::detail
