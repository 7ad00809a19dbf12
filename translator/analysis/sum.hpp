// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers as sums of products of what is not known: `2 * i * n + j - 1`.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>

namespace hpcc::analysis {

// What is not looked into: a variable, `x.size()`, the quotient of a remainder.
using Atom = int;

// A product of a few atoms, sorted; the empty one is 1.
class Monomial {
public:
    static constexpr std::size_t most = 6;

    Monomial() = default;
    Monomial(std::initializer_list<Atom> atoms) {
        for (const Atom each : atoms) push_back(each);
    }
    // Atoms come in their order, and not more than `most`.
    using value_type = Atom;
    void push_back(Atom atom) { atoms_[count_++] = atom; }  // NOLINT: std::back_inserter calls it

    const Atom* begin() const { return atoms_.data(); }
    const Atom* end() const { return atoms_.data() + count_; }
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    Atom front() const { return atoms_[0]; }
    bool holds(Atom atom) const { return std::find(begin(), end(), atom) != end(); }

    friend bool operator==(const Monomial& a, const Monomial& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }
    friend auto operator<=>(const Monomial& a, const Monomial& b) {
        return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    std::size_t count_ = 0;
    std::array<Atom, most> atoms_;
};

// The factor of each product; none is 0. A factor that does not fit, and a product of too many
// atoms, make the sum unknown for good.
class Sum {
public:
    // Sorted by the products. There are few: they need no memory of their own.
    using Terms = boost::container::small_vector<std::pair<Monomial, long>, 3>;

    Sum(long constant = 0) { add({}, constant); }  // NOLINT: a number is a sum
    // To move it, its few terms are copied, too.
    Sum(const Sum&) = default;
    Sum& operator=(const Sum&) = default;
    static Sum of(const Monomial& product, long factor = 1) {
        Sum sum;
        sum.add(product, factor);
        return sum;
    }
    static Sum of(Atom atom) { return of(Monomial{atom}); }
    static Sum unknown() {
        Sum sum;
        sum.isKnown_ = false;
        return sum;
    }

    bool isKnown() const { return isKnown_; }
    const Terms& terms() const { return terms_; }
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
    Sum with(Atom atom, const Sum& value) const {
        Sum result = *this;
        result.replace(atom, value);
        return result;
    }
    void replace(Atom atom, const Sum& value);

    // Divided by the atom, if all terms hold it.
    Sum without(Atom atom) const;
    bool isDividedBy(Atom atom) const;

    friend Sum operator+(Sum a, const Sum& b) { return a.plus(b, 1); }
    friend Sum operator-(Sum a, const Sum& b) { return a.plus(b, -1); }
    friend Sum operator*(const Sum& a, const Sum& b);
    friend bool operator==(const Sum& a, const Sum& b) = default;
    friend auto operator<=>(const Sum& a, const Sum& b) {
        const auto order = a.isKnown_ <=> b.isKnown_;
        return order != 0 ? order
                          : std::lexicographical_compare_three_way(
                                a.terms_.begin(), a.terms_.end(), b.terms_.begin(), b.terms_.end());
    }

private:
    void add(const Monomial& product, long factor);
    Sum& plus(const Sum& other, long factor);

    bool isKnown_ = true;
    Terms terms_;
};

}  // namespace hpcc::analysis
