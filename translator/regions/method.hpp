// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/unit.hpp"
#include "regions/decision.hpp"
#include "regions/single.hpp"

namespace hpcc::regions {

// A function with arrays to be divided, and what becomes of its loops.
struct Method {
    NodePtr unit = nullptr, function = nullptr;  // the FunctionDefinition
    NodePtr statement = nullptr;                 // its body, or a loop in it that is marked
    std::string_view name;
    Arrays arrays;
    std::map<NodePtr, Division> divisions;  // by loop
    ArraySet used, changed;                 // in these loops

    std::set<NodePtr> singles;                       // statements with [[hpspmd::single]]
    std::map<NodePtr, Told> lines;                   // of those, what `single(a[k])` names
    std::set<NodePtr> syncs;                         // with [[hpspmd::sync]]
    std::string format;                              // of the range, if it is not blocks
    bool isStrategy = false;                         // the format is a strategy of the program
    std::set<const Symbol*, ByName> mergedAtReturn;  // of what is scattered
    long multiple = 1;        // parts of the arrays begin at multiples of this
    std::size_t further = 0;  // so many dimensions are divided besides the first one

    bool isLoop() const { return !statement->is<ast::Compound>(); }
    // True if it holds any of these loops and statements.
    bool isDivided(NodePtr node) const;
    const DividedArray* array(const Symbol* symbol) const;  // of those used
    const DividedArray* arrayNamed(std::string_view name) const;
    // It is no matter how many rows it has.
    bool isOnlyRead(const DividedArray& array) const;
    ArraySet changedIn(NodePtr statement) const;
    bool isScattered(std::string_view name) const;
    // What loops read of it beyond their own elements, below and above; or all.
    struct Seen {
        std::pair<long, long> view{0, 0};
        bool isWhole = false;
    };
    Seen seen(const DividedArray* array) const;
    // Some loop reads elements of it that are beyond own ones in two dimensions.
    bool isReadAslant(const DividedArray* array) const;
    // The farthest that a loop reads from its own elements.
    long widest() const;
};

// Decides on the loops; tells of those that run whole (HP2901).
Method planMethod(NodePtr unit, NodePtr function, Arrays arrays, NodePtr attributes,
                  diagnostics::Engine& engine);

// Of `[[hpspmd::overall]] for (..)` in a function that is no method.
Method planLoop(NodePtr unit, NodePtr function, NodePtr marked, diagnostics::Engine& engine);

// Remarks on the loops that are divided (-Rpartition).
void tellDivisions(const Method& method, diagnostics::Engine& engine);
// Why a loop is not divided, if there is a reason.
void tellWhole(NodePtr loop, const Whole& whole, diagnostics::Engine& engine);

// How a node mentions arrays, but for their sizes.
struct Mentioned {
    std::set<const Symbol*> elements, wholes;  // read, or given to others
    std::set<const Symbol*> written;           // elements that get a value
    std::vector<NodePtr> reads;                // a[k], as often as they stand there
    bool callsOthers = false;                  // functions that are not known to reach nothing else
    bool returns = false;                      // or throws

    std::set<const Symbol*> all() const;
};
Mentioned mentionedIn(NodePtr node, const Arrays& arrays);

// The arrays of `std::swap(a, b);`, if both are divided alike.
std::optional<std::pair<const DividedArray*, const DividedArray*>> swapped(NodePtr statement,
                                                                           const Arrays& arrays);

}  // namespace hpcc::regions
