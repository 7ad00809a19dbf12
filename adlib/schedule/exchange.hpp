// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "schedule/kept.hpp"
#include "schedule/prepared.hpp"
#include "schedule/trial.hpp"

#include <map>
#include <memory>
#include <vector>

namespace hpspmd::detail {

/// A schedule whose messages may be under way beside other work, between its start() and finish().
class Exchange : public Prepared {
public:
    /// To be called between start() and finish(), unless somebody else keeps the arrays so long.
    void keep(const Operand& array) { kept_.keep(array); }
    /// Lets messages that can travel do so.
    virtual void poll() = 0;
    /// Nothing if it is not under way.
    virtual void finish() = 0;
    virtual bool hasMessages() const = 0;

    Trials trials;  ///< of the nests that it has run beside
    /// The same without the messages of some processes, by their numbers.
    std::map<std::vector<int>, std::unique_ptr<Exchange>> without;

protected:
    void release() { kept_.release(); }

private:
    KeptArrays kept_;
};

}  // namespace hpspmd::detail
