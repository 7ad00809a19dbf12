// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Elements side by side of an object that has begin() and end(). hpcc -O3 emits loops over them.

#include <cstddef>
#include <memory>
#include <type_traits>

namespace hpspmd::detail {

template <class T>
class OwnElements {
public:
    OwnElements(T* first, std::size_t length) : first_(first), length_(length) {}

    T* begin() const { return first_; }
    T* end() const { return first_ + length_; }
    T* data() const { return first_; }
    std::size_t size() const { return length_; }
    T& operator[](std::size_t k) const { return first_[k]; }

private:
    T* first_;
    std::size_t length_;
};

/// What a loop over the object goes over: a std::vector of three numbers has three.
template <class Object>
auto ownElementsOf(Object& object) {
    const auto first = object.begin(), last = object.end();
    using Element = std::remove_reference_t<decltype(*first)>;
    const auto length = static_cast<std::size_t>(last - first);
    return OwnElements<Element>(length == 0 ? nullptr : std::addressof(*first), length);
}

/// The same, of which the length is known: a C array.
template <std::size_t length, class Object>
auto& ownElementsOf(Object& object) {
    auto* const first = std::addressof(*object.begin());
    using Element = std::remove_pointer_t<decltype(first)>;
    return *reinterpret_cast<Element(*)[length]>(first);
}

}  // namespace hpspmd::detail
