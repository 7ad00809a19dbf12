// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// soak SECONDS: makes and drops everything again and again, so long, and looks what the process
/// holds of the system: it must not grow by more than one in a hundred.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <hpspmd>

#include "everything.hpp"
#include "resources.hpp"
#include "watch/notes.hpp"

namespace {

using namespace hpspmd;

struct Held {
    long memory = test::memoryInUse();
    long files = test::openFiles();
    long mappings = test::mappings();
    long communicators = test::communicators();
};

bool isFlat(const char* what, long before, long now) {
    const bool flat = now <= before + before / 100;
    std::printf("rank %d: %s %ld, at the end %ld%s\n", detail::ownRank(), what, before, now,
                flat ? "" : ": GROWS");
    return flat;
}

double seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// As often as process 0 has time for, until `least` have been; the number of rounds, over all
/// calls.
Index rounds(Index number, Index least, double until) {
    for (bool goesOn = true; goesOn;) {
        for (Index k = 0; k < test::Everything::kinds; ++k) test::Everything(number++).make();
        detail::sendNotes({apg().record(), static_cast<std::uint64_t>(1 + number % 2), 7, "soak",
                           detail::Where::here()});
        goesOn = Adlib::broadcast(number < least || seconds() < until);
    }
    return number;
}

}  // namespace

int main(int argc, char** argv) {
    const double limit = argc > 1 ? std::atof(argv[1]) : 10;
    const double start = seconds();
    for (int k = 0; k < 100; ++k) Adlib::broadcast(k);      // what the notes are about
    const Index first = rounds(0, 600, start + limit / 4);  // all caches are full
    const Held before;
    const Index last = rounds(first, first, seconds() + limit * 3 / 4);
    const Held now;
    const bool flat = isFlat("memory", before.memory, now.memory) &
                      isFlat("open files", before.files, now.files) &
                      isFlat("mappings", before.mappings, now.mappings) &
                      isFlat("communicators", before.communicators, now.communicators);
    if (detail::ownRank() == 0)
        std::printf("rounds %ld, in %.0f s\n", static_cast<long>(last), seconds() - start);
    return flat ? EXIT_SUCCESS : EXIT_FAILURE;
}
