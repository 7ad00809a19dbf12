// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/sum.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <utility>

namespace hpcc::analysis {
namespace {

constexpr long largest = 1L << 48;
constexpr std::size_t mostTerms = 64;

bool fits(long factor) { return std::labs(factor) <= largest; }

auto placeOf(auto& terms, const Monomial& product) {
    return std::ranges::lower_bound(terms, product, {}, &Sum::Terms::value_type::first);
}

}  // namespace

long Sum::factorOf(const Monomial& product) const {
    const auto found = placeOf(terms_, product);
    return found != terms_.end() && found->first == product ? found->second : 0;
}

bool Sum::holds(Atom atom) const {
    return std::ranges::any_of(terms_, [atom](const auto& term) { return term.first.holds(atom); });
}

void Sum::add(const Monomial& product, long factor) {
    if (factor == 0) return;
    auto own = placeOf(terms_, product);
    if (own == terms_.end() || own->first != product) own = terms_.insert(own, {product, 0});
    own->second += factor;  // both are at most `largest`
    isKnown_ &= fits(own->second) && terms_.size() <= mostTerms;
    if (own->second == 0) terms_.erase(own);
}

Sum& Sum::plus(const Sum& other, long factor) {
    isKnown_ &= other.isKnown_;
    if (isKnown_)
        for (const auto& [product, own] : other.terms_) add(product, factor * own);
    if (!isKnown_) terms_.clear();
    return *this;
}

Sum operator*(const Sum& a, const Sum& b) {
    Sum result;
    for (const auto& [left, factor] : a.terms_)
        for (const auto& [right, other] : b.terms_) {
            long product = 0;
            if (!a.isKnown_ || !b.isKnown_ || !result.isKnown_ ||
                left.size() + right.size() > Monomial::most ||
                __builtin_mul_overflow(factor, other, &product) || !fits(product))
                return Sum::unknown();
            Monomial atoms;
            std::ranges::merge(left, right, std::back_inserter(atoms));
            result.add(atoms, product);
        }
    return a.isKnown_ && b.isKnown_ && result.isKnown_ ? result : Sum::unknown();
}

long Sum::divisor() const {
    long divisor = 0;
    for (const auto& [product, factor] : terms_) {
        if (!product.empty()) divisor = std::gcd(divisor, factor);
        if (divisor == 1) break;
    }
    return divisor;
}

bool Sum::isNeverZero() const {
    if (!isKnown_) return false;
    const long all = divisor();
    return all == 0 ? constant() != 0 : constant() % all != 0;
}

std::optional<Atom> Sum::solvableAtom(const std::vector<Atom>& others) const {
    for (const auto& [product, factor] : terms_) {
        if (product.size() != 1 || std::labs(factor) != 1) continue;
        const Atom atom = product.front();
        if (std::ranges::find(others, atom) != others.end()) continue;
        const auto holdsIt = [atom](const auto& term) { return term.first.holds(atom); };
        if (std::ranges::count_if(terms_, holdsIt) == 1) return atom;
    }
    return std::nullopt;
}

void Sum::replace(Atom atom, const Sum& value) {
    const auto held = std::stable_partition(
        terms_.begin(), terms_.end(), [atom](const auto& term) { return !term.first.holds(atom); });
    if (held == terms_.end()) return;
    const Terms old(held, terms_.end());
    terms_.erase(held, terms_.end());
    for (const auto& [product, factor] : old) {
        Monomial rest;
        std::ranges::remove_copy(product, std::back_inserter(rest), atom);
        if (rest.empty() && product.size() == 1 && std::labs(factor) == 1) {
            plus(value, factor);
            continue;
        }
        Sum term = of(rest, factor);
        for (std::size_t k = rest.size(); k < product.size(); ++k) term = term * value;
        plus(term, 1);
    }
}

bool Sum::isDividedBy(Atom atom) const {
    return std::ranges::all_of(terms_, [atom](const auto& term) { return term.first.holds(atom); });
}

Sum Sum::without(Atom atom) const {
    if (!isDividedBy(atom)) return *this;
    Sum result;
    for (const auto& [product, factor] : terms_) {
        Monomial rest;
        bool isLeftOut = false;
        for (const Atom each : product)
            if (each != atom || std::exchange(isLeftOut, true)) rest.push_back(each);
        result.add(rest, factor);
    }
    return result;
}

}  // namespace hpcc::analysis
