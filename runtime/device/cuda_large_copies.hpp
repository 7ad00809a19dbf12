// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// CudaLargeCopies, how large copies of memory that is not pinned go: in pieces through pinned
/// memory, by several threads, each with two pieces under way. The driver's own way through such
/// memory has one thread, which is slower than the link.

#include "device/cuda_driver.hpp"

#include <cstddef>
#include <vector>

namespace hpspmd::detail {

class CudaLargeCopies {
public:
    CudaLargeCopies(const CudaDriver& driver, CudaHandle context)
        : driver_(driver), context_(context) {}

    /// True if it is worth it, and there are threads for it. Makes room for pieces at the first
    /// time.
    bool takes(std::size_t bytes);
    /// Of a size that takes() says true of, with nothing under way that uses the memory. Ends when
    /// the copy has. False if it has not been made, or only in part.
    bool copyIn(CudaAddress to, const std::byte* home, std::size_t bytes);
    bool copyOut(std::byte* home, CudaAddress from, std::size_t bytes);

private:
    static constexpr std::size_t least = std::size_t(4) << 20, piece = std::size_t(1) << 20;
    static constexpr int mostThreads = 8;

    /// What one piece is copied by.
    struct Room {
        CudaHandle stream = nullptr;
        std::byte* memory = nullptr;
    };
    /// Those of one of n threads, which takes every n-th piece.
    struct Lane {
        Room rooms[2];
    };

    bool makeLanes();
    std::size_t lanesFor(std::size_t bytes) const;
    /// copy(lane, number of the lane) in a thread of each of so many lanes.
    template <class Copy>
    bool inLanes(std::size_t lanes, const Copy& copy);
    bool waitFor(const Room& room) const { return driver_.waitFor(room.stream) == 0; }

    const CudaDriver& driver_;
    CudaHandle context_;
    std::vector<Lane> lanes_;  // as long as the program
    bool wasTried_ = false;
};

}  // namespace hpspmd::detail
