// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// get, put, accumulate, fetchAdd and fence: access to any part of an array by one process alone.

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

/// What fetchAdd adds: an array of the section's shape, or one number to all elements.
struct Addend {
    const Operand* array;
    const void* number;
};

enum class Access { Get, Put, Accumulate, FetchAdd };
void fetchAdd(const Operand& old, const Operand& section, const Addend& addend, Where where);
void access(Access access, Adlib::By by, const Operand& section, const Operand& local, Where where);

template <class Local, class Section>
void accessSection(Access kind, Adlib::By by, const Section& section, const Local& local,
                   Where where) {
    static_assert(Section::rank() == Local::rank(),
                  "the section and the local array have the same rank");
    using T = std::remove_const_t<typename Section::Element>;
    static_assert(std::is_same_v<T, std::remove_const_t<typename Local::Element>>,
                  "the section and the local array have the same element type");
    keepHome(section, where);
    if (kind == Access::Get) keepHome(local, where);
    access(kind, by, operand("section", section, where), operand("local array", local, where),
           where);
}

template <class Old, class Section, class Number>
void fetchAddSection(const Old& old, const Section& section, const Operand* array,
                     const Number* number, Where where) {
    static_assert(Section::rank() == Old::rank(),
                  "the section and the array for old values have the same rank");
    using T = typename Section::Element;
    static_assert(std::is_same_v<T, typename Old::Element> && !std::is_const_v<T>,
                  "the section and the array for old values have the same element type, not const");
    static_assert(isAccumulable<T>, "fetchAdd adds numbers");
    keepHome(section, where);
    keepHome(old, where);
    fetchAdd(operand("array for old values", old, where), operand("section", section, where),
             {array, number}, where);
}

}  // namespace detail

namespace Adlib {

/// Opens an epoch, in which any process of the APG may call get, put, accumulate and fetchAdd on
/// sections of the array (or of what the array is a section of), as often as it likes and in any
/// branch; the next fence closes it and does what they asked for. First all gets, which see the
/// array as it was when the last process arrived; then the puts, accumulates and fetchAdds of
/// process 0 in their order, then those of process 1, and so on. Only fence is collective.
/// Errors (AdlibError): an array not contained in the APG.
template <class T, class... Slots>
void fence(const Array<T, Slots...>& array, detail::Where where = detail::Where::here()) {
    static_assert(!std::is_const_v<T>, "the array must not have const elements");
    detail::keepHome(array, where);
    detail::fence({detail::operand("array", array, where), array.storageHandle()},
                  detail::accumulateElement<T>, where);
}

/// local = section, of any elements of a distributed array, by this process alone; complete when
/// the epoch has been closed. The local array has the section's shape and `*` slots; until then its
/// elements must not be touched (the array itself may go). Example:
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

/// section = section + by, element by element, and `old` holds what this has found there when the
/// epoch has been closed: no other process is told the same of one element, if by is not 0. `by` is
/// an array like `old` or one number for all elements; it is taken at once. `old` must not be
/// touched until then, nor die. Which process finds what is fixed by the order that fence tells,
/// and so is the same in every run. Example: numbers 0, 1, 2 .. that are dealt out, one to each
/// call:
///     fence(next); if (needsOne) fetchAdd(ticket, next[[0 : 0]], 1); fence(next);
template <class T, class... Stars, class... Slots, class U, class... Others>
void fetchAdd(const Array<T, Stars...>& old, const Array<T, Slots...>& section,
              const Array<U, Others...>& by, detail::Where where = detail::Where::here()) {
    static_assert(
        std::is_same_v<T, std::remove_const_t<U>> && sizeof...(Slots) == sizeof...(Others),
        "the section and what is added have the same rank and element type");
    const detail::Operand added = detail::readOperand("array to add", by, where);
    detail::fetchAddSection(old, section, &added, static_cast<const T*>(nullptr), where);
}

template <class T, class... Stars, class... Slots>
void fetchAdd(const Array<T, Stars...>& old, const Array<T, Slots...>& section,
              const typename Array<T, Slots...>::Element& by,
              detail::Where where = detail::Where::here()) {
    detail::fetchAddSection(old, section, static_cast<const detail::Operand*>(nullptr), &by, where);
}

}  // namespace Adlib
}  // namespace hpspmd
