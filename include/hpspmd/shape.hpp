// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Shape<R>, an integer for each of R dimensions, and what arrays of any rank are asked:
/// `dim(a)` and `shape(a)`.

#include <hpspmd/array.hpp>

#include <array>
#include <cstddef>
#include <ostream>
#include <type_traits>

namespace hpspmd {

namespace Adlib {

/// Extents, global indices or distances, one for each dimension. Arithmetic goes dimension by
/// dimension; an integer stands for all dimensions.
///
///     Shape{10, 20} - 2 == Shape{8, 18}
template <int R>
class Shape {
public:
    static_assert(R > 0, "a shape has a dimension");

    constexpr Shape() = default;  ///< zeros
    template <class... I,
              std::enable_if_t<sizeof...(I) == R && (std::is_integral_v<I> && ...), int> = 0>
    constexpr Shape(I... of) : of_{static_cast<Index>(of)...} {}

    /// 1 in dimension d, 0 in the others; 0 <= d < R.
    static constexpr Shape unit(int d) {
        Shape result;
        result[d] = 1;
        return result;
    }

    static constexpr int dim() { return R; }

    /// Of dimension r, 0 <= r < R, which is not checked.
    constexpr Index operator[](int r) const { return of_[static_cast<std::size_t>(r)]; }
    constexpr Index& operator[](int r) { return of_[static_cast<std::size_t>(r)]; }

    friend constexpr bool operator==(const Shape& a, const Shape& b) {
        for (int r = 0; r < R; ++r)
            if (a[r] != b[r]) return false;
        return true;
    }
    friend constexpr bool operator!=(const Shape& a, const Shape& b) { return !(a == b); }

    friend constexpr Shape operator+(const Shape& a, const Shape& b) {
        return each(a, b, [](Index x, Index y) { return x + y; });
    }
    friend constexpr Shape operator-(const Shape& a, const Shape& b) {
        return each(a, b, [](Index x, Index y) { return x - y; });
    }
    friend constexpr Shape operator*(const Shape& a, const Shape& b) {
        return each(a, b, [](Index x, Index y) { return x * y; });
    }
    friend constexpr Shape operator/(const Shape& a, const Shape& b) {
        return each(a, b, [](Index x, Index y) { return x / y; });
    }
    friend constexpr Shape operator%(const Shape& a, const Shape& b) {
        return each(a, b, [](Index x, Index y) { return x % y; });
    }
    friend constexpr Shape operator+(const Shape& a, Index n) { return a + all(n); }
    friend constexpr Shape operator-(const Shape& a, Index n) { return a - all(n); }
    friend constexpr Shape operator*(const Shape& a, Index n) { return a * all(n); }
    friend constexpr Shape operator/(const Shape& a, Index n) { return a / all(n); }
    friend constexpr Shape operator%(const Shape& a, Index n) { return a % all(n); }
    friend constexpr Shape operator+(Index n, const Shape& a) { return all(n) + a; }
    friend constexpr Shape operator-(Index n, const Shape& a) { return all(n) - a; }
    friend constexpr Shape operator*(Index n, const Shape& a) { return all(n) * a; }
    friend constexpr Shape operator-(const Shape& a) { return all(0) - a; }

    /// As `{8, 18}`.
    friend std::ostream& operator<<(std::ostream& out, const Shape& a) {
        out << '{' << a[0];
        for (int r = 1; r < R; ++r) out << ", " << a[r];
        return out << '}';
    }

private:
    static constexpr Shape all(Index n) {
        Shape result;
        for (int r = 0; r < R; ++r) result[r] = n;
        return result;
    }
    template <class F>
    static constexpr Shape each(const Shape& a, const Shape& b, F f) {
        Shape result;
        for (int r = 0; r < R; ++r) result[r] = f(a[r], b[r]);
        return result;
    }

    std::array<Index, static_cast<std::size_t>(R)> of_{};
};

template <class... I>
Shape(I...) -> Shape<static_cast<int>(sizeof...(I))>;

}  // namespace Adlib

namespace detail::handles {

// Found through their arguments only, so that names of the program come first.

/// The rank of an array.
template <int R>
constexpr int dim(const Handle<R>&) {
    return R;
}

/// The global extents of an array. NullArray.
template <int R>
Adlib::Shape<R> shape(const Handle<R>& a, Where where = Where::here()) {
    Adlib::Shape<R> result;
    for (int r = 0; r < R; ++r) result[r] = a.size(r, where);
    return result;
}

}  // namespace detail::handles

namespace detail {

/// What a shape of R dimensions, or an integer, has for dimension r.
template <int r, int R, int Own>
constexpr Index part(const Adlib::Shape<Own>& shape) {
    static_assert(Own == R, "a shape that is added to an index vector has as many dimensions");
    return shape[r];
}
template <int r, int R, class I,
          std::enable_if_t<std::is_integral_v<I> || std::is_enum_v<I>, int> = 0>
constexpr Index part(I n) {
    return static_cast<Index>(n);
}

}  // namespace detail
}  // namespace hpspmd
