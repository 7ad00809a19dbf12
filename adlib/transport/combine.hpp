#pragma once

#include <adlib/combiner.hpp>
#include <cstddef>
#include <hpspmd/collective.hpp>

namespace hpspmd::detail::transport {

/// Combines the buffers of all members of g, in the order of their ranks, into one value that every
/// member gets with the same bits: recursive doubling, in which both ends of each exchange compute
/// lower o upper; where the size is no power of two, the first members are combined in pairs before
/// and told the result after. So the order depends on the size of g only:
///     5 members:  ((0 o 1) o 2) o (3 o 4).
/// Collective over g, as part of the collective that was entered. ceil(log2(size)) + 1 exchanges at
/// most.
void combine(const Entered& entered, const Group& g, void* data, std::size_t bytes,
             const Combiner& combiner);

/// The same, with the same bits, for `count` elements of a size, of which the combiner takes any
/// that lie side by side. Of many bytes each member combines a part only: halves are exchanged at
/// first, then halves of those, and so on, and what has been combined comes back the same way. So a
/// member sends and gets 2 (1 - 1 / P) times the bytes instead of log2 P times, and of members of
/// one node reads them where they lie, if they lie in an array.
void combineElements(const Entered& entered, const Group& g, void* data, std::size_t elementSize,
                     std::size_t count, const Combiner& combiner);

/// Copies the buffer of the member with rank `root` to all members of g, by a binomial tree.
void broadcast(const Entered& entered, const Group& g, int root, void* data, std::size_t bytes);

}  // namespace hpspmd::detail::transport
