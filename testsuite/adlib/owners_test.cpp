// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An operation under way owns what it reads and writes: the program may drop its arrays, and even
/// the schedule, and make others in their memory.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <hpspmd>
#include <tuple>

#include "schedule/trial.hpp"

namespace hpspmd::test {
namespace {

using Vector = Array<double, Dist>;

std::vector<std::byte> contentsOf(const detail::Storage* storage) {
    if (storage == nullptr) return {};
    const auto count = static_cast<std::size_t>(storage->slots) * storage->elementSize;
    return {storage->address, storage->address + count};
}

template <class... Arrays>
std::vector<std::byte> contentsOfFirst(const std::tuple<Arrays...>& arrays) {
    return contentsOf(std::get<0>(arrays).storage());
}

/// New arrays in memory that others have just left, all bytes of which are the same: what an
/// operation reads from there, or writes to there, shows.
class Intruders {
public:
    template <class... Make>
    explicit Intruders(const Make&... make) {
        for (int k = 0; k < 3; ++k) (add(make()), ...);
    }
    void expectIntact(const std::string& name) const {
        for (const detail::StorageHandle& storage : storages_) {
            const std::vector<std::byte> bytes = contentsOf(storage.get());
            std::size_t changed = 0;
            for (const std::byte byte : bytes) changed += byte != pattern;
            EXPECT_EQ(changed, 0U) << name << ": of " << bytes.size() << " bytes";
        }
    }

private:
    static constexpr std::byte pattern{0x5A};

    template <class A>
    void add(const A& array) {
        const detail::StorageHandle& storage = storages_.emplace_back(array.storageHandle());
        std::memset(storage->address, static_cast<int>(pattern),
                    static_cast<std::size_t>(storage->slots) * storage->elementSize);
    }

    std::vector<detail::StorageHandle> storages_;
};

/// So that the others have dropped their arrays before this process takes what they have sent.
void lagBehind() {
    if (detail::ownRank() == 0) ::usleep(2000);
}

class Owners : public testing::TestWithParam<Index> {
protected:
    /// A vector over the range, with the global indices, times a factor, as elements.
    std::function<Vector()> over(const Range& range, double factor = 1) const {
        return [=, this] { return filled<double>(range, factor); };
    }
    template <class T>
    Array<T, Dist> filled(const Range& range, double factor) const {
        const auto a = create<T>(p, range);
        for (const Block& block : range.localBlocks())
            for (Index k = 0; k < block.count; ++k)
                a.data()[block.localBase + block.localStep * k] =
                    static_cast<T>(factor * (block.globalBase + block.globalStep * k));
        return a;
    }
    std::function<Array<double, Dist, Seq>()> columns() const {
        return [this] {
            const auto a = create<double>(p, x, 2);
            const Block held = x.localBlock();
            for (Index k = 0; k < 2 * held.count; ++k)
                a.data()[2 * held.localBase + k] = static_cast<double>(2 * held.globalBase + k);
            return a;
        };
    }
    template <class T>
    auto number() const {
        return [this] { return create<T>(p); };
    }

    /// `make` makes a schedule of such arrays as these functions make.
    template <class Make, class... New>
    void expectOwner(const std::string& name, const Make& make, const New&... makeNew) const {
        auto schedule = make(makeNew()...);
        expectArraysMayGo(name, schedule, makeNew...);
        expectScheduleMayGo(name, make, makeNew...);
    }
    /// The same of an operation with a result and sources.
    template <class Make, class Result, class... New>
    void expectOwnerOfSources(const std::string& name, const Make& make, const Result& result,
                              const New&... sources) const {
        expectOwner(name, make, result, sources...);
        auto schedule = make(result(), sources()...);
        const auto expected = std::make_tuple(result()), found = std::make_tuple(result());
        schedule.execute(std::get<0>(expected), sources()...);
        lagBehind();
        schedule.start(std::get<0>(found), sources()...);
        const Intruders intruders(sources...);
        schedule.finish();
        intruders.expectIntact(name);
        EXPECT_EQ(contentsOfFirst(found), contentsOfFirst(expected)) << name << ": sources that go";
    }

    Procs1 p;
    Index n = GetParam() * p.size();
    ExtBlockRange x{n, p.dim(0), 1, 1};
    CyclicRange cyclic{n, p.dim(0)};

private:
    template <class Schedule, class... New>
    void expectArraysMayGo(const std::string& name, Schedule& schedule,
                           const New&... makeNew) const {
        lagBehind();
        schedule.start(makeNew()...);
        const Intruders intruders(makeNew...);
        schedule.finish();
        intruders.expectIntact(name);
    }
    template <class Make, class... New>
    void expectScheduleMayGo(const std::string& name, const Make& make,
                             const New&... makeNew) const {
        {
            auto schedule = make(makeNew()...);
            lagBehind();
            schedule.start(makeNew()...);
        }
        const Intruders intruders(makeNew...);
        const Vector a = filled<double>(cyclic, 1), b = create<double>(p, x);
        Adlib::remap(b, a);
        intruders.expectIntact(name + " that goes under way");
        EXPECT_EQ(Adlib::maxval(b), static_cast<double>(n - 1)) << name;
    }
};

TEST_P(Owners, MovesOfElements) {
    const auto to = over(x, 0), from = over(x), dealt = over(cyclic, 3);
    expectOwnerOfSources(
        "Remap", [](auto a, auto b) { return Adlib::Remap(a, b); }, to, dealt);
    expectOwnerOfSources(
        "Copy", [](auto a, auto b) { return Adlib::Copy(a, b); }, to, from);
    expectOwnerOfSources(
        "Shift", [&](auto a, auto b) { return Adlib::Shift(a, b, n / 2); }, to, from);
    expectOwnerOfSources(
        "Cshift", [&](auto a, auto b) { return Adlib::Cshift(a, b, n / 3); }, to, from);
    expectOwnerOfSources(
        "Transpose", [&](auto a, auto b) { return Adlib::Transpose(a, b, {0}); }, to, dealt);
    const Array<int> amount = create<int>(p);
    if (amount.isHeld()) *amount.data() = static_cast<int>(n / 2);
    expectOwnerOfSources(
        "Skew", [&](auto a, auto b) { return Adlib::Skew(a, b, amount, 0); }, to, from);
    expectOwnerOfSources(
        "Cskew", [&](auto a, auto b) { return Adlib::Cskew(a, b, amount, 0); }, to, from);
    const auto backwards = filled<int>(x, -1);
    const Block held = x.localBlock();
    for (Index k = 0; k < held.count; ++k)
        backwards.data()[held.localBase + k] += static_cast<int>(n - 1);
    expectOwnerOfSources(
        "Gather", [&](auto a, auto b) { return Adlib::Gather(a, b, backwards); }, to, from);
    expectOwnerOfSources(
        "Scatter", [&](auto a, auto b) { return Adlib::Scatter(a, b, backwards); }, to, from);
}

TEST_P(Owners, Scans) {
    const auto byMax = [](auto a, auto b) {
        return Adlib::Scan(a, b, [](double u, double v) { return u < v ? v : u; });
    };
    expectOwnerOfSources("Scan", byMax, over(x, 0), over(x));
    expectOwnerOfSources("Scan in cyclic order", byMax, over(cyclic, 0), over(cyclic));
}

TEST_P(Owners, Halos) {
    expectOwner(
        "WriteHalo", [](auto a) { return Adlib::WriteHalo(a); }, over(x));
    expectOwner(
        "WriteHalos", [](auto a, auto b) { return Adlib::WriteHalos(a, b); }, over(x), columns());
}

TEST_P(Owners, ReductionsToNumbers) {
    for (const bool reproducible : {false, true}) {
        Adlib::setReproducible(reproducible);
        expectOwner(
            "Sum", [](auto a) { return Adlib::Sum(a); }, over(x));
        expectOwner(
            "Maxloc", [](auto a) { return Adlib::Maxloc(a); }, over(x));
        expectOwner(
            "DotProduct", [](auto a, auto b) { return Adlib::DotProduct(a, b); }, over(x), over(x));
    }
    Adlib::setReproducible(false);
}

TEST_P(Owners, ReductionsAlongADimension) {
    const auto columns = this->columns();
    const auto acrossProcesses = [this] { return create<double>(p, 2); };
    for (const bool reproducible : {false, true}) {
        Adlib::setReproducible(reproducible);
        expectOwnerOfSources(
            "SumDim", [](auto r, auto a) { return Adlib::SumDim(r, a, 0); }, acrossProcesses,
            columns);
        expectOwnerOfSources(
            "SumDim in each process", [](auto r, auto a) { return Adlib::SumDim(r, a, 1); },
            over(x, 0), columns);
    }
    Adlib::setReproducible(false);
    expectOwnerOfSources(
        "MaxvalDim", [](auto r, auto a) { return Adlib::MaxvalDim(r, a, 0); }, number<double>(),
        over(x));
    expectOwner(
        "MinlocDim", [](auto r, auto i, auto a) { return Adlib::MinlocDim(r, i, a, 0); },
        number<double>(), number<int>(), over(x));
}

/// A long result of each process, which travels from where it lies.
TEST_P(Owners, LongResults) {
    const auto rows = [this] { return create<double>(p, p.dim(0), GetParam()); };
    const auto result = [this] { return create<double>(p, GetParam()); };
    expectOwnerOfSources(
        "SumDim of long rows", [](auto r, auto a) { return Adlib::SumDim(r, a, 0); }, result, rows);
}

TEST_P(Owners, OneSidedAccess) {
    const Vector all = filled<double>(x, 1);
    const auto target = [this] { return create<double>(p, n); };
    for (int round = 0; round < 2; ++round) {
        Adlib::fence(all);
        Adlib::get(target(), all);
        Adlib::put(section(all, Triplet(0, 0)), create<double>(p, 1));
        Adlib::fetchAdd(target(), all, 0.0);
        const Intruders intruders(target);
        lagBehind();
        Adlib::fence(all);
        intruders.expectIntact("get and fetchAdd");
    }
    EXPECT_EQ(Adlib::maxval(all), static_cast<double>(n - 1));
}

class HalosUnderWay : public Owners {
protected:
    HalosUnderWay() { detail::setOverlapping(detail::Overlapping::Always); }
    ~HalosUnderWay() override { detail::setOverlapping(detail::Overlapping::Measured); }
};

TEST_P(HalosUnderWay, KeepTheirArrays) {
    auto first = columns()(), second = columns()();
    detail::HaloUnderWay one(first), two(std::forward_as_tuple(first, second));
    first = {};
    second = {};
    const Intruders intruders(columns());
    one.finish();
    two.finish();
    intruders.expectIntact("HaloUnderWay");
}

/// The group keeps 64 schedules.
TEST_P(HalosUnderWay, KeepTheirSchedule) {
    const auto a = filled<double>(x, 1), b = create<double>(p, x);
    detail::HaloUnderWay halo(a);
    for (Index k = 1; k <= 100; ++k) Adlib::cshift(b, a, k);
    halo.finish();
    const Block held = x.localBlock();
    if (held.globalBase > 0) {
        EXPECT_EQ(a.data()[held.localBase - 1], static_cast<double>(held.globalBase - 1));
    }
}

/// A schedule that is under way gets another one assigned.
TEST_P(Owners, AssignedSchedules) {
    Adlib::Cshift shift(create<double>(p, x), create<double>(p, x), 1);
    shift.start(over(x)(), over(x)());
    shift = Adlib::Cshift(create<double>(p, x), create<double>(p, x), 1);
    const Intruders intruders(over(x));
    EXPECT_EQ(Adlib::sum(create<double>(p, x)), 0);
    intruders.expectIntact("Cshift");
}

/// In the slots of messages, in memory of all, in private memory.
INSTANTIATE_TEST_SUITE_P(Sizes, Owners, testing::Values(5, 20000, 200000));
INSTANTIATE_TEST_SUITE_P(Sizes, HalosUnderWay, testing::Values(5, 20000, 200000));

}  // namespace
}  // namespace hpspmd::test
