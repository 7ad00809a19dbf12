// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "open_files.hpp"

#include "compose.hpp"
#include "last_words.hpp"

#include <hpspmd/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <sys/resource.h>

#include <array>
#include <cstdlib>

namespace hpspmd::detail {

void requireFilesForMpi() {
    constexpr int least = 12;
    std::array<int, least> files;
    int count = 0;
    while (count < least) {
        files[static_cast<std::size_t>(count)] = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (files[static_cast<std::size_t>(count)] < 0) break;
        ++count;
    }
    for (int k = 0; k < count; ++k) ::close(files[static_cast<std::size_t>(k)]);
    rlimit limit;
    if (count == least || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    const MpiError error(compose("MPI cannot start: this process can open ", count,
                                 " more files only (ulimit -n ", limit.rlim_cur, ")"),
                         {});
    tellAtTheEnd(error.what(), error.exitCode());
    std::_Exit(error.exitCode());
}

}  // namespace hpspmd::detail
