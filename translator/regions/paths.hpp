// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects that are reached by pointers and subscripts.
#pragma once

#include <set>
#include <string>
#include <unordered_set>

#include "ast/node.hpp"

namespace hpcc::regions {

using ast::NodePtr;

// p of p->t.a, cells of cells[k].a: what is no part of another object.
NodePtr beginOf(NodePtr path);

// The paths of a loop that lead to one object in all iterations, and do so in the first one.
//
//     for (int i = 0; i < n; ++i) p->a[i] = cells[k].a[i];    // p->a, cells[k].a, where n > 0
//     for (int i = 0; i < n; ++i) p.get()->a[i] += cells.at(k).a[i]; // as well: p is a shared_ptr
//     for (int i = 0; i < n; ++i) { p->a[i] = 1; p = p->next; }      // none
//     for (int i = 0; i < n; ++i) if (p) p->a[i] = 1;                // none
class FixedPaths {
public:
    explicit FixedPaths(NodePtr loop);

    // p->a, or a member of the own object by its name alone.
    bool contains(NodePtr member) const;
    // Its pointers lead to objects in any case: the condition follows them, or one iteration runs.
    bool isFollowedAnyway(NodePtr member) const;
    // That the first iteration runs, `0 < n`; empty if that cannot be asked before.
    std::string runsAtAll() const;

private:
    bool isFixed(NodePtr path) const;
    bool isFixedNumber(NodePtr subscript) const;
    bool isOutside(NodePtr name) const;
    void follow(NodePtr node, std::set<std::string>& followed) const;
    void followChecked(NodePtr node, std::set<std::string>& followed) const;

    NodePtr loop_;
    bool isPlain_ = false;
    std::unordered_set<std::string_view> changed_;  // names
    std::set<std::string> followed_, followedAnyway_;
};

}  // namespace hpcc::regions
