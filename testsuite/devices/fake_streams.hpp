// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Streams of the pretended GPU. One with a priority does what it is asked for as late as it may:
/// when another one, or the host, waits for it. All others do it at once.

#include <functional>

namespace fake {

/// A call that asks a stream for work: its result.
int inOrder(void* stream, std::function<void()> work);
/// What the stream has put off is done.
void catchUp(void* stream);

}  // namespace fake
