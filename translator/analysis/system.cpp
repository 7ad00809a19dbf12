// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/system.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

namespace hpcc::analysis {
namespace {

constexpr std::size_t mostInequalities = 300;

// The same condition for integers: 2 i - 2 j - 1 >= 0 is i - j - 1 >= 0.
Sum tightened(const Sum& sum) {
    const long divisor = sum.divisor();
    if (divisor < 2) return sum;
    Sum result;
    for (const auto& [product, factor] : sum.terms()) {
        if (!product.empty()) result = result + Sum::of(product, factor / divisor);
    }
    const long constant = sum.constant();
    return result + Sum(constant >= 0 ? constant / divisor : -((divisor - 1 - constant) / divisor));
}

// Fourier and Motzkin: a number between each lower bound and each upper one.
class Inequalities {
public:
    explicit Inequalities(const std::vector<Sum>& all) {
        for (const Sum& each : all) add(each);
    }

    bool isImpossible() {
        while (!isImpossible_) {
            const Monomial* next = cheapest();
            if (!next) return false;
            eliminate(Monomial(*next));
        }
        return true;
    }

private:
    void add(const Sum& sum) {
        if (!sum.isKnown()) return;
        const Sum own = tightened(sum);
        if (own.isConstant())
            isImpossible_ |= own.constant() < 0;
        else
            all_.insert(own);
    }

    // Whose elimination makes the fewest; null if nothing is left, or it would be too many.
    const Monomial* cheapest() const {
        std::map<Monomial, std::pair<std::size_t, std::size_t>> bounds;
        for (const Sum& each : all_)
            for (const auto& [product, factor] : each.terms())
                if (!product.empty())
                    ++(factor > 0 ? bounds[product].first : bounds[product].second);
        const Monomial* best = nullptr;
        std::size_t fewest = mostInequalities;
        for (const Sum& each : all_)
            for (const auto& [product, factor] : each.terms()) {
                if (product.empty()) continue;
                const auto [below, above] = bounds[product];
                if (below * above >= fewest) continue;
                fewest = below * above;
                best = &product;
            }
        return best;
    }

    void eliminate(const Monomial& product) {
        std::vector<Sum> below, above;
        for (auto each = all_.begin(); each != all_.end();) {
            const long factor = each->factorOf(product);
            if (factor != 0) (factor > 0 ? below : above).push_back(*each);
            each = factor != 0 ? all_.erase(each) : std::next(each);
        }
        for (const Sum& low : below)
            for (const Sum& high : above) {
                if (all_.size() > mostInequalities) return;
                add(Sum(-high.factorOf(product)) * low + Sum(low.factorOf(product)) * high);
            }
    }

    std::set<Sum> all_;
    bool isImpossible_ = false;
};

}  // namespace

void System::isZero(const Sum& sum) {
    if (sum.isKnown()) equations_.push_back(sum);
}

void System::isNotNegative(const Sum& sum) {
    if (sum.isKnown()) inequalities_.push_back(sum);
}

void System::add(const System& other) {
    const auto append = [](auto& to, const auto& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    append(equations_, other.equations_);
    append(inequalities_, other.inequalities_);
    append(notZero_, other.notZero_);
}

std::vector<Atom> System::atoms() const {
    std::vector<Atom> atoms;
    for (const auto* sums : {&equations_, &inequalities_})
        for (const Sum& each : *sums)
            for (const auto& [product, factor] : each.terms())
                atoms.insert(atoms.end(), product.begin(), product.end());
    std::ranges::sort(atoms);
    atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
    return atoms;
}

bool System::isImpossible() const { return SolvedSystem(*this).isImpossible(); }

SolvedSystem::SolvedSystem(const System& system) : inequalities_(system.inequalities_) {
    solve(system.equations_, system.notZero_);
    if (isImpossible_) return;
    for (Sum& each : inequalities_) replaceAtoms(each);
}

void SolvedSystem::solve(std::vector<Sum> equations, const std::vector<Atom>& notZero) {
    for (;;) {
        for (Sum& each : equations)
            for (const Atom atom : notZero)
                if (each.isDividedBy(atom)) each = each.without(atom);
        isImpossible_ = std::ranges::any_of(equations, &Sum::isNeverZero);
        const auto found = std::ranges::find_if(
            equations, [&](const Sum& each) { return each.solvableAtom(notZero).has_value(); });
        if (isImpossible_ || found == equations.end()) break;
        const Sum equation = std::move(*found);
        equations.erase(found);
        const Atom atom = *equation.solvableAtom(notZero);
        const Sum& value =
            values_.emplace_back(atom, Sum::of(atom) - Sum(equation.factorOf({atom})) * equation)
                .second;
        for (Sum& each : equations) each.replace(atom, value);
    }
    for (const Sum& each : equations) {
        inequalities_.push_back(each);
        inequalities_.push_back(Sum(0) - each);
    }
}

void SolvedSystem::replaceAtoms(Sum& sum) const {
    for (const auto& [atom, value] : values_) sum.replace(atom, value);
}

bool SolvedSystem::isImpossible() const {
    return isImpossible_ || Inequalities(inequalities_).isImpossible();
}

bool SolvedSystem::isImpossibleWith(Sum notNegative) const {
    if (isImpossible_) return true;
    replaceAtoms(notNegative);
    std::vector<Sum> all = inequalities_;
    all.push_back(std::move(notNegative));
    return Inequalities(all).isImpossible();
}

}  // namespace hpcc::analysis
