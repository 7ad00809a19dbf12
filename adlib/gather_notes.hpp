// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>

#include "indirect.hpp"
#include "transport/letters.hpp"

namespace hpspmd::detail {

/// What up to transport::few members of the APG tell each other at the beginning of a gather: what
/// each found in the subscripts, and, where they are few, the elements for the other by the
/// schedule of an earlier call. If all have used the same schedule, nothing else is sent.
///
///     process 0 finds schedules 2 and 5    process 1 finds schedule 2    together: 2
///     sends its elements by 2              sends its elements by 2       both have got theirs
///     process 0 finds schedule 5           process 1 finds none          together: none
///     sends its elements by 5              sends none                    those of 0 are dropped
class GatherNotes {
public:
    /// What all members found, also those of a larger group. `schedule`: the one at the first place
    /// that this process found; null if it found none. Collective over the APG.
    Finding exchange(const Entered& entered, const Finding& mine, const plan::Plan* schedule,
                     const Operand& from);

    /// True if all elements have come, by the schedule that all members found first.
    bool haveElements() const { return haveElements_; }
    /// Stores them, and copies those of this process.
    void store(const plan::Plan& schedule, const Operand& to, const Operand& from) const;

private:
    struct Note {
        Finding finding;
        std::int64_t place = -1;  ///< of the schedule of the elements; -1: there are none
        char elements[56] = {};
    };

    static bool fit(const plan::Plan& schedule, std::size_t elementSize);
    void write(const Finding& mine, const plan::Plan* schedule, const Operand& from);

    std::array<Note, transport::few> outgoing_, incoming_;  // by rank
    bool haveElements_ = false;
};

}  // namespace hpspmd::detail
