// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the analysis of collective alignment knows at one place of a function.
#pragma once

#include "check/alignment/values.hpp"

#include <algorithm>
#include <vector>

namespace hpcc::check::alignment {

// Some processes have jumped to where `target` ends and are missing until then.
struct Left {
    NodePtr target;
    NodePtr jump;
    Coherence who;
    NodePtr branch = nullptr;  // the condition that sent them there
    bool operator==(const Left&) const = default;
};

// Where no path leads (isReached false), `values` is empty, but `left` tells who has gone: so it
// joins the path that goes on.
//
//     if (p.rank() == 0) return;     after the return: left {the function: rank}, not reached
//     Adlib::sum(a);                 left {the function: rank}, reached
struct State {
    bool isReached = true;
    Values values;
    std::vector<Left> left;

    static State never() { return {false, {}, {}}; }
    bool operator==(const State&) const = default;

    // `divided`: what decides which of the two paths a process takes.
    void join(const State& other, const SourceSet& divided) {
        if (isReached && other.isReached)
            values.join(other.values, divided);
        else if (other.isReached)
            values = other.values;
        isReached |= other.isReached;
        for (Left& each : left) each.who = meet(each.who, other.whoLeftFor(each.target), divided);
        for (const Left& each : other.left)
            if (whoLeftFor(each.target).none())
                left.push_back({each.target, each.jump, meet(each.who, {}, divided), each.branch});
    }
    // Of a loop: the way back to its head, which is taken to be gone at least once.
    void comeRound(const State& back, bool isFirst) {
        if (back.isReached && isFirst)
            values = back.values;
        else if (back.isReached)
            values.join(back.values, {});
        for (const Left& each : back.left) add(each);
    }
    Coherence whoLeftFor(NodePtr target) const {
        const auto found = std::ranges::find(left, target, &Left::target);
        return found == left.end() ? Coherence() : found->who;
    }
    void add(const Left& more) {
        const auto same = std::ranges::find(left, more.target, &Left::target);
        if (same == left.end())
            left.push_back(more);
        else
            same->who |= more.who;
    }
    void end() {
        isReached = false;
        values.clear();
    }
    // Behind `construct` those have come back who had jumped to its end, or to places inside.
    void comeBack(NodePtr construct) {
        std::erase_if(left, [whole = construct->span()](const Left& each) {
            return whole.contains(each.target->span());
        });
    }
};

}  // namespace hpcc::check::alignment
