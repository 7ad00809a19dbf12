// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Macros that make of one kernel text a string, for the compilers of devices, and a function that
/// the check device calls. kernel_end.hpp forgets them; both may be included again and again.
///
/// The innermost loop goes along lanes, so that neighbouring lanes reach neighbouring elements.
/// Where the runs are known at entry, each lane takes several consecutive iterations of the
/// outermost loop:
///
///     COLUMNS(j, j_run, 1) MIDDLE(k, k_run, 1) ROWS_OF(i, i_run, 2) { .. EACH_ROW(r, i) .. }
///     EVERY_ROW_OF(i, i_run, 1, 1) { .. COLUMNS(j, j_run, 2) .. }
///
/// The last number is the step; the one before it, of rows, the dimension of the grid of lanes.
/// LIST(T, a) is a parameter of a function: the address of an array's first element; EXTENT(n) its
/// extent along a dimension, or the distance of two rows.
/// AT(T, a, place) is the address from which a lane reaches its elements of `a`. `loops` of the
/// loops are computed by lanes; `notOpenCl` says what of the text is no OpenCL C, or is nullptr.
/// `functions`, in parentheses, are those that the kernel calls, behind the classes of its objects:
///
///     RECORD(name, double x; int n[3];, SAME(x, x) SAME(n, n))
///
/// has the members of a class of the program, in its order; SAME tells what each is called there
/// and in the kernel. COMPLEX(name, double) is std::complex<double>, its operations functions of
/// the kernel: `name_times(z, w)`. HPSPMD_STAGE has the functions of a pattern, the last of which,
/// `function`, becomes a part of kernels. MADE(name, 1, 2) is an object of these members,
/// ZERO(name) one of zeros.
///
/// FIT(beyond, e, n, 1) is e, if it is a subscript of a dimension of extent n, else 0: then who has
/// given the parameter CHECKED(beyond) is told of e, and of the number of the access; by
/// TELL(beyond), at the end of the kernel, of the last one in each lane. FITTED(beyond) is false
/// once a subscript has been beyond: loops end there that perhaps nothing else ends.
///
/// HPSPMD_KERNEL_OF is one of a function template: `types` are the parameters that it uses, as
/// `(class name_T)`, `words` the same as `(TYPE(name_T))`. `classes` of its objects stand before
/// `functions`, and do not depend on the types. Each instance has a text, in which names stand for
/// its types; they are known when the program runs. OVERLOADED stands before each of several
/// functions of one name, of which the types of an instance choose one. UNROLLED stands before a
/// loop whose iterations are few instructions each that wait for memory.
///
/// With HPSPMD_AHEAD of a kernel only its text is left, for hpspmd-kernels.

#ifdef HPSPMD_AHEAD
#define HPSPMD_KERNEL(name, line, loops, notOpenCl, functions, parameters, joins, ...) \
    hpspmd_kernel(#name, #functions, #parameters " {" #__VA_ARGS__ " " #joins "}", line, loops)
#define HPSPMD_KERNEL_OF(types, words, classes, name, line, loops, notOpenCl, functions,           \
                         parameters, joins, ...)                                                   \
    hpspmd_kernel_of(#name, #functions, #parameters " {" #__VA_ARGS__ " " #joins "}", line, loops, \
                     #words, #classes)
#else
#include <complex>
#include <cstddef>
#include <type_traits>

#include <hpspmd/device/instances.hpp>
#include <hpspmd/device/nest_run.hpp>
#include <hpspmd/device/stages.hpp>
#ifndef HPSPMD_KERNELS_OF_LIBRARY
#include <hpspmd/device/registration.hpp>
#endif

// The form on the host has the same declarations, and the compiler's words about them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"

#define HPSPMD_KERNEL(name, line, loops, notOpenCl, functions, parameters, joins, ...)       \
    namespace hpspmd::kernels {                                                              \
    HPSPMD_WITHOUT_PARENTHESES functions static void name##_onHost parameters {              \
        __VA_ARGS__ joins                                                                    \
    }                                                                                        \
    static const auto name = ::hpspmd::detail::kernelOf<&name##_onHost>(                     \
        #name, {#functions, #parameters " {" #__VA_ARGS__ " " #joins "}"}, {__FILE__, line}, \
        loops, notOpenCl);                                                                   \
    }
#define HPSPMD_KERNEL_OF(types, words, classes, name, line, loops, notOpenCl, functions,         \
                         parameters, joins, ...)                                                 \
    namespace hpspmd::kernels {                                                                  \
    namespace {                                                                                  \
    HPSPMD_WITHOUT_PARENTHESES classes template <HPSPMD_WITHOUT_PARENTHESES types>               \
    struct name {                                                                                \
        HPSPMD_WITHOUT_PARENTHESES functions static void onHost parameters { __VA_ARGS__ joins } \
        static const auto& kernel() {                                                            \
            static const ::hpspmd::detail::InstanceText text({HPSPMD_WITHOUT_PARENTHESES words}, \
                                                             #classes, #functions);              \
            static const auto instance = ::hpspmd::detail::kernelOf<&name::onHost>(              \
                #name, {text.inFront(), #parameters " {" #__VA_ARGS__ " " #joins "}"},           \
                {__FILE__, line}, loops, notOpenCl);                                             \
            return instance;                                                                     \
        }                                                                                        \
    };                                                                                           \
    }                                                                                            \
    }
#define TYPE(T) ::hpspmd::detail::namedType<T>(#T)
#endif
#define HPSPMD_STAGE(name, notOpenCl, functions, function)                                  \
    namespace hpspmd::kernels {                                                             \
    HPSPMD_WITHOUT_PARENTHESES functions static constexpr ::hpspmd::detail::StageText name{ \
        #functions, #function, notOpenCl};                                                  \
    }
#define OVERLOADED
#define UNROLLED
#define HPSPMD_WITHOUT_PARENTHESES(...) __VA_ARGS__
#define IN(T, a) const T* const __restrict a##_data
#define OUT(T, a) T* const __restrict a##_data
#define INOUT(T, a) T* const a##_data
#define LIST(T, a) [[maybe_unused]] const T* a
#define EXTENT(n) [[maybe_unused]] Index n
#define JOINED(T, x) T& x
#define JOIN_SUM(T, x)
#define JOIN_MAX(T, x)
#define JOIN_MIN(T, x)
#define CHECKED(beyond) const ::hpspmd::kernels::Checks beyond
#define FIT(beyond, e, n, number) ::hpspmd::kernels::fit(e, n, number, beyond, __FILE__)
#define FITTED(beyond) ::hpspmd::kernels::fitted(beyond)
#define TELL(beyond)
#define RECORD(name, members, same)                                                       \
    struct __attribute__((may_alias)) name {                                              \
        members template <class Theirs>                                                   \
        static constexpr bool hasLayoutOf() {                                             \
            using Own = name;                                                             \
            return sizeof(Theirs) == sizeof(Own) && alignof(Theirs) == alignof(Own) same; \
        }                                                                                 \
    };
#define COMPLEX(C, T)                                                     \
    struct __attribute__((may_alias)) C {                                 \
        T re, im;                                                         \
        template <class Theirs>                                           \
        static constexpr bool hasLayoutOf() {                             \
            return std::is_same<Theirs, std::complex<T>>::value;          \
        }                                                                 \
        static C made(std::complex<T> z) { return {z.real(), z.imag()}; } \
        operator std::complex<T>() const { return {re, im}; }             \
    };                                                                    \
    HPSPMD_COMPLEX_FUNCTIONS(C, T, std::complex<T>)
#define HPSPMD_COMPLEX_FUNCTIONS(C, T, Z)                                        \
    [[maybe_unused]] static C C##_minus(Z z) { return C::made(-z); }             \
    [[maybe_unused]] static C C##_conj(Z z) { return C::made(std::conj(z)); }    \
    [[maybe_unused]] static T C##_norm(Z z) { return std::norm(z); }             \
    [[maybe_unused]] static T C##_abs(Z z) { return std::abs(z); }               \
    [[maybe_unused]] static C C##_plus(Z z, Z w) { return C::made(z + w); }      \
    [[maybe_unused]] static C C##_less(Z z, Z w) { return C::made(z - w); }      \
    [[maybe_unused]] static C C##_times(Z z, Z w) { return C::made(z * w); }     \
    [[maybe_unused]] static C C##_plusReal(Z z, T r) { return C::made(z + r); }  \
    [[maybe_unused]] static C C##_lessReal(Z z, T r) { return C::made(z - r); }  \
    [[maybe_unused]] static C C##_fromReal(T r, Z z) { return C::made(r - z); }  \
    [[maybe_unused]] static C C##_timesReal(Z z, T r) { return C::made(z * r); } \
    [[maybe_unused]] static C C##_dividedBy(Z z, T r) { return C::made(z / r); } \
    [[maybe_unused]] static C C##_over(Z z, Z w) { return C::made(z / w); }      \
    [[maybe_unused]] static C C##_realOver(T r, Z w) { return C::made(r / w); }
#define SAME(theirs, own)                               \
    &&offsetof(Theirs, theirs) == offsetof(Own, own) && \
        ::hpspmd::detail::isAlike<decltype(Theirs::theirs), decltype(Own::own)>()
#define MADE(T, ...) (T{__VA_ARGS__})
#define ZERO(T) (T{})
#define AT(T, a, place) T* const a##_at = a##_data + (place);
#define COLUMNS(j, run, s) for (const Index j : ::hpspmd::kernels::Lanes(run.first, run.last, s))
#define MIDDLE(j, run, s) COLUMNS(j, run, s)
#define EVERY_ROW_OF(i, run, d, s) COLUMNS(i, run, s)
#define ROWS_OF(i, run, d) \
    for (const auto [i##_first, i##_count] : ::hpspmd::kernels::RowsOfLanes(run.first, run.last))
#define EACH_ROW(r, i) for (const Index r : ::hpspmd::kernels::Lanes(0, i##_count - 1, 1))
