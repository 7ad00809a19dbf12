// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// PromisedArray, of which a divided loop says something that only the program knows.

#include <hpspmd/array.hpp>

#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hpspmd::detail {

/// An array that all processes hold whole, where its elements lie while a loop over its parts runs,
/// and what the loop was promised to do.
class PromisedArray {
public:
    struct Memory {
        const std::byte* begin;
        const std::byte* end;
        Index row = 0;
    };
    /// In its k-th `overall` the loop reads so far from its own location in a dimension.
    struct View {
        int dimension;
        Index below, above;
    };

    /// In messages.
    PromisedArray as(const char* name) && {
        this->name = name;
        return std::move(*this);
    }
    PromisedArray within(int dimension, Index below, Index above) && {
        views.push_back({dimension, below, above});
        return std::move(*this);
    }
    /// The number of an iteration of the k-th `overall` is that of its location minus `distance`.
    PromisedArray counted(std::size_t k, Index distance) && {
        distances.resize(k + 1);
        distances[k] = distance;
        return std::move(*this);
    }
    /// Iterations may change what others read.
    PromisedArray anyOrder() && {
        isIndependent = false;
        return std::move(*this);
    }

    std::string name;
    std::vector<Memory> memory;  ///< of a container of containers, that of each row; in order
    std::size_t elementSize = 1;
    std::vector<Index> strides;  ///< of a multiarray, in elements; of rows in one array {n, 1}
    bool isNested = false;       ///< a container of containers
    bool isIndependent = true;   ///< no iteration reads or changes what another one changes
    std::vector<View> views;
    std::vector<Index> distances;
    /// Where the parts of a strategy begin, and the end: these are compared instead of iterations.
    std::vector<Index> cuts;

    /// a[3][4] is {3, 4}.
    std::vector<Index> indices(const std::byte* element) const;
    /// Its element at an address; null if that lies elsewhere.
    const std::byte* elementAt(const std::byte* address) const;
    bool isInParts() const { return !cuts.empty(); }
    Index partOf(Index location) const;
    void sort();

private:
    const Memory* memoryAt(const std::byte* address) const;
};

template <class T>
PromisedArray::Memory memoryOf(T* begin, std::size_t count) {
    const auto* const first = reinterpret_cast<const std::byte*>(begin);
    return {first, first + count * sizeof(T)};
}

template <class T, class... S>
PromisedArray wholeArray(const Array<T, S...>& a) {
    PromisedArray result;
    Index last = 1;
    for (const Map& map : a.maps()) {
        last += (map.range.size() - 1) * map.stride;
        result.strides.push_back(map.stride);
        if (map.range.size() == 0) return result;
    }
    result.elementSize = sizeof(T);
    result.memory = {memoryOf(a.data(), static_cast<std::size_t>(last))};
    return result;
}

template <class C, class = void>
struct IsSized : std::false_type {};
template <class C>
struct IsSized<C, std::void_t<decltype(std::size(std::declval<const C&>()))>> : std::true_type {};

/// Of a container, or a container of containers.
template <class C, class = decltype(std::size(std::declval<const C&>()))>
PromisedArray wholeArray(const C& elements) {
    using T = std::remove_pointer_t<decltype(std::data(elements))>;
    PromisedArray result;
    result.elementSize = sizeof(T);
    if constexpr (IsSized<T>::value) {
        result.isNested = true;
        for (const auto& row : elements) {
            result.memory.push_back(memoryOf(std::data(row), std::size(row)));
            result.memory.back().row = static_cast<Index>(result.memory.size()) - 1;
            result.elementSize = sizeof *std::data(row);
        }
    } else {
        result.memory = {memoryOf(std::data(elements), std::size(elements))};
    }
    return result;
}
/// .. of which so many elements are a row.
template <class C>
PromisedArray wholeArray(const C& elements, Index width) {
    PromisedArray result = wholeArray(elements);
    result.strides = {width < 1 ? 1 : width, 1};
    return result;
}

}  // namespace hpspmd::detail
