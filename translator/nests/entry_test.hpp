// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>

#include "nests/independence.hpp"
#include "nests/reaches.hpp"

namespace hpcc::nests {

/// Where subscripts that elements give are compared with extents: by the test, which looks at all
/// of them, so that the C++ compiler may compute several iterations at once; at the access in loops
/// that run in order, because they sum up: there a comparison costs less than another way through
/// the memory; or always at the access, so that they need not come home from a device.
enum class Gathers : unsigned char { AtEntry, InOrderAtAccess, AtAccess };

/// Dimensions of accesses.
using Subscripts = std::set<std::pair<ast::NodePtr, size_t>>;

/// What must hold for all accesses of a nest to be legal, as one question per array and combination
/// of indices: `hpspmd::detail::ready(a, {hpspmd::detail::over(x, -1, 1), ..})`.
class EntryTest {
public:
    /// With `takesObjects` elements may be objects of plain structs.
    EntryTest(Context& context, const Nest& nest, Reaches& reaches,
              Gathers gathers = Gathers::AtEntry, bool takesObjects = false)
        : context_(context),
          nest_(nest),
          reaches_(reaches),
          gathers_(gathers),
          takesObjects_(takesObjects) {}

    void require(ast::NodePtr condition) { conditions_.push_back(condition); }
    void requireReady();
    void requireApart(const ArrayPairs& pairs);
    void requireApart(const std::string& left, const std::string& right);
    /// That arrays are apart from the elements of containers, where loops take that for granted:
    /// those written if `isTaken`, all beside containers that loops change.
    void requireContainersApart(bool isTaken);
    /// That all triplets of a loop lie in its range, if numbers outlive the nest: an error would
    /// lose what the loops have done to them until then. False if the bounds cannot be told.
    bool requireInside(const Loop& loop);
    /// That no caller has given the nest one variable by two names.
    void requirePremises();

    const std::vector<ast::NodePtr>& conditions() const { return conditions_; }
    /// All of them at once; never null.
    ast::NodePtr condition() const;

    /// Dimensions of accesses whose `*` subscripts the test does not cover: they are checked one by
    /// one.
    const Subscripts& unchecked() const { return unchecked_; }

    /// True if an access directly in this loop has a subscript that elements give, or that is
    /// checked there.
    bool gathersIn(const Loop& loop) const { return gatheringLoops_.contains(&loop); }
    /// True if a small innermost loop has such checks, and not so few iterations that it is
    /// unrolled anyway. Where its counter is compared less often, they cost nothing.
    bool isUnrolled(const Loop& loop) const;

private:
    struct InTextOrder {
        bool operator()(const Loop* a, const Loop* b) const { return a->number < b->number; }
    };
    struct Dimension {
        const Slot* over = nullptr;  // `-` slot: one of its uses
        long lo = 0, hi = 0;
        std::map<const Loop*, std::pair<long, long>, InTextOrder>
            loops;                                   // `*` slot: k + lo .. k + hi
        std::map<std::string, ast::NodePtr> others;  // and further reaches, by their text
    };
    struct Combination {
        const Access* first = nullptr;
        std::vector<Dimension> dimensions;
    };

    void requireMeeting(const Loop& loop);
    void requireGathered();
    std::string keyOf(const Access& access) const;
    void add(Combination& combination, const Access& access);
    void addSequential(Dimension& dimension, const Access& access, size_t r);
    bool isReachedByNumbers(std::size_t array) const;
    ast::NodePtr ready(const Combination& combination);
    ast::NodePtr entry(const Dimension& dimension, const Loop* loop);
    ast::NodePtr overEntry(const Dimension& dimension, const Loop* loop);
    std::vector<ast::NodePtr> enclosing(const Access& access);

    Context& context_;
    const Nest& nest_;
    Reaches& reaches_;
    Gathers gathers_;
    bool takesObjects_;
    std::vector<ast::NodePtr> conditions_;
    Subscripts unchecked_;
    std::set<const Loop*> gatheringLoops_;
    // Subscripts that elements give, by array, dimension and text.
    std::map<std::tuple<size_t, size_t, std::string>, ast::NodePtr> gathered_;
};

/// True if an access uses the indices of both loops.
bool areUsedTogether(const Nest& nest, const Loop& inner, const Loop& outer);

}  // namespace hpcc::nests
