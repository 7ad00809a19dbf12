// Where the translator takes its memory from.
#pragma once

namespace hpcc::threads {

/// In pages of 2 MiB where the system has such: taking small ones is a tenth of the time of a
/// translation. Before anything large is needed; without mimalloc nothing changes.
void useLargePages();

}  // namespace hpcc::threads
