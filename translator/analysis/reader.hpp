// What integers and conditions inside a nest are, as sums over the indices of its iterations.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include "analysis/constant.hpp"
#include "analysis/system.hpp"

namespace hpcc::analysis {

// Of two iterations, 0 and 1. What is the same in all iterations has one atom for both; an index,
// and what is computed from it, has two; what is not understood has one of its own each time.
//
//     overall (i = x for :)                     read("i` + n", 0) is i0 + n
//         overall (j = y for 1 + i` % 2 : 9 : 2)   j0 = 1 + (i0 - 2 q0) + 2 t0, j0 <= 9
class Reader {
public:
    // `changed`: names that the nest assigns.
    Reader(NodePtr nest, const std::unordered_set<std::string_view>& changed, System& system)
        : nest_(nest), changed_(changed), system_(system) {}

    Sum read(NodePtr expression, int iteration);
    Sum index(const Symbol* index, int iteration);

    // The condition holds, or does not hold, in the iteration.
    void assume(NodePtr condition, bool holds, int iteration);

    // The index is one of those that its `overall` or `at` goes over.
    void bound(const Symbol* index, int iteration);

    // What an `overall` goes over, of a range of `size` locations; the step is never 0.
    struct Triplet {
        Sum first, last, step, size;
    };
    std::optional<Triplet> triplet(const Symbol* index, int iteration);

private:
    using Key = std::tuple<const Symbol*, int, std::string, Sum>;

    Sum atom(const Symbol* symbol, int iteration, std::string text = {}, const Sum& sum = {});
    Sum fresh() { return Sum::of(count_++); }
    Sum fixedOrFresh(NodePtr node);
    Sum variable(NodePtr name, int iteration);
    Sum binary(NodePtr node, int iteration);
    Sum remainder(const Sum& sum, long modulus, bool isBits);
    Sum quotient(const Sum& sum, long modulus, bool isBits);
    void compare(NodePtr condition, std::string_view op, int iteration);
    void differ(NodePtr left, const Sum& value, int iteration);
    bool isFixed(NodePtr node) const;
    Sum sizeOf(NodePtr range);
    Sum inquiry(NodePtr call);
    static bool isStableThroughout(NodePtr node);
    bool keepsValue(NodePtr node) const;
    NodePtr valueOf(NodePtr name) const;

    NodePtr nest_;
    const std::unordered_set<std::string_view>& changed_;
    System& system_;
    std::map<Key, Atom> atoms_;
    int count_ = 0, depth_ = 0;
};

// Its operator is this sign, or this word: `!`, `not`.
bool isOperator(NodePtr node, std::string_view sign, std::string_view word);

}  // namespace hpcc::analysis
