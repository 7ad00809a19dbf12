// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// In which order the check device runs the iterations of a kernel.

#include <hpspmd/where.hpp>

namespace hpspmd::kernels {

/// HPSPMD_CHECK_ORDER: forwards (default), backwards, shuffled, or shuffled:seed.
struct Order {
    enum class Kind : unsigned char { Forwards, Backwards, Shuffled };
    Kind kind = Kind::Forwards;
    unsigned seed = 0;

    static const Order& wanted();
};

/// first, first + step, .. up to last, each once, in the order that is wanted.
class Lanes {
public:
    Lanes(Index first, Index last, Index step)
        : first_(first), step_(step), count_(last < first ? 0 : (last - first) / step + 1) {
        const Order& order = Order::wanted();
        if (order.kind == Order::Kind::Backwards) {
            first_ += (count_ - 1) * step_;
            step_ = -step_;
        } else if (order.kind == Order::Kind::Shuffled && count_ > 2) {
            shuffle(order.seed);
        }
    }

    class Iterator {
    public:
        Iterator(const Lanes& lanes, Index number) : lanes_(lanes), number_(number) {}
        Index operator*() const { return lanes_.at(number_); }
        Iterator& operator++() {
            ++number_;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return number_ != other.number_; }

    private:
        const Lanes& lanes_;
        Index number_;
    };
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, count_}; }

private:
    Index at(Index number) const { return first_ + (start_ + number * jump_) % modulus() * step_; }
    Index modulus() const { return count_ == 0 ? 1 : count_; }
    void shuffle(unsigned seed);  // jump_ and count_ have no common divisor

    Index first_, step_, count_;
    Index start_ = 0, jump_ = 1;
};

/// Consecutive iterations that one lane takes of an outermost loop.
struct Rows {
    Index first, count;
};
class RowsOfLanes {
public:
    static constexpr Index rows = 3;

    RowsOfLanes(Index first, Index last) : last_(last), lanes_(first, last, rows) {}

    class Iterator {
    public:
        Iterator(Lanes::Iterator lane, Index last) : lane_(lane), last_(last) {}
        Rows operator*() const {
            const Index first = *lane_, left = last_ - first + 1;
            return {first, left < rows ? left : rows};
        }
        Iterator& operator++() {
            ++lane_;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return lane_ != other.lane_; }

    private:
        Lanes::Iterator lane_;
        Index last_;
    };
    Iterator begin() const { return {lanes_.begin(), last_}; }
    Iterator end() const { return {lanes_.end(), last_}; }

private:
    Index last_;
    Lanes lanes_;
};

}  // namespace hpspmd::kernels
