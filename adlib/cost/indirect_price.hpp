// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cost/delivery.hpp"
#include "plan/indirect.hpp"

namespace hpspmd::detail::cost {

enum class Indirect { Gather, Scatter };

/// What a process wants of others, and what others want of it.
struct Requests {
    plan::Accesses wanted, asked;
};

/// The price of a gather or scatter, summed up from processes.
class IndirectPrice {
public:
    /// `requests`: of all processes, or of process 0 if all others do alike, each seen from itself.
    IndirectPrice(Indirect kind, const std::vector<Requests>& requests, double elementSize,
                  const Adlib::Machine& machine);

    Adlib::Cost cost() const;

private:
    Work planned(int process, Adlib::Cost& cost) const;

    Indirect kind_;
    const std::vector<Requests>& requests_;
    double elementSize_;
    const Adlib::Machine& machine_;
    std::vector<Post> posts_;
};

}  // namespace hpspmd::detail::cost
