// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/row_factors.hpp"

#include <algorithm>

#include "analysis/dependence.hpp"
#include "ast/search.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {

using ast::NodePtr;
using Terms = SumsOfProducts::Terms;

/// The parts that are numbers of the row and the step. What changes with the column, but not with
/// the row, is read along a row of the other matrix.
static void findFactors(const SumsOfProducts& sums, const Terms& terms, NodePtr e,
                        std::vector<NodePtr>& found) {
    if (mentions(e, sums.columns->variable)) {
        if (!mentions(e, sums.rows->variable)) return;
        for (const NodePtr part : e->children())
            if (part) findFactors(sums, terms, part, found);
    } else if (mentions(e, terms.steps->variable) && isKnownNumber(e)) {
        found.push_back(e);
    }
}
static std::vector<NodePtr> factorsOf(const SumsOfProducts& sums, const Terms& terms) {
    std::vector<NodePtr> found;
    if (sums.rows && sums.statement) findFactors(sums, terms, terms.term, found);
    return found;
}

NodePtr computedFactor(const SumsOfProducts& sums, const Terms& terms) {
    const auto isWork = [](NodePtr e) {
        return e->is<ast::Conditional>() || e->is<ast::Call>() ||
               (e->is<ast::Binary>() && isDouble(e->type));
    };
    std::vector<NodePtr> found = factorsOf(sums, terms);
    std::erase_if(found, [&](NodePtr e) { return !ast::anywhere(e, isWork); });
    return found.size() == 1 ? found[0] : nullptr;
}

/// `a` and `b` are one expression but for these two.
static bool differIn(const TwoFactors& factors, NodePtr a, NodePtr b) {
    if (a == factors.first || b == factors.second || !a || !b)
        return (a == factors.first && b == factors.second) || (!a && !b);
    if (a->kind() != b->kind() || a->children().size() != b->children().size()) return false;
    if (a->children().empty()) return a->text() == b->text();
    return std::ranges::equal(a->children(), b->children(), [&](NodePtr one, NodePtr other) {
        return differIn(factors, one, other);
    });
}

/// In each row the steps of `next` begin behind the last one of `terms`.
static bool areNeighbours(const Nest& nest, const SumsOfProducts& sums, const Terms& terms,
                          const Terms& next) {
    analysis::Dependences& dependences = nest.dependences();
    const analysis::Loop* const row = dependences.space().loopAt(headerOf(*sums.rows));
    if (!row) return false;
    analysis::Reader& reader = dependences.reader();
    const analysis::Sum behind =
        reader.read(terms.steps->end, {row}) + analysis::Sum(terms.steps->reachesEnd ? 1 : 0);
    return behind.isKnown() && behind == reader.read(next.steps->first, {row});
}

TwoFactors factorsOfOneLoop(const Nest& nest, const SumsOfProducts& sums, const Terms& terms,
                            const Terms& next) {
    const std::vector<NodePtr> first = factorsOf(sums, terms), second = factorsOf(sums, next);
    if (first.size() != 1 || second.size() != 1) return {};
    const TwoFactors factors{first[0], second[0]};
    const bool areOne = terms.steps->step == 1 && next.steps->step == 1 &&
                        terms.steps->variable == next.steps->variable && terms.before.empty() &&
                        next.before.empty() && differIn(factors, terms.term, next.term) &&
                        areNeighbours(nest, sums, terms, next);
    return areOne ? factors : TwoFactors();
}

}  // namespace hpcc::nests
