#include "check/halo/dependence.hpp"

#include "analysis/reader.hpp"
#include "ast/effects.hpp"
#include "ast/symbol.hpp"
#include "check/facts.hpp"
#include "check/halo/surroundings.hpp"
#include "check/shifts.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace hpcc::check::halo {
namespace {

using analysis::Sum;
using Names = std::unordered_set<std::string_view>;

// ---- indices -----------------------------------------------------------------------------------

NodePtr partOfHeader(const Symbol* index, uint32_t part) {
    const NodePtr header = index ? index->declaration : nullptr;
    return ast::is<ast::OverallHeader>(header) ? header->child(part) : nullptr;
}

NodePtr rangeOf(const Symbol* index) { return partOfHeader(index, ast::OverallHeader::range); }
NodePtr tripletOf(const Symbol* index) { return partOfHeader(index, ast::OverallHeader::triplet); }

bool sameText(NodePtr a, NodePtr b) { return a && b && a->text() == b->text(); }

// k and j of `overall (k = y for :) b[i, k] = ..; overall (j = y for :) .. b[i + 1, j]`: what the
// first goes over holds all of the second.
bool covers(const Symbol* writing, const Symbol* reading, const Names& changed) {
    const NodePtr range = rangeOf(writing), triplet = tripletOf(writing);
    if (!triplet || !tripletOf(reading) || !sameText(range, rangeOf(reading))) return false;
    const bool isWhole =
        std::ranges::none_of(triplet->children(), [](NodePtr part) { return part; });
    const auto isSame = [&](NodePtr node) {
        return std::ranges::none_of(ast::namesIn(node),
                                    [&](std::string_view name) { return changed.contains(name); });
    };
    const bool isEqual = sameText(triplet, tripletOf(reading)) && isSame(triplet) &&
                         !triplet->contains(ast::extension);
    return isSame(range) && (isWhole || isEqual);
}

bool isShared(NodePtr a, NodePtr b) { return namedIndex(a) && namedIndex(a) == namedIndex(b); }

// Those of the constructs on a path, from the outside to the inside.
std::vector<const Symbol*> indicesOn(const std::vector<NodePtr>& path) {
    std::vector<const Symbol*> result;
    for (NodePtr node : path) {
        if (ast::is<ast::At>(node)) result.push_back(node->child(ast::At::index)->symbol);
        if (!ast::is<ast::Overall>(node)) continue;
        for (NodePtr header : node->child(ast::Overall::headers)->children())
            result.push_back(header->child(ast::OverallHeader::index)->symbol);
    }
    std::erase(result, nullptr);
    return result;
}

// One step into an element: a name or a subscript.
struct Step {
    bool isMember;
    NodePtr node;
};

// mass of a[i].mass, u and 1 of a[i].u[1]; nothing for the whole element.
std::vector<Step> partOf(const std::vector<NodePtr>& path) {
    std::vector<Step> part;
    for (std::size_t k = path.size() - 1; k > 0; --k) {
        const NodePtr outer = path[k - 1], inner = path[k];
        if (ast::is<ast::Member>(outer) && outer->child(ast::Member::base) == inner)
            part.push_back({true, outer->child(ast::Member::name)});
        else if (ast::is<ast::Subscript>(outer) && outer->child(ast::Subscript::base) == inner)
            part.push_back({false, outer->child(ast::Subscript::subscripts)->child(0)});
        else
            break;
    }
    return part;
}

// Two iterations of a nest: 0 makes the write, 1 the read.
class Iterations {
public:
    Iterations(NodePtr write, NodePtr read, NodePtr nest)
        : write_(write),
          read_(read),
          writePath_(pathTo(write, nest)),
          readPath_(pathTo(read, nest)),
          effects_(ast::effectsOf(nest)),
          reader_(nest, effects_.assigned, system_),
          ends_(nest, effects_.assigned, bounds_) {}

    Dependence dependence() {
        describeElements();
        if (areOtherParts_) return Dependence::None;
        const bool readsFirst = read_->span().begin < write_->span().begin;
        if (!sharesIndices_ && readsFirst && !isShifted_) return Dependence::None;
        const Surroundings around = surroundingsOf(writePath_), other = surroundingsOf(readPath_);
        for (const Symbol* index : indicesOn(writePath_)) reader_.bound(index, 0);
        for (const Symbol* index : indicesOn(readPath_)) reader_.bound(index, 1);
        for (const Guard& guard : around.guards) {
            assume(guard, 0);
            if (std::ranges::find(readPath_, guard.owner) == readPath_.end()) assume(guard, 1);
        }
        for (const Guard& guard : other.guards) assume(guard, 1);
        if (!mayMeet()) return Dependence::None;
        const bool isReached = sharesIndices_ || (coversIndices_ && isShifted_);
        const bool isPlain = isReached && around.guards.empty() && other.guards.empty() &&
                             !around.isConditional && !other.isConditional && !effects_.mayJump;
        return isPlain && surelyMeet() ? Dependence::Certain : Dependence::Perhaps;
    }

private:
    // Both accesses are to one element.
    void describeElements() {
        const auto to = write_->child(ast::Subscript::subscripts)->children();
        const auto from = read_->child(ast::Subscript::subscripts)->children();
        for (std::size_t r = 0; r < to.size() && r < from.size(); ++r) {
            if (isIndex(typeOf(to[r])) && isIndex(typeOf(from[r])))
                describeIndices(to[r], from[r]);
            else
                same(reader_.read(to[r], 0), reader_.read(from[r], 1));
        }
        const std::vector<Step> a = partOf(writePath_), b = partOf(readPath_);
        for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
            areOtherParts_ |= a[k].isMember != b[k].isMember ||
                              (a[k].isMember && a[k].node->text() != b[k].node->text());
            if (areOtherParts_) return;
            if (!a[k].isMember) same(reader_.read(a[k].node, 0), reader_.read(b[k].node, 1));
        }
    }

    void describeIndices(NodePtr to, NodePtr from) {
        const Symbol *writing = namedIndex(to), *reading = namedIndex(from);
        const bool isOne = isShared(to, from);
        sharesIndices_ &= isOne;
        coversIndices_ &= isOne || (writing && covers(writing, reading, effects_.assigned));
        const bool isMoved = isKind(from, TypeKind::ShiftedIndex);
        const bool isComparable =
            writing && reading && (isOne || sameText(rangeOf(writing), rangeOf(reading)));
        if (!isComparable || (isMoved && !countsNeighbours(from))) {
            areComparable_ = false;
            return;
        }
        const Sum shift = isMoved ? shiftIn(from) : Sum(0);
        same(reader_.index(writing, 0), reader_.index(reading, 1) + shift);
        if (isOne) {
            isShifted_ |= isMoved && !shift.isZero();
            shifts_.insert_or_assign(writing, shift);
        } else if (!isOn(writing, readPath_)) {  // of constructs side by side
            differences_.push_back(reader_.index(writing, 0) - reader_.index(reading, 1));
        }
    }

    // The index itself may be shifted exactly: neighbours in its range are those in the array.
    static bool countsNeighbours(NodePtr shifted) {
        NodePtr index = bare(shifted);
        while (ast::is<ast::Binary>(index)) index = bare(index->child(ast::Binary::left));
        return shiftOf(index).isExact;
    }

    Sum shiftIn(NodePtr shifted) {
        shifted = bare(shifted);
        if (!ast::is<ast::Binary>(shifted)) return Sum(0);
        const Sum inner = shiftIn(shifted->child(ast::Binary::left));
        const Sum by = reader_.read(shifted->child(ast::Binary::right), 1);
        return shifted->child(ast::Binary::op)->text() == "-" ? inner - by : inner + by;
    }

    void same(const Sum& a, const Sum& b) {
        system_.isZero(a - b);
        elements_.push_back(a - b);
    }

    void assume(const Guard& guard, int iteration) {
        if (guard.value)
            system_.isZero(reader_.read(guard.condition, iteration) -
                           reader_.read(guard.value, iteration));
        else
            reader_.assume(guard.condition, guard.holds, iteration);
    }

    // In iterations that differ in one of the indices?
    bool mayMeet() {
        if (!areComparable_ && !sharesIndices_) return true;
        for (const Symbol* index : indicesOn(writePath_))
            if (ast::is<ast::OverallHeader>(index->declaration) && isOn(index, readPath_))
                differences_.push_back(reader_.index(index, 0) - reader_.index(index, 1));
        return std::ranges::any_of(differences_, [this](const Sum& difference) {
            for (const long sign : {1L, -1L}) {
                analysis::System here = system_;
                here.isNotNegative(Sum(sign) * difference - Sum(1));
                if (!here.isImpossible()) return true;
            }
            return false;
        });
    }

    static bool isOn(const Symbol* index, const std::vector<NodePtr>& path) {
        const std::vector<const Symbol*> indices = indicesOn(path);
        return std::ranges::find(indices, index) != indices.end();
    }

    // ---- iterations that certainly run and meet ------------------------------------------------

    // Iteration 1 is iteration 0, moved by the shifts.
    Sum moved(analysis::Reader& reader, Sum sum) const {
        for (const auto& [index, shift] : shifts_) {
            const Sum other = reader.index(index, 1);
            sum = sum.with(other.terms().begin()->first.front(), reader.index(index, 0) - shift);
        }
        return sum;
    }

    bool surelyMeet() {
        const auto isConstant = [](const auto& each) { return each.second.isConstant(); };
        const auto isMet = [this](const Sum& sum) { return moved(reader_, sum).isZero(); };
        if (!areComparable_ || !std::ranges::all_of(shifts_, isConstant)) return false;
        if (sharesIndices_ && !std::ranges::all_of(elements_, isMet)) return false;
        for (const auto& [index, shift] : shifts_)
            bounds_.isZero(ends_.index(index, 0) - ends_.index(index, 1) - shift);
        std::vector<const Symbol*> indices = indicesOn(writePath_);
        for (const Symbol* index : indicesOn(readPath_))
            if (!isOn(index, writePath_)) indices.push_back(index);
        return std::ranges::all_of(indices, [this](const Symbol* index) { return runs(index); });
    }

    // Does the construct go over some location and over the one that the shift leads to, whatever
    // its bounds are? If only the extent of the range is not known: for each with two iterations?
    bool runs(const Symbol* index) {
        const auto here = ends_.triplet(index, 0), there = ends_.triplet(index, 1);
        if (!here || !there || !here->step.isConstant() || here->step.isZero()) return false;
        const long step = here->step.constant();
        const Sum length = Sum(step > 0 ? 1 : -1) * (here->last - here->first);
        if (!here->size.isConstant() && (length - here->size).isConstant())
            bounds_.isNotNegative(length - Sum(std::labs(step)));
        const auto shift = shifts_.find(index);
        const long distance = shift == shifts_.end() ? 0 : shift->second.constant();
        const Sum lower = moved(ends_, there->first) - here->first,
                  upper = moved(ends_, there->last) - here->last;
        const Sum apart = lower + Sum(distance);
        for (const auto& [product, factor] : apart.terms())
            if (factor % step != 0) return false;
        const long slack = lower.isZero() && upper.isZero() ? 0 : 2 * farthest;
        return staysNear(lower) && staysNear(upper) &&
               isNever(Sum(std::labs(distance) + slack - 1) - length);
    }

    bool staysNear(const Sum& difference) const {
        return isNever(difference - Sum(farthest + 1)) && isNever(Sum(-farthest - 1) - difference);
    }

    bool isNever(const Sum& notNegative) const {
        analysis::System here = bounds_;
        here.isNotNegative(notNegative);
        return here.isImpossible();
    }

    static constexpr long farthest = 8;

    NodePtr write_, read_;
    std::vector<NodePtr> writePath_, readPath_;
    ast::Effects effects_;
    analysis::System system_;  // what holds if both run
    analysis::Reader reader_;
    analysis::System bounds_;  // what holds of the bounds, whether they run or not
    analysis::Reader ends_;
    bool sharesIndices_ = true;  // both are subscripted by indices of the same constructs
    bool coversIndices_ = true;  // .. or of constructs side by side over the same locations
    bool isShifted_ = false, areComparable_ = true, areOtherParts_ = false;
    std::map<const Symbol*, Sum> shifts_;
    std::vector<Sum> elements_, differences_;
};

}  // namespace

Dependence dependence(NodePtr write, NodePtr read, NodePtr nest) {
    return Iterations(write, read, nest).dependence();
}

}  // namespace hpcc::check::halo
