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

/// One result of each part of a loop, of `valueSize` bytes: `state` has a byte, which tells if the
/// part has one, and those of a value for each. All get those of all.
void gatherResults(std::vector<char>& state, std::size_t valueSize, Where where);

/// Which stretch of a divided dimension a process has, in the order in which the loop runs.
struct Stretch {
    Index number = 0, count = 1;
};
inline Stretch stretchOf(const Method& method, int dimension, bool isDownwards) {
    const Dimension d = method.range(dimension).dim();
    return {isDownwards ? d.size() - 1 - d.crd() : d.crd(), d.size()};
}

/// What a loop that is divided finds, in the order of the sequential loop. Each process has one
/// stretch of the innermost dimension that is divided, and one result for each row of it:
///
///     Results all(method, best, true, {x.size()}, stretchOf(method, 1, false));
///     overall (i = x for :) {
///         all.row(best, isNew, {i`});
///         overall (j = y for :) take(best, isNew, better, e);
///     }
///     best = all.by(best, isNew, better);
template <class T>
class Results {
    static_assert(std::is_trivially_copyable_v<T>,
                  "what is reduced over processes must be trivially copyable");

public:
    /// What the variable is before the loop comes first if it `counts`. `rows`: the numbers of
    /// locations of the dimensions round the innermost one.
    Results(const Method& method, const T& start, bool counts, const std::vector<Index>& rows,
            Stretch stretch, Where where = Where::here())
        : isSingle_(method.isSingle()),
          start_(start),
          counts_(counts),
          rows_(rows),
          stretch_(stretch),
          where_(where) {
        if (isSingle_) return;
        Index slots = stretch.count;
        for (const Index count : rows) slots *= count;
        state_.resize(static_cast<std::size_t>(slots) * (1 + sizeof(T)));
        slot_ = stretch.number;
    }

    /// Iterations of the row with these numbers follow: what has been found of another one is kept.
    void row(T& value, bool& isNew, std::initializer_list<Index> numbers) {
        if (isSingle_) return;
        keep(value, isNew);
        auto count = rows_.begin();
        slot_ = 0;
        for (const Index number : numbers) slot_ = slot_ * *count++ + number;
        slot_ = slot_ * stretch_.count + stretch_.number;
        value = start_;
        isNew = true;
    }

    /// All results by a function of two of them; if nobody has found anything, the value stays.
    template <class F>
    T by(const T& value, bool isNew, const F& function) {
        if (isSingle_) return value;
        const std::vector<T> found = all(value, isNew);
        if (found.empty()) return start_;
        T result = found.front();
        for (std::size_t k = 1; k < found.size(); ++k)
            result = static_cast<T>(function(result, found[k]));
        return result;
    }
    /// By a function of all of them, which each process calls for itself.
    template <class F>
    T byAll(const T& value, bool isNew, const F& function) {
        if (isSingle_) return value;
        std::vector<T> found = all(value, isNew);
        if (found.empty()) return start_;
        const Procs1 processes(where_);
        const Activate alone(processes / processes.dim(0)[processes.dim(0).crd()]);
        return static_cast<T>(function(found));
    }

private:
    void keep(const T& value, bool isNew) {
        if (isNew) return;
        char* const slot = &state_[static_cast<std::size_t>(slot_) * (1 + sizeof(T))];
        *slot = 1;
        std::memcpy(slot + 1, &value, sizeof(T));
    }
    std::vector<T> all(const T& value, bool isNew) {
        keep(value, isNew);
        gatherResults(state_, sizeof(T), where_);
        std::vector<T> found;
        if (counts_) found.push_back(start_);
        for (std::size_t at = 0; at < state_.size(); at += 1 + sizeof(T)) {
            if (state_[at] == 0) continue;
            found.push_back(value);
            std::memcpy(&found.back(), &state_[at + 1], sizeof(T));
        }
        return found;
    }

    const bool isSingle_;
    const T start_;
    const bool counts_;
    const std::vector<Index> rows_;
    const Stretch stretch_;
    const Where where_;
    std::vector<char> state_;
    Index slot_ = 0;
};

/// tellLine() of an array of which several dimensions are divided: all processes had all elements,
/// and the first one has changed the line.
template <std::size_t D, class T, class... S, class... N>
void tellLineOfBlocks(const Method& method, const Array<T, S...>& part, Index location,
                      const std::tuple<N&...>& numbers = {}, Where where = Where::here()) {
    static_assert((std::is_trivially_copyable_v<N> && ...),
                  "what is told must be trivially copyable");
    if (method.isSingle()) return;
    std::vector<std::remove_const_t<T>> line;
    const auto each = [&](const auto& use) {
        auto maps = part.maps();
        T* const begin = part.data() + maps[D].stride * location;
        maps[D].range = CollapsedRange(1);
        forEachElement<static_cast<int>(sizeof...(S))>(begin, maps, use);
    };
    if constexpr (!std::is_const_v<T>) each([&](T& element) { line.push_back(element); });
    std::apply(
        [&](N&... number) {
            tellFromFirst({{&number, sizeof number}..., {line.data(), line.size() * sizeof(T)}},
                          where);
        },
        numbers);
    if constexpr (!std::is_const_v<T>) {
        auto next = line.begin();
        each([&](T& element) { element = *next++; });
    }
}

}  // namespace hpspmd::detail
