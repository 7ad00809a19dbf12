#pragma once
/// get, put, accumulate and fence: access to any part of an array by one process alone.

#include <adlib/binned.hpp>
#include <adlib/operators.hpp>
#include <adlib/schedule.hpp>
#include <cstring>
#include <hpspmd/error.hpp>

namespace hpspmd {
namespace Adlib {

/// How accumulate joins what it brings with the element: a sum, a product, the larger or the
/// smaller of the two.
enum class By { Sum, Product, Max, Min };

}  // namespace Adlib

namespace detail {

/// element = element by value; only where the element type has the operation.
using Accumulate = void (*)(Adlib::By by, void* element, const void* value);

template <class T>
inline constexpr bool isAccumulable =
    (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || isComplex<T>;

template <class T>
void accumulateElement(Adlib::By by, void* element, const void* value) {
    if constexpr (isAccumulable<T>) {
        T& old = *static_cast<T*>(element);
        T given;
        std::memcpy(static_cast<void*>(&given), value, sizeof(T));
        if (by == Adlib::By::Sum) old = Plus::combine(old, given);
        if (by == Adlib::By::Product) old = Times::combine(old, given);
        if constexpr (std::is_arithmetic_v<T>) {
            if (by == Adlib::By::Max) old = Max::combine(old, given);
            if (by == Adlib::By::Min) old = Min::combine(old, given);
        }
    }
}

/// An array with the counted handle that keeps its elements alive.
struct FencedArray {
    Operand array;
    const StorageHandle& storage;
};

void fence(const FencedArray& array, Accumulate accumulate, Where where);

enum class Access { Get, Put, Accumulate };
void access(Access access, Adlib::By by, const Operand& section, const Operand& local, Where where);

template <class Local, class Section>
void accessSection(Access kind, Adlib::By by, const Section& section, const Local& local,
                   Where where) {
    static_assert(Section::rank() == Local::rank(),
                  "the section and the local array have the same rank");
    using T = std::remove_const_t<typename Section::Element>;
    static_assert(std::is_same_v<T, std::remove_const_t<typename Local::Element>>,
                  "the section and the local array have the same element type");
    access(kind, by, operand("section", section, where), operand("local array", local, where),
           where);
}

}  // namespace detail

namespace Adlib {

/// Opens an epoch, in which any process of the APG may call get, put and accumulate on sections of
/// the array (or of what the array is a section of); the next fence closes it and does what they
/// asked for. First all gets, which see the array as it was when the last process arrived; then the
/// puts and accumulates of process 0 in their order, then those of process 1, and so on.
/// Collective. Errors (AdlibError): an array not contained in the APG.
template <class T, class... Slots>
void fence(const Array<T, Slots...>& array, detail::Where where = detail::Where::here()) {
    static_assert(!std::is_const_v<T>, "the array must not have const elements");
    detail::fence({detail::operand("array", array, where), array.storageHandle()},
                  detail::accumulateElement<T>, where);
}

/// local = section, of any elements of a distributed array, by this process alone; complete when
/// the epoch has been closed. The local array has the section's shape and `*` slots; until then it
/// must not be touched, nor die. Example:
///     fence(a); get(row, a[[5, :]]); fence(a);
/// Errors (AdlibError): no open epoch; different shapes.
template <class T, class... Stars, class U, class... Slots>
void get(const Array<T, Stars...>& local, const Array<U, Slots...>& section,
         detail::Where where = detail::Where::here()) {
    static_assert(!std::is_const_v<T>, "the local array must not have const elements");
    detail::accessSection(detail::Access::Get, By::Sum, section, local, where);
}

/// section = local, by this process alone; the values are taken at once. Errors as get.
template <class T, class... Slots, class U, class... Stars>
void put(const Array<T, Slots...>& section, const Array<U, Stars...>& local,
         detail::Where where = detail::Where::here()) {
    static_assert(!std::is_const_v<T>, "the array must not have const elements");
    detail::accessSection(detail::Access::Put, By::Sum, section, local, where);
}

/// section = section + local (or by product, maximum, minimum), element by element. Numbers only.
template <class T, class... Slots, class U, class... Stars>
void accumulate(const Array<T, Slots...>& section, const Array<U, Stars...>& local, By by = By::Sum,
                detail::Where where = detail::Where::here()) {
    static_assert(!std::is_const_v<T>, "the array must not have const elements");
    static_assert(detail::isAccumulable<T>, "accumulate joins numbers");
    if (detail::isComplex<T> && (by == By::Max || by == By::Min))
        throw AdlibError("accumulate: complex numbers have no maximum or minimum", where);
    detail::accessSection(detail::Access::Accumulate, by, section, local, where);
}

}  // namespace Adlib
}  // namespace hpspmd
