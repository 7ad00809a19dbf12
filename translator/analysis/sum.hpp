// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers as sums of products of what is not known: `2 * i * n + j - 1`.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace hpcc::analysis {

// What is not looked into: a variable, `x.size()`, the quotient of a remainder.
using Atom = int;

// A product of atoms, sorted; the empty one is 1.
using Monomial = std::vector<Atom>;

// The factor of each product; none is 0. A factor that does not fit makes the sum unknown for good.
class Sum {
public:
    Sum(long constant = 0) { add({}, constant); }  // NOLINT: a number is a sum
    static Sum of(Atom atom) {
        Sum sum;
        sum.add({atom}, 1);
        return sum;
    }
    static Sum unknown() {
        Sum sum;
        sum.isKnown_ = false;
        return sum;
    }

    bool isKnown() const { return isKnown_; }
    const std::map<Monomial, long>& terms() const { return terms_; }
    long constant() const { return factorOf({}); }
    long factorOf(const Monomial& product) const;
    bool isConstant() const { return terms_.size() == (constant() != 0 ? 1 : 0); }
    bool isZero() const { return isKnown_ && terms_.empty(); }
    bool holds(Atom atom) const;

    // What divides all terms but the constant; 0 if there are none.
    long divisor() const;

    // No integers make it 0: its constant is no multiple of what divides the rest.
    bool isNeverZero() const;

    // An atom with factor 1 or -1 that stands in no other term, and is none of `others`.
    std::optional<Atom> solvableAtom(const std::vector<Atom>& others = {}) const;

    // With `value` in place of the atom.
    Sum with(Atom atom, const Sum& value) const;

    // Divided by the atom, if all terms hold it.
    Sum without(Atom atom) const;

    friend Sum operator+(Sum a, const Sum& b) { return a.plus(b, 1); }
    friend Sum operator-(Sum a, const Sum& b) { return a.plus(b, -1); }
    friend Sum operator*(const Sum& a, const Sum& b);
    friend bool operator==(const Sum& a, const Sum& b) = default;
    friend auto operator<=>(const Sum& a, const Sum& b) {
        return std::tie(a.isKnown_, a.terms_) <=> std::tie(b.isKnown_, b.terms_);
    }

private:
    void add(const Monomial& product, long factor);
    Sum& plus(const Sum& other, long factor);

    std::map<Monomial, long> terms_;
    bool isKnown_ = true;
};

}  // namespace hpcc::analysis
