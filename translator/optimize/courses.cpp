// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/courses.hpp"

#include <algorithm>

namespace hpcc::optimize {
namespace {

Sum times(const Term& term, const Sum& sum) {
    Sum result = sum;
    for (Term& each : result) {
        each.coefficient *= term.coefficient;
        each.factors.insert(each.factors.begin(), term.factors.begin(), term.factors.end());
    }
    return result;
}

}  // namespace

/// The counter that a factor follows, -1 if none; and how it starts and moves.
int Courses::counterOfFactor(int factor) const {
    const Key& key = keys_[factor];
    if (key.kind == KeyKind::Variable) {
        const Counter* counter = counters_.counterOf(key.variable);
        return counter ? static_cast<int>(counter - counters_.counters().data()) : -1;
    }
    if (key.kind != KeyKind::Member || (key.text != "sub" && key.text != "global")) return -1;
    const Key& base = keys_[key.left];
    const FollowingIndex* index =
        base.kind == KeyKind::Variable ? counters_.indexOf(base.variable) : nullptr;
    return index ? index->counter : -1;
}

SplitSum Courses::split(const Sum& sum) const {
    SplitSum result;
    for (const Term& term : sum)
        for (const int factor : term.factors) {
            const int found = counterOfFactor(factor);
            if (found >= 0 &&
                (result.counter < 0 || counter(found).loop > counter(result.counter).loop))
                result.counter = found;
        }
    for (const Term& term : sum) {
        const bool moves = std::ranges::any_of(term.factors, [&](int factor) {
            return result.counter >= 0 && counterOfFactor(factor) == result.counter;
        });
        (moves ? result.moving : result.fixed).push_back(term);
    }
    return result;
}

bool Courses::isFixed(int factor, int loop, int block, int step) const {
    const Key& key = keys_[factor];
    return key.isMovable && !key.mayThrow && versions_.sameBefore(loop, block, step, key.variables);
}

bool Courses::isReducible(const SplitSum& sum, int block, int step) const {
    if (sum.counter < 0 || obstacleTo(sum, block, step)) return false;
    return std::ranges::any_of(sum.moving, [](const Term& term) {
        return term.factors.size() > 1 || std::abs(term.coefficient) != 1;
    });
}

const char* Courses::obstacleTo(const SplitSum& sum, int block, int step) const {
    if (sum.counter < 0) return nullptr;
    const int loop = counter(sum.counter).loop;
    if (!graph_.place(loop).canPrecede) return "because nothing can be computed before its loop";
    for (const Term& term : sum.moving) {
        int followers = 0;
        for (const int factor : term.factors) {
            if (counterOfFactor(factor) == sum.counter)
                ++followers;
            else if (!isFixed(factor, loop, block, step))
                return "because a part of this may change in its loop";
        }
        if (followers != 1) return "because the counter of its loop is multiplied with itself";
    }
    if (!startIsFixed(counter(sum.counter)))
        return "because the start of its loop may change before the loop does";
    return nullptr;
}

bool Courses::startIsFixed(const Counter& counter) const {
    const Place& place = graph_.place(counter.loop);
    for (const Term& term : sumOf(keys_, counter.first))
        for (const int factor : term.factors)
            if (!isFixed(factor, counter.loop, place.block, place.step)) return false;
    return true;
}

bool Courses::isAllFixed(const Sum& sum, int loop, int block, int step) const {
    for (const Term& term : sum)
        for (const int factor : term.factors)
            if (!isFixed(factor, loop, block, step)) return false;
    return true;
}

Courses::Course Courses::courseOf(int factor) {
    const bool isCounter = keys_[factor].kind == KeyKind::Variable;
    const bool isLocal = keys_[factor].text == "sub";
    const int owner = keys_[factor].left;
    const Counter& counter = this->counter(counterOfFactor(factor));
    Sum first = sumOf(keys_, counter.first);
    if (isCounter) return {first, {Term{counter.step, {}}}};
    const FollowingIndex& index = *counters_.indexOf(keys_[owner].variable);
    const int block = keys_.variable(index.block);
    const int base = keys_.member(block, isLocal ? "localBase" : "globalBase", index.block);
    const int step = keys_.member(block, isLocal ? "localStep" : "globalStep", index.block);
    first.push_back(Term{index.offset, {}});
    Sum start{Term{1, {base}}};
    for (const Term& term : times(Term{1, {step}}, first)) start.push_back(term);
    normalize(keys_, start);
    return {start, {Term{counter.step, {step}}}};
}

Courses::Course Courses::courseOf(const SplitSum& sum) {
    Sum start = sum.fixed, step;
    for (const Term& term : sum.moving) {
        Term others = term;
        const auto follower = std::ranges::find_if(
            others.factors, [&](int factor) { return counterOfFactor(factor) == sum.counter; });
        const int factor = *follower;
        others.factors.erase(follower);
        const auto [first, by] = courseOf(factor);
        for (const Term& part : times(others, first)) start.push_back(part);
        for (const Term& part : times(others, by)) step.push_back(part);
    }
    normalize(keys_, start);
    normalize(keys_, step);
    return {start, step};
}

}  // namespace hpcc::optimize
