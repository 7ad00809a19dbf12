// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Kernels, and how a nest is given to a device: hpcc --device emits these.

#include <hpspmd/check.hpp>
#include <hpspmd/device/error.hpp>
#include <hpspmd/device/home.hpp>
#include <hpspmd/device/lanes.hpp>
#include <hpspmd/device/run.hpp>
#include <hpspmd/joined.hpp>
#include <hpspmd/nest.hpp>
#include <hpspmd/target.hpp>
#include <hpspmd/threads.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <tuple>

namespace hpspmd::detail {

/// A subscript that a kernel checks in each iteration: the extent of its dimension, the number of
/// that, and the line of the access.
struct CheckedSubscript {
    Index extent;
    int dimension;
    int line;
};

}  // namespace hpspmd::detail

/// Functions that kernel texts call.
namespace hpspmd::kernels {

/// CHECKED of kernel.hpp: what a kernel checks, by numbers from 1 on, and, on the check device,
/// where it notes what it has found (runtime/device/checked_launches.hpp).
struct Checks {
    const detail::CheckedSubscript* all;
    std::size_t count;
    std::uint32_t* found;  ///< null at home
    std::uint32_t launch;
};
/// Notes that e is beyond the dimension of that check. OutOfBounds at home.
[[gnu::cold]] void noteBeyond(const Checks& checks, Index e, int number, const char* file);

using std::abs, std::fabs, std::fmax, std::fmin, std::fmod, std::hypot;
using std::acos, std::asin, std::atan, std::atan2, std::cos, std::sin, std::tan;
using std::acosh, std::asinh, std::atanh, std::cosh, std::sinh, std::tanh;
using std::cbrt, std::exp, std::exp2, std::expm1, std::log, std::log10, std::log1p, std::log2;
using std::ceil, std::floor, std::fma, std::pow, std::round, std::sqrt, std::trunc;
using std::erf, std::erfc, std::copysign;

/// Of an integer.
template <class A>
A magnitude(A a) {
    return std::abs(a);
}
template <class A, class B>
std::common_type_t<A, B> larger(A a, B b) {
    return a < b ? b : a;
}
template <class A, class B>
std::common_type_t<A, B> smaller(A a, B b) {
    return b < a ? b : a;
}
/// FIT of kernel.hpp.
inline Index fit(Index e, Index n, int number, const Checks& checks, const char* file) {
    if (e >= 0 && e < n) return e;
    noteBeyond(checks, e, number, file);
    return 0;
}
/// FITTED of kernel.hpp.
inline bool fitted(const Checks& checks) { return checks.found == nullptr || checks.found[0] == 0; }

}  // namespace hpspmd::kernels

namespace hpspmd::detail {

/// What a parameter of a kernel is.
struct KernelParameter {
    enum class Kind : unsigned char {
        Number,
        Stride,
        Run,     ///< those of the mapped loops come first, the outermost one first
        Array,   ///< the address of an element
        Joined,  ///< a number that all lanes change
        Checked  ///< kernels::Checks
    };
    Kind kind;
    std::size_t size;  ///< of the value, of an element of an array
};

/// The code of a kernel: the functions that it calls, in parentheses, and itself from the
/// parentheses of its parameters on.
struct KernelCode {
    const char *functions, *nest;
};

/// A kernel in the program: its text, and the same compiled for the host.
struct KernelText {
    const char* name;
    KernelCode text;
    Where where;                       // of the nest
    int mappedLoops;                   // 1 to 3
    const char* notOpenCl;             // what of the text OpenCL C cannot say; null if it can
    void (*onHost)(void** arguments);  // each points to the value of a parameter
    const KernelParameter* parameters;
    std::size_t parameterCount;
};

template <class P>
constexpr KernelParameter parameterOf() {
    using Kind = KernelParameter::Kind;
    if constexpr (std::is_reference_v<P>)
        return {Kind::Joined, sizeof(std::remove_reference_t<P>)};
    else if constexpr (std::is_pointer_v<P>)
        return {Kind::Array, sizeof(std::remove_pointer_t<P>)};
    else if constexpr (std::is_same_v<P, kernels::Stride>)
        return {Kind::Stride, sizeof(P)};
    else if constexpr (std::is_same_v<P, kernels::Checks>)
        return {Kind::Checked, sizeof(P)};
    else
        return {std::is_arithmetic_v<P> ? Kind::Number : Kind::Run, sizeof(P)};
}
template <class... P>
inline constexpr std::array<KernelParameter, sizeof...(P)> parametersOf{parameterOf<P>()...};

/// With the types of its parameters.
template <class... P>
struct Kernel : KernelText {};

template <auto function, class... P, std::size_t... k>
void callOnHost(void** arguments, std::index_sequence<k...>) {
    function(*static_cast<std::remove_reference_t<P>*>(arguments[k])...);
}
template <auto function, class... P>
Kernel<P...> kernelOf(void (*)(P...), KernelText text) {
    text.onHost = [](void** arguments) {
        callOnHost<function, P...>(arguments, std::index_sequence_for<P...>());
    };
    text.parameters = parametersOf<P...>.data();
    text.parameterCount = sizeof...(P);
    return {text};
}
template <auto function>
auto kernelOf(const char* name, KernelCode text, Where where, int mappedLoops,
              const char* notOpenCl) {
    return kernelOf<function>(function,
                              KernelText{name, text, where, mappedLoops, notOpenCl, {}, {}, {}});
}

/// Where a kernel runs.
enum class RunsAt : unsigned char { Device, Home };

/// What each argument of a launch becomes: an array its element 0 at that place and its strides but
/// the last one, which is 1; a run itself; a number that is joined what the kernel begins with.
inline auto flattened(const Run& run, RunsAt) {
    const Slots& held = run.held();
    return std::make_tuple(kernels::Run{run.first, run.last, held.origin, held.global(held.low),
                                        held.global(held.high), held.scale});
}
/// A counting loop's values first .. last.
inline auto flattened(const Reach& values, RunsAt) {
    return std::make_tuple(kernels::Run{values.lo, values.hi, 0, values.lo, values.hi});
}
std::byte* onDevice(const Storage& storage);
template <class T, std::size_t... r>
auto stridesOf(const T& a, std::index_sequence<r...>) {
    return std::make_tuple(kernels::Stride{a.stride(static_cast<int>(r))}...);
}
/// Of an object, which the kernel knows by a class of its own.
struct ObjectAddress {
    std::byte* place;

    template <class Own>
    operator Own*() const {
        return reinterpret_cast<Own*>(place);
    }
};
template <class T>
using AddressOf = std::conditional_t<std::is_class_v<T>, ObjectAddress, T*>;
template <class T, class... Slots>
auto flattened(const Array<T, Slots...>& a, RunsAt place) {
    constexpr std::size_t rank = sizeof...(Slots);
    const Storage& storage = *a.storage();
    std::byte* const slots = place == RunsAt::Device ? onDevice(storage) : storage.address;
    std::byte* const element = slots + a.offset() * static_cast<Index>(sizeof(T));
    AddressOf<T> first;
    if constexpr (std::is_class_v<T>)
        first = {element};
    else
        first = reinterpret_cast<T*>(element);
    return std::tuple_cat(std::make_tuple(first),
                          stridesOf(a, std::make_index_sequence<(rank > 0 ? rank - 1 : 0)>()));
}
template <class T, class By>
auto flattened(const Joined<T, By>& number, RunsAt) {
    return std::make_tuple(By::start(number.value));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
auto flattened(const T& number, RunsAt) {
    return std::make_tuple(number);
}

/// Of the arguments, the totals of those that are joined.
template <class T, class By>
auto totalOf(const Joined<T, By>& number) {
    return std::make_tuple(number.value);
}
template <class V>
std::tuple<> totalOf(const V&) {
    return {};
}

/// They are numbered from 1 on.
struct CheckedSubscripts {
    std::initializer_list<CheckedSubscript> all;
};
inline auto flattened(const CheckedSubscripts& checked, RunsAt) {
    return std::make_tuple(kernels::Checks{checked.all.begin(), checked.all.size(), nullptr, 0});
}

/// Joins what several groups of lanes give for one number, in their order.
using JoinPieces = void (*)(void* total, const void* pieces, std::size_t count);
template <class By, class T>
void joinPieces(void* total, const void* pieces, std::size_t count) {
    T& number = *static_cast<T*>(total);
    for (std::size_t k = 0; k < count; ++k)
        number = By::join(number, static_cast<const T*>(pieces)[k]);
}

/// False if the kernel could not be started. DeviceError if it has not ended well.
bool launch(const KernelText& kernel, const Site& site, void** arguments, const JoinPieces* joins);

/// Elements of an array of two dimensions on the device, in rows.
struct Matrix {
    std::byte* first;
    Index rows, columns;
    Index stride;  ///< elements from row to row
    bool isTransposed = false;

    Matrix transposed() const { return {first, rows, columns, stride, !isTransposed}; }
};
/// c = a b, or c += a b, of elements of so many bytes: floats or doubles. c is not transposed.
struct MatrixProduct {
    Matrix c, a, b;
    bool adds;
    std::size_t elementSize;
};

inline Index firstOf(const Run& run) { return run.first; }
inline Index firstOf(const Reach& values) { return values.lo; }
inline Index countOf(const Run& run) { return run.last < run.first ? 0 : run.last - run.first + 1; }
inline Index countOf(const Reach& values) {
    return values.hi < values.lo ? 0 : values.hi - values.lo + 1;
}

/// A matrix whose elements are of type T.
template <class T>
struct MatrixOf {
    Matrix matrix;
    MatrixOf transposed() const { return {matrix.transposed()}; }
};
template <class T, class One, class Other, class Rows, class Columns>
MatrixOf<std::remove_const_t<T>> matrix(const Array<T, One, Other>& a, const Rows& rows,
                                        const Columns& columns) {
    const auto [first, stride] = flattened(a, RunsAt::Device);
    auto* const element = const_cast<std::remove_const_t<T>*>(first) +
                          firstOf(rows) * stride.value + firstOf(columns);
    return {{reinterpret_cast<std::byte*>(element), countOf(rows), countOf(columns), stride.value}};
}
template <class T>
MatrixProduct product(const MatrixOf<T>& c, const MatrixOf<T>& a, const MatrixOf<T>& b,
                      bool adds = false) {
    return {c.matrix, a.matrix, b.matrix, adds, sizeof(T)};
}
template <class T>
MatrixProduct addedProduct(const MatrixOf<T>& c, const MatrixOf<T>& a, const MatrixOf<T>& b) {
    return product(c, a, b, true);
}

/// What products of doubles are made of, for foldedProduct().
struct Factors {
    Matrix a, b;
};
inline Factors factors(const MatrixOf<double>& a, const MatrixOf<double>& b) {
    return {a.matrix, b.matrix};
}

/// Takes the arrays to a device that may have a library. True if they are valid there.
bool takeFactors(const Site& site, const Taken* begin, const Taken* end);
/// The elements of c at home, row by row, until the next call; null if they are not computed.
const double* multiplyHome(const Site& site, const MatrixProduct& product);

/// False if the device has no library for it, or this does not take it.
bool multiply(const KernelText& kernel, const MatrixProduct& product);

/// Calls store(i, j, sum) for each pair of indices, if a library of the device computes the sums:
/// of products of an element of one factor with an i and one of the other with a j. False if not.
template <class Rows, class Columns, class Make, class Store>
bool foldedProduct(std::initializer_list<Taken> arrays, const Rows& rows, const Columns& columns,
                   const Make& make, const Store& store, Where where = Where::here(),
                   const char* function = __builtin_FUNCTION()) {
    const Site site{where, function, true};
    if (!takeFactors(site, arrays.begin(), arrays.end())) return false;
    const auto [a, b] = make();
    const Index height = countOf(rows), width = countOf(columns);
    const Matrix sums{nullptr, height, width, width};
    const double* sum = multiplyHome(site, {sums, a, b, false, sizeof(double)});
    if (sum == nullptr) return false;
    for (Index i = firstOf(rows); i < firstOf(rows) + height; ++i)
        for (Index j = firstOf(columns); j < firstOf(columns) + width; ++j) store(i, j, *sum++);
    return true;
}

/// True if T is laid out as what stands for it in a kernel, a number, a class or an array of them.
template <class T, class Own>
constexpr bool isAlike() {
    using Element = std::remove_all_extents_t<T>;
    using OwnElement = std::remove_all_extents_t<Own>;
    if constexpr (sizeof(T) != sizeof(Own) ||
                  std::is_class_v<Element> != std::is_class_v<OwnElement>)
        return false;
    else if constexpr (std::is_class_v<OwnElement>)
        return OwnElement::template hasLayoutOf<Element>();
    else
        return std::is_floating_point_v<Element> == std::is_floating_point_v<OwnElement> &&
               std::is_signed_v<Element> == std::is_signed_v<OwnElement>;
}
/// Elements of the array, which the kernel knows as `Own`. Else another compiler, or a directive
/// for this one, lays them out in a way that hpcc does not know.
template <class Own, class T, class... Slots>
constexpr bool liesAs(const Array<T, Slots...>&) {
    return isAlike<std::remove_const_t<T>, Own>();
}

/// True if the bounds of x[l : u] lie in the range, whatever values l and u take. Then no iteration
/// has to ask.
inline bool liesIn(const BorrowedRange& x, const Reach& l, const Reach& u) {
    const Index extent = extentOf(x);
    return (l.isEmpty() || (l.lo >= 0 && l.hi < extent)) &&
           (u.isEmpty() || (u.lo >= 0 && u.hi < extent));
}

}  // namespace hpspmd::detail
