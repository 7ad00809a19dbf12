// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One thread enters collectives while another one reads its board, as the processes of a node do;
/// built with -fsanitize=thread. What is read as remembered belongs together.

#include "watch/board.hpp"

#include "grid.hpp"

#include <hpspmd/environment.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

using namespace hpspmd;

namespace {

constexpr int textCount = 400, usesOfText = 50, collectives = textCount * usesOfText;

/// Their texts are copied to the board as they are met.
const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (int k = 0; k <= textCount; ++k) all.push_back("name " + std::to_string(k));
    return all;
}();
const std::string& nameOf(int collective) {
    return names[static_cast<std::size_t>(collective / usesOfText)];
}

void require(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "board_test: %s\n", what);
    std::exit(1);
}

/// Collective k has line k.
void enterAll(const Group& group) {
    for (int k = 1; k <= collectives; ++k) {
        if (k % usesOfText == 0) std::this_thread::yield();
        detail::enter(nameOf(k).c_str(), group, 7, {"program.hpcpp", k});
    }
}

/// How many sightings were complete.
int readAll(const detail::Board& board, detail::Fingerprint group, const std::atomic<bool>& goOn) {
    int seen = 0;
    std::uint64_t last = 0;
    while (goOn || seen == 0) {
        const std::uint64_t entered = detail::sight(board, group, last + 1).entered;
        require(entered >= last, "the count of collectives went back");
        last = entered;
        if (entered < detail::Board::entryCount) continue;
        // The next collective, or the one after it, takes its place on the board.
        const std::uint64_t number = entered - detail::Board::entryCount + 1 + entered % 2;
        const detail::Sighting sighting = detail::sight(board, group, number);
        if (!sighting.remembered) continue;
        const int line = static_cast<int>(number);
        require(sighting.line == line, "a line of another collective");
        require(sighting.name == nameOf(line), "a name of another collective");
        require(sighting.file == "program.hpcpp", "another file");
        ++seen;
    }
    return seen;
}

}  // namespace

int main() {
    const detail::World pretended(4, 0);
    const Group group = pretended.group();
    const detail::Board& board = detail::ownBoard();
    std::atomic<bool> reads = false, goOn = true;
    int seen = 0;
    std::thread reader([&] {
        reads = true;
        seen = readAll(board, group.record()->fingerprint, goOn);
    });
    while (!reads) std::this_thread::yield();
    enterAll(group);
    goOn = false;
    reader.join();
    std::printf("%d collectives seen\n", seen);
    return 0;
}
