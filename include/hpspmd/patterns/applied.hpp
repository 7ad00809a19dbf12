// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The calls of a pattern, which know where they stand: nothing can follow a parameter pack that
/// has a default argument, so there is one function for each number of arrays.

#include <hpspmd/where.hpp>

#include <type_traits>

namespace hpspmd::patterns::detail {

#define HPSPMD_LIST(...) __VA_ARGS__
#define HPSPMD_CALLS(types, parameters, arrays)                                         \
    template <HPSPMD_LIST types>                                                        \
    auto operator()(HPSPMD_LIST parameters, Where where = Where::here()) const {        \
        return self().apply(where, HPSPMD_LIST arrays);                                 \
    }                                                                                   \
    template <class R, HPSPMD_LIST types>                                               \
    void into(R&& results, HPSPMD_LIST parameters, Where where = Where::here()) const { \
        self().store(where, results, HPSPMD_LIST arrays);                               \
    }

/// operator() and into of a chain, whose apply() and store() do it. With more than eight arrays the
/// place is where the last stage was written.
template <class Chain>
class Applied {
    using Where = hpspmd::detail::Where;

public:
    HPSPMD_CALLS((class A), (const A& a), (a))
    HPSPMD_CALLS((class A, class B), (const A& a, const B& b), (a, b))
    HPSPMD_CALLS((class A, class B, class C), (const A& a, const B& b, const C& c), (a, b, c))
    HPSPMD_CALLS((class A, class B, class C, class D),
                 (const A& a, const B& b, const C& c, const D& d), (a, b, c, d))
    HPSPMD_CALLS((class A, class B, class C, class D, class E),
                 (const A& a, const B& b, const C& c, const D& d, const E& e), (a, b, c, d, e))
    HPSPMD_CALLS((class A, class B, class C, class D, class E, class F),
                 (const A& a, const B& b, const C& c, const D& d, const E& e, const F& f),
                 (a, b, c, d, e, f))
    HPSPMD_CALLS((class A, class B, class C, class D, class E, class F, class G),
                 (const A& a, const B& b, const C& c, const D& d, const E& e, const F& f,
                  const G& g),
                 (a, b, c, d, e, f, g))
    HPSPMD_CALLS((class A, class B, class C, class D, class E, class F, class G, class H),
                 (const A& a, const B& b, const C& c, const D& d, const E& e, const F& f,
                  const G& g, const H& h),
                 (a, b, c, d, e, f, g, h))

    template <class... A, class = std::enable_if_t<sizeof...(A) == 0 || (sizeof...(A) > 8)>>
    auto operator()(const A&... arrays) const {
        return self().apply(self().place(), arrays...);
    }
    template <class R, class... A,
              class = std::enable_if_t<sizeof...(A) == 0 || (sizeof...(A) > 8)>>
    void into(R&& results, const A&... arrays) const {
        self().store(self().place(), results, arrays...);
    }

private:
    const Chain& self() const { return static_cast<const Chain&>(*this); }
};

#undef HPSPMD_CALLS
#undef HPSPMD_LIST

}  // namespace hpspmd::patterns::detail
