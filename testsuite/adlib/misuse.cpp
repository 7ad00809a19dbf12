// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Misuse that nobody catches must end the whole job with the documented exit code; the argument
/// chooses. Only process 0 makes the mistake in "one".

#include <cstring>
#include <hpspmd>

using namespace hpspmd;

int main(int, char** argv) {
    const Procs1 p;
    const auto a = create<double>(p, BlockRange(10, p.dim(0)));
    const auto b = create<double>(p, 9);
    if (std::strcmp(argv[1], "all") == 0) Adlib::remap(a, b);
    if (std::strcmp(argv[1], "one") == 0) {
        if (apg().rank() == 0) Adlib::remap(a, b);
        Adlib::sum(a);
    }
    if (std::strcmp(argv[1], "truncated") ==
        0)  // messages of different sizes between two processes
        apg().rank() == 0 ? static_cast<void>(Adlib::sum(1.0)) : static_cast<void>(Adlib::sum(1));
}
