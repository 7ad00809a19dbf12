// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What one execution of a recorded communication sends.

#include "bill/elsewhere.hpp"

namespace hpspmd::bill {

/// Of all processes together, and of the one with most; seconds of the slowest.
struct Price {
    double messages = 0, bytes = 0;
    double mostMessages = 0, mostBytes = 0;
    double seconds = 0;
    bool isExact = true;  ///< not from a sample of processes

    Price& operator+=(const Price& other);
    /// Of so many executions, each by so many groups that have no process in common.
    Price times(double executions, double groups = 1) const;
};

/// On the processes of the APG. `plan`: an element of "plans" of a site. NotKnown.
Price priceOf(const Json& plan, const Elsewhere& elsewhere, const Adlib::Machine& machine);

}  // namespace hpspmd::bill
