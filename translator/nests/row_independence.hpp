#pragma once

#include "nests/independence.hpp"
#include "nests/reaches.hpp"

namespace hpcc::nests {

/// Two accesses of which one changes what the other reaches in another iteration.
struct Meeting {
    const Access *write = nullptr, *other = nullptr;

    /// Why iterations must keep their order, for remarks.
    std::string reason() const;
};

/// Does an iteration of a loop reach what another one writes, in one iteration of the loops round
/// it? If not so, provided that the arrays of `apart`, to which pairs are added, share no element,
/// the result is empty. The loop is the nest, or all that the loop round it does, and so on.
///
/// Accesses to one array keep apart by the loop's own index without a shift between them, by
/// constants, by (t + 1) % 2 and t % 2, or because inner loops go in steps:
///
///     overall (i = x for 1 : n - 2)                             of i:
///         overall (j = y for 1 + (i` + it) % 2 : n - 2 : 2)     i + j is odd or even throughout,
///             a[i, j] = a[i - 1, j] + a[i, j + 1];              and i - 1 + j the other
///
/// What the program promises by [[hpspmd::independent]] is believed.
Meeting meetingIn(const Nest& nest, const Loop& loop, const Reaches& reaches, ArrayPairs& apart);

}  // namespace hpcc::nests
