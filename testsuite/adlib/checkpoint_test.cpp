// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checkpoint: what is restored into other distributions, damaged files, two generations.

#include <array>
#include <chrono>
#include <complex>
#include <cstring>
#include <hpspmd/plain.hpp>
#include <random>

#include "checkpoint/timing.hpp"
#include "files/remainder.hpp"
#include "files_folder.hpp"

namespace hpspmd::test {
namespace {

using Checkpoints = Files;

TEST(Remainder, IsThatOfZipFiles) {
    const std::string digits = "123456789", zeros(37, '\0');
    const auto crc = [](const std::string& text) {
        return detail::files::crcOf(
            detail::files::remainderOf(text.data(), static_cast<Index>(text.size())),
            static_cast<Index>(text.size()));
    };
    EXPECT_EQ(crc(digits), 0xcbf43926U);
    EXPECT_EQ(crc(""), 0U);
    EXPECT_EQ(crc("a"), 0xe8b7be43U);
    const std::string text = digits + zeros + digits + digits;
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        const auto behind = static_cast<Index>(text.size() - cut);
        const std::uint32_t sum =
            detail::files::moved(detail::files::remainderOf(text.data(), static_cast<Index>(cut)),
                                 behind) ^
            detail::files::remainderOf(text.data() + cut, behind);
        EXPECT_EQ(detail::files::crcOf(sum, static_cast<Index>(text.size())), crc(text)) << cut;
    }
}

TEST(Remainder, IsThatOfEachBitInTurn) {
    std::mt19937 random(5);
    std::string text;
    for (int k = 0; k < 40000; ++k) text += static_cast<char>(random());
    const auto behind = [](std::uint32_t sum, char byte) {
        sum ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ (sum & 1 ? 0xedb88320U : 0);
        return sum;
    };
    for (std::size_t first = 0; first < 9; ++first) {
        std::uint32_t sum = 0;
        for (std::size_t end = first; end < text.size(); sum = behind(sum, text[end++])) {
            const std::size_t count = end - first;
            if (count >= 400 && count % 1999 != 0) continue;
            for (const auto remainder :
                 {detail::files::remainderOf, detail::files::remainderByTables}) {
                EXPECT_EQ(remainder(&text[first], static_cast<Index>(count), 0), sum)
                    << count << " bytes from " << first;
                const auto cut = static_cast<Index>(count / 5),
                           rest = static_cast<Index>(count) - cut;
                EXPECT_EQ(remainder(&text[end - static_cast<std::size_t>(rest)], rest,
                                    remainder(&text[first], cut, 0)),
                          sum)
                    << count << " bytes from " << first << ", cut at " << cut;
            }
        }
    }
}

struct Particle {
    double x;
    int kind;
    bool operator==(const Particle& other) const { return x == other.x && kind == other.kind; }
};

/// A state with everything that it may hold, over the first `processes` of the job.
struct Everything {
    explicit Everything(const Group& group, bool isCyclic) : grid(group) {
        const Dimension d = detail::freeDimensions(group)[0];
        const Range x = isCyclic ? Range(CyclicRange(50, d)) : ExtBlockRange(50, d, 2, 1);
        a = create<double>(group, x, 7);
        particles = create<Particle>(group, x);
        one = create<std::complex<float>>(group);
    }

    void set(int k) {
        if (const detail::On on{grid}) {
            for (auto i : overall(a.rng(0)))
                for (Index j = 0; j < 7; ++j) a(i, j) = static_cast<double>(100 * i.global + j + k);
            for (auto i : overall(a.rng(0)))
                particles(i) = {static_cast<double>(i.global), static_cast<int>(k)};
            *one.data() = {1, static_cast<float>(k)};
        }
        step = k;
        name = std::string(static_cast<std::size_t>(k % 5), 'n');
        history.assign(static_cast<std::size_t>(k), std::array<int, 2>{k, 1});
        random.seed(static_cast<unsigned>(k));
        state = {{1, 2, k}};
    }

    /// True if it is that of set(k).
    bool is(int k) const {
        bool same = step == k && name == std::string(static_cast<std::size_t>(k % 5), 'n') &&
                    history.size() == static_cast<std::size_t>(k) && state[2] == k &&
                    random == std::mt19937(static_cast<unsigned>(k));
        const detail::On on(grid);
        if (!on) return same;
        for (auto i : overall(a.rng(0)))
            for (Index j = 0; j < 7; ++j)
                same = same && a(i, j) == static_cast<double>(100 * i.global + j + k);
        for (auto i : overall(a.rng(0)))
            same = same && particles(i) == Particle{static_cast<double>(i.global), k};
        return same && *one.data() == std::complex<float>(1, static_cast<float>(k));
    }

    void addTo(Adlib::Checkpoint& checkpoint) {
        checkpoint("a", a)("particles", particles)("one", one)("step", step)("name", name);
        checkpoint("history", history)("random", random)("state", state);
    }

    Group grid;
    Array<double, Dist, Seq> a;
    Array<Particle, Dist> particles;
    Array<std::complex<float>> one;
    int step = 0;
    std::string name;
    std::vector<std::array<int, 2>> history;
    std::mt19937 random;
    std::array<int, 3> state{};
};

// Cut off at a byte, or with a bit of it changed.
std::string damagedAt(std::string text, std::size_t at, bool isCut, std::mt19937& random) {
    if (isCut)
        text.resize(at);
    else
        text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
    return text;
}

TEST_F(Checkpoints, AreRestoredOnAnotherGrid) {
    const Procs1 all, first(Index{1}), most(std::max(1, all.size() - 1));
    const Group grids[] = {all, first, most};
    for (const Group& from : grids)
        for (const Group& to : grids) {
            Everything before(from, false), after(to, true);
            Adlib::Checkpoint saved(path("state.npz")), restored(path("state.npz"));
            before.addTo(saved);
            after.addTo(restored);
            before.set(11);
            saved.now();
            after.set(3);
            EXPECT_TRUE(restored.restore());
            EXPECT_TRUE(after.is(11));
        }
    if (apg().rank() == 0) {
        EXPECT_EQ(filesInFolder(), 2);
    }
}

TEST_F(Checkpoints, TheOneBeforeIsTakenWhereOneIsDamaged) {
    const Procs1 p;
    Everything all(p, true);
    Adlib::Checkpoint checkpoint(path("state.npz"));
    all.addTo(checkpoint);
    EXPECT_FALSE(checkpoint.restore());
    all.set(4);
    checkpoint.now();
    all.set(9);
    checkpoint.now();
    const std::string older = contents("state.npz.1"), newer = contents("state.npz");
    Adlib::sum(0.0);
    std::mt19937 random(7);
    int fallen = 0;
    const int cases = 60 * timesWanted();
    for (int k = 0; k < cases; ++k) {
        const std::size_t at = random() % newer.size();
        const std::string damaged = damagedAt(newer, at, k % 3 == 0, random);
        withText("state.npz", damaged);
        all.set(2);
        EXPECT_TRUE(checkpoint.restore());
        EXPECT_TRUE(all.is(9) || all.is(4)) << at;  // 9: nothing reads that byte
        fallen += all.is(4);
    }
    EXPECT_GT(fallen, 2 * cases / 3);
    std::string renamed = newer;  // the directory at the end, which has no checksum
    renamed[renamed.rfind("random")] ^= 1;
    withText("state.npz", renamed);
    EXPECT_TRUE(checkpoint.restore());
    EXPECT_TRUE(all.is(4));
    withText("state.npz", newer.substr(0, 5000));
    withText("state.npz.1", older.substr(0, older.size() - 1));
    EXPECT_THROW(checkpoint.restore(), CheckpointError);
    withText("state.npz.1", older);
    if (apg().rank() == 0) std::filesystem::remove(path("state.npz"));
    EXPECT_TRUE(checkpoint.restore());  // killed between two renames
    EXPECT_TRUE(all.is(4));
}

// The same where libhdf5 reads the file; some of its bytes nothing reads.
TEST_F(Checkpoints, TheOneBeforeIsTakenWhereHdf5IsDamaged) {
    const Procs1 p;
    Everything all(p, true);
    Adlib::Checkpoint checkpoint(path("state.h5"));
    all.addTo(checkpoint);
    for (const int k : {4, 9}) {
        all.set(k);
        checkpoint.now();
    }
    const std::string newer = contents("state.h5");
    Adlib::sum(0.0);
    std::mt19937 random(8);
    int fallen = 0;
    const int cases = 30 * timesWanted();
    for (int k = 0; k < cases; ++k) {
        const std::size_t at = random() % newer.size();
        const std::string damaged = damagedAt(newer, at, k % 3 == 0, random);
        withText("state.h5", damaged);
        all.set(2);
        EXPECT_TRUE(checkpoint.restore()) << at;
        EXPECT_TRUE(all.is(9) || all.is(4)) << at;
        fallen += all.is(4);
    }
    EXPECT_GE(fallen, cases / 3);
}

TEST_F(Checkpoints, WhatDoesNotFitIsTold) {
    const Procs1 p;
    const BlockRange x(10, p.dim(0));
    auto a = create<double>(p, x);
    int step = 1;
    Adlib::Checkpoint(path("state.npz"))("a", a)("step", step).now();
    const auto told = [&](auto&& name, auto& variable) {
        return messageOf<CheckpointError>(
            [&] { Adlib::Checkpoint(path("state.npz"))(name, variable).restore(); });
    };
    auto shorter = create<double>(p, BlockRange(9, p.dim(0)));
    auto other = create<float>(p, x);
    long wide = 0;
    std::vector<int> list;
    EXPECT_NE(told("a", shorter).find("it has 10 float64, the array is 9 float64"),
              std::string::npos);
    EXPECT_NE(told("a", other).find("the array is 10 float32"), std::string::npos);
    EXPECT_NE(told("b", a).find("has no 'b'"), std::string::npos);
    EXPECT_NE(told("step", wide).find("no value of that variable"), std::string::npos);
    EXPECT_NE(told("step", list).find("no value of that variable"), std::string::npos);
    EXPECT_EQ(told("step", step), "no error");
    EXPECT_NE(messageOf([&] { Adlib::Checkpoint(path("state.csv")); }).find("no format of several"),
              std::string::npos);
}

TEST_F(Checkpoints, WhatCannotBeWrittenLeavesTheLastOne) {
    const Procs1 p;
    Everything all(p, false);
    Adlib::Checkpoint checkpoint(path("state.npz"));
    all.addTo(checkpoint);
    all.set(1);
    checkpoint.now();
    withText("state.npz.tmp.0123", "of a job that was killed");
    all.set(2);
    for (const rlim_t bytes : {100, 1000, 3000, 5000}) {
        const FileLimit limit(bytes);
        EXPECT_THROW(checkpoint.now(), IoError);
    }
    EXPECT_TRUE(checkpoint.restore());
    EXPECT_TRUE(all.is(1));
    Adlib::Checkpoint again(path("state.npz"));
    EXPECT_TRUE(again.restore());
    if (apg().rank() == 0) {
        EXPECT_EQ(filesInFolder(), 1);
    }
}

TEST_F(Checkpoints, EveryCountsItsCalls) {
    const Procs1 p;
    int step = 0;
    Adlib::Checkpoint checkpoint(path("state.npz"));
    checkpoint("step", step);
    std::string saved;
    for (; step < 10; ++step)
        if (checkpoint.every(3)) saved += std::to_string(step) + " ";
    EXPECT_EQ(saved, "3 6 9 ");
    step = 0;
    EXPECT_TRUE(checkpoint.restore());
    EXPECT_EQ(step, 9);
    int count = 0;
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    for (int k = 0; k < 50; ++k) {
        count += checkpoint.every(std::chrono::milliseconds(20));
        ::usleep(2000);
    }
    // 100 ms at least, more on a busy machine.
    EXPECT_GE(count, 1);
    EXPECT_LE(count, 1 + (Clock::now() - begin) / std::chrono::milliseconds(20));
    int again = 0;
    const auto call = [&] { return Adlib::checkpoint(path("one.npz"), 2, "step", again); };
    EXPECT_FALSE(call());
    for (again = 1; again < 6; ++again) EXPECT_FALSE(call());
    Adlib::Checkpoint(path("one.npz"))("step", step).restore();
    EXPECT_EQ(step, 4);
}

TEST_F(Checkpoints, InOneCallTellTheirLine) {
    int step = 1;
    const std::string name = path("missing/state.npz");
    const auto call = [&] { return Adlib::checkpoint(name, 1, "step", step); };
    const int line = __LINE__ - 1;
    EXPECT_FALSE(call());
    std::string told;
    try {
        call();
    } catch (const IoError& error) {
        told = error.what();
    }
    EXPECT_NE(told.find("checkpoint_test.cpp:" + std::to_string(line) + ": "), std::string::npos)
        << told;
}

TEST(Timing, TextsOfTimes) {
    const auto seconds = [](const char* text) { return detail::everyFrom(text)->seconds; };
    EXPECT_EQ(seconds("90s"), 90);
    EXPECT_EQ(seconds("1.5m"), 90);
    EXPECT_EQ(seconds("2h"), 7200);
    EXPECT_EQ(detail::everyFrom("200")->calls, 200);
    for (const char* text : {"", "x", "0", "-3", "5 m", "10d", "1e30", "nan", "0.5", "m"})
        EXPECT_FALSE(detail::everyFrom(text)) << text;
}

}  // namespace
}  // namespace hpspmd::test
