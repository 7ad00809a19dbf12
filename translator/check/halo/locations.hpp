// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of an array a write changes, and which ones a read of ghost cells asks for.
#pragma once

#include "analysis/element_writes.hpp"
#include "check/halo/parts.hpp"
#include "check/types.hpp"

namespace hpcc::check::halo {

// Answers that for one function, all of whose loops count: what was written in an earlier iteration
// of a loop has another value of its variable.
class Locations {
public:
    explicit Locations(NodePtr body) : body_(body), all_({body}) {}

    // The elements that a write, or a collective that writes a section, changes: nothing if these
    // are all of the array, as far as ranges, conditions on indices and subscripts of `*` show, and
    // all of each. `isPart`: through a section.
    std::optional<Elements> written(const analysis::ElementWrite& write, std::size_t rank,
                                    bool isPart);
    std::optional<Elements> written(NodePtr collective, std::size_t rank, bool isPart);

    // What an access with shifted subscripts reads: one or several parts of the same elements.
    std::vector<Elements> read(NodePtr access);

    // True if both accesses may reach one element, in any iterations; of the loops round both in
    // the same one, but for `rounds` and those in it.
    bool mayMeet(NodePtr write, NodePtr read, NodePtr rounds);

private:
    using Loop = analysis::Loop;
    using Sum = analysis::Sum;

    Bound bound(const Sum& sum, const Sum& extent) const;
    void note(Span& span, const Sum& extent) const;
    bool isSettled(NodePtr expression, const Loop* place);
    Bound end(NodePtr expression, analysis::Place place, const Sum& extent);
    Span value(NodePtr number, analysis::Place place, const Sum& extent);
    Span interval(NodePtr triplet, NodePtr range, analysis::Place place);
    Span spanOf(const Loop& loop, int iteration);
    Span subscripted(NodePtr subscript, const Loop* place, int iteration, const Sum& extent);
    std::optional<Box> writtenBox(NodePtr access, std::size_t rank, bool isPart);
    Part partOf(const std::vector<analysis::Step>& steps, const Loop* loop, int iteration);
    std::vector<Part> partsRead(const analysis::Access& access);
    Box accessed(const analysis::Access& access, int iteration);
    analysis::System isOne(NodePtr to, const Loop* writing, NodePtr from, const Loop* reading);
    analysis::System inSameRounds(const analysis::Access& write, const analysis::Access& read,
                                  NodePtr rounds);
    Box section(NodePtr section, const Box& inside, const Loop* place);

    const NodePtr body_;
    analysis::Dependences all_;
    analysis::Skips skips_;
};

}  // namespace hpcc::check::halo
