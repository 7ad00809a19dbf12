#include "output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <hpspmd/error.hpp>
#include <iostream>

namespace hpspmd::detail {

void writeOut(const std::string& text) {
    std::cout.flush();
    errno = 0;
    const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
    if (written != text.size() || std::fflush(stdout) != 0)
        throw IoError(std::string("standard output cannot be written: ") + std::strerror(errno));
}

}  // namespace hpspmd::detail
