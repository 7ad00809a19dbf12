// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "plan/plan.hpp"
#include "schedule/kept.hpp"
#include "schedule/prepared.hpp"
#include "schedule/trial.hpp"

#include <hpspmd/collective.hpp>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace hpspmd::detail {

/// A schedule whose messages may be under way beside other work, between its start() and finish().
class Exchange : public Prepared {
public:
    /// The k-th array, within which elements move as the k-th plan says.
    using Arrays = std::function<const Operand&(std::size_t k)>;

    virtual std::size_t parts() const = 0;
    virtual const plan::Plan& plan(std::size_t k) const = 0;
    virtual void startWithin(const Entered& entered, const Arrays& arrays) = 0;
    /// To be called between start() and finish(), unless somebody else keeps the arrays so long.
    void keep(const Operand& array) { kept_.keep(array); }
    /// Lets messages that can travel do so.
    virtual void poll() = 0;
    /// Nothing if it is not under way.
    virtual void finish() = 0;
    virtual bool hasMessages() const = 0;

    Trials trials;  ///< of the nests that it has run beside
    /// The same without the messages of these processes, by their numbers; itself if there are
    /// none.
    Exchange& without(const std::vector<int>& processes) {
        if (processes.empty()) return *this;
        std::unique_ptr<Exchange>& rest = rests_[processes];
        if (!rest) rest = madeWithout(processes);
        return *rest;
    }

protected:
    virtual std::unique_ptr<Exchange> madeWithout(const std::vector<int>& processes) const = 0;
    void release() { kept_.release(); }

private:
    KeptArrays kept_;
    std::map<std::vector<int>, std::unique_ptr<Exchange>> rests_;
};

}  // namespace hpspmd::detail
