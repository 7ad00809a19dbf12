// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Each call of the system that writes a file fails in turn, in each process: an IoError with the
/// name of the file, and the old file stays.

#include <cerrno>
#include <cstring>
#include <hpspmd/plain.hpp>
#include <iostream>
#include <set>

#include "failing_system.hpp"
#include "files_folder.hpp"

namespace hpspmd::test {
namespace {

class FailingWrites : public Files {
protected:
    struct Fault {
        int error;
        bool isLasting;
    };
    static constexpr Fault faults[] = {{ENOSPC, true}, {EIO, false}};

    /// What came of an action of which call `number` of process `faulty` failed.
    struct Outcome {
        std::string message;
        bool hasFailed;  ///< there was such a call
    };
    template <class Action>
    Outcome outcome(int faulty, int number, Fault fault, const Action& action) const {
        const bool isFaulty = apg().rank() == faulty;
        const FailingCalls calls(path(""), isFaulty ? number : 1 << 30, fault.error,
                                 fault.isLasting);
        std::string message = messageOf(action);
        const bool hasFailed = Adlib::any(isFaulty && calls.hasFailed());
        return {message, hasFailed};
    }

    /// Calls test(process, number of its call, fault) until it says that there is no such call.
    /// Returns how many there were.
    template <class Test>
    int forEachCall(const Test& test) const {
        int calls = 0;
        for (const int faulty : std::set<int>{0, apg().size() - 1})
            for (const Fault fault : faults)
                for (int number = 1;; ++number, ++calls) {
                    SCOPED_TRACE("call " + std::to_string(number) + " of process " +
                                 std::to_string(faulty) + ": " + std::strerror(fault.error));
                    if (!test(faulty, number, fault)) break;
                }
        if (apg().rank() == 0) std::cout << calls << " failing calls\n";
        return calls;
    }

    void expectRefused(const Outcome& got, Fault fault, const std::string& file) const {
        EXPECT_NE(got.message.find("cannot write '" + path(file) + "': "), std::string::npos)
            << got.message;
        EXPECT_NE(got.message.find(std::strerror(fault.error)), std::string::npos) << got.message;
    }
};

TEST_F(FailingWrites, EachCallOfEachFormat) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<double>(p, CyclicRange(40, p.dim(0)), 30);
    for (auto i : overall(a.rng(0)))
        for (Index j = 0; j < 30; ++j) a(i, j) = static_cast<double>(i.global * 30 + j);
    const auto found = create<double>(p, BlockRange(40, p.dim(0)), 30);
    const auto differing = [&] {
        Index count = 0;
        for (auto i : overall(found.rng(0)))
            for (Index j = 0; j < 30; ++j)
                count += found(i, j) != static_cast<double>(i.global * 30 + j);
        return count;
    };
    for (const char* ending : {".npy", ".npz", ".raw", ".vti", ".csv", ".asc", ".mtx", ".png",
                               ".ppm", ".pgm", ".gif", ".h5"}) {
        const std::string name = std::string("kept") + ending;
        SCOPED_TRACE(name);
        const int calls = forEachCall([&](int faulty, int number, Fault fault) {
            withText(name, "old");
            const Outcome got =
                outcome(faulty, number, fault, [&] { Adlib::write(path(name), a); });
            if (!got.hasFailed) return false;
            if (got.message == "no error") {
                // HDF5 opens a file a second time if the first one fails.
                EXPECT_EQ(name, "kept.h5");
                Adlib::read(found, path(name));
                EXPECT_EQ(differing(), 0);
            } else {
                expectRefused(got, fault, name);
                if (apg().rank() == 0) {
                    EXPECT_EQ(contents(name), "old");
                }
            }
            if (apg().rank() == 0) {
                EXPECT_EQ(filesInFolder(), 1);
            }
            Adlib::broadcast(0);
            return true;
        });
        EXPECT_GE(calls, 6) << "the calls are not seen";
        if (apg().rank() == 0) std::filesystem::remove(path(name));
        Adlib::broadcast(0);
    }
}

// Rows that are written where they lie: what comes through of a call that is cut short ends within
// a row.
TEST_F(FailingWrites, EachCallOfLongRows) {
    const Procs1 p;
    const detail::On on(p);
    const auto all = create<double>(p, BlockRange(1500, p.dim(0)), 200);
    for (auto i : overall(all.rng(0)))
        for (Index j = 0; j < 200; ++j) all(i, j) = static_cast<double>(i.global * 200 + j);
    const auto a = section(all, Triplet(), Triplet(3, 180, 1));
    const auto found = create<double>(p, CyclicRange(1500, p.dim(0)), 178);
    for (const char* ending : {".npy", ".h5"}) {
        const std::string name = std::string("kept") + ending;
        SCOPED_TRACE(name);
        int written = 0;
        forEachCall([&](int faulty, int number, Fault fault) {
            withText(name, "old");
            const Outcome got =
                outcome(faulty, number, fault, [&] { Adlib::write(path(name), a); });
            if (!got.hasFailed) return false;
            if (got.message != "no error") {
                expectRefused(got, fault, name);
            } else {
                ++written;
                Adlib::read(found, path(name));
                for (auto i : overall(found.rng(0)))
                    for (Index j = 0; j < 178; ++j)
                        EXPECT_EQ(found(i, j), static_cast<double>(i.global * 200 + j + 3));
            }
            return true;
        });
        EXPECT_TRUE(written == 0 || name == "kept.h5");
        if (apg().rank() == 0) std::filesystem::remove(path(name));
        Adlib::broadcast(0);
    }
}

TEST_F(FailingWrites, EachCallOfCheckpoints) {
    const Procs1 p;
    const detail::On on(p);
    auto a = create<Index>(p, CyclicRange(200, p.dim(0)));
    for (const char* ending : {".npz", ".h5"}) {
        const std::string name = std::string("state") + ending;
        SCOPED_TRACE(name);
        Index step = 0;
        const auto set = [&](Index value) {
            step = value;
            for (auto i : overall(a.rng(0))) a(i) = value + i.global;
        };
        Adlib::Checkpoint state(path(name));
        state("a", a)("step", step);
        set(1);
        state.now();
        set(2);
        state.now();
        const int calls = forEachCall([&](int faulty, int number, Fault fault) {
            set(3);
            const Outcome got = outcome(faulty, number, fault, [&] { state.now(); });
            if (!got.hasFailed) return false;
            const bool isHarmless = got.message == "no error" && name == "state.h5";
            if (!isHarmless) expectRefused(got, fault, name);
            set(4);
            EXPECT_TRUE(state.restore());
            // The new one may be in its place where only its folder cannot be made durable.
            bool isWhole = step >= 1 && step <= 3 && (!isHarmless || step == 3);
            for (auto i : overall(a.rng(0))) isWhole = isWhole && a(i) == step + i.global;
            EXPECT_TRUE(isWhole) << "restored: step " << step;
            if (step == 3) {
                set(2);
                state.now();
            }
            return true;
        });
        EXPECT_GE(calls, 8) << "the calls are not seen";
        Adlib::broadcast(0);
        if (apg().rank() == 0)
            for (const char* which : {"", ".1"}) std::filesystem::remove(path(name) + which);
        Adlib::broadcast(0);
    }
}

}  // namespace
}  // namespace hpspmd::test
