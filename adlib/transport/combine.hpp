// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/combiner.hpp>
#include <cstddef>
#include <hpspmd/collective.hpp>
#include <hpspmd/observe.hpp>
#include <memory>

namespace hpspmd::detail::transport {

/// Values of one size, one after the other, of which a combiner takes any that lie side by side.
struct Elements {
    char* begin = nullptr;
    std::size_t size = 0, count = 0;

    std::size_t bytes() const { return size * count; }
    Elements half(bool upper) const {
        const std::size_t low = count / 2;
        return upper ? Elements{begin + low * size, size, count - low} : Elements{begin, size, low};
    }
};

/// Combines the elements of all members of g, in the order of their ranks, into values that every
/// member gets with the same bits: recursive doubling, in which both ends of each exchange compute
/// lower o upper; where the size is no power of two, the first members are combined in pairs before
/// and told the result after. So the order depends on the size of g only:
///     5 members:  ((0 o 1) o 2) o (3 o 4).
/// Collective over g, as part of the collective that was entered. ceil(log2(size)) + 1 exchanges at
/// most, twice as many for 32 KiB and more: of those each member combines a part only. Halves are
/// exchanged at first, then halves of those, and so on, and what has been combined comes back the
/// same way. So a member sends and gets 2 (1 - 1 / P) times the bytes instead of log2 P times, and
/// of members of one node reads them where they lie, if they lie in an array.
void combine(const Entered& entered, const Group& g, const Elements& elements,
             const Combiner& combiner);

/// True if so many elements of this size are exchanged by halves.
bool isByHalves(std::size_t size, std::size_t count);

/// The same in two steps, between which the first messages travel. The elements and the context of
/// the combiner must stay where they are, and the elements untouched, from start() to finish().
class Combination {
public:
    Combination();
    ~Combination();

    /// `told`: what observers are told, if the number of the elements is another one elsewhere.
    void start(const Entered& entered, const Group& g, const Elements& elements,
               const Combiner& combiner, const Communication& told = {});
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Copies the buffer of the member with rank `root` to all members of g, by a binomial tree.
void broadcast(const Entered& entered, const Group& g, int root, void* data, std::size_t bytes);

}  // namespace hpspmd::detail::transport
