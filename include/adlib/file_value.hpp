// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Numbers, strings, vectors and objects as files hold them.

#include <adlib/binned.hpp>
#include <cstdint>
#include <hpspmd/where.hpp>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace hpspmd::detail {

/// A number as files know it.
struct FileNumber {
    enum Kind : std::uint8_t { Boolean, Signed, Unsigned, Real, Complex, Opaque, Text };

    Kind kind;
    std::uint32_t bytes;  ///< of one element

    friend bool operator==(const FileNumber& a, const FileNumber& b) {
        return a.kind == b.kind && a.bytes == b.bytes;
    }
    friend bool operator!=(const FileNumber& a, const FileNumber& b) { return !(a == b); }
};

/// A member of a class whose objects are elements.
struct FileField {
    std::string name;
    FileNumber number;
    Index offset;              ///< bytes before it in the object
    std::vector<Index> shape;  ///< of an array of C

    friend bool operator==(const FileField& a, const FileField& b) {
        return a.name == b.name && a.number == b.number && a.offset == b.offset &&
               a.shape == b.shape;
    }
};
using FileFields = std::vector<FileField>;

template <class T>
constexpr bool isFileNumber = (std::is_arithmetic_v<T> || isComplex<T>)&&sizeof(T) <= 16 &&
                              !std::is_same_v<T, long double>;

template <class T>
constexpr FileNumber fileNumber() {
    static_assert(isFileNumber<T>,
                  "files hold bool, integers, float, double and complex numbers of these");
    constexpr auto bytes = static_cast<std::uint32_t>(sizeof(T));
    if constexpr (isComplex<T>) return {FileNumber::Complex, bytes};
    if constexpr (std::is_same_v<T, bool>) return {FileNumber::Boolean, bytes};
    if constexpr (std::is_floating_point_v<T>) return {FileNumber::Real, bytes};
    return {std::is_signed_v<T> ? FileNumber::Signed : FileNumber::Unsigned, bytes};
}

/// That of an element; one that is no number is so many bytes.
template <class T>
constexpr FileNumber anyNumber() {
    if constexpr (isFileNumber<T>)
        return fileNumber<T>();
    else
        return {FileNumber::Opaque, static_cast<std::uint32_t>(sizeof(T))};
}

template <class T, class = void>
inline constexpr bool hasFields = false;
template <class T>
inline constexpr bool
    hasFields<T, std::void_t<decltype(hpspmdFields(static_cast<const T*>(nullptr)))>> = true;

/// Those that HPSPMD_FIELDS has declared; none of other types.
template <class T>
FileFields fieldsOf() {
    if constexpr (hasFields<T>)
        return hpspmdFields(static_cast<const T*>(nullptr));
    else
        return {};
}

template <class Member>
void addField(FileFields& fields, std::string name, Index offset) {
    using Number = std::remove_all_extents_t<Member>;
    static_assert(isFileNumber<Number>, "fields are numbers, or arrays of C of numbers");
    FileField field{std::move(name), fileNumber<Number>(), offset, {}};
    if constexpr (std::rank_v < Member >> 0) field.shape.push_back(std::extent_v<Member, 0>);
    if constexpr (std::rank_v < Member >> 1) field.shape.push_back(std::extent_v<Member, 1>);
    static_assert(std::rank_v<Member> < 3, "fields have at most two dimensions");
    fields.push_back(std::move(field));
}

/// Of names "x, v" and references to these members of an object.
template <class Object, class... Members>
FileFields fileFields(const char* names, const Object& object,
                      const std::tuple<const Members&...>& members) {
    static_assert(std::is_trivially_copyable_v<Object>, "elements in files are copied as bytes");
    FileFields fields;
    std::string name;
    const auto* const begin = reinterpret_cast<const char*>(&object);
    const auto add = [&](const auto& member) {
        for (name.clear(); *names != '\0' && *names != ','; ++names)
            if (*names != ' ') name += *names;
        if (*names == ',') ++names;
        addField<std::remove_const_t<std::remove_reference_t<decltype(member)>>>(
            fields, name, reinterpret_cast<const char*>(&member) - begin);
    };
    std::apply([&](const Members&... each) { (add(each), ...); }, members);
    return fields;
}

/// A variable as files know it: an array that one process has, row-major.
struct FileValue {
    FileNumber number;
    std::vector<Index> shape;
    std::string bytes;
};

template <class T>
inline constexpr bool isVector = false;
template <class T, class A>
inline constexpr bool isVector<std::vector<T, A>> = !std::is_same_v<T, bool>;

/// Numbers, strings, vectors and objects that may be copied by memcpy.
template <class T>
FileValue fileValue(const T& variable) {
    if constexpr (std::is_convertible_v<const T&, std::string>) {
        const std::string text(variable);
        const std::string bytes = text.empty() ? std::string(1, '\0') : text;
        return {{FileNumber::Text, static_cast<std::uint32_t>(bytes.size())}, {}, bytes};
    } else if constexpr (isVector<T>) {
        using Element = typename T::value_type;
        static_assert(std::is_trivially_copyable_v<Element>,
                      "the elements of a vector in a file are copied as bytes");
        return {anyNumber<Element>(),
                {static_cast<Index>(variable.size())},
                std::string(reinterpret_cast<const char*>(variable.data()),
                            variable.size() * sizeof(Element))};
    } else {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>,
                      "a file holds arrays, numbers, strings, vectors of these, and objects that "
                      "may be copied as bytes");
        return {
            anyNumber<T>(), {}, std::string(reinterpret_cast<const char*>(&variable), sizeof(T))};
    }
}

}  // namespace hpspmd::detail

/// Declares which members of a trivially copyable class files have, so that arrays of it can be
/// written and read: at namespace scope, in the class's namespace, after the class.
///     struct Particle { double x; float v[3]; };
///     HPSPMD_FIELDS(Particle, x, v)
/// A .h5 file has compounds, .npy and .npz have records: `numpy.load("p.npy")["x"]`.
#define HPSPMD_FIELDS(Type, ...)                                                                 \
    inline ::hpspmd::detail::FileFields hpspmdFields(const Type*) {                              \
        struct Fields : Type {                                                                   \
            auto hpspmdMembers() const { return std::tie(__VA_ARGS__); }                         \
        };                                                                                       \
        alignas(Type) static const char room[sizeof(Type)] = {};                                 \
        const auto& object = *reinterpret_cast<const Fields*>(room);                             \
        return ::hpspmd::detail::fileFields<Type>(#__VA_ARGS__, object, object.hpspmdMembers()); \
    }
