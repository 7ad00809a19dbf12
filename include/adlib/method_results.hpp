// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the processes of a method make together: containers whose elements they combine, and
/// results that a function of the program combines; and parts that strategies of the program make.

#include <adlib/changes.hpp>
#include <adlib/method.hpp>

#include <optional>
#include <vector>

namespace hpspmd::detail {

template <class C, class Use>
void eachElement(C& elements, const Use& use) {
    if constexpr (isArray<std::remove_const_t<C>>)
        forEachElement<C::rank()>(elements.data(), elements.maps(), use);
    else
        for (std::size_t k = 0; k < std::size(elements); ++k) use(std::data(elements)[k]);
}

/// Elements that the processes change by one operation: all but the first process start anew ..
template <class Op, class C>
void startElements(const Method& method, C& elements) {
    if (method.isFirst()) return;
    eachElement(elements, [](auto& element) {
        element = Op::template identity<std::decay_t<decltype(element)>>();
    });
}
/// .. and behind the loop each is what all have made of it, in the order of the processes.
template <class Op, class C>
void joinElements(const Method& method, C& elements, Where where = Where::here()) {
    if (method.isSingle()) return;
    using T = std::decay_t<decltype(*std::data(elements))>;
    std::vector<T> all;
    eachElement(elements, [&](T& element) { all.push_back(element); });
    const Combiner combiner{[](void* left, const void* right, std::size_t bytes, const void*) {
        auto* const mine = static_cast<T*>(left);
        const auto* const others = static_cast<const T*>(right);
        for (std::size_t k = 0; k < bytes / sizeof(T); ++k)
            mine[k] = Op::combine(mine[k], others[k]);
    }};
    combineOverApg({"reduce", where}, all.data(), all.size() * sizeof(T), combiner);
    auto next = all.begin();
    eachElement(elements, [&](T& element) { element = *next++; });
}
/// What a strategy of the program tells.
template <class Sizes>
std::vector<Index> cut(const Sizes& sizes, Index n, int parts) {
    const auto made = sizes(n, parts);
    return std::vector<Index>(std::begin(made), std::end(made));
}

/// What the processes change of an array that all hold, each other elements.
template <class C>
class Scattered {
public:
    Scattered(const Method& method, C& elements, Site site = Site::here()) {
        if (!method.isSingle()) changes_.emplace(elements, site);
    }
    /// Collective over the APG. ConflictingWrites if two processes have changed one element.
    void merge() {
        if (changes_) changes_->merge();
    }

private:
    std::optional<Adlib::Changes<C>> changes_;
};

/// value = function(value, next), or next if it is the first that the process finds.
template <class T, class F>
void take(T& value, bool& isNew, const F& function, const std::common_type_t<T>& next) {
    value = isNew ? next : static_cast<T>(function(value, next));
    isNew = false;
}

/// Which processes have found something, and what, in their order: `state` has a byte and the
/// bytes of a value for each.
void gatherResults(void* state, std::size_t bytes, std::size_t valueSize, const void* own,
                   bool isNew, Where where);

/// What the processes have found, in their order.
template <class T>
std::vector<T> results(const T& value, bool isNew, Where where) {
    static_assert(std::is_trivially_copyable_v<T>,
                  "what is reduced over processes must be trivially copyable");
    constexpr std::size_t each = 1 + sizeof(T);
    std::vector<char> state(static_cast<std::size_t>(apg().size()) * each);
    gatherResults(state.data(), state.size(), sizeof(T), &value, isNew, where);
    std::vector<T> found;
    for (std::size_t at = 0; at < state.size(); at += each) {
        if (state[at] == 0) continue;
        found.push_back(value);
        std::memcpy(&found.back(), &state[at + 1], sizeof(T));
    }
    return found;
}

/// The results of all processes by a function of two of them, in the order of the processes. What
/// has found nothing is left out; if nobody has found anything, the value stays.
template <class T, class F>
T joinBy(const Method& method, const T& value, bool isNew, const F& function,
         Where where = Where::here()) {
    if (method.isSingle()) return value;
    const std::vector<T> found = results(value, isNew, where);
    if (found.empty()) return value;
    T all = found.front();
    for (std::size_t k = 1; k < found.size(); ++k) all = static_cast<T>(function(all, found[k]));
    return all;
}
/// By a function of all of them, which each process calls for itself.
template <class T, class F>
T joinAll(const Method& method, const T& value, bool isNew, const F& function,
          Where where = Where::here()) {
    if (method.isSingle()) return value;
    std::vector<T> found = results(value, isNew, where);
    if (found.empty()) return value;
    const Procs1 all(where);
    const Activate alone(all / all.dim(0)[all.dim(0).crd()]);
    return static_cast<T>(function(found));
}

}  // namespace hpspmd::detail
