// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Where the elements of arrays lie in memory.

#include <hpspmd/independence.hpp>

#include <optional>
#include <vector>

namespace hpspmd::detail {

/// The memory of one array.
struct ArrayLayout {
    const Storage* storage;
    const std::byte* begin;
    const std::byte* end;
    std::size_t elementSize;
    std::vector<Map> maps;
    bool isReplicated;   ///< other processes hold copies that are no ghost cells
    std::size_t number;  ///< each array has its own, also in memory that another one has had

    const std::byte* elementAt(const std::byte* address) const;
    /// Global indices of the element at an address, one for each dimension; nothing for memory
    /// beyond the ends of the array.
    std::optional<std::vector<Index>> globalIndices(const std::byte* address) const;
    /// True if the element is one of this process, false if it is a ghost cell.
    bool isOwn(const std::byte* address) const;

private:
    std::vector<Index> subscripts(const std::byte* address) const;
};

/// The array that an address lies in; null if it lies in none.
const ArrayLayout* layoutAt(const void* address);

}  // namespace hpspmd::detail
