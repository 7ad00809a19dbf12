// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/halo_under_way.hpp>

#include <array>
#include <memory>
#include <vector>

namespace hpspmd::detail {

/// Whether the messages of an exchange should travel while the interior of a nest runs, or before
/// the nest: it is tried both ways in turn, and what took less time stays. All processes try alike,
/// and each decides for itself; the messages are the same.
class Trial {
public:
    explicit Trial(Where where) : where_(where) {}

    /// How to do it this time.
    bool overlaps() const { return isOpen() ? rounds_ % 2 == 1 : overlaps_; }
    bool isOpen() const { return rounds_ < warmUp + 2 * samples; }
    /// How long it took.
    void note(double seconds);

    Where where() const { return where_; }

private:
    static constexpr int warmUp = 2, samples = 9;
    using Times = std::array<double, samples>;

    static double median(Times times);
    void decide();

    Where where_;
    int rounds_ = 0;
    Times apart_{}, together_{};
    bool overlaps_ = false;
};

/// The trials of one exchange, by the place of the call.
class Trials {
public:
    Trial& of(Where where);

private:
    std::vector<std::unique_ptr<Trial>> trials_;
};

/// From now on; for tests, on all processes alike.
void setOverlapping(Overlapping wanted);

}  // namespace hpspmd::detail
