// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the functions of patterns capture, as their kernels take it: numbers, and arrays that they
/// read.

#include <hpspmd/device/nest_run.hpp>
#include <hpspmd/device/number_words.hpp>
#include <hpspmd/device/stages.hpp>
#include <hpspmd/patterns/rows.hpp>

#include <cstring>
#include <mutex>

namespace hpspmd::patterns::detail {

using hpspmd::detail::kernelWord;

/// A captured array. Its kernel knows elements as objects of class Own (void: as they are), by this
/// word.
template <class Own, class A>
struct CapturedArray {
    const char* word;
    const A* array;
};
template <class Own = void, class A>
CapturedArray<Own, A> capturedArray(const char* word, const A& array) {
    return {word, &array};
}

/// What arrays of constant sizes in one another hold: double of std::array<double, 3>.
template <class A>
struct Innermost {
    using Type = A;
    static constexpr std::size_t rank = 0, count = 1;
    static void addExtents(Index*) {}
};
template <class A, std::size_t n>
struct FixedArray {
    using Type = typename Innermost<A>::Type;
    static constexpr std::size_t rank = 1 + Innermost<A>::rank, count = n * Innermost<A>::count;
    static void addExtents(Index* to) {
        *to = static_cast<Index>(n);
        Innermost<A>::addExtents(to + 1);
    }
};
template <class A, std::size_t n>
struct Innermost<std::array<A, n>> : FixedArray<A, n> {};
template <class A, std::size_t n>
struct Innermost<A[n]> : FixedArray<A, n> {};

template <class T, std::size_t>
using Always = T;

/// How a kernel takes what is captured: here a number, as it is.
template <class C>
struct CapturedAs {
    using Held = C;
    using Passed = std::tuple<C>;
    static constexpr bool isKnown = true;

    static bool isFit(const C&) { return true; }
    static Held hold(const C& number, Where) { return number; }
    static void note(std::vector<hpspmd::detail::Taken>&, const Held&) {}
    static Passed pass(const Held& number, hpspmd::detail::RunsAt) { return {number}; }
    static void describe(std::vector<hpspmd::detail::CapturedValue>& all, const C& number) {
        using Kind = hpspmd::detail::CapturedValue::Kind;
        const char* const word = std::is_same_v<C, bool> ? "unsigned char" : kernelWord<C>();
        if constexpr (std::is_integral_v<C>)
            all.push_back({word, Kind::Constant, static_cast<long long>(number)});
        else
            all.push_back({word, Kind::Parameter, 0});
    }
};

/// The address of the first element, the extents, and the strides of all dimensions but the last.
template <class Element, class Array, std::size_t rank>
struct HeldArray {
    using Numbers = std::array<Index, 2 * rank - 1>;
    Array array;
    Numbers numbers;

    template <std::size_t... k>
    static auto tupleOf(std::index_sequence<k...>)
        -> std::tuple<const Element*, Always<Index, k>...>;
    using Passed = decltype(tupleOf(std::make_index_sequence<2 * rank - 1>()));

    Passed pass(hpspmd::detail::RunsAt at) const {
        const Element* const first = std::get<0>(hpspmd::detail::flattened(array, at));
        return std::apply([&](const auto&... one) { return Passed(first, one...); }, numbers);
    }
};

/// Copies of small captured containers, the last few that a kind of them had: who applies a pattern
/// again has their elements on the device already.
template <class Copy>
class KeptCopies {
public:
    /// make() if there is none of these elements.
    template <class T, class Make>
    Copy of(const T* elements, std::size_t count, const Make& make) {
        const std::lock_guard lock(mutex_);
        for (const Kept& each : kept_)
            if (each.count == count && each.copy.valid() &&
                each.copy.grp().record() == apg().record() &&
                std::memcmp(each.copy.data(), elements, count * sizeof(T)) == 0)
                return each.copy;
        Kept& oldest = kept_[next_++ % kept_.size()];
        oldest = {make(), count};
        return oldest.copy;
    }

private:
    struct Kept {
        Copy copy;
        std::size_t count = 0;
    };
    std::mutex mutex_;
    std::array<Kept, 4> kept_;
    std::size_t next_ = 0;
};

/// A container is copied at each application: nobody sees what changes it.
template <class A>
struct CapturedContainer {
    using Row = ElementOf<const A>;
    using T = typename Innermost<Row>::Type;
    static constexpr std::size_t rank = 1 + Innermost<Row>::rank;
    static constexpr bool isFixed = Innermost<A>::rank > 0;  // all extents are known

    static bool isFit(const A&) { return true; }
    /// Loops over all of them are worth writing out: then their number is a constant of the kernel.
    static bool isFew(const A& container) {
        return std::size(container) > 0 && std::size(container) <= 16 && Innermost<Row>::count == 1;
    }
    static std::array<Index, 2 * rank - 1> numbers(const A& container) {
        std::array<Index, 2 * rank - 1> all{static_cast<Index>(std::size(container))};
        Innermost<Row>::addExtents(all.data() + 1);
        Index stride = 1;
        for (std::size_t r = rank - 1; r > 0; --r) all[rank + r - 1] = stride *= all[r];
        return all;
    }
    static auto array(const A& container, Where where) {
        const auto count = std::size(container) * Innermost<Row>::count;
        const auto* const elements = reinterpret_cast<const T*>(std::data(container));
        const auto make = [&] { return copy(elements, count, where); };
        static auto& kept = *new KeptCopies<decltype(make())>;
        return count * sizeof(T) <= mostKept ? kept.of(elements, count, make) : make();
    }

private:
    static constexpr std::size_t mostKept = 4096;  // bytes

    static auto copy(const T* elements, std::size_t count, Where where) {
        auto made = create<T>(hpspmd::detail::Placement(apg(), where),
                              static_cast<Index>(std::max<std::size_t>(count, 1)));
        hpspmd::detail::atHome(where, hpspmd::detail::writes(made));
        std::copy_n(elements, count, made.data());
        return made;
    }
};

template <class A>
struct CapturedMultiarray {
    using T = ElementOf<const A>;
    static constexpr std::size_t rank = static_cast<std::size_t>(Argument<const A>::rank);
    static constexpr bool isFixed = false;

    static bool isFew(const A&) { return false; }
    static bool isFit(const A& a) {
        const int last = static_cast<int>(rank) - 1;
        return a.valid() && (a.stride(last) == 1 || a.size(last) < 2);
    }
    static std::array<Index, 2 * rank - 1> numbers(const A& a) {
        std::array<Index, 2 * rank - 1> all{};
        for (std::size_t r = 0; r < rank; ++r) all[r] = a.size(static_cast<int>(r));
        for (std::size_t r = 0; r + 1 < rank; ++r) all[rank + r] = a.stride(static_cast<int>(r));
        return all;
    }
    static A array(const A& a, Where) { return a; }
};

template <class Own, class A>
struct CapturedAs<CapturedArray<Own, A>> {
    using Known = std::conditional_t<isArray<A>, CapturedMultiarray<A>, CapturedContainer<A>>;
    using T = typename Known::T;
    using Element = std::conditional_t<std::is_void_v<Own>, T, Own>;
    using Handle = std::decay_t<decltype(Known::array(std::declval<const A&>(), Where()))>;
    using Held = HeldArray<Element, Handle, Known::rank>;
    using Passed = typename Held::Passed;
    using Captured = CapturedArray<Own, A>;
    static constexpr bool isKnown = hpspmd::detail::isAlike<T, Element>();

    static bool isFit(const Captured& captured) { return Known::isFit(*captured.array); }
    static Held hold(const Captured& captured, Where where) {
        return {Known::array(*captured.array, where), Known::numbers(*captured.array)};
    }
    static void note(std::vector<hpspmd::detail::Taken>& all, const Held& held) {
        all.push_back(hpspmd::detail::reads(held.array));
    }
    static Passed pass(const Held& held, hpspmd::detail::RunsAt at) { return held.pass(at); }
    static void describe(std::vector<hpspmd::detail::CapturedValue>& all,
                         const Captured& captured) {
        using Kind = hpspmd::detail::CapturedValue::Kind;
        all.push_back({captured.word, Kind::Array, 0});
        const Kind kind =
            Known::isFixed || Known::isFew(*captured.array) ? Kind::Constant : Kind::Parameter;
        for (const Index number : Known::numbers(*captured.array))
            all.push_back({"long", kind, static_cast<long long>(number)});
    }
};

/// All that a chain, or a stage of it, captures, and how kernels take it: one behind the other.
template <class Captured>
struct CapturedBy;
template <class... C>
struct CapturedBy<std::tuple<C...>> {
    using Captured = std::tuple<C...>;
    using Held = std::tuple<typename CapturedAs<C>::Held...>;
    using Passed = decltype(std::tuple_cat(std::declval<typename CapturedAs<C>::Passed>()...));
    static constexpr bool isKnown = (CapturedAs<C>::isKnown && ...);

    static bool isFit(const Captured& captured) {
        return std::apply([](const C&... each) { return (CapturedAs<C>::isFit(each) && ...); },
                          captured);
    }
    static Held hold(const Captured& captured, [[maybe_unused]] Where where) {
        return std::apply(
            [&](const C&... each) { return Held(CapturedAs<C>::hold(each, where)...); }, captured);
    }
    static void note([[maybe_unused]] std::vector<hpspmd::detail::Taken>& taken, const Held& held) {
        std::apply([&](const auto&... each) { (CapturedAs<C>::note(taken, each), ...); }, held);
    }
    static Passed pass(const Held& held, [[maybe_unused]] hpspmd::detail::RunsAt at) {
        return std::apply(
            [&](const auto&... each) { return std::tuple_cat(CapturedAs<C>::pass(each, at)...); },
            held);
    }
    static std::vector<hpspmd::detail::CapturedValue> describe(const Captured& captured) {
        std::vector<hpspmd::detail::CapturedValue> all;
        std::apply([&](const C&... each) { (CapturedAs<C>::describe(all, each), ...); }, captured);
        return all;
    }
};

}  // namespace hpspmd::patterns::detail
