// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ast/node.hpp"
#include "lower/element_parts.hpp"
#include "lower/reach.hpp"

namespace hpcc::lower {

/// One `at` or `overall` header, or one header of an `overall` expression.
struct Construct {
    std::string_view index;
    ast::NodePtr range = nullptr;
    ast::NodePtr triplet = nullptr;  // null for `at`
};

/// How an access subscripts one dimension: by an index of `over`, shifted by lo .. hi; or by an
/// integer (over is null), whose values are `reaches`; none if they cannot be told.
struct CheckedSlot {
    const Construct* over = nullptr;
    long lo = 0;
    long hi = 0;
    ast::NodePtr triplet = nullptr;      // of `over`, once a check has left it that asks for it
    Reaches reaches;                     // to be checked
    bool hasGaps = false;                // not all between the least and the largest of them
    std::vector<ast::NodePtr> accesses;  // whose subscripts these are

    bool isReached() const { return !reaches.empty(); }
    /// Leaves the subscripts to be checked one by one, at the accesses.
    void forgetReaches();
};

struct Home;

/// A check that must stand somewhere before an access: the array is not null, its group contains
/// the active one, the indices fit, the shifts stay within the ghost cells.
///
/// A demand is certain as long as the access surely follows. One that has left a condition is
/// uncertain: outside, the check may only be asked (`passes`), and its homes raise the error.
struct Demand {
    ast::NodePtr array = nullptr;  // a simple expression
    ast::NodePtr access = nullptr;
    std::vector<CheckedSlot> slots;
    std::vector<const Construct*> enclosing;     // constructs between check and access not in slots
    std::vector<ast::NodePtr> guards;            // conditions under which the access happens
    std::unordered_set<std::string_view> names;  // what the check reads
    bool ofField = false;     // the array is a field, which member functions may assign
    bool inMacro = false;     // a macro, or an `#if`, may drop the access
    ElementPart part;         // of the elements, if there are shifts
    bool asksGhosts = false;  // whether ghost cells are fresh, too

    std::vector<const Home*> homes;  // of an uncertain demand
    int loops = 0;                   // that it has left since it is uncertain

    std::string declares;  // emitted as the declaration of this flag
    std::string flag;      // emitted under the condition that this flag is false

    /// Adds a condition to the guards.
    void require(ast::NodePtr guard);

    bool isCertain() const { return homes.empty(); }
    /// A flag, on which the checks at its homes depend: nothing makes it superfluous.
    bool isAskedElsewhere() const { return !declares.empty(); }
    /// True if it may be asked where the access perhaps does not follow. False if that would follow
    /// a pointer or call a function.
    bool isHarmless() const;
    /// True if it may be asked before the block, whatever part of it the preprocessor leaves out.
    bool isThereWith(ast::NodePtr block) const;
    /// Same array, indices, enclosing constructs and guards: only the shifts may differ.
    bool sameAs(const Demand& other) const;
    /// Equal for demands of the same array and indices.
    size_t hashOfIndices() const;
    /// True if `other` reads the same parts of elements, or no ghost cells.
    bool readsParts(const Demand& other) const { return part == other.part || !other.hasShifts(); }
    /// True if a check of this makes one of `other` superfluous.
    bool covers(const Demand& other) const;
    /// The same, sequential subscripts apart.
    bool coversIndices(const Demand& other) const;
    /// Forgets those reaches of an uncertain demand that keep a check from covering it.
    void adaptTo(const Demand& check);
    /// Takes over the accesses of a demand that this one covers.
    void adopt(const Demand& other);
    /// Forgets the reaches that name something that `isTouched`, or all.
    void forgetReaches(
        const std::function<bool(const std::unordered_set<std::string_view>&)>& isTouched);
    void forgetReaches();
    /// Forgets the reaches that may not be asked where the access perhaps does not follow.
    void forgetHarmful() { keepReaches(&Reach::harmless); }
    bool hasReaches() const;
    /// True if a subscript is counted by this loop.
    bool isCounted(const CountingLoop& loop) const;
    /// From inside a counting loop to before it.
    void leaveLoop(const CountingLoop& loop);
    bool hasShifts() const;
    /// From inside the construct to before it; false if it cannot be told there.
    bool leave(const Construct& construct);
    /// Adds the homes, and widens the shifts to those, of a demand that is sameAs this.
    void merge(const Demand& other);
    /// The part that two demands that are sameAs one another have in common.
    Demand common(const Demand& other) const;
    bool sameReaches(const Demand& other) const;

private:
    /// Forgets the reaches of a slot unless all have the property.
    void keepReaches(bool Reach::*property);
    bool isSafe() const;
    void leaveIndex(const Construct& construct);
};

/// Where an uncertain demand came from: an access inside an expression, or the statement before
/// which `demand`, then still certain, could have been checked.
struct Home {
    ast::NodePtr place = nullptr;
    bool isAccess = false;
    Demand demand;
};

/// The demands at one place, in the order in which they came.
class Demands {
public:
    Demands() = default;
    Demands(std::initializer_list<Demand> demands) : list_(demands) {}

    auto begin() { return list_.begin(); }
    auto end() { return list_.end(); }
    auto begin() const { return list_.begin(); }
    auto end() const { return list_.end(); }
    bool empty() const { return list_.empty(); }

    void append(Demand demand);
    /// Puts `demand` behind them, merged with what is there; what that makes superfluous goes to
    /// `met`.
    void add(Demand demand, Demands& met);

private:
    std::vector<Demand*> alike(const Demand& demand);  // at least those of the same indices
    void index(size_t place);

    std::vector<Demand> list_;
    std::unordered_map<size_t, std::vector<size_t>> places_;  // by indices, once they are many
};

}  // namespace hpcc::lower
