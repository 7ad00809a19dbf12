// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which objects an expression names.
#pragma once

#include <functional>
#include <vector>

#include "analysis/dependence.hpp"

namespace hpcc::analysis {

// The FunctionDefinition or Lambda that a call runs; null if it is out of sight, or may be one of
// several.
using BodyOf = std::function<NodePtr(NodePtr call)>;

// An object, or a part of one.
struct NamedObject {
    NodePtr root = nullptr;        // an access a[i], or a name; null: `*this`
    bool isBehind = false;         // what the pointer `root` points to
    std::vector<Step> steps = {};  // members and subscripts from there
    bool isSure = true;            // else perhaps another object, or another part of it
    NodePtr given = nullptr;       // to a function: the argument, or the object of its method

    bool isElement() const { return root && root->is<ast::Subscript>(); }
};
using NamedObjects = std::vector<NamedObject>;

// Of two objects that are no elements: known by one name, and reached by the same steps.
bool isSameObject(const NamedObject& one, const NamedObject& other);

// True of a[i], where a is an array or may be one.
bool isElementAccess(NodePtr subscript);

// True if what is declared is another name of its initializer: `double &e = a[i]`.
bool bindsReference(NodePtr declarator);

// Names, references, pointers and what functions in sight return are followed as far as they have
// one meaning.
//
//     a[i].u                       .u of a[i]
//     e.u, p->u, (*p)[3]           of what `auto &e = a[i]`, `auto *p = &b[i]` name
//     c ? a[i] : b[i]              perhaps a[i], perhaps b[i]
//     largest(a[i], b[i])          the same, if it returns a reference to what it is given
class NamingExpressions {
public:
    explicit NamingExpressions(BodyOf bodyOf) : bodyOf_(std::move(bodyOf)) {}

    NamedObjects named(NodePtr expression) const;
    NamedObjects pointedTo(NodePtr pointer) const;

    NodePtr bodyOf(NodePtr call) const;

    // What parameter k of a function, or its object, is given by a call; `inside` is an object that
    // the function names by it.
    NamedObjects given(NodePtr call, NodePtr function, const NamedObject& inside) const;

    // The same parts of these objects.
    static NamedObjects inside(NamedObjects objects, const NamedObject& part);

private:
    NamedObjects byName(NodePtr name) const;
    NamedObjects returned(NodePtr call) const;

    BodyOf bodyOf_;
};

}  // namespace hpcc::analysis
