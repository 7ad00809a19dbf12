// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which copy of an array is valid, and when it is copied.
#include "device/mirror.hpp"
#include "device/backend.hpp"
#include "device/hidden_pages.hpp"
#include "device/states.hpp"
#include "device/under_way.hpp"
#include "pretend.hpp"

#include <hpspmd/create.hpp>
#include <hpspmd/device/home.hpp>
#include <hpspmd/device/nest_run.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <set>
#include <vector>

namespace hpspmd::detail {
namespace {

// Two copies of one byte, and which of them holds what was written last.
struct Model {
    unsigned char home = 0, device = 0xEE;
    State state = State::Fresh;

    unsigned char& use(Side side, Use use) {
        const Step step = stepOf(state, side, use);
        if (step.first == Copying::Clear) device = 0;
        if (step.first == Copying::ToDevice) device = home;
        if (step.first == Copying::ToHome) home = device;
        state = step.next;
        return side == Side::Home ? home : device;
    }
};

TEST(DeviceStates, AReadGivesWhatWasWrittenLast) {
    std::mt19937 random(7);
    Model model;
    unsigned char last = 0;
    for (int k = 0; k < 1000000; ++k) {
        if (random() % 50000 == 0) model = Model(), last = 0;
        const Side side = random() % 2 == 0 ? Side::Home : Side::Device;
        const Use use = random() % 3 == 0 ? Use::Writes : Use::Reads;
        unsigned char& byte = model.use(side, use);
        ASSERT_EQ(byte, last) << "step " << k;  // who writes perhaps writes a part only
        if (use == Use::Writes) byte = last = static_cast<unsigned char>(random());
        // What is not valid may hold anything.
        if (model.state == State::Home) model.device = static_cast<unsigned char>(random());
        if (model.state == State::Device) model.home = static_cast<unsigned char>(random());
    }
}

TEST(DeviceStates, NothingIsCopiedWithoutNeed) {
    struct Row {
        State before;
        Side side;
        Use use;
        State after;
        Copying first;
    };
    using S = State;
    using C = Copying;
    constexpr Side home = Side::Home, device = Side::Device;
    constexpr Use reads = Use::Reads, writes = Use::Writes;
    const std::vector<Row> table = {
        {S::Fresh, home, reads, S::Fresh, C::None},
        {S::Fresh, home, writes, S::Home, C::None},
        {S::Home, home, reads, S::Home, C::None},
        {S::Home, home, writes, S::Home, C::None},
        {S::Device, home, reads, S::Both, C::ToHome},
        {S::Device, home, writes, S::Home, C::ToHome},
        {S::Both, home, reads, S::Both, C::None},
        {S::Both, home, writes, S::Home, C::None},
        {S::Fresh, device, reads, S::Both, C::Clear},
        {S::Fresh, device, writes, S::Device, C::Clear},
        {S::Home, device, reads, S::Both, C::ToDevice},
        {S::Home, device, writes, S::Device, C::ToDevice},
        {S::Device, device, reads, S::Device, C::None},
        {S::Device, device, writes, S::Device, C::None},
        {S::Both, device, reads, S::Both, C::None},
        {S::Both, device, writes, S::Device, C::None},
    };
    for (const Row& row : table) {
        const Step step = stepOf(row.before, row.side, row.use);
        EXPECT_EQ(step.next, row.after);
        EXPECT_EQ(step.first, row.first);
    }
}

// A storage of doubles with its mirror, as it is where devices are wanted.
class Mirrored {
public:
    explicit Mirrored(Index slots) : handle_(makeStorage<double>(slots, 0, Where{})) {
        if (handle_->mirror == nullptr) handle_->mirror = new Mirror(*handle_.get(), Where{});
    }
    Storage& storage() { return *handle_.get(); }
    Mirror& mirror() { return *handle_->mirror; }
    double* home() { return reinterpret_cast<double*>(handle_->address); }
    double* device(Use use) {
        EXPECT_TRUE(mirror().isReadyFor(checkDevice()));
        return reinterpret_cast<double*>(mirror().takenTo(checkDevice(), use, {}));
    }

private:
    StorageHandle handle_;
};

// What is under way within a storage; counts how often it is finished, and where elements are then.
class Travelling : public UnderWay {
public:
    explicit Travelling(Mirrored& array) : array_(array) { noteUnderWay(array.storage(), *this); }
    ~Travelling() override { forgetUnderWay(*this); }
    void finish() override {
        forgetUnderWay(*this);
        ++finished;
        state = array_.mirror().state();
    }

    int finished = 0;
    State state = State::Fresh;

private:
    Mirrored& array_;
};

TEST(Mirror, WhatIsUnderWayIsFinishedBeforeElementsMove) {
    Mirrored other(3);
    const std::vector<State> states = {State::Home, State::Device, State::Both};
    for (const State before : states)
        for (const Side side : {Side::Home, Side::Device})
            for (const Use use : {Use::Reads, Use::Writes}) {
                Mirrored array(3);
                array.mirror().bringHome(Use::Writes, {});
                if (before == State::Device) array.device(Use::Writes);
                if (before == State::Both) array.device(Use::Reads);
                ASSERT_EQ(array.mirror().state(), before);
                Travelling travelling(array);
                other.device(Use::Writes);
                other.mirror().bringHome(Use::Writes, {});
                EXPECT_EQ(travelling.finished, 0);
                if (side == Side::Device)
                    array.device(use);
                else
                    array.mirror().bringHome(use, {});
                const bool isMoved = array.mirror().state() != before;
                EXPECT_EQ(travelling.finished, isMoved ? 1 : 0);
                if (isMoved) {
                    EXPECT_EQ(travelling.state, before);
                }
            }
}

TEST(Mirror, WhatIsUnderWayIsFinishedBeforeRowsOrMemoryGo) {
    Mirrored array(3);
    array.device(Use::Writes);
    Travelling leaving(array);
    array.mirror().leaveDevice({});
    EXPECT_EQ(leaving.finished, 1);
    EXPECT_EQ(leaving.state, State::Device);
    array.device(Use::Writes);
    Travelling splitting(array);
    array.mirror().split();
    EXPECT_EQ(splitting.finished, 1);
    EXPECT_FALSE(isAnyUnderWay());
}

TEST(Mirror, FreshElementsAreZeroOnTheDevice) {
    Mirrored a(10);
    const double* const device = a.device(Use::Reads);
    for (int k = 0; k < 10; ++k) EXPECT_EQ(device[k], 0.0);
    EXPECT_EQ(a.mirror().copies().toDevice, 0);
    EXPECT_EQ(a.mirror().state(), State::Both);
}

TEST(Mirror, ValuesTravel) {
    Mirrored a(10);
    a.mirror().bringHome(Use::Writes, {});
    for (int k = 0; k < 10; ++k) a.home()[k] = k;
    double* const device = a.device(Use::Writes);
    for (int k = 0; k < 10; ++k) EXPECT_EQ(device[k], k);
    device[3] = 30;
    a.mirror().bringHome(Use::Reads, {"user.hpcpp", 5});
    EXPECT_EQ(a.home()[3], 30);
    EXPECT_EQ(a.home()[4], 4);
    EXPECT_EQ(a.mirror().copies().toDevice, 1);
    EXPECT_EQ(a.mirror().copies().toHome, 1);
    EXPECT_EQ(a.mirror().copies().lastHome.line, 5);
}

// Who does not ask reads no plausible number: neither at home nor on the device.
TEST(Mirror, WhatIsNotValidIsOverwritten) {
    Mirrored a(10);
    a.mirror().bringHome(Use::Writes, {});
    for (int k = 0; k < 10; ++k) a.home()[k] = k;
    double* const device = a.device(Use::Writes);
    showPages(a.storage().allocation);
    for (int k = 0; k < 10; ++k) EXPECT_TRUE(std::isnan(a.home()[k]));
    a.mirror().bringHome(Use::Writes, {});
    for (int k = 0; k < 10; ++k) EXPECT_EQ(a.home()[k], k);
    for (int k = 0; k < 10; ++k) EXPECT_TRUE(std::isnan(device[k]));
}

TEST(Mirror, WhatStaysHomeIsTakenByNoNest) {
    Mirrored a(10);
    a.device(Use::Writes)[2] = 5;
    a.storage().staysHome = true;
    a.mirror().bringHome(Use::Writes, {});
    EXPECT_EQ(a.home()[2], 5);
    EXPECT_FALSE(a.mirror().isReadyFor(checkDevice()));
}

TEST(Lanes, EachIterationOnce) {
    for (Index first : {-3, 0, 5})
        for (Index count = 0; count < 40; ++count)
            for (Index step : {1, 2, 5}) {
                std::multiset<Index> seen, expected;
                for (Index k = 0; k < count; ++k) expected.insert(first + k * step);
                for (const Index k : kernels::Lanes(first, first + count * step - 1, step))
                    seen.insert(k);
                EXPECT_EQ(seen, expected);
            }
}

TEST(Lanes, RowsOfLanesTogetherAreAll) {
    for (Index count = 0; count < 12; ++count) {
        std::multiset<Index> seen;
        for (const auto [first, rows] : kernels::RowsOfLanes(4, 4 + count - 1))
            for (Index r = 0; r < rows; ++r) seen.insert(first + r);
        EXPECT_EQ(seen.size(), static_cast<std::size_t>(count));
        EXPECT_EQ(std::set<Index>(seen.begin(), seen.end()).size(), seen.size());
    }
}

TEST(Lanes, PartsOfARunAreThoseOfTheHost) {
    const test::Pretend world{2, 1};
    const Procs1 p{2};
    const Activate in{p};
    for (const Range& x : {Range(BlockRange(20, p.dim(0))), Range(CyclicRange(20, p.dim(0)))}) {
        const hpspmd::detail::Run held(x);
        const auto [plain] = flattened(held, RunsAt::Device);
        for (Index l = 0; l < 20; ++l)
            for (Index u = 0; u < 20; ++u)
                for (Index s = 1; s < (held.isDense() ? 5 : 2); ++s) {
                    const hpspmd::detail::Run expected = held.part(l, u, s);
                    const kernels::Run part = kernels::part(plain, l, u, s);
                    if (expected.first > expected.last) {
                        EXPECT_GT(part.first, part.last);
                    } else {
                        EXPECT_EQ(part.first, expected.first);
                        EXPECT_EQ(part.last, expected.last);
                    }
                }
    }
}

// A run is what localBlocks() says, block behind block, whatever range it is of.
TEST(Run, HoldsWhatTheBlocksHold) {
    for (int processes = 1; processes <= 4; ++processes)
        for (int own = 0; own < processes; ++own) {
            const test::Pretend world{processes, own};
            const Procs1 p{processes};
            const Activate in{p};
            const Dimension d = p.dim(0);
            for (const Index n : {1, 7, 12, 23})
                for (const Range& whole :
                     {Range(BlockRange(n, d)), Range(CyclicRange(n, d)),
                      Range(BlockCyclicRange(n, d, 2)), Range(BlockCyclicRange(n, d, 5))})
                    for (const Range& x : {whole, whole.subrange(n / 3, n - 1)})
                        for (Index l = 0; l < x.size(); ++l)
                            for (Index u = l; u < x.size(); ++u) {
                                std::vector<std::pair<Index, Index>> expected, found;
                                for (const Block& block : x.localBlocks(l, u))
                                    for (Index k = 0; k < block.count; ++k)
                                        expected.emplace_back(
                                            block.localBase + k * block.localStep,
                                            block.globalBase + k * block.globalStep);
                                const hpspmd::detail::Run run(x, l, u);
                                if (!run) {
                                    EXPECT_TRUE(x.localBlocks().front().count == 0) << describe(x);
                                    continue;
                                }
                                for (Index i = run.first; i <= run.last; ++i)
                                    found.emplace_back(i, run.held().global(i));
                                EXPECT_EQ(found, expected) << describe(x) << " " << l << ":" << u;
                                if (run.isEven() && !found.empty()) {
                                    EXPECT_EQ(run.global(run.last), expected.back().second);
                                }
                            }
        }
}

}  // namespace
}  // namespace hpspmd::detail

#include <hpspmd/device/kernel.hpp>
HPSPMD_KERNEL(
    twice, 7, 1, nullptr, (),
    (Run i_run, OUT(double, b), IN(double, a), int n, JOINED(double, sum)), JOIN_SUM(double, sum),
    COLUMNS(i, i_run, 1) {
        b_data[i] = n * a_data[i];
        sum += b_data[i];
    })
#include <hpspmd/device/kernel_end.hpp>

namespace hpspmd::detail {
namespace {

TEST(Kernel, IsAStringAndAFunction) {
    EXPECT_STREQ(kernels::twice.name, "twice");
    EXPECT_EQ(kernels::twice.where.line, 7);
    EXPECT_NE(std::string(kernels::twice.text.nest).find("b_data[i] = n * a_data[i];"),
              std::string::npos);
    std::array<double, 4> a{1, 2, 3, 4}, b{};
    kernels::Run run{1, 3, 0, 0, 3};
    const double* from = a.data();
    double *to = b.data(), sum = 100;
    int n = 2;
    void* arguments[] = {&run, &to, &from, &n, &sum};
    kernels::twice.onHost(arguments);
    EXPECT_EQ(b, (std::array<double, 4>{0, 4, 6, 8}));
    EXPECT_EQ(sum, 118);
}

TEST(Kernel, KnowsItsParameters) {
    using Kind = KernelParameter::Kind;
    const KernelText& kernel = kernels::twice;
    EXPECT_EQ(kernel.mappedLoops, 1);
    EXPECT_EQ(kernel.notOpenCl, nullptr);
    const std::vector<std::pair<Kind, std::size_t>> expected{{Kind::Run, sizeof(kernels::Run)},
                                                             {Kind::Array, sizeof(double)},
                                                             {Kind::Array, sizeof(double)},
                                                             {Kind::Number, sizeof(int)},
                                                             {Kind::Joined, sizeof(double)}};
    ASSERT_EQ(kernel.parameterCount, expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k)
        EXPECT_EQ(std::pair(kernel.parameters[k].kind, kernel.parameters[k].size), expected[k]);
}

TEST(Kernel, PiecesAreJoinedInTheirOrder) {
    const std::array<double, 3> pieces{1e16, 1, -1e16};
    double sum = 0;
    joinPieces<BySum, double>(&sum, pieces.data(), pieces.size());
    EXPECT_EQ(sum, (1e16 + 1) - 1e16);
    double largest = 5;
    joinPieces<ByMax, double>(&largest, pieces.data(), 2);
    EXPECT_EQ(largest, 1e16);
}

// Without HPSPMD_TARGET there is no device, and nothing is asked of mirrors.
TEST(Kernel, NothingRunsOnADeviceThatNobodyWants) {
    const test::Pretend world{2, 1};
    const Procs1 p{2};
    const Activate in{p};
    const BlockRange x(8, p.dim(0));
    const Array<double, Dist> a = create<double>(apg(), x);
    EXPECT_EQ(a.storage()->mirror, nullptr);
    EXPECT_FALSE(deviceFor(kernels::twice, true, {writes(a)}));
}

}  // namespace
}  // namespace hpspmd::detail
