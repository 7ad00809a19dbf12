// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/cost.hpp>

#include "plan/plan.hpp"

namespace hpspmd::detail::cost {

/// What one process does in one execution.
struct Work {
    double messages = 0, sent = 0, copied = 0;  ///< sent and copied in bytes
    double seconds = 0;

    Work& operator+=(const Work& other);
};

/// How long a message between two processes takes, that goes through a buffer.
double messageSeconds(int one, int other, double bytes, const Adlib::Machine& machine);

Work workOf(const plan::Plan& plan, int process, double elementSize, const Adlib::Machine& machine);

/// Adds the work of a process, which stands for the part `weight` of all, to a price: to that of
/// an execution, or of what the inspector sends.
void include(Adlib::Cost& cost, const Work& work, double weight, bool isFirst);
void includeInspector(Adlib::Cost& cost, const Work& work, double weight, bool isFirst);

/// Bytes that a plan occupies.
double memoryOf(const plan::Plan& plan);

}  // namespace hpspmd::detail::cost
