// How the translator takes memory from the system: in large steps, and nothing goes back before the
// end.
#pragma once

#include <cstddef>

namespace hpcc::threads {

/// Before the first thread. Threads that allocate at the same time are few: they share one heap.
void useOneHeap();

/// So many bytes will be needed in all: they come in large pages where the system has such, because
/// taking them in pages of 4 KiB is a tenth of the time of a translation. None is touched here.
void expectMemory(std::size_t bytes);

}  // namespace hpcc::threads
