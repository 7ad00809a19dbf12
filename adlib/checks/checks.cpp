// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checks/checks.hpp"

#include <adlib/integers.hpp>
#include <algorithm>
#include <hpspmd/active.hpp>
#include <hpspmd/error.hpp>

#include "plan/operations.hpp"

namespace hpspmd::detail {
namespace {

[[noreturn]] void fail(const Call& call, const std::string& text) {
    throw AdlibError(std::string(call.name) + ": " + text, call.where);
}

std::string both(const Operand& a, const std::string& textOfA, const Operand& b,
                 const std::string& textOfB) {
    return std::string("the ") + a.role + " is " + textOfA + ", the " + b.role + " is " + textOfB;
}

std::string dimensionText(const Operand& array, int r) {
    std::string text = describe(array.layout[r].range);
    text += " in dimension ";
    text += std::to_string(r);
    return text;
}

void requireEqualGroups(const Call& call, const Operand& a, const Operand& b) {
    if (a.layout.group == b.layout.group) return;
    fail(call, "the arrays are not aligned: " +
                   both(a, "on " + describe(a.layout.group), b, "on " + describe(b.layout.group)));
}

void requireEquivalent(const Call& call, const Operand& a, int ra, const Operand& b, int rb) {
    if (plan::equivalent(a.layout[ra].range, b.layout[rb].range)) return;
    fail(call,
         "the arrays are not aligned: " + both(a, dimensionText(a, ra), b, dimensionText(b, rb)));
}

}  // namespace

std::string shapeText(const Descriptor& array) {
    if (array.rank == 0) return "one element";
    std::string text;
    for (const Map& map : array) {
        if (!text.empty()) text += " x ";
        text += std::to_string(map.range.size());
    }
    return text;
}

void requireContained(const Call& call, const Operand& array) {
    if (apg().contains(array.layout.group)) return;
    fail(call, std::string("the ") + array.role + " lives on " + describe(array.layout.group) +
                   ", which is not contained in the active process group " + describe(apg()));
}

void requireSameShape(const Call& call, const Operand& a, const Operand& b) {
    bool same = a.layout.rank == b.layout.rank;
    for (int r = 0; same && r < a.layout.rank; ++r)
        same = a.layout[r].range.size() == b.layout[r].range.size();
    if (!same)
        fail(call, "the shapes differ: " + both(a, shapeText(a.layout), b, shapeText(b.layout)));
}

void requireAligned(const Call& call, const Operand& a, const Operand& b) {
    requireSameShape(call, a, b);
    requireEqualGroups(call, a, b);
    for (int r = 0; r < a.layout.rank; ++r) requireEquivalent(call, a, r, b, r);
}

void requireAlignedWithout(const Call& call, const Operand& reduced, const Operand& a, int d) {
    if (reduced.layout.rank != a.layout.rank - 1)
        fail(call, "the ranks do not fit: " +
                       both(reduced, shapeText(reduced.layout), a, shapeText(a.layout)));
    requireEqualGroups(call, reduced, a);
    for (int r = 0; r < reduced.layout.rank; ++r)
        requireEquivalent(call, reduced, r, a, r < d ? r : r + 1);
}

void requireDimension(const Call& call, const Operand& array, int d) {
    if (d >= 0 && d < array.layout.rank) return;
    fail(call, "dimension " + std::to_string(d) + " does not exist: the " + array.role + " has " +
                   std::to_string(array.layout.rank));
}

void raiseOtherLayouts(const Call& call) {
    fail(call, "the schedule was made for arrays with other ranges, strides or groups");
}

void raiseTooLarge(const char* role, unsigned long long value, Where where) {
    throw AdlibError("an element of the " + std::string(role) + " is " + std::to_string(value) +
                         ", more than the largest Index",
                     where);
}

void raiseNotStarted(const Call& call) { fail(call, "finish() without start()"); }

void raiseUnderWay(const Call& call) { fail(call, "the schedule is already under way"); }

}  // namespace hpspmd::detail
