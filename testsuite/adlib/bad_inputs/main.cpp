// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// bad_inputs list: one line per case, with its error and the least number of processes;
/// bad_inputs <name>: does it.

#include <cstdio>
#include <cstring>

#include "bad_inputs.hpp"

int main(int count, char** words) {
    using namespace hpspmd::test;
    BadInputs cases;
    for (const auto add :
         {addGrids, addRanges, addAccesses, addMoves, addReductions, addOneSided, addFiles})
        add(cases);
    for (const BadInput& each : cases) {
        if (count == 2 && std::strcmp(words[1], "list") == 0)
            std::printf("%s %s %d\n", each.name.c_str(), each.error.c_str(), each.processes);
        if (count == 2 && each.name == words[1]) each.run();
    }
}
