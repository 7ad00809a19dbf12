// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "golden/main.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace hpcc::testing {

int goldenMain(int argc, char** argv, const std::vector<std::string>& names,
               const std::function<std::string(const std::string& name)>& regenerate) {
    if (argc != 2 || std::string(argv[1]) != "--regenerate") {
        ::testing::InitGoogleTest(&argc, argv);
        return RUN_ALL_TESTS();
    }
    for (const std::string& name : names) {
        const std::string errors = regenerate(name);
        if (errors.empty()) continue;
        std::cerr << name << ": " << errors;
        return 1;
    }
    return 0;
}

}  // namespace hpcc::testing
