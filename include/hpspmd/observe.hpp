// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Who looks at a program while it runs: an observer is told what nests and collectives have
/// written.

#include <hpspmd/descriptor.hpp>
#include <hpspmd/where.hpp>

#include <complex>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace hpspmd::detail {

/// What the bytes of an element mean.
struct ElementForm {
    enum Kind : char {
        Unknown = '?',  ///< some of the bytes are padding and have no value
        Signed = 'i',
        Unsigned = 'u',
        Boolean = 'b',
        Floating = 'f',
        Complex = 'c',
        Bytes = 'x'
    };
    Kind kind = Unknown;
    unsigned bytes = 0;  ///< that hold the value
};

template <class T>
struct IsComplex : std::false_type {};
template <class R>
struct IsComplex<std::complex<R>> : std::bool_constant<sizeof(R) <= sizeof(double)> {};

template <class T>
constexpr ElementForm elementForm() {
    using Form = ElementForm;
    constexpr unsigned size = sizeof(T);
    if (std::is_same_v<T, bool>) return {Form::Boolean, size};
    if (std::is_integral_v<T>) return {std::is_signed_v<T> ? Form::Signed : Form::Unsigned, size};
    if (std::is_floating_point_v<T>)
        return {Form::Floating, std::numeric_limits<T>::digits == 64 ? 10 : size};
    if (IsComplex<T>::value) return {Form::Complex, size};
    if (std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>)
        return {Form::Bytes, size};
    return {};
}

/// An array that is written, the type of its elements erased. Without a group: no array.
struct WrittenArray {
    Descriptor layout;
    const void* data = nullptr;  ///< of local subscripts 0; null where nothing is held
    std::size_t elementSize = 0;
    ElementForm form;
};

class Observer {
public:
    virtual ~Observer() = default;
    /// An outermost nest begins that is going to write these arrays; and ends.
    virtual void nestBegins(Where where, const WrittenArray* arrays, int count) = 0;
    virtual void nestEnds() = 0;
    /// An operation of that name has written the array, or has this result.
    virtual void hasWritten(const char* name, Where where, const WrittenArray& array) = 0;
    virtual void hasResult(const char* name, Where where, const void* value, ElementForm form) = 0;
};

/// Null: nobody looks.
inline Observer* observer = nullptr;

/// Makes the observer that the environment asks for (HPSPMD_WITNESS).
void startObserving(int process);

}  // namespace hpspmd::detail
