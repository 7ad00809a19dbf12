// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Triples, a sparse matrix as a list of its elements, and readTriples, which reads one.

#include <adlib/file_value.hpp>
#include <adlib/remap.hpp>
#include <array>
#include <cstring>
#include <hpspmd/active.hpp>
#include <hpspmd/create.hpp>
#include <hpspmd/procs.hpp>
#include <hpspmd/ranges.hpp>
#include <string>
#include <vector>

namespace hpspmd {
namespace detail {

/// Elements of a sparse matrix, those that this process has read.
struct TriplesShare {
    std::array<Index, 2> shape{};
    std::vector<Index> rows, columns;
    std::string values;         ///< each a `FileNumber`
    std::vector<Index> counts;  ///< of elements, of each process of the APG
};

TriplesShare readTriplesShare(const std::string& file, FileNumber number, Where where);

}  // namespace detail

namespace Adlib {

/// Elements of a sparse matrix: `values()` and where they stand, `rows()` and `columns()`, from 0
/// on; three arrays with the same blocks, dealt to the processes of the APG that read them.
template <class T>
class Triples {
public:
    using Indices = Array<Index, Dist>;
    using Values = Array<T, Dist>;

    Triples(std::array<Index, 2> shape, Indices rows, Indices columns, Values values)
        : shape_(shape),
          rows_(std::move(rows)),
          columns_(std::move(columns)),
          values_(std::move(values)) {}

    std::array<Index, 2> shape() const { return shape_; }  ///< rows, columns of the matrix
    const Indices& rows() const { return rows_; }
    const Indices& columns() const { return columns_; }
    const Values& values() const { return values_; }

private:
    std::array<Index, 2> shape_;
    Indices rows_, columns_;
    Values values_;
};

/// Reads a matrix of the Matrix Market of the form `coordinate`, without its zeros. Of a symmetric,
/// skew-symmetric or hermitian one the other half is made as well: each of these elements follows
/// the one that it mirrors; the order is that of the file. An element that stands there twice is
/// there twice: their sum counts. Values of `pattern` are 1. Each process reads its share of the
/// text, so a file may be larger than the memory of one.
/// The arrays are dealt to the processes of `d`; to those of a grid of their own without it.
/// Example: `Adlib::Triples m = Adlib::readTriples<double>("a.mtx", p.dim(0));`, then
/// `overall (k = m.values().rng(0) for :)`.
/// Errors: IoError with the cause and the line, on all processes alike: no such matrix, real
/// numbers read as integers, complex ones as real ones. DimensionNotInGroup if d is not in the APG.
template <class T>
Triples<T> readTriples(const std::string& file, const Dimension& d,
                       detail::Where where = detail::Where::here()) {
    const detail::TriplesShare share =
        detail::readTriplesShare(file, detail::fileNumber<T>(), where);
    const Procs1 readers;
    const IrregRange read(share.counts, readers.dim(0), where);
    const BlockRange dealt(read.size(), d, where);
    const auto array = [&](auto element, const void* elements) {
        using Element = decltype(element);
        const auto from = create<Element>({readers, where}, read);
        const auto to = create<Element>({apg(), where}, dealt);
        if (!share.rows.empty())
            std::memcpy(static_cast<void*>(from.data()), elements,
                        share.rows.size() * sizeof(Element));
        remap(to, from, where);
        return to;
    };
    return {share.shape, array(Index(), share.rows.data()), array(Index(), share.columns.data()),
            array(T(), share.values.data())};
}
template <class T>
Triples<T> readTriples(const std::string& file, detail::Where where = detail::Where::here()) {
    const Procs1 grid;
    const detail::On active(grid);
    return readTriples<T>(file, grid.dim(0), where);
}

}  // namespace Adlib
}  // namespace hpspmd
