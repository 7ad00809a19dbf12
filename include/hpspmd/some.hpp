// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which of several iterations of a loop that run at once, a lane for each, and in how many packs
/// their numbers are.

#include <hpspmd/lanes.hpp>

namespace hpspmd::detail {

/// As many numbers as a register holds of type double.
inline constexpr int packLanes = packBytes / static_cast<int>(sizeof(double));
template <class T>
using LanesOfEach = Lanes<T, packLanes* static_cast<int>(sizeof(T))>;
template <class T>
using PackOfEach = typename LanesOfEach<T>::Pack;

/// What each iteration has for itself is held in so many packs: a step of one is computed while
/// that of another waits for the one before. Without masks there are too few registers for two.
/// `widePacks`: where steps wait long, and few registers are enough.
#if defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
#define HPSPMD_MASKS
using Bits = unsigned char;
inline constexpr int packsOfEach = 2, widePacks = 4;
#else
using Bits = PackOfEach<std::int64_t>;
inline constexpr int packsOfEach = 1, widePacks = 1;
#endif

/// R made of what `of` gives for each of its packs.
template <class R, class Of>
[[gnu::always_inline]] inline R ofPacks(const Of& of) {
    static_assert(R::count == 1 || R::count == 2 || R::count == 4);
    if constexpr (R::count == 1)
        return R{{of(0)}};
    else if constexpr (R::count == 2)
        return R{{of(0), of(1)}};
    else
        return R{{of(0), of(1), of(2), of(3)}};
}

/// Whether loops are computed in lanes. If these go different ways that pays where the processor
/// has masks: without, it takes longer than one iteration after the other. HPSPMD_LANES says that
/// they are everywhere.
#if defined(HPSPMD_MASKS) || defined(HPSPMD_LANES)
template <bool usesMasks>
inline constexpr bool hasLanes = true;
#else
template <bool usesMasks>
inline constexpr bool hasLanes = !usesMasks && packBytes > 16;
#endif

/// Which of the iterations: a bit for each, or all bits of a lane.
template <int n = packsOfEach>
struct Some {
    static constexpr int count = n;
    Bits packs[n];

    static Some all(bool is = true) {
        return ofPacks<Some>([&](int) { return static_cast<Bits>(is ? ~Bits{} : Bits{}); });
    }

    bool operator[](int k) const {
        const Bits& bits = packs[k / packLanes];
#ifdef HPSPMD_MASKS
        return bits >> k % packLanes & 1;
#else
        return bits[k % packLanes];
#endif
    }
    bool any() const {
#ifdef HPSPMD_MASKS
        Bits first = packs[0], second = packs[n - 1];
        if constexpr (n == 4) {
            first = __builtin_ia32_korqi(first, packs[1]);
            second = __builtin_ia32_korqi(second, packs[2]);
        }
        return !__builtin_ia32_kortestzqi(first, second);
#else
        Bits all = packs[0];
        for (int p = 1; p < n; ++p) all |= packs[p];
        std::int64_t lanes = 0;
        for (int k = 0; k < packLanes; ++k) lanes |= all[k];
        return lanes != 0;
#endif
    }
    /// Leaves out those for which it does not hold. The masks stay where the processor compares:
    /// whether a loop goes on waits for them.
    void leaveOutBut(const Some& condition) {
        for (int p = 0; p < n; ++p)
#ifdef HPSPMD_MASKS
            packs[p] = __builtin_ia32_kandqi(packs[p], condition.packs[p]);
#else
            packs[p] &= condition.packs[p];
#endif
    }
    Some operator!() const {
        return ofPacks<Some>([&](int p) { return static_cast<Bits>(~packs[p]); });
    }
    friend Some operator&&(const Some& a, const Some& b) {
        return ofPacks<Some>([&](int p) { return static_cast<Bits>(a.packs[p] & b.packs[p]); });
    }
    friend Some operator||(const Some& a, const Some& b) {
        return ofPacks<Some>([&](int p) { return static_cast<Bits>(a.packs[p] | b.packs[p]); });
    }
};

}  // namespace hpspmd::detail
