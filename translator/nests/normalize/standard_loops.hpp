// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <span>

#include "nests/context.hpp"

namespace hpcc::nests {

/// Functions of the standard library that go over elements of containers of numbers, as loops.
class StandardLoops {
public:
    StandardLoops(Context& context, ast::FreshNames::Counts& counts)
        : context_(context), counts_(counts) {}

    /// A statement that calls one, or what it was:
    ///
    ///     std::fill(v.begin(), v.end(), 0)
    ///         for (std::size_t v_k = 0; v_k < v.size(); ++v_k) v[v_k] = 0;
    ///     std::copy(z.begin(), z.begin() + k, y.begin())
    ///         for (Index z_k = 0; z_k < k; ++z_k) y[z_k] = z[z_k];
    ///     w.fill(2 * a[i])
    ///         { const double w_value = 2 * a[i]; for .. }
    ///     std::nth_element(v.begin(), v.begin() + 4, v.end())
    ///         comparisons and exchanges (sorted_elements.hpp)
    ast::NodePtr written(ast::NodePtr statement);

    /// Where an iterator points: behind all elements, or at one; null: at the first.
    struct Position {
        ast::NodePtr container = nullptr, offset = nullptr;
        bool isEnd = false;

        bool isBegin() const { return container && !offset && !isEnd; }
    };
    static Position positionOf(ast::NodePtr iterator);
    /// How many elements there are from the one to the other, if these are all; 0: not known.
    static long long wholeLength(const Position& begin, const Position& end);
    /// The type of the numbers in a container.
    static const ast::Type* numberIn(ast::NodePtr container);

    /// The loop from one place to the other, of which `body` gives what it does for a counter; null
    /// if it is not known.
    ast::NodePtr counted(const Position& first, const Position& last,
                         const std::function<ast::NodePtr(ast::NodePtr)>& body);
    ast::NodePtr elementAt(ast::NodePtr container, ast::NodePtr subscript);
    /// The counter from another beginning on: `k - (from) + (to)`; either may be null.
    ast::NodePtr moved(ast::NodePtr counter, ast::NodePtr from, ast::NodePtr to);

private:
    ast::NodePtr fill(const Position& first, const Position& last, ast::NodePtr value);
    ast::NodePtr copy(const Position& first, const Position& last, const Position& to);
    ast::NodePtr sort(ast::NodePtr first, ast::NodePtr last, std::span<const ast::NodePtr> by);
    ast::NodePtr lengthOf(ast::NodePtr container);

    Context& context_;
    ast::FreshNames::Counts& counts_;
};

}  // namespace hpcc::nests
