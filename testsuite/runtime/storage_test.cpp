// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The arena: random allocation against a model, clean reuse, merging, exhaustion.

#include "pretend.hpp"

#include "arena.hpp"
#include "node.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <random>
#include <set>
#include <vector>

namespace hpspmd::test {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

struct Piece {
    std::byte* address;
    std::size_t bytes;
};

bool isZero(const Piece& piece) {
    for (std::size_t k = 0; k < piece.bytes; ++k)
        if (piece.address[k] != std::byte{0}) return false;
    return true;
}

void dirty(const Piece& piece) { std::memset(piece.address, 0xAB, piece.bytes); }

class ArenaOf : public ::testing::TestWithParam<detail::Visibility> {};

INSTANTIATE_TEST_SUITE_P(Memory, ArenaOf,
                         ::testing::Values(detail::Visibility::Private, detail::Visibility::Node),
                         [](const auto& info) {
                             return info.param == detail::Visibility::Node ? "Node" : "Private";
                         });

TEST_P(ArenaOf, PiecesAreAlignedZeroAndDisjoint) {
    detail::Arena arena(16 * mebibyte, GetParam());
    std::mt19937 random(7);
    std::vector<Piece> pieces;
    for (int step = 0; step < 3000; ++step) {
        if (pieces.size() < 40 && random() % 3 != 0) {
            const std::size_t bytes = random() % 100 == 0 ? 5 * mebibyte : random() % 5000;
            std::byte* const address = arena.allocate(bytes);
            if (address == nullptr) continue;
            ASSERT_EQ(reinterpret_cast<std::uintptr_t>(address) % 64, 0u);
            pieces.push_back({address, bytes});
            ASSERT_TRUE(isZero(pieces.back()));  // else it is not clean, or overlaps a dirty one
            dirty(pieces.back());
        } else if (!pieces.empty()) {
            std::swap(pieces[random() % pieces.size()], pieces.back());
            arena.release(pieces.back().address, pieces.back().bytes);
            pieces.pop_back();
        }
    }
    for (const Piece& piece : pieces) arena.release(piece.address, piece.bytes);
    EXPECT_EQ(arena.inUse(), 0u);
    const Piece all{arena.allocate(16 * mebibyte), 16 * mebibyte};  // everything has merged again
    ASSERT_NE(all.address, nullptr);
    EXPECT_TRUE(isZero(all));
    EXPECT_EQ(arena.allocate(1), nullptr);
}

TEST_P(ArenaOf, LargePiecesGoBackToTheSystem) {
    detail::Arena arena(64 * mebibyte, GetParam());
    Piece piece{arena.allocate(32 * mebibyte), 32 * mebibyte};
    dirty(piece);
    arena.release(piece.address, piece.bytes);
    piece.address = arena.allocate(piece.bytes);
    EXPECT_TRUE(isZero(piece));
    arena.release(piece.address, piece.bytes);
}

TEST_P(ArenaOf, ReservesLessWhereTheSystemRefuses) {
    const detail::Arena arena(std::size_t{1} << 62, GetParam());
    EXPECT_GT(arena.reservation().size(), mebibyte);
    EXPECT_LT(arena.reservation().size(), std::size_t{1} << 62);
}

TEST(Arena, RefusesWhatItDoesNotHave) {
    detail::Arena arena(mebibyte);
    EXPECT_EQ(arena.allocate(2 * mebibyte), nullptr);
    EXPECT_EQ(arena.allocate(~std::size_t{0}), nullptr);
    EXPECT_NE(arena.allocate(0), nullptr);
    EXPECT_EQ(arena.inUse(), 64u);
}

// As another process of the node does it.
TEST(Arena, NodeMemoryCanBeOpenedThroughProc) {
    detail::Arena arena(mebibyte, detail::Visibility::Node);
    std::byte* const piece = arena.allocate(100);
    const int own = arena.reservation().file();
    ASSERT_GE(own, 0);
    const std::string path = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(own);
    const int file = ::open(path.c_str(), O_RDWR);
    ASSERT_GE(file, 0);
    std::byte* const other = detail::mapShared(file, arena.reservation().size());
    ::close(file);
    ASSERT_NE(other, nullptr);
    dirty({piece, 100});
    EXPECT_EQ(other[piece - arena.reservation().base() + 99], std::byte{0xAB});
    ::munmap(other, arena.reservation().size());
}

/// While it lives, no file may be longer than 1000 bytes. That must not end the process by SIGXFSZ.
class LimitedFiles {
public:
    LimitedFiles() {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        rlimit limit = before_;
        limit.rlim_cur = 1000;
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~LimitedFiles() { ::setrlimit(RLIMIT_FSIZE, &before_); }
    LimitedFiles(const LimitedFiles&) = delete;
    LimitedFiles& operator=(const LimitedFiles&) = delete;

private:
    rlimit before_;
};

TEST(Arena, NodeMemoryIsPrivateWhereFilesAreLimited) {
    const LimitedFiles limit;
    detail::Arena arena(16 * mebibyte, detail::Visibility::Node);
    EXPECT_EQ(arena.reservation().file(), -1);
    EXPECT_NE(arena.allocate(mebibyte), nullptr);
}

/// A mapping of the file behind visible pages, as another process of the node has it.
class OtherView {
public:
    explicit OtherView(const detail::Arena& arena)
        : arena_(arena),
          memory_(detail::mapShared(arena.visiblePages()->file(), arena.reservation().size())) {}
    ~OtherView() { ::munmap(memory_, arena_.reservation().size()); }
    OtherView(const OtherView&) = delete;
    OtherView& operator=(const OtherView&) = delete;

    bool isSame(const Piece& piece) const {
        const std::byte* const there = memory_ + (piece.address - arena_.reservation().base());
        return std::memcmp(there, piece.address, piece.bytes) == 0;
    }

private:
    const detail::Arena& arena_;
    std::byte* memory_;
};

TEST(VisiblePages, KeepTheirContentsAndAreSeen) {
    detail::Arena arena(64 * mebibyte);
    detail::VisiblePages& pages = arena.allowVisiblePages();
    ASSERT_GE(pages.file(), 0);
    const OtherView view(arena);
    const Piece piece{arena.allocate(20 * mebibyte), 20 * mebibyte};
    std::vector<std::byte> expected(piece.bytes);
    std::mt19937 random(3);
    for (std::size_t k = 0; k < piece.bytes; ++k)
        expected[k] = piece.address[k] = static_cast<std::byte>(random());
    for (int step = 0; step < 300; ++step) {
        const std::size_t first = random() % piece.bytes;
        const std::size_t bytes = 1 + random() % std::min(piece.bytes - first, mebibyte / 4);
        const Piece part{piece.address + first, bytes};
        ASSERT_TRUE(pages.show(part.address, part.bytes));
        EXPECT_TRUE(pages.contain(part.address, part.bytes));
        part.address[0] = expected[first] = static_cast<std::byte>(step);
        EXPECT_TRUE(view.isSame(part)) << "step " << step;
    }
    EXPECT_EQ(std::memcmp(piece.address, expected.data(), piece.bytes), 0);
}

TEST(VisiblePages, OfAReleasedPieceArePrivateAndZero) {
    detail::Arena arena(64 * mebibyte);
    detail::VisiblePages& pages = arena.allowVisiblePages();
    const OtherView view(arena);
    Piece first{arena.allocate(5 * mebibyte), 5 * mebibyte};
    const Piece second{arena.allocate(5 * mebibyte), 5 * mebibyte};
    dirty(first);
    dirty(second);
    ASSERT_TRUE(pages.show(first.address, 10 * mebibyte));
    arena.release(first.address, first.bytes);
    EXPECT_FALSE(pages.contain(first.address, 1));
    EXPECT_TRUE(pages.contain(second.address, second.bytes));
    EXPECT_TRUE(view.isSame(second));
    EXPECT_FALSE(isZero(second));
    first.address = arena.allocate(first.bytes);
    EXPECT_TRUE(isZero(first));
    dirty(first);
    EXPECT_FALSE(view.isSame(first));  // nobody sees it
}

TEST(VisiblePages, AreRefusedWithoutAFile) {
    const LimitedFiles limit;
    detail::Arena arena(16 * mebibyte);
    detail::VisiblePages& pages = arena.allowVisiblePages();
    EXPECT_EQ(pages.file(), -1);
    const Piece piece{arena.allocate(mebibyte), mebibyte};
    dirty(piece);
    EXPECT_FALSE(pages.show(piece.address, piece.bytes));
    arena.release(piece.address, piece.bytes);
}

TEST(Neighbour, IsAliveUntilItIsKilled) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::pause();
        std::_Exit(0);
    }
    detail::Neighbour neighbour;
    neighbour.id = child;
    neighbour.startTime = detail::startTimeOf(child);
    EXPECT_TRUE(neighbour.isAlive());
    ::kill(child, SIGKILL);
    while (::waitpid(child, nullptr, WNOHANG) == 0 && neighbour.isAlive()) ::usleep(1000);
    EXPECT_FALSE(neighbour.isAlive());
    neighbour.id = ::getpid();  // another process that got the number
    EXPECT_FALSE(neighbour.isAlive());
}

TEST(Storage, OverAlignedElements) {
    struct alignas(256) Wide {
        double value;
    };
    const Pretend world(1, 0);
    const Procs1 p;
    const auto a = create<Wide>(p, ExtBlockRange(3, p.dim(0), 1, 1));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 256, 0u);
}

TEST(Storage, CreationTouchesNoPage) {
    const Pretend world(1, 0);
    const Procs1 p;
    const Index n =
        Index{1} << 30;  // 8 GiB would take seconds to touch, if the machine has them at all
    if (detail::physicalMemory() < 10 * 1024 * mebibyte) GTEST_SKIP();
    const auto a = create<double>(p, n);
    a.data()[n - 1] = 1;
    EXPECT_EQ(a.data()[n / 2], 0);
}

// Else equal elements of all arrays would contend for the same places of the caches.
TEST(Storage, LargeArraysBeginAtDifferentPlacesOfAPage) {
    const Pretend world(1, 0);
    const Procs1 p;
    for (const Index n : {Index{1} << 13, Index{1} << 18}) {
        const Array<double, Seq> arrays[] = {create<double>(p, n), create<double>(p, n),
                                             create<double>(p, n)};
        std::set<std::uintptr_t> places;
        for (const auto& array : arrays) {
            const auto address = reinterpret_cast<std::uintptr_t>(array.data());
            EXPECT_EQ(address % 64, 0u);
            places.insert(address % 4096);
        }
        EXPECT_EQ(places.size(), 3u) << n << " elements";
    }
}

}  // namespace
}  // namespace hpspmd::test
