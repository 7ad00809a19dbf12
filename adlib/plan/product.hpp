// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <hpspmd/where.hpp>
#include <vector>

namespace hpspmd::detail::plan {

/// One arithmetic progression walked in K places at once: element t lies at base[k] + t * step[k]
/// in place k. A place is an array's local memory (unit: elements) or the global numbering.
template <int K>
struct Run {
    Index count = 0;
    std::array<Index, K> base{};
    std::array<Index, K> step{};

    friend bool operator==(const Run&, const Run&) = default;
};

template <int K>
using Runs = std::vector<Run<K>>;

/// A product of runs, one list per dimension: the elements offset + (one element of each
/// dimension), taken in row-major order (last dimension fastest). This is how plans speak of array
/// elements.
///
/// Example: columns 1 and 3 of two rows of 5 elements, in one place, is
///     {offset 0, dims {{count 2, base 0, step 5}}, {{count 2, base 1, step 2}}}  ->  1 3 6 8
template <int K>
struct Product {
    std::array<Index, K> offset{};
    std::vector<Runs<K>> dims;

    Index count() const {
        Index product = 1;
        for (const Runs<K>& runs : dims) product *= sum(runs);
        return product;
    }

    friend bool operator==(const Product&, const Product&) = default;

private:
    static Index sum(const Runs<K>& runs) {
        Index total = 0;
        for (const Run<K>& run : runs) total += run.count;
        return total;
    }
};

/// The elements of one array on one process.
using Region = Product<1>;

/// The same elements in the same order, with as few dimensions and as long rows as possible: single
/// elements become part of the offset, and dimensions that follow one another in memory are joined.
template <int K>
Product<K> simplified(const Product<K>& product);

/// The elements number first .. first + count - 1 of a product, in their order.
template <int K>
std::vector<Product<K>> part(const Product<K>& product, Index first, Index count);

/// A simplified region that is one stretch of memory (or empty, or one element).
bool isContiguous(const Region& region);

namespace product_rows {

template <int K, class Row>
void visit(const Product<K>& product, std::size_t depth, std::array<Index, K> at, Row& row) {
    const bool isRow = depth + 1 == product.dims.size();
    for (const Run<K>& run : product.dims[depth]) {
        std::array<Index, K> start;
        for (int k = 0; k < K; ++k) start[k] = at[k] + run.base[k];
        if (isRow) {
            row(start, run.count, run.step);
            continue;
        }
        for (Index t = 0; t < run.count; ++t) {
            visit<K>(product, depth + 1, start, row);
            for (int k = 0; k < K; ++k) start[k] += run.step[k];
        }
    }
}

}  // namespace product_rows

/// Calls row(start, count, step) for each innermost run, in the product's order.
template <int K, class Row>
void forEachRow(const Product<K>& product, Row row) {
    if (product.dims.empty())
        row(product.offset, Index{1}, std::array<Index, K>{});
    else
        product_rows::visit<K>(product, 0, product.offset, row);
}

/// Two nested runs: element (i, j) lies at start + i * steps[0] + j * steps[1].
template <int K>
struct Plane {
    std::array<Index, K> start;
    std::array<Index, 2> counts;
    std::array<std::array<Index, K>, 2> steps;
};

namespace product_rows {

template <int K, class F>
void visitPlanes(const Product<K>& product, std::size_t depth, std::array<Index, K> at, F& f) {
    const bool isLast = depth + 1 == product.dims.size();
    const bool isPlane = depth + 2 == product.dims.size() && product.dims[depth + 1].size() == 1;
    for (const Run<K>& run : product.dims[depth]) {
        std::array<Index, K> start;
        for (int k = 0; k < K; ++k) start[k] = at[k] + run.base[k];
        if (isLast) {
            f(Plane<K>{start, {1, run.count}, {std::array<Index, K>{}, run.step}});
        } else if (isPlane) {
            const Run<K>& inner = product.dims[depth + 1].front();
            for (int k = 0; k < K; ++k) start[k] += inner.base[k];
            f(Plane<K>{start, {run.count, inner.count}, {run.step, inner.step}});
        } else {
            for (Index t = 0; t < run.count; ++t) {
                visitPlanes<K>(product, depth + 1, start, f);
                for (int k = 0; k < K; ++k) start[k] += run.step[k];
            }
        }
    }
}

}  // namespace product_rows

/// Calls f(plane) for planes that make up the product, in its order; a row is one of one row.
template <int K, class F>
void forEachPlane(const Product<K>& product, F f) {
    if (product.dims.empty())
        f(Plane<K>{product.offset, {1, 1}, {}});
    else
        product_rows::visitPlanes<K>(product, 0, product.offset, f);
}

}  // namespace hpspmd::detail::plan
