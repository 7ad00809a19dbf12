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

    void join(const State& other) {
        isReached |= other.isReached;
        values.join(other.values);
        for (const Left& each : other.left) add(each);
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
        const auto whole = construct->span();
        std::erase_if(left, [&](const Left& each) {
            const auto part = each.target->span();
            return part.text == whole.text && part.begin >= whole.begin && part.end <= whole.end;
        });
    }
};

}  // namespace hpcc::check::alignment
