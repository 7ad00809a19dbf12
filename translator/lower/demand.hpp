#pragma once

#include <deque>
#include <string>
#include <unordered_set>
#include <vector>

#include "ast/node.hpp"

namespace hpcc::lower {

/// One `at` or `overall` header, or one header of an `overall` expression.
struct Construct {
    std::string_view index;
    ast::NodePtr range = nullptr;
    ast::NodePtr triplet = nullptr;  // null for `at`
};

/// How an access subscripts one dimension: by an index of `over`, shifted by lo .. hi; or by an
/// integer (over is null).
struct CheckedSlot {
    const Construct* over = nullptr;
    long lo = 0;
    long hi = 0;
};

/// A check that must stand somewhere before an access: the array is not null, its group contains
/// the active one, the indices fit, the shifts stay within the ghost cells.
struct Demand {
    ast::NodePtr array = nullptr;  // a simple expression
    ast::NodePtr access = nullptr;
    std::vector<CheckedSlot> slots;
    std::vector<const Construct*> enclosing;     // constructs between check and access not in slots
    std::vector<ast::NodePtr> guards;            // conditions under which the access happens
    std::unordered_set<std::string_view> names;  // what the check reads
    bool ofField = false;  // the array is a field, which member functions may assign

    /// Same array, indices, enclosing constructs and guards: only the shifts may differ.
    bool sameAs(const Demand& other) const;
    /// True if a check of this makes one of `other` superfluous.
    bool covers(const Demand& other) const;
    /// Widens the shifts to those of a demand that is sameAs this.
    void merge(const Demand& other);
    /// The part that two demands that are sameAs one another have in common.
    Demand common(const Demand& other) const;
};

using Demands = std::vector<Demand>;

/// Puts `demand` into the list, merged with what is there.
void add(Demands& list, Demand demand);

}  // namespace hpcc::lower
