// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ast/attributes.hpp"

namespace hpcc::regions {

using ast::Attribute;
using ast::NodePtr;
using ast::parts;

// Those that concern methods: dist, reduce, overall, single, sync.
std::vector<Attribute> methodAttributes(NodePtr attributed);
std::optional<Attribute> attributeOf(NodePtr attributed, std::string_view name);

// What the attributes stand before.
NodePtr attributedNode(NodePtr node);

// n of `dim(n)`, if the name is dim.
std::optional<std::string_view> argumentOf(std::string_view part, std::string_view name);

// a and k of `single(a[k])`; nothing for anything else.
struct Line {
    std::string_view array, location;
};
std::optional<Line> lineOf(const Attribute& single);

// An operation of reduce: how the program writes it, and what the library calls it.
struct Operation {
    enum class Of {
        Sign,  // + max ..
        Two,   // a function of two results
        All,   // a function of a std::vector of results
        Self   // the method itself, of that vector
    };
    std::string_view sign, type;
    Of of = Of::Sign;
    bool mayBeFree = false;  // loops may change the variable by anything
    bool isChosen = false;   // the loop does nothing but replace it, or members of it, by others

    bool isSign() const { return of == Of::Sign; }
    bool isOfAll() const { return of == Of::All || of == Of::Self; }
};
// Functions are those of the unit.
std::optional<Operation> operationOf(std::string_view sign, NodePtr unit);

}  // namespace hpcc::regions
