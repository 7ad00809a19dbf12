// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Kernels of nests inside function templates: what an instance of the template runs.

#include <hpspmd/device/nest_run.hpp>
#include <hpspmd/device/number_words.hpp>

#include <complex>
#include <string>

namespace hpspmd::detail {

template <class T, class... Others>
inline constexpr bool isOneOf = (std::is_same_v<T, Others> || ...);

/// The word of kernels for a type of numbers; null if they do not know it, and for characters.
template <class T>
constexpr const char* wordFor() {
    if constexpr (isOneOf<T, char, wchar_t, char16_t, char32_t>)
        return nullptr;
    else
        return kernelWord<T>();
}

/// A type by its name in a kernel, and what stands for it.
struct NamedType {
    const char *name, *word;
};
template <class T>
constexpr NamedType namedType(const char* name) {
    return {name, wordFor<T>()};
}

/// What stands before the kernel of an instance: its types, classes and functions. The texts of the
/// last two are in parentheses, as all of them are.
class InstanceText {
public:
    InstanceText(std::initializer_list<NamedType> types, const char* classes, const char* functions)
        : text_("(") {
        for (const NamedType& each : types)
            text_ += std::string("typedef ") + each.word + " " + each.name + "; ";
        text_ += inner(classes) + " " + inner(functions) + ")";
    }
    const char* inFront() const { return text_.c_str(); }

private:
    static std::string inner(const std::string& text) { return text.substr(1, text.size() - 2); }

    std::string text_;
};

/// Of a value, or of the elements of an array.
template <class V>
struct InstanceValue {
    using Type = V;
};
template <class T, class... Slots>
struct InstanceValue<Array<T, Slots...>> {
    using Type = std::remove_const_t<T>;
};

/// True if kernels know T, and all these values and elements are of that type.
template <class T, class... V>
std::bool_constant<wordFor<T>() != nullptr &&
                   (std::is_same_v<typename InstanceValue<V>::Type, T> && ...)>
numbersOf(const V&...) {
    return {};
}
/// True if the elements of all these arrays are complex numbers of Ts.
template <class T, class... V>
std::bool_constant<(std::is_same_v<typename InstanceValue<V>::Type, std::complex<T>> && ...)>
complexNumbersOf(const V&...) {
    return {};
}
/// True if it is no integer that C++ computes with as an int, besides.
template <class T, class... V>
std::bool_constant<sizeof(T) >= sizeof(int) &&
                   decltype(numbersOf<T>(std::declval<const V&>()...))::value>
noNarrowOf(const V&...) {
    return {};
}
/// True if it is a floating-point type, besides.
template <class T, class... V>
std::bool_constant<
    std::is_floating_point_v<T>&& decltype(numbersOf<T>(std::declval<const V&>()...))::value>
floatingOf(const V&...) {
    return {};
}

/// An instance of the template that the host runs, since kernels do not know its types.
struct NoKernel {};

/// That of an instance of a template, if all these are true.
template <class Instance, class... Known>
decltype(auto) kernelFor(Known...) {
    if constexpr ((Known::value && ...))
        return Instance::kernel();
    else
        return NoKernel();
}

/// A nest that no device runs; the host runs all of it.
class NoDeviceRun {
public:
    explicit operator bool() const { return false; }

    /// What DeviceRun::run() gives, so that the code of a nest compiles.
    template <class... A>
    auto run(const A&... arguments) const {
        auto totals = std::tuple_cat(totalOf(arguments)...);
        if constexpr (std::tuple_size_v<decltype(totals)> == 1)
            return std::get<0>(totals);
        else if constexpr (std::tuple_size_v<decltype(totals)> > 1)
            return totals;
    }
};

/// The same of a nest whose outermost loop has that run.
class NoDividedRun : public NoDeviceRun {
public:
    explicit NoDividedRun(const Run& outermost) : outermost_(outermost) {}

    bool leavesSome() const { return true; }
    const Run& left() const { return outermost_; }
    bool goesOn() const { return false; }

private:
    Run outermost_;
};

inline NoDeviceRun deviceFor(const NoKernel&, bool, std::initializer_list<Taken>,
                             const char* = nullptr) {
    return {};
}
inline NoDividedRun deviceFor(const NoKernel&, bool, std::initializer_list<Taken>,
                              const Run& outermost, Index = 1, const char* = nullptr) {
    return NoDividedRun(outermost);
}

}  // namespace hpspmd::detail
