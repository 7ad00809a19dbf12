// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// hpspmd-profile, which `hpcc profile` and `hpcc run --profile` start: shows a profile as a table.

#include "profile/table.hpp"

#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

namespace {

constexpr const char* usage =
    "usage: hpcc profile FILE: shows the profile that hpcc run --profile=FILE has written\n";

std::string contentOf(const std::string& file) {
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.is_open() || stream.bad() || (text.empty() && errno != 0))
        throw std::runtime_error("cannot read '" + file + "': " + std::strerror(errno));
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string file = argc == 2 ? argv[1] : "";
    if (file == "--help") {
        std::cout << usage;
        return 0;
    }
    if (file.empty() || file[0] == '-') {
        std::cerr << "hpcc: error: hpcc profile takes one file\n" << usage;
        return 2;
    }
    try {
        std::cout << hpspmd::profile::tableOf(contentOf(file), file) << std::flush;
        return std::cout ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "hpcc: error: " << error.what() << '\n';
        return 1;
    }
}
