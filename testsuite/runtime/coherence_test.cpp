// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copies of an array on the host and on three devices beside a model that anybody can check:
// each row of each copy is modified, shared or invalid (MSI), and whoever uses an invalid one has
// it fetched. On random accesses of all kinds the elements must be those that were written last,
// and no more rows may move than in the model.
#include "device/backend.hpp"
#include "device/hidden_pages.hpp"
#include "device/mirror.hpp"

#include <hpspmd/create.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

namespace hpspmd::detail {
namespace {

constexpr std::size_t devices = 3, home = devices;
constexpr Index rows = 48;

class Msi {
public:
    enum class Line : unsigned char { Modified, Shared, Invalid };

    /// All rows are the host's alone.
    Msi() {
        for (auto& copy : lines_) copy.fill(Line::Invalid);
        lines_[home].fill(Line::Modified);
    }
    void read(std::size_t copy, const RowStretch& which) {
        forEach(which, [&](std::size_t row) {
            if (lines_[copy][row] != Line::Invalid) return;
            ++(copy == home ? toHome : toDevices);
            for (auto& each : lines_)
                if (each[row] == Line::Modified) each[row] = Line::Shared;
            lines_[copy][row] = Line::Shared;
        });
    }
    /// Of rows of which some elements change perhaps.
    void write(std::size_t copy, const RowStretch& which) {
        read(copy, which);
        overwrite(copy, which);
    }
    void overwrite(std::size_t copy, const RowStretch& which) {
        forEach(which, [&](std::size_t row) {
            for (auto& each : lines_) each[row] = Line::Invalid;
            lines_[copy][row] = Line::Modified;
        });
    }
    /// Its memory is given back; what it alone has, has been read at home.
    void drop(std::size_t copy) { lines_[copy].fill(Line::Invalid); }

    Index toDevices = 0, toHome = 0;  // rows

private:
    template <class F>
    static void forEach(const RowStretch& which, const F& f) {
        for (Index r = std::max<Index>(which.begin, 0); r < std::min(which.end, rows); ++r)
            f(static_cast<std::size_t>(r));
    }

    std::array<std::array<Line, rows>, devices + 1> lines_;
};

/// An array, the model of it, and what was written last.
class Accesses {
public:
    /// Elements that nobody has written are zero without a copy, which the model does not know.
    Accesses(unsigned seed, State first)
        : random_(seed), handle_(makeStorage<double>(rows, 0, Where{})) {
        handle_->mirror = new Mirror(*handle_.get(), Where{}, first);
        truth_.fill(0);
    }
    ~Accesses() {
        if (handle_->mirror->memory() != nullptr || mirror().isSplit()) mirror().leaveDevice({});
    }

    /// One of any kind; its name.
    std::string step() {
        switch (random_() % 7) {
        case 0:
            mirror().bringHome(Use::Reads, {});
            model_.read(home, all);
            check(atHome(), all);
            return "a read at home";
        case 1:
            mirror().bringHome(Use::Writes, {});
            model_.write(home, all);
            check(atHome(), all);
            change(atHome(), all);
            return "a write at home";
        case 2:
            return nest(Use::Reads);
        case 3:
            return nest(Use::Writes);
        case 4:
            return overwritingNest();
        case 5:
            return sharedNest();
        default:
            return random_() % 4 == 0 ? nestInPieces() : sharedNest();
        }
    }

    void expectNoMoreThanTheModel() {
        const CopyCount& copies = mirror().copies();
        const auto inRows = [](std::size_t bytes) { return Index(bytes / sizeof(double)); };
        ASSERT_LE(copies.toDevice * rows + inRows(copies.rows.toDevices), model_.toDevices);
        ASSERT_LE(copies.toHome * rows + inRows(copies.rows.toHome), model_.toHome);
        missed += model_.toDevices - copies.toDevice * rows - inRows(copies.rows.toDevices);
    }

    Index missed = 0;  // rows that the model moves and the runtime does not

private:
    static constexpr RowStretch all{0, rows};
    /// Iterations, and the rows that they reach and change.
    struct Part {
        std::size_t copy;
        RowStretch changed;
        RowStretch reached() const {
            return RowStretch{changed.begin - 1, changed.end + 1}.cut(all);
        }
    };

    Mirror& mirror() { return *handle_->mirror; }
    double* atHome() { return reinterpret_cast<double*>(handle_->address); }
    static Backend& device(std::size_t number) { return checkDevice(static_cast<int>(number)); }
    double* on(std::size_t copy) {
        return copy == home ? atHome() : reinterpret_cast<double*>(mirror().placeOn(device(copy)));
    }
    void check(const double* elements, const RowStretch& which) {
        for (Index r = which.begin; r < which.end; ++r)
            ASSERT_EQ(elements[r], truth_[static_cast<std::size_t>(r)]) << "row " << r;
    }
    void change(double* elements, const RowStretch& which, bool isAll = false) {
        for (Index r = which.begin; r < which.end; ++r)
            if (isAll || random_() % 2 == 0)
                elements[r] = truth_[static_cast<std::size_t>(r)] = ++written_;
    }
    void leave() {
        mirror().leaveDevice({});
        model_.read(home, all);
        for (std::size_t k = 0; k < devices; ++k) model_.drop(k);
    }
    /// A device that may have the whole array.
    std::size_t whole() {
        const std::size_t copy = random_() % devices;
        if (mirror().isReadyFor(device(copy))) return copy;
        leave();
        EXPECT_TRUE(mirror().isReadyFor(device(copy)));
        return copy;
    }

    std::string nest(Use use) {
        const std::size_t copy = whole();
        auto* const there = reinterpret_cast<double*>(mirror().takenTo(device(copy), use, {}));
        use == Use::Reads ? model_.read(copy, all) : model_.write(copy, all);
        check(there, all);
        if (use == Use::Writes) change(there, all);
        return "a nest on one device";
    }

    std::string overwritingNest() {
        const std::size_t copy = whole();
        auto* const there = reinterpret_cast<double*>(mirror().overwrittenOn(device(copy), {}));
        mirror().isSplit() ? model_.write(copy, all) : model_.overwrite(copy, all);
        change(there, all, true);
        return "a nest that overwrites all";
    }

    /// As runtime/device/parts.cpp: all parts read what was before, and the host runs last.
    std::string sharedNest() {
        std::vector<Part> parts;
        const auto low = static_cast<Index>(random_() % 5);
        const Index high = rows - static_cast<Index>(random_() % 5);
        Index from = low;
        for (std::size_t copy = 0; copy <= home; ++copy) {
            const Index end =
                copy == home ? high
                             : std::min<Index>(high, from + static_cast<Index>(random_() % 20));
            if (from < end) parts.push_back({copy, {from, end}});
            from = std::max(from, end);
        }
        Backend* const now = mirror().device();
        if (now != nullptr && std::none_of(parts.begin(), parts.end(), [&](const Part& each) {
                return each.copy != home && &device(each.copy) == now;
            }))
            leave();
        mirror().split();
        for (const Part& each : parts)
            EXPECT_TRUE(each.copy == home || mirror().isReadyFor(device(each.copy)));
        for (const Part& each : parts) {
            EXPECT_TRUE(mirror().rowsTo(each.copy == home ? nullptr : &device(each.copy),
                                        each.reached(), {}));
            model_.read(each.copy, each.reached());
        }
        const std::array<double, rows> before = truth_;
        for (const Part& each : parts) {
            mirror().rowsWritten(each.copy == home ? nullptr : &device(each.copy), each.changed);
            model_.write(each.copy, each.changed);
        }
        for (const Part& each : parts) {
            if (each.copy == home) mirror().rowsAreLeft(each.reached());
            for (Index r = each.reached().begin; r < each.reached().end; ++r)
                EXPECT_EQ(on(each.copy)[r], before[static_cast<std::size_t>(r)]) << "row " << r;
            change(on(each.copy), each.changed);
        }
        if (parts.empty() || parts.back().copy != home) mirror().rowsAreLeft({});
        return "a nest that several share";
    }

    std::string nestInPieces() {
        leave();
        mirror().split();
        const std::size_t copy = random_() % devices;
        const Index pieces = 2 + static_cast<Index>(random_() % 4);
        for (Index k = 0; k < pieces; ++k) {
            const Part piece{copy, {rows * k / pieces, rows * (k + 1) / pieces}};
            EXPECT_TRUE(mirror().split().hold(device(copy), piece.reached()));
            model_.drop(copy);
            EXPECT_TRUE(mirror().rowsTo(&device(copy), piece.reached(), {}));
            model_.read(copy, piece.reached());
            mirror().rowsWritten(&device(copy), piece.changed);
            model_.write(copy, piece.changed);
            check(on(copy), piece.reached());
            change(on(copy), piece.changed);
            EXPECT_TRUE(mirror().rowsTo(nullptr, piece.changed, {}));
            model_.read(home, piece.changed);
        }
        leave();
        return "a nest in pieces";
    }

    std::mt19937 random_;
    StorageHandle handle_;
    Msi model_;
    std::array<double, rows> truth_{};
    double written_ = 0;
};

TEST(Coherence, RandomAccessesAgreeWithTheModelOfModifiedSharedInvalidRows) {
    Index missed = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
        const State first = seed % 2 == 0 ? State::Home : State::Fresh;
        Accesses accesses(seed, first);
        for (int step = 0; step < 100; ++step) {
            const std::string what = accesses.step();
            ASSERT_NO_FATAL_FAILURE(accesses.expectNoMoreThanTheModel())
                << "seed " << seed << ", step " << step << ": " << what;
            ASSERT_FALSE(HasFailure()) << "seed " << seed << ", step " << step << ": " << what;
        }
        // Nor does the model move less: it is the least that can be done without knowing what
        // comes.
        if (first == State::Home) {
            EXPECT_EQ(accesses.missed, 0) << "seed " << seed;
        }
        missed += accesses.missed;
    }
    EXPECT_GT(missed, 0);
}

}  // namespace
}  // namespace hpspmd::detail
