// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/alignment/summaries.hpp"

#include "ast/symbol.hpp"
#include "check/alignment/walk.hpp"

#include <algorithm>
#include <limits>

namespace hpcc::check::alignment {
namespace {

constexpr int deepest = 100;            // calls followed one into another
constexpr int mostRoundsOfCircle = 10;  // of a circle
constexpr int none = std::numeric_limits<int>::max();

template <class Map>
bool haveSameKeys(const Map& a, const Map& b) {
    return std::ranges::equal(a, b, {}, &Map::value_type::first, &Map::value_type::first);
}

bool isSame(const Outcome& a, const Outcome& b) {
    return a.on == b.on && !a.source.place == !b.source.place && a.isSure == b.isSure;
}

// Whether a caller can tell them apart.
bool isSame(const Summary& a, const Summary& b) {
    const auto areAlike = [](const auto& one, const auto& other) {
        return one.first == other.first && isSame(one.second, other.second);
    };
    return !a.collective.place == !b.collective.place &&
           a.collective.isSure == b.collective.isSure && isSame(a.result, b.result) &&
           std::ranges::equal(a.resultParts, b.resultParts, areAlike) && a.decisive == b.decisive &&
           std::ranges::equal(a.changed, b.changed, areAlike) && haveSameKeys(a.given, b.given);
}

}  // namespace

const Summary& Summaries::ofDefinition(NodePtr definition) {
    Entry& entry = entries_[definition];
    const bool isCurrent =
        entry.progress == Progress::Final ||
        (entry.progress == Progress::Provisional && entry.generation == generation_);
    if (entry.progress == Progress::Running || entry.progress == Progress::Provisional)
        lowest_ = std::min(lowest_, entry.depth);
    const bool isBusy = entry.progress == Progress::Running || depth_ >= deepest;
    if (!isCurrent && !isBusy) compute(definition, entry);
    return entry.summary;
}

// References into the map stay valid while others are added.
void Summaries::compute(NodePtr definition, Entry& entry) {
    const int outer = depth_ == 0 ? none : lowest_;
    lowest_ = none;
    entry.depth = ++depth_;
    entry.progress = Progress::Running;
    entry.summary = Walk(*this, definition).run();
    const bool isHead = lowest_ == entry.depth;
    if (isHead) repeat(definition, entry);
    const bool isInCircle = lowest_ < entry.depth;  // of an outer function
    entry.progress = isInCircle ? Progress::Provisional : Progress::Final;
    if (isInCircle) {
        entry.generation = generation_;
        entry.depth = lowest_;  // whoever asks for it depends on that function
    }
    --depth_;
    lowest_ = std::min(outer, isInCircle ? lowest_ : none);
}

void Summaries::repeat(NodePtr definition, Entry& entry) {
    for (int round = 0; round < mostRoundsOfCircle; ++round) {
        ++generation_;
        Summary next = Walk(*this, definition).run();
        const bool isStable = isSame(next, entry.summary);
        entry.summary = std::move(next);
        if (isStable) break;
    }
    for (auto& [node, each] : entries_)  // of this circle
        if (each.progress == Progress::Provisional && each.generation == generation_)
            each.progress = Progress::Final;
}

Summary Summaries::of(const Symbol& function) {
    const NodePtr definition = functions_.definition(function);
    Summary declared = definition ? ofDefinition(definition) : Summary();
    declared.findings.clear();
    const NodePtr collective = functions_.attribute(function, "collective");
    if (functions_.attribute(function, "local")) {
        declared.collective = {};
        declared.decisive = {};
        declared.given.clear();
    } else if (collective && !declared.collective.place) {
        declared.collective = {collective, function.name};
    }
    return declared;
}

}  // namespace hpcc::check::alignment
