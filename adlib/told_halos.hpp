// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What an observer is told of writeHalo where nothing moves.

#include <hpspmd/descriptor.hpp>
#include <hpspmd/observe.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/operations.hpp"

namespace hpspmd::detail {

/// What the last such calls would take part in elsewhere, found without a key and without memory of
/// their own; a process alone makes no plan for them. Of the process.
class ToldHalos {
public:
    /// Of an array of elements of so many bytes; `widthOf(r)` is the halo's width in dimension r;
    /// `isWhole`: all that the ranges have. Null if it is not among the last ones.
    template <class WidthOf>
    static const Communication* of(const Descriptor& array, std::size_t size, bool isWhole,
                                   const WidthOf& widthOf) {
        for (std::size_t k = 0; k < capacity; ++k)
            if (isOf(k, array, size) && ((isWhole && recent[k].isWhole) || hasWidths(k, widthOf)))
                return recent[k].communication;
        return nullptr;
    }
    static const Communication* add(const Descriptor& array, std::size_t size, bool isWhole,
                                    const std::vector<plan::HaloWidth>& widths);

private:
    static constexpr std::size_t capacity = 8, shown = 5;

    /// What a call looks at stands in one line of the cache, unless the array has further
    /// dimensions: a program's own elements push it out of the first one between two calls.
    struct alignas(64) Told {
        const GroupRecord* group = nullptr;            // immortal; null: nothing has been told
        const Communication* communication = nullptr;  // immortal
        std::array<const RangeRecord*, shown> ranges{};
        std::uint32_t size = 0;
        std::int16_t rank = 0;
        bool isWhole = false;
    };
    static_assert(sizeof(Told) == 64);
    /// What belongs to it. The ranges keep their addresses.
    struct Kept {
        std::vector<Range> ranges;
        std::vector<plan::HaloWidth> widths;
    };

    static std::array<Kept, capacity>& kept();  // immortal
    static bool isOf(std::size_t k, const Descriptor& array, std::size_t size) {
        const Told& told = recent[k];
        if (told.group != array.group.record() || told.rank != array.rank || told.size != size)
            return false;
        for (std::size_t r = 0; r < std::min<std::size_t>(array.rank, shown); ++r)
            if (told.ranges[r] != array[r].range.record()) return false;
        return array.rank <= int{shown} || haveEqualRest(k, array);
    }
    static bool haveEqualRest(std::size_t k, const Descriptor& array);
    template <class WidthOf>
    static bool hasWidths(std::size_t k, const WidthOf& widthOf) {
        const std::vector<plan::HaloWidth>& widths = kept()[k].widths;
        for (std::size_t r = 0; r < widths.size(); ++r)
            if (!(widths[r] == widthOf(static_cast<int>(r)))) return false;
        return true;
    }

    static std::array<Told, capacity> recent;
    static std::size_t oldest;
};

}  // namespace hpspmd::detail
