// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/short_rows.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "analysis/constant.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

constexpr long longest = 16;         // elements of a row
constexpr size_t mostAccesses = 16;  // of a nest that is written twice

/// The innermost `overall`, if all loops inside of it are short, and not computed at once
/// themselves; else null.
const Loop* loopOverRows(const NestPlan& plan) {
    const Loop* rows = nullptr;
    for (const Loop& loop : plan.nest->loops) {
        if (loop.kind == Loop::Kind::Overall) {
            if (loop.outer != rows) return nullptr;
            rows = &loop;
        } else if (!isShort(loop) || !loop.isInnermost || loop.outer != rows ||
                   plan.forms.at(&loop).kind != Form::Kind::InOrder) {
            return nullptr;
        }
    }
    return rows;
}

/// The largest value of a subscript with no other variable than those of short loops round it.
std::optional<long long> largest(NodePtr subscript, const Loop* loop) {
    if (!loop || loop->kind != Loop::Kind::Counting) return analysis::constantValue(subscript);
    const auto first = analysis::constantValue(loop->first),
               end = analysis::constantValue(loop->end);
    if (!first || !end) return std::nullopt;
    const long long last = *end - (loop->reachesEnd ? 0 : loop->step > 0 ? 1 : -1);
    const auto with = [&](long long value) {
        return analysis::constantValue(subscript, {{loop->variable, static_cast<long>(value)}});
    };
    const auto low = with(*first), high = with(last);
    return low && high ? std::optional(std::max(*low, *high)) : std::nullopt;
}

/// The elements of the rows of each array, if its rows are short and `rows` goes from one to the
/// next.
std::map<size_t, long long> lengths(const Nest& nest, const Loop& rows) {
    std::map<size_t, long long> result;
    for (const Access& access : nest.accesses) {
        const size_t rank = access.slots.size();
        const bool isRow = rank >= 2 && !access.slots[rank - 1].index &&
                           access.slots[rank - 2].index && access.slots[rank - 2].loop == &rows;
        const auto last =
            isRow ? largest(access.slots[rank - 1].subscript, access.loop) : std::nullopt;
        long long& length = result.emplace(access.array, 0).first->second;
        length = last && length >= 0 ? std::max(length, *last + 1) : -1;
    }
    std::erase_if(result,
                  [](const auto& each) { return each.second < 2 || each.second > longest; });
    return result;
}

}  // namespace

NodePtr withShortRows(Context& context, NestPlan& plan, const Elements& elements, NodePtr loops) {
    const Nest& nest = *plan.nest;
    const Loop* const rows = loopOverRows(plan);
    if (!rows || nest.accesses.size() > mostAccesses || nest.callsForeign || plan.fold ||
        !plan.checked.empty() || !plan.fitting.empty() || plan.threads || plan.device ||
        !lastingIn(nest).empty())
        return loops;
    const auto found = lengths(nest, *rows);
    if (found.empty()) return loops;
    std::vector<std::string> pitches, strides, parameters, arrays;
    for (const auto& [array, length] : found) {
        pitches.push_back(std::to_string(length));
        strides.push_back(elements.pitchOf(array));
        parameters.push_back("const auto " + strides.back());
        arrays.push_back(quoted(nest.arrays[array].text));
    }
    plan.notes.push_back("with a copy for rows of " + listed(pitches, " and ") + " elements of " +
                         listed(arrays, " and "));
    return context.statement(fmt::format("hpspmd::detail::forPitches<{}>([&]({}) {{\n"
                                         "    $loops;\n"
                                         "}}, {});",
                                         listed(pitches), listed(parameters), listed(strides)),
                             {{"$loops", loops}}, loops->origin());
}

}  // namespace hpcc::nests
