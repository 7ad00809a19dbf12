// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// writeHalo of several arrays, in one exchange.

#include <adlib/write_halo.hpp>

namespace hpspmd {
namespace Adlib {

/// An array with the sides of its halo that are to be filled; made by halo().
template <class A>
struct Halo {
    A array;
    std::array<int, static_cast<std::size_t>(A::rank())> low, high;
    std::array<Mode, static_cast<std::size_t>(A::rank())> modes;
};

}  // namespace Adlib

namespace detail {

/// An array of such a call, wherever its elements are, with its widths; no widths: all ghost cells.
struct HaloPart {
    Operand array;
    std::vector<int> low, high;
    std::vector<Adlib::Mode> modes;
};

template <class X>
inline constexpr bool hasHalo = isArray<X>;
template <class A>
inline constexpr bool hasHalo<Adlib::Halo<A>> = true;

template <class X>
struct HaloArray {
    using type = X;
};
template <class A>
struct HaloArray<Adlib::Halo<A>> {
    using type = A;
};
/// The type of the array of such an argument.
template <class X>
using HaloArrayOf = typename HaloArray<X>::type;

template <class A>
const A& withArray(const A&, const A& other) {
    return other;
}
/// The same sides of another array.
template <class A>
Adlib::Halo<A> withArray(const Adlib::Halo<A>& halo, const A& other) {
    return {other, halo.low, halo.high, halo.modes};
}

template <class A>
const A& haloArray(const A& array) {
    return array;
}
template <class A>
const A& haloArray(const Adlib::Halo<A>& halo) {
    return halo.array;
}

template <class A>
HaloPart haloPart(Where where, const A& array) {
    requireChangeable<A>();
    return {operandAnywhere("array", array, where), {}, {}, {}};
}
template <class A>
HaloPart haloPart(Where where, const Adlib::Halo<A>& halo) {
    requireChangeable<A>();
    return {operandAnywhere("array", halo.array, where),
            {halo.low.begin(), halo.low.end()},
            {halo.high.begin(), halo.high.end()},
            {halo.modes.begin(), halo.modes.end()}};
}

class PreparedHalos;
struct DeleteHalos {
    void operator()(PreparedHalos* halos) const;
};
using HalosHandle = std::unique_ptr<PreparedHalos, DeleteHalos>;

void writeHalos(const std::vector<HaloPart>& parts, Where where);
HalosHandle makeWriteHalos(const std::vector<HaloPart>& parts, Where where);
/// AdlibError unless the parts have the descriptors and widths of those the halos were made for.
void startHalos(PreparedHalos& halos, const std::vector<HaloPart>& parts, Where where);
void finishHalos(PreparedHalos& halos, Where where);

template <class... X>
using IfHalos = std::enable_if_t<(hasHalo<X> && ...)>;

}  // namespace detail

namespace Adlib {

/// The sides of an array's halo that writeHalo(x, y, ..) fills: `low[r]` cells below and `high[r]`
/// above the blocks of dimension r.
template <class T, class... Slots>
Halo<Array<T, Slots...>> halo(const Array<T, Slots...>& array,
                              const std::array<int, sizeof...(Slots)>& low,
                              const std::array<int, sizeof...(Slots)>& high) {
    return {array, low, high, {}};
}
template <class T, class... Slots>
Halo<Array<T, Slots...>> halo(const Array<T, Slots...>& array,
                              const std::array<int, sizeof...(Slots)>& low,
                              const std::array<int, sizeof...(Slots)>& high,
                              const std::array<Mode, sizeof...(Slots)>& modes) {
    return {array, low, high, modes};
}

/// The schedule of writeHalo(x, y, ..).
template <class... X>
class WriteHalos {
public:
    explicit WriteHalos(const X&... x, detail::Where where = detail::Where::here())
        : x_(x...), halos_(detail::makeWriteHalos({detail::haloPart(where, x)...}, where)) {}

    void execute(detail::Where where = detail::Where::here()) {
        const detail::Call call{"WriteHalos", where};
        std::apply([&](const X&... x) { begin(where, x...); }, x_);
        finish(where);
    }
    /// Of other arrays, the same sides.
    void execute(const detail::HaloArrayOf<X>&... arrays,
                 detail::Where where = detail::Where::here()) {
        const detail::Call call{"WriteHalos", where};
        std::apply([&](const X&... x) { begin(where, detail::withArray(x, arrays)...); }, x_);
        finish(where);
    }
    /// execute() in two halves; between them elements may be read, but none written and no ghost
    /// cell touched; one at a time.
    void start(detail::Where where = detail::Where::here()) {
        std::apply(
            [&](const X&... x) {
                (detail::keepHome(detail::haloArray(x), where), ...);
                begin(where, x...);
            },
            x_);
    }
    void start(const detail::HaloArrayOf<X>&... arrays,
               detail::Where where = detail::Where::here()) {
        (detail::keepHome(arrays, where), ...);
        std::apply([&](const X&... x) { begin(where, detail::withArray(x, arrays)...); }, x_);
    }
    void finish(detail::Where where = detail::Where::here()) {
        detail::finishHalos(*halos_, where);
    }

private:
    void begin(detail::Where where, const X&... x) {
        detail::startHalos(*halos_, {detail::haloPart(where, x)...}, where);
    }

    std::tuple<X...> x_;
    detail::HalosHandle halos_;
};
template <class... X>
WriteHalos(const X&...) -> WriteHalos<X...>;

/// writeHalo of several arrays with one message per neighbour for all of them together; each an
/// array (all its ghost cells) or halo(array, low, high, modes). Shapes, element types and
/// distributions may differ. Example: writeHalo(u, v, halo(w, {1, 0}, {0, 0})) updates all of u and
/// v, and of w what lies below the blocks of dimension 0. Errors as writeHalo.
template <class A, class B, class = detail::IfHalos<A, B>>
void writeHalo(const A& a, const B& b, detail::Where where = detail::Where::here()) {
    detail::writeHalos({detail::haloPart(where, a), detail::haloPart(where, b)}, where);
}
template <class A, class B, class C, class = detail::IfHalos<A, B, C>>
void writeHalo(const A& a, const B& b, const C& c, detail::Where where = detail::Where::here()) {
    detail::writeHalos(
        {detail::haloPart(where, a), detail::haloPart(where, b), detail::haloPart(where, c)},
        where);
}
template <class A, class B, class C, class D, class = detail::IfHalos<A, B, C, D>>
void writeHalo(const A& a, const B& b, const C& c, const D& d,
               detail::Where where = detail::Where::here()) {
    detail::writeHalos({detail::haloPart(where, a), detail::haloPart(where, b),
                        detail::haloPart(where, c), detail::haloPart(where, d)},
                       where);
}
template <class A, class B, class C, class D, class E, class = detail::IfHalos<A, B, C, D, E>>
void writeHalo(const A& a, const B& b, const C& c, const D& d, const E& e,
               detail::Where where = detail::Where::here()) {
    detail::writeHalos(
        {detail::haloPart(where, a), detail::haloPart(where, b), detail::haloPart(where, c),
         detail::haloPart(where, d), detail::haloPart(where, e)},
        where);
}
template <class A, class B, class C, class D, class E, class F,
          class = detail::IfHalos<A, B, C, D, E, F>>
void writeHalo(const A& a, const B& b, const C& c, const D& d, const E& e, const F& f,
               detail::Where where = detail::Where::here()) {
    detail::writeHalos(
        {detail::haloPart(where, a), detail::haloPart(where, b), detail::haloPart(where, c),
         detail::haloPart(where, d), detail::haloPart(where, e), detail::haloPart(where, f)},
        where);
}
/// Seven and more: messages do not know the line.
template <class A, class B, class C, class D, class E, class F, class G, class... More,
          class = detail::IfHalos<A, B, C, D, E, F, G, More...>>
void writeHalo(const A& a, const B& b, const C& c, const D& d, const E& e, const F& f, const G& g,
               const More&... more) {
    const detail::Where where;
    detail::writeHalos(
        {detail::haloPart(where, a), detail::haloPart(where, b), detail::haloPart(where, c),
         detail::haloPart(where, d), detail::haloPart(where, e), detail::haloPart(where, f),
         detail::haloPart(where, g), detail::haloPart(where, more)...},
        where);
}

}  // namespace Adlib
}  // namespace hpspmd
