// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What integers and conditions inside a nest are, as sums over the indices of its iterations.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "analysis/access.hpp"
#include "analysis/operators.hpp"
#include "analysis/switch_parts.hpp"
#include "analysis/system.hpp"

namespace hpcc::analysis {

// Where an expression stands: in which loop, and in which of two iterations, 0 and 1.
struct Place {
    const Loop* loop = nullptr;
    int iteration = 0;
};

// What is fixed has one atom for both iterations; an index, and what is computed from it, has two;
// what is not understood has one of its own each time.
//
//     overall (i = x for :)                     read("i` + n", {i, 0}) is i0 + n
//         overall (j = y for 1 + i` % 2 : 9 : 2)   j0 = 1 + (i0 - 2 q0) + 2 t0, j0 <= 9
class Reader {
public:
    explicit Reader(const IterationSpace& space) : space_(space) {}

    Sum read(NodePtr expression, Place place);
    Sum read(const Subscript& subscript, Place place);
    Sum variable(const Loop& loop, int iteration);

    // What holds if the condition holds, or does not hold, at the place.
    System assumed(const Guard& guard, Place place);

    // What is known round the nests: that a number lies between these.
    void know(NodePtr name, long least, long most);
    // .. and that names which are compared with a rest of 2 are meant to be 0 or 1.
    void trustColours() { trustsColours_ = true; }
    // Expressions that are the same all through a loop, whatever they are: one of the same words
    // has the same value.
    void trustFixed(std::function<bool(NodePtr)> isFixed) { isFixedHere_ = std::move(isFixed); }

    // What holds of the variable of a loop: its values are those that the loop goes over.
    const System& bounds(const Loop& loop, int iteration);

    // What an `overall` goes over, of a range of `size` locations; the step is never 0.
    struct Triplet {
        Sum first, last, step, size;
    };
    std::optional<Triplet> triplet(const Loop& loop, int iteration);
    Sum sizeOf(NodePtr range);

    // Adds what is known of the quotients that it mentions.
    void complete(System& system) const;
    // And that rests of what is never negative are not, `(i + k) % 2`.
    void completeSigns(System& system) const;

private:
    using Key = std::tuple<const void*, int, std::string, Sum>;

    Sum atom(const void* owner, int iteration, std::string text = {}, const Sum& sum = {});
    Sum fresh() { return Sum::of(count_++); }
    Sum opaque(NodePtr node);
    Sum parts(NodePtr node, Place place);
    Sum named(NodePtr name, Place place);
    Sum binary(NodePtr node, Place place);
    Sum quotient(const Sum& sum, long modulus, bool isBits);
    Sum wrapped(const Sum& sum, ast::NumberType type);
    Sum converted(NodePtr value, Place place, const ast::Type* to);
    Sum truth(NodePtr value, Place place);
    Sum notZero(const Sum& sum);
    std::optional<Sum> equal(NodePtr left, NodePtr right, Place place);
    Sum equality(NodePtr node, Place place);
    Sum exclusive(const Sum& a, const Sum& b);
    Sum bit(const Sum& sum) { return sum - Sum(2) * quotient(sum, 2, true); }
    bool isInteger(NodePtr node, Place place) const;
    bool mayHaveWrapped(NodePtr node, Place place) const;
    long modulusOf(NodePtr node, Place place) const;
    void assume(System& system, NodePtr condition, bool holds, Place place);
    void compare(System& system, NodePtr condition, std::string_view op, Place place);
    void differ(System& system, NodePtr one, NodePtr other, Place place);
    std::pair<NodePtr, Place> meant(NodePtr e, Place place) const;
    std::pair<NodePtr, Place> bitIn(NodePtr e, Place place) const;
    bool areComparable(NodePtr a, NodePtr b, Place place);
    bool isNever(const Sum& notNegative, Place place);
    bool isNotNegative(NodePtr e, Place place);
    bool isBit(NodePtr e, Place place);
    bool isColour(NodePtr e, NodePtr rest, Place place);
    void boundCounter(System& system, const Loop& loop, const Sum& own, int iteration);
    Sum inquiry(NodePtr call);

    // ---- functions that are called, variables that are assigned --------------------------------

    using Numbers = std::map<const Symbol*, Sum>;
    struct Settled {
        NodePtr last = nullptr;  // the statement behind which it has the value; null if not known
        Sum value;
    };
    class CalledFunction;

    Sum called(NodePtr call, Place place);
    Sum valueIn(NodePtr e, Place place, const ast::Type* type);
    Sum chosen(const Sum& truth, const Sum& then, const Sum& otherwise);
    std::vector<Sum> truths(NodePtr value, const std::vector<SwitchPart>& parts, Place place);
    std::optional<Sum> returnedFrom(NodePtr block, std::size_t k, Place place,
                                    const ast::Type* result);
    std::optional<Sum> returnedFrom(const std::vector<SwitchPart>& parts, NodePtr value,
                                    const std::optional<Sum>& behind, Place place,
                                    const ast::Type* result);
    bool performSwitch(NodePtr statement, Place place);
    bool assumeCalled(System& system, NodePtr call, bool holds, Place place);
    Sum truthOf(NodePtr condition, Place place);
    bool mayChange(NodePtr statement) const;
    bool perform(NodePtr statement, Place place);
    bool declare(NodePtr declaration, Place place);
    bool assign(NodePtr e, Place place);
    IterationSpace::Value meaningOf(NodePtr name, const Loop* place) const;
    bool isOfCall(NodePtr name) const;
    std::optional<Sum> settled(NodePtr name, Place place);
    Settled settle(const Symbol* symbol, const IterationSpace::Declared& declared, int iteration);

    const IterationSpace& space_;
    std::map<Key, Atom> atoms_;
    std::map<Atom, System> known_;               // of quotients, and what is 0 or 1
    std::map<Atom, std::pair<Sum, Sum>> rests_;  // dividends and rests of those with a sign
    std::map<std::pair<NodePtr, int>, Sum> sums_;
    std::map<std::pair<const Symbol*, int>, Sum> values_;  // of constants of an iteration
    std::map<std::pair<const Loop*, int>, System> bounds_;
    System facts_;
    Numbers bound_;               // values of variables that are followed,
    NodePtr function_ = nullptr;  // in a function that stands for a call of it; null in the nest
    bool isOfOther_ = false;      // .. of another object
    std::map<std::pair<const Symbol*, int>, Settled> settled_;
    bool trustsColours_ = false;
    std::function<bool(NodePtr)> isFixedHere_;
    int count_ = 0, depth_ = 0, calls_ = 0;
};

}  // namespace hpcc::analysis
