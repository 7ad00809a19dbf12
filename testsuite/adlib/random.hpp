// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <hpspmd/index.hpp>
#include <utility>
#include <vector>

namespace hpspmd::test {

/// splitmix64: the values of elements, as functions of their place.
class Noise {
public:
    explicit Noise(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    /// 0 .. bound-1.
    Index below(Index bound) {
        return static_cast<Index>(next() % static_cast<std::uint64_t>(bound));
    }

private:
    std::uint64_t state_;
};

/// What was chosen for a case, in order; smaller numbers mean simpler cases.
using Choices = std::vector<Index>;

/// Makes the choices of a case: at random, or those of a list, which make the same case again. A
/// list may be changed at will: what it lacks is 0, what is too large becomes the largest choice.
class Random {
public:
    explicit Random(std::uint64_t seed) : noise_(seed), isGiven_(false) {}
    explicit Random(Choices given) : noise_(0), isGiven_(true), given_(std::move(given)) {}

    /// 0 .. bound-1.
    Index below(Index bound) {
        const Index choice = isGiven_ ? std::min(nextGiven(), bound - 1) : noise_.below(bound);
        made_.push_back(choice);
        return choice;
    }
    Index between(Index low, Index high) { return low + below(high - low + 1); }
    bool oneIn(Index n) { return below(n) == n - 1; }
    /// A seed for the values of elements.
    std::uint64_t seed() { return static_cast<std::uint64_t>(below(1 << 20)); }

    const Choices& made() const { return made_; }

private:
    Index nextGiven() const { return made_.size() < given_.size() ? given_[made_.size()] : 0; }

    Noise noise_;
    bool isGiven_;
    Choices given_, made_;
};

}  // namespace hpspmd::test
