// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of one dimension that are used as matrices: a[i * n + j].
#pragma once

#include <list>

#include "analysis/dependence.hpp"
#include "regions/body.hpp"

namespace hpcc::regions {

// Gives the arrays of one dimension the width of their rows: the one number by which others are
// multiplied in subscripts, if no loop counts single elements, a[k]. It is a parameter that is
// never changed, a constant, or a local variable that the function declares before it reads
// elements; for a marked loop, one that is declared before it, and only the loop is looked at.
void findWidths(Arrays& arrays, NodePtr function, NodePtr statement);

// n of `static_cast<long>((n))`
NodePtr withoutCasts(NodePtr node);

// What is declared before the width is known stands at the beginning of a body up to here.
uint32_t behindWidths(const Arrays& arrays, NodePtr body);

// In which rows the iterations of a loop access elements.
class FlatRows {
public:
    FlatRows(NodePtr loop, NodePtr function);

    // c, if it is in row i + c in iteration i; of rows only.
    std::optional<long> shiftOf(const Access& access);

    // k of a[k * n + j], where it is the row; null if it is not known.
    NodePtr rowOf(const Access& access);

    // The variable is in what counts rows, as far as is in sight.
    static bool mayCountRows(const Symbol* variable, const Access& access);

    // No two iterations of the loop reach one element.
    bool areApart(const Access& a, const Access& b);

private:
    analysis::Dependences& at(std::size_t k, const Access& access);

    NodePtr loop_;
    std::vector<NodePtr> nests_;  // from the loop to the outermost one round it: the outer ones
                                  // know more of what is fixed in the inner ones
    std::list<analysis::Dependences> known_;
};

}  // namespace hpcc::regions
