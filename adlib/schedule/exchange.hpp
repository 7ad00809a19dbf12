#pragma once

#include "schedule/prepared.hpp"
#include "schedule/trial.hpp"

namespace hpspmd::detail {

/// A schedule whose messages may be under way beside other work, between its start() and finish().
class Exchange : public Prepared {
public:
    /// Lets messages that can travel do so.
    virtual void poll() = 0;
    virtual void finish() = 0;
    virtual bool hasMessages() const = 0;

    Trials trials;  ///< of the nests that it has run beside
};

}  // namespace hpspmd::detail
