// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Notes, how processes of different nodes compare collectives: messages that are sent only after a
/// long wait, and judged by who receives them when he waits himself or has ended.

#include <hpspmd/collective.hpp>

namespace hpspmd::detail {

/// From now on the end completes those that are under way.
void startNotes();

/// Tells the members of the group that are not on this node, at distances 1, 2, 4, .., what this
/// process waits for; once for each collective, and not before the last note has been received.
void sendNotes(const Entered& waiting);

/// Receives what has come, and judges all notes that are still open: the text of an error if their
/// sender will wait for ever, else "". `hasEnded`: this process enters no collective any more.
std::string judgeNotes(bool hasEnded);

}  // namespace hpspmd::detail
