// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Generated arrays as typed handles with memory.

#include <hpspmd/array.hpp>
#include <hpspmd/environment.hpp>

#include "generated.hpp"

namespace hpspmd::test {

template <class T, class Sequence>
struct DistributedArray;
template <class T, std::size_t... R>
struct DistributedArray<T, std::index_sequence<R...>> {
    using type = Array<T, std::conditional_t<(R >= 0), Dist, Seq>...>;
};
/// T [[-, -, ..]] with R slots.
template <class T, std::size_t R>
using Typed = typename DistributedArray<T, std::make_index_sequence<R>>::type;

template <class T, std::size_t R>
Typed<T, R> typed(const TestArray& array) {
    std::array<detail::Map, R> maps;
    for (std::size_t r = 0; r < R; ++r) maps[r] = array.maps[r];
    const Index slots = array.group.amMember() ? array.slots : 0;
    return Typed<T, R>(detail::Adopt(), typename Typed<T, R>::Handle(
                                            detail::makeStorage<T>(slots, 0, detail::Where::here()),
                                            array.offset, maps, array.group));
}

/// Calls f(index, element) for the elements that this process holds.
template <class T, class F>
void forEachHeld(const TestArray& array, const Indices& shape, T* data, const F& f) {
    forEachIndex(shape, [&](const Indices& index) {
        const Index slot = slotOf(array, index, detail::ownRank());
        if (slot >= 0) f(index, data[slot - array.offset]);
    });
}

}  // namespace hpspmd::test
