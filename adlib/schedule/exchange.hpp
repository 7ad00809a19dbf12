// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "schedule/kept.hpp"
#include "schedule/prepared.hpp"
#include "schedule/trial.hpp"

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

protected:
    void release() { kept_.release(); }

private:
    Kept kept_;
};

}  // namespace hpspmd::detail
