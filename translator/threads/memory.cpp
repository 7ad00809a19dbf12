#include "threads/memory.hpp"

#ifdef HPCPP_MIMALLOC
#include <mimalloc.h>
#endif

namespace hpcc::threads {

void useLargePages() {
#ifdef HPCPP_MIMALLOC
    mi_option_enable(mi_option_large_os_pages);
    mi_option_set(mi_option_eager_commit_delay, 0);
#endif
}

}  // namespace hpcc::threads
