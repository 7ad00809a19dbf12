// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <unordered_set>
#include <vector>

#include "ast/node.hpp"
#include "nests/analyse.hpp"

namespace hpcc::nests {

/// `a`, `f.a`, `this->a`: a name, or a member of one, that is no pointer.
bool isPlainBase(ast::NodePtr base);

/// v of `v.at(k)`, where v is a container of the standard library; null of other nodes.
ast::NodePtr askedAt(ast::NodePtr call);

/// A container or C array that is asked for an element, or a pointer that is followed.
struct Premise {
    ast::NodePtr object = nullptr;
    ast::NodePtr subscript = nullptr;  // null: a pointer
};

/// What must hold so that a handle can be copied: of `levels[k].u` that there is a levels[k]. Null
/// pointers and missing elements are all that can be in the way of a known expression.
struct HandlePath {
    bool isKnown = false;
    std::vector<Premise> premises;  // the first must hold before the second can be asked
};
HandlePath pathOf(ast::NodePtr handle);

/// True of a number that such an expression reaches, other than a name or an element of a
/// multiarray: `f.by`, `p->by`, `*sum`, `sums[0]`.
bool isNumberPath(ast::NodePtr expression);

/// Which names keep their value while a nest runs.
class FixedNames {
public:
    FixedNames(ast::NodePtr nest, const Surroundings& surroundings);

    /// True if the handle, or the place of a number, is the same in all iterations.
    bool keep(ast::NodePtr handle) const;

private:
    bool keeps(ast::NodePtr part) const;
    bool keepsParts(ast::NodePtr node) const;
    bool keepsName(ast::NodePtr name) const;
    void note(ast::NodePtr node);

    const Surroundings& surroundings_;
    std::unordered_set<std::string_view> changed_, changedMembers_;
    bool isKnown_ = true;          // all that it does is seen
    bool callsForeign_ = false;    // code that may change what is not confined
    bool storesIntegers_ = false;  // in some object or behind a pointer: a subscript, perhaps
    bool storesForeign_ = false;   // what is no number
};

}  // namespace hpcc::nests
