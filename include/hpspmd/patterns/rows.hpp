// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The arguments of a pattern, as rows: elements that follow each other with constant steps.

#include <hpspmd/create.hpp>
#include <hpspmd/error.hpp>
#include <hpspmd/patterns/stages.hpp>

#include <array>
#include <iterator>
#include <string>
#include <vector>

namespace hpspmd::patterns::detail {

using hpspmd::detail::Blocks;
using hpspmd::detail::isArray;
using hpspmd::detail::Site;

/// `count` elements of several arrays: element t of array k is get<k>(start)[t * step[k]].
template <class... E>
struct Row {
    std::tuple<E*...> start;
    std::array<Index, sizeof...(E)> step;
    Index count;

    bool isContiguous() const {
        for (const Index one : step)
            if (one != 1) return false;
        return true;
    }
};

template <class A, class = void>
inline constexpr bool isContainer = false;
template <class A>
inline constexpr bool isContainer<A, std::void_t<decltype(*std::data(std::declval<A&>())),
                                                 decltype(std::size(std::declval<A&>()))>> =
    !isArray<std::remove_cv_t<A>> && std::is_pointer_v<decltype(std::data(std::declval<A&>()))>;

/// An argument: a contiguous container, or a multiarray.
template <class A>
struct Argument {
    static_assert(isContainer<A>,
                  "a pattern takes multiarrays and contiguous containers: vector "
                  "(but not of bool), array, span, C array");
    using Element = std::remove_pointer_t<decltype(std::data(std::declval<A&>()))>;
    static constexpr int rank = 1;
    static constexpr bool isMultiarray = false, isDistributed = false;

    static Element* start(A& a, const std::array<Index, 1>& subs) { return std::data(a) + subs[0]; }
    static Index step(A&) { return 1; }
};

template <class T, class... S>
struct ArrayArgument {
    using Element = T;
    static constexpr int rank = static_cast<int>(sizeof...(S));
    static constexpr bool isMultiarray = true;
    static constexpr bool isDistributed = (std::is_same_v<S, Dist> || ...);

    static T* start(const Array<T, S...>& a, const std::array<Index, sizeof...(S)>& subs) {
        Index offset = 0;
        for (std::size_t r = 0; r < subs.size(); ++r)
            offset += a.stride(static_cast<int>(r)) * subs[r];
        ::hpspmd::detail::atHome(Where{}, ::hpspmd::detail::uses(a));
        return a.data() + offset;
    }
    static Index step(const Array<T, S...>& a) { return rank > 0 ? a.stride(rank - 1) : 1; }
};
template <class T, class... S>
struct Argument<Array<T, S...>> : ArrayArgument<T, S...> {};
template <class T, class... S>
struct Argument<const Array<T, S...>> : ArrayArgument<T, S...> {};

template <class A>
using ElementOf = std::remove_cv_t<typename Argument<A>::Element>;

/// The local subscripts of the elements that this process holds of arrays of one shape, in
/// row-major order; R dimensions. They come in rows, of the last dimension or of several.
template <std::size_t R>
class Places {
public:
    /// Of a container.
    explicit Places(Index count) : front_{Block{count, 0, 1, 0, 1}}, size_(1) { countAll(); }
    /// Of arrays over these ranges, if this process holds any.
    Places(const std::array<const BorrowedRange*, R>& ranges, bool isHeld) : size_(isHeld) {
        bool areRuns = true;
        for (std::size_t r = 0; r < R && isHeld; ++r) {
            front_[r] = hpspmd::detail::recordOf(*ranges[r])->run;
            areRuns = areRuns && front_[r].count > 0;
        }
        if (!areRuns)
            for (const BorrowedRange* const range : ranges) blocks_.push_back(range->localBlocks());
        countAll();
    }

    /// Longer rows: of all last dimensions whose elements follow one another in all these arrays.
    template <class... A>
    void joinRows(const A&... arrays) {
        if constexpr (R > 1)
            while (size_ > 0 && first_ > 0 && (isJoined(first_, arrays) && ...))
                rowLength_ *= counts_[--first_];
    }

    Index size() const { return size_; }

    /// visit(subscripts, step, count) for the rows of the places from .. to - 1; `step` is that of
    /// the last subscript, where a joined row goes on beyond its end.
    template <class Visit>
    void forRows(Index from, Index to, const Visit& visit) const {
        if constexpr (R == 0) {
            if (from < to) visit(std::array<Index, 0>{}, Index(1), Index(1));
        } else if constexpr (R == 1) {
            std::array<Index, 1> subs{};
            forBlocks(subs, from, to - from, visit);
        } else {
            while (from < to) {
                std::array<Index, R> subs{};
                Index rest = from;
                for (std::size_t r = R - 1; r > 0; --r) {
                    subs[r] = rest % counts_[r];
                    rest /= counts_[r];
                }
                subs[0] = rest;
                for (std::size_t r = 0; r + 1 < R; ++r) subs[r] = subscript(r, subs[r]);
                const Index position = subs[R - 1];
                const Index inRow = std::min(rowLength_ - from % rowLength_, to - from);
                if (first_ == R - 1) {
                    forBlocks(subs, position, inRow, visit);
                } else {
                    subs[R - 1] = subscript(R - 1, position);
                    visit(subs, frontOf(R - 1).localStep, inRow);
                }
                from += inRow;
            }
        }
    }

private:
    /// True if the row that begins with dimension r goes on, in the storage of `a`, with the next
    /// subscript of dimension r - 1.
    template <class A>
    bool isJoined(std::size_t r, const A& a) const {
        const auto distance = [&](std::size_t d) {
            return a.stride(static_cast<int>(d)) * frontOf(d).localStep;
        };
        return isOne(r) && isOne(r - 1) &&
               (counts_[r - 1] == 1 || distance(r - 1) == distance(R - 1) * rowLength_);
    }

    Index subscript(std::size_t r, Index position) const {
        Block block = frontOf(r);
        for (Index k = 1; position >= block.count; ++k) {
            position -= block.count;
            block = blocks_[r][k];
        }
        return block.localBase + block.localStep * position;
    }

    template <class Visit>
    void forBlocks(std::array<Index, R>& subs, Index position, Index count,
                   const Visit& visit) const {
        for (Index k = 0; count > 0; ++k) {
            const Block block = k == 0 ? frontOf(R - 1) : blocks_[R - 1][k];
            if (position >= block.count) {
                position -= block.count;
                continue;
            }
            const Index some = std::min(block.count - position, count);
            subs[R - 1] = block.localBase + block.localStep * position;
            visit(subs, block.localStep, some);
            position = 0;
            count -= some;
        }
    }

    const Block& frontOf(std::size_t r) const {
        return blocks_.empty() ? front_[r] : blocks_[r].front();
    }
    bool isOne(std::size_t r) const { return blocks_.empty() || blocks_[r].size() == 1; }

    void countAll() {
        for (std::size_t r = 0; r < R; ++r) {
            counts_[r] = front_[r].count;
            if (!blocks_.empty()) {
                counts_[r] = 0;
                for (const Block& block : blocks_[r]) counts_[r] += block.count;
            }
            size_ *= counts_[r];
        }
        if constexpr (R > 0) rowLength_ = counts_[R - 1];
    }

    std::array<Block, R> front_{};
    std::vector<Blocks> blocks_;  // of all dimensions, where one of them is no single run
    std::array<Index, R> counts_{};
    Index size_;
    std::size_t first_ = R - 1;  // dimension of a row
    Index rowLength_ = 1;
};

/// visit(row) for the rows of the places from .. to - 1 of these arguments.
template <std::size_t R, class Visit, class... A>
void forRows(const Places<R>& places, Index from, Index to, const Visit& visit, A&... arguments) {
    places.forRows(from, to, [&](const std::array<Index, R>& subs, Index step, Index count) {
        visit(Row<typename Argument<A>::Element...>{{Argument<A>::start(arguments, subs)...},
                                                    {Argument<A>::step(arguments) * step...},
                                                    count});
    });
}

}  // namespace hpspmd::patterns::detail
