// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Equations and inequalities: whether there are integers for which all of them hold.
#pragma once

#include "analysis/sum.hpp"

namespace hpcc::analysis {

//     i = p - 1,  j = q,  j = d - i,  q = d - p        impossible: an anti-diagonal
//     i = 2 * t,  i = 2 * u + 1                        impossible: even and odd
//     i = p + 8,  0 <= i <= 7,  0 <= p <= 7            impossible: too far apart
//
// Products of atoms count as numbers of their own, and of inequalities with factors other than 1
// there may be fractions that fulfil them: "not impossible" then means nothing.
class System {
public:
    void isZero(const Sum& sum);
    void isNotNegative(const Sum& sum);
    void isNotZero(Atom atom) { notZero_.push_back(atom); }
    void add(const System& other);
    bool isImpossible() const;

    bool isEmpty() const { return equations_.empty() && inequalities_.empty(); }
    std::vector<Atom> atoms() const;  // each once, in their order

private:
    friend class SolvedSystem;
    std::vector<Sum> equations_, inequalities_;
    std::vector<Atom> notZero_;
};

// A system of which the equations have been put to use, to ask of it what else may hold.
class SolvedSystem {
public:
    explicit SolvedSystem(const System& system);

    bool isImpossible() const;
    // Whether it can never be 0 or more besides.
    bool isImpossibleWith(Sum notNegative) const;

private:
    void solve(std::vector<Sum> equations, const std::vector<Atom>& notZero);
    void replaceAtoms(Sum& sum) const;

    std::vector<std::pair<Atom, Sum>> values_;  // one after the other
    std::vector<Sum> inequalities_;
    bool isImpossible_ = false;
};

}  // namespace hpcc::analysis
