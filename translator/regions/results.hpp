// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "regions/nest_writing.hpp"

namespace hpcc::regions {

// The texts that make one result of what the processes have found in a divided loop.
class Results {
public:
    // Of a variable that reduce names.
    Results(const std::pair<const Symbol* const, Combined>& combined, const Method& method,
            const Division& division, const ast::Unit& unit, const MethodNames& names);

    std::string start() const;  // before the loop,
    std::string row() const;    // before the innermost loop,
    std::string begun() const;  // at the beginning of an iteration,
    std::string take() const;   // up to e of `v = f(v, e)`,
    std::string join() const;   // and behind it

private:
    // Each process has several stretches of the loop.
    bool isDealt() const { return !method_.isStrategy && !method_.format.empty(); }
    std::size_t rows() const { return isDealt() ? 1 : division_.further.size(); }
    std::string extents() const;
    std::string noteRow() const;
    std::string function() const;

    const Symbol& variable_;
    const Combined& combined_;
    const Method& method_;
    const Division& division_;
    const ast::Unit& unit_;
    const MethodNames& names_;
    std::string isNew_;  // a variable: nothing has been found yet
    std::string all_;    // and what the others have found
};

}  // namespace hpcc::regions
