// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstring>
#include <hpspmd/collective.hpp>
#include <map>
#include <type_traits>
#include <vector>

namespace hpspmd::detail::transport {

/// Bytes for, or from, other processes, by their number in the initial group.
using Letters = std::map<int, std::vector<char>>;

/// Up to so many members a message to each is faster than a round after the other.
constexpr int few = 4;

/// Sends each member of g its letter and returns those that arrived, by sender; where nobody knows
/// who will write to whom. A letter to oneself arrives too. Collective over g, as part of the
/// collective that was entered: log2 P messages, of 120 bytes if few letters are written, that
/// announce the letters, and one for each letter; nothing grows with P but by its logarithm. Up to
/// `few` processes send each other envelopes instead (envelopes.hpp).
Letters deliver(const Entered& entered, const Group& g, const Letters& letters);

/// The same for lists of T, which is moved as bytes.
template <class T>
std::map<int, std::vector<T>> deliverLists(const Entered& entered, const Group& g,
                                           const std::map<int, std::vector<T>>& lists) {
    static_assert(std::is_trivially_copyable_v<T>);
    Letters letters;
    for (const auto& [peer, list] : lists) {
        const char* bytes = reinterpret_cast<const char*>(list.data());
        letters[peer].assign(bytes, bytes + list.size() * sizeof(T));
    }
    std::map<int, std::vector<T>> arrived;
    for (const auto& [peer, letter] : deliver(entered, g, letters)) {
        std::vector<T>& list = arrived[peer];
        list.resize(letter.size() / sizeof(T));
        std::memcpy(list.data(), letter.data(), letter.size());
    }
    return arrived;
}

}  // namespace hpspmd::detail::transport
