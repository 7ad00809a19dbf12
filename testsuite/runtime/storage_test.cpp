/// The arena: random allocation against a model, clean reuse, merging, exhaustion.

#include "pretend.hpp"

#include "arena.hpp"

#include <random>

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

TEST(Arena, PiecesAreAlignedZeroAndDisjoint) {
    detail::Arena arena(16 * mebibyte);
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

TEST(Arena, LargePiecesGoBackToTheSystem) {
    detail::Arena arena(64 * mebibyte);
    Piece piece{arena.allocate(32 * mebibyte), 32 * mebibyte};
    dirty(piece);
    arena.release(piece.address, piece.bytes);
    piece.address = arena.allocate(piece.bytes);
    EXPECT_TRUE(isZero(piece));
    arena.release(piece.address, piece.bytes);
}

TEST(Arena, ReservesLessWhereTheSystemRefuses) {
    const detail::Arena arena(std::size_t{1} << 62);
    EXPECT_GT(arena.reserved(), mebibyte);
    EXPECT_LT(arena.reserved(), std::size_t{1} << 62);
}

TEST(Arena, RefusesWhatItDoesNotHave) {
    detail::Arena arena(mebibyte);
    EXPECT_EQ(arena.allocate(2 * mebibyte), nullptr);
    EXPECT_EQ(arena.allocate(~std::size_t{0}), nullptr);
    EXPECT_NE(arena.allocate(0), nullptr);
    EXPECT_EQ(arena.inUse(), 64u);
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

}  // namespace
}  // namespace hpspmd::test
