// What the analysis of collective alignment knows at one place of a function.
#pragma once

#include "check/alignment/source.hpp"

#include <algorithm>
#include <compare>
#include <string_view>
#include <utility>
#include <vector>

namespace hpcc::check::alignment {

// A variable (part ""), its elements (part "[]") or its member of that name.
struct Variable {
    const Symbol* symbol = nullptr;
    std::string_view part;
    auto operator<=>(const Variable&) const = default;
};

// The variables that differ between processes; few at any time.
class Values {
public:
    Coherence of(const Variable& variable) const {
        const auto at = std::ranges::lower_bound(entries_, variable, {}, &Entry::first);
        return at != entries_.end() && at->first == variable ? at->second : Coherence();
    }
    void set(const Variable& variable, const Coherence& value) {
        const auto at = std::ranges::lower_bound(entries_, variable, {}, &Entry::first);
        const bool isThere = at != entries_.end() && at->first == variable;
        if (value.none()) {
            if (isThere) entries_.erase(at);
        } else if (isThere) {
            at->second = value;
        } else {
            entries_.insert(at, {variable, value});
        }
    }
    template <class Condition>
    void eraseIf(const Condition& condition) {
        std::erase_if(entries_, [&](const Entry& each) { return condition(each.first); });
    }
    void join(const Values& other) {
        for (const auto& [variable, value] : other.entries_) set(variable, of(variable) | value);
    }
    void clear() { entries_.clear(); }
    bool operator==(const Values&) const = default;

private:
    using Entry = std::pair<Variable, Coherence>;
    std::vector<Entry> entries_;  // sorted; no value is empty
};

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
