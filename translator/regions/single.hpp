// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <string>

#include "diagnostics/engine.hpp"
#include "regions/body.hpp"

namespace hpcc::regions {

// The line of a divided array whose process runs a statement.
struct Told {
    const DividedArray* array = nullptr;
    std::string location;    // its subscript, without spaces,
    std::string place = {};  // and where that is

    // a[k] or an element of it.
    bool holds(NodePtr element, const Arrays& arrays) const;
};

// What `single(a[k])` before a statement names; an error if the statement has no such line, or
// changes k.
Told toldLine(const Attribute& single, NodePtr statement, const Arrays& arrays,
              diagnostics::Engine& engine);

// The numbers declared outside of a statement that it may change, which its process tells the
// others; an error for anything else that it changes, but for elements of its line (HP2916).
std::set<std::string> toldBySingle(NodePtr statement, const Told* line, const Arrays& arrays,
                                   diagnostics::Engine& engine);

// An error for a name of `sync(a, b)` that is none of these.
void requireArrays(const Attribute& sync, const Arrays& arrays, diagnostics::Engine& engine);

}  // namespace hpcc::regions
