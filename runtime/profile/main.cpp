// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// hpspmd-profile, which `hpcc profile` and `hpcc run --profile` start: shows a profile as a table.

#include "profile/amounts.hpp"
#include "profile/table.hpp"

#include <exception>
#include <iostream>

namespace {

constexpr const char* usage =
    "usage: hpcc profile FILE: shows the profile that hpcc run --profile=FILE has written\n";

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
        std::cout << hpspmd::profile::tableOf(hpspmd::profile::contentOf(file), file) << std::flush;
        return std::cout ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "hpcc: error: " << error.what() << '\n';
        return 1;
    }
}
