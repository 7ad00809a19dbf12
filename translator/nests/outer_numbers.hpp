// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nests/context.hpp"
#include "nests/entry_test.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

/// Constants of a fast form for the outer numbers of its nest: `const auto by_value = p->by;`.
class OuterNumbers {
public:
    OuterNumbers(Context& context, const Nest& nest) : context_(context), nest_(nest) {}

    /// Names them, and has the test ask whether there are such objects.
    void name(EntryTest& test);
    const std::vector<ast::NodePtr>& declarations() const { return declarations_; }
    const std::string& nameOf(ast::NodePtr number) const;

private:
    void requirePointers(ast::NodePtr number, EntryTest& test);

    Context& context_;
    const Nest& nest_;
    std::map<std::string, std::string> names_;  // by the text of the number
    std::vector<ast::NodePtr> declarations_;
};

}  // namespace hpcc::nests
