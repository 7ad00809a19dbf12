// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/error.hpp>
#include <hpspmd/where.hpp>

#include <cstdint>
#include <exception>
#include <limits>

namespace hpspmd {
namespace detail {
inline constexpr char budgetExceeded[] = "BudgetExceeded";
}

/// A process has sent more than a Budget allows.
using BudgetExceeded = detail::Named<detail::budgetExceeded, 91>;

namespace Adlib {

/// How much each process may send to others in a part of the program. Example:
///
///     Adlib::Budget halo(8, 8 * 4 * n);              // messages, bytes
///     for (Index step = 0; step < steps; ++step) {
///         Adlib::writeHalo(a);
///         halo.check();                              // BudgetExceeded; the next step begins
///     }
///
/// Messages count as if all went by MPI. No process communicates for it: each looks at what itself
/// has sent. What schedules that are under way have not sent yet counts when it is sent.
class Budget {
public:
    /// From here on. BadExtent if a number is negative.
    Budget(Index messages, Index bytes, detail::Where where = detail::Where::here());

    /// Compares what this process has sent since the last call, or the constructor. BudgetExceeded.
    void check(detail::Where where = detail::Where::here());

private:
    const std::uint64_t messages_, bytes_;
    const detail::Where where_;
    std::uint64_t sentMessages_ = 0, sentBytes_ = 0;  // before
};

}  // namespace Adlib

namespace detail {

inline constexpr Index unlimited = std::numeric_limits<Index>::max();

/// A budget of the block that it stands in, looked at where the block is left other than by an
/// exception: what hpcc makes of [[hpspmd::budget]].
class WithinBudget {
public:
    explicit WithinBudget(Index messages, Index bytes = unlimited, Where where = Where::here())
        : budget_(messages, bytes, where), where_(where), thrown_(std::uncaught_exceptions()) {}
    WithinBudget(const WithinBudget&) = delete;
    WithinBudget& operator=(const WithinBudget&) = delete;
    /// BudgetExceeded.
    ~WithinBudget() noexcept(false) {
        if (std::uncaught_exceptions() == thrown_) budget_.check(where_);
    }

private:
    mutable Adlib::Budget budget_;
    const Where where_;
    const int thrown_;
};

}  // namespace detail
}  // namespace hpspmd
