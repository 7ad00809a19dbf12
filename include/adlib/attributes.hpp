// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Attributes, what a file says of an array besides its elements: a unit, a time, an origin.

#include <adlib/file_value.hpp>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hpspmd {
namespace detail {

template <class T>
constexpr bool isNumbers() {
    if constexpr (isVector<T>)
        return isFileNumber<typename T::value_type>;
    else
        return isFileNumber<T>;
}
template <class T>
constexpr bool isAttribute = std::is_convertible_v<const T&, std::string> || isNumbers<T>();

}  // namespace detail

namespace Adlib {

/// A text, a number, or a vector of numbers.
class Attribute {
public:
    template <class T, std::enable_if_t<detail::isAttribute<T>, int> = 0>
    Attribute(const T& value) : value_(detail::fileValue(value)) {}
    explicit Attribute(detail::FileValue value) : value_(std::move(value)) {}

    /// The text; of numbers what `hpcc look` prints: "0.5", "1 2 3".
    std::string text() const;
    /// The only number. IoError if it is text, complex or several numbers.
    double number(detail::Where where = detail::Where::here()) const;
    /// All of them, row by row. IoError if it is text, or they are complex.
    std::vector<double> numbers(detail::Where where = detail::Where::here()) const;

    bool isText() const { return value_.number.kind == detail::FileNumber::Text; }
    const detail::FileValue& value() const { return value_; }

private:
    detail::FileValue value_;
};

/// Attributes with their names, as they were written:
///     Adlib::write("run.h5:t", t, {{"unit", "K"}, {"step", step}, {"origin", corner}});
///     for (const auto& [name, value] : Adlib::look("run.h5:t").attributes) ..
class Attributes {
public:
    struct Named {
        std::string name;
        Attribute value;
    };

    Attributes() = default;
    Attributes(std::initializer_list<Named> all) : all_(all) {}

    /// In place of one of this name, if there is one.
    void set(const std::string& name, Attribute value);
    /// IoError, which lists those that there are, if there is none of this name.
    const Attribute& at(const std::string& name, detail::Where where = detail::Where::here()) const;
    bool has(const std::string& name) const;

    bool empty() const { return all_.empty(); }
    Index size() const { return static_cast<Index>(all_.size()); }
    auto begin() const { return all_.begin(); }
    auto end() const { return all_.end(); }

private:
    std::vector<Named> all_;
};

}  // namespace Adlib
}  // namespace hpspmd
