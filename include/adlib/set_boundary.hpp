// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// setBoundary, the ghost cells beyond the ends of an array.

#include <adlib/write_halo.hpp>

namespace hpspmd {
namespace detail {

/// What is done with one cell: its element's offset from data() and its R global indices.
struct CellVisitor {
    void (*visit)(void* context, Index offset, const Index* global);
    void* context;
};

/// Visits the ghost cells of this process of which a global index lies outside 0 .. N-1.
void forEachBoundaryCell(const Operand& array, const CellVisitor& visitor);

template <class F, std::size_t... R>
constexpr bool takesIndices(std::index_sequence<R...>) {
    return std::is_invocable_v<const F&, decltype(static_cast<void>(R), Index())...>;
}
template <class F, std::size_t... R>
decltype(auto) callWithIndices(const F& f, const Index* global, std::index_sequence<R...>) {
    return f(global[R]...);
}

}  // namespace detail

namespace Adlib {

/// Sets the ghost cells that lie beyond the ends of the array (those that writeHalo leaves alone in
/// mode Edge), corners included, to a value, or to what a function gives for their global indices,
/// which are then below 0 or at least N in some dimension. Local.
/// Example: `setBoundary(a, [](Index i, Index j) { return i < 0 ? 1.0 : 0.0; })`.
template <class T, class... Slots, class Value>
void setBoundary(const Array<T, Slots...>& array, const Value& value,
                 detail::Where where = detail::Where::here()) {
    detail::requireChangeable<Array<T, Slots...>>();
    using Dimensions = std::make_index_sequence<sizeof...(Slots)>;
    const auto element = [&](const Index* global) -> T {
        if constexpr (detail::takesIndices<Value>(Dimensions()))
            return static_cast<T>(detail::callWithIndices(value, global, Dimensions()));
        else
            return static_cast<void>(global), static_cast<T>(value);
    };
    struct Context {
        T* data;
        decltype(element)* function;
    } context{array.data(), &element};
    detail::forEachBoundaryCell(detail::operand("array", array, where),
                                {[](void* of, Index offset, const Index* global) {
                                     auto& at = *static_cast<Context*>(of);
                                     at.data[offset] = (*at.function)(global);
                                 },
                                 &context});
}

}  // namespace Adlib
}  // namespace hpspmd
