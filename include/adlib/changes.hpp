// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Changes, what the processes have written to their copies of one array, put together.

#include <adlib/operand.hpp>
#include <hpspmd/element.hpp>
#include <hpspmd/target.hpp>

#include <cstring>
#include <iterator>
#include <vector>

namespace hpspmd {
namespace detail {

/// `count` elements one after the other; `shape` for messages.
struct Copies {
    std::byte* now;
    const std::byte* before;
    Index count;
    std::size_t elementSize;
    const Index* shape;
    int rank;
};

/// All processes of the APG get what any of them has changed. True if something has been changed
/// anywhere. ConflictingWrites.
bool mergeChanges(const Call& call, const char* function, const Copies& copies);

/// Calls use(element) for the elements of a `*` array in row-major order.
template <int R, class T, class Use>
void forEachElement(T* at, const std::array<Map, static_cast<std::size_t>(R)>& maps, const Use& use,
                    std::size_t r = 0) {
    if (r == maps.size()) {
        use(*at);
    } else {
        for (Index k = 0; k < maps[r].range.size(); ++k)
            forEachElement<R>(at + maps[r].stride * k, maps, use, r + 1);
    }
}

}  // namespace detail

namespace Adlib {

/// Remembers the elements of an array that all processes of the APG hold whole and alike; merge()
/// finds what each has written since, and tells it to all. For writes to scattered elements,
/// `y[row[k]] += ..`, in loops that the processes divide among themselves.
///
///     Adlib::Changes changes(y);
///     overall (i = x for :) for (..) y[row[k]] += ..;
///     changes.merge();
///
/// An element is changed if its bytes are. Two processes that have changed the same element
/// conflict, also if both have written the same: ConflictingWrites, in all processes.
template <class A>
class Changes {
    using T = std::remove_const_t<std::remove_reference_t<decltype(*std::declval<A&>().data())>>;
    static_assert(std::is_trivially_copyable_v<T>,
                  "Adlib moves elements as bytes: the element type must be trivially copyable");

public:
    explicit Changes(A& array, detail::Site site = detail::Site::here())
        : array_(&array), site_(site), before_(elements()) {}

    /// Collective over the APG.
    void merge() {
        std::vector<T> now = elements();
        const detail::Call call("merge", site_.where);
        const std::vector<Index> shape = shapeOf();
        const bool isChanged = detail::mergeChanges(
            call, site_.function,
            {reinterpret_cast<std::byte*>(now.data()), reinterpret_cast<std::byte*>(before_.data()),
             static_cast<Index>(now.size()), sizeof(T), shape.data(),
             static_cast<int>(shape.size())});
        if (!isChanged) return;
        auto next = now.begin();
        forEach([&](T& element) { element = *next++; });
        before_ = std::move(now);
    }

private:
    template <class Use>
    void forEach(const Use& use) {
        if constexpr (detail::isArray<std::remove_const_t<A>>) {
            if (!array_->valid()) detail::raiseNullArray(site_.where);
            detail::atHome(site_.where, detail::uses(*array_));
            detail::forEachElement<A::rank()>(array_->data(), array_->maps(), use);
        } else {
            for (T& element : *array_) use(element);
        }
    }
    std::vector<Index> shapeOf() const {
        std::vector<Index> shape;
        if constexpr (detail::isArray<std::remove_const_t<A>>) {
            for (int r = 0; r < array_->rank(); ++r) shape.push_back(array_->size(r));
        } else {
            shape.push_back(static_cast<Index>(std::size(*array_)));
        }
        return shape;
    }
    std::vector<T> elements() {
        std::vector<T> result;
        forEach([&](T& element) { result.push_back(element); });
        return result;
    }

    A* array_;
    detail::Site site_;
    std::vector<T> before_;
};

}  // namespace Adlib
}  // namespace hpspmd
