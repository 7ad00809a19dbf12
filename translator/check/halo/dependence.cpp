#include "check/halo/dependence.hpp"

#include "ast/effects.hpp"
#include "ast/symbol.hpp"
#include "check/facts.hpp"
#include "check/flow/constants.hpp"
#include "check/halo/apart.hpp"
#include "check/halo/residues.hpp"
#include "check/shifts.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace hpcc::check::halo {
namespace {

using ast::Kind;
using Names = std::unordered_set<std::string_view>;

// The nodes from the nest down to an access.
std::vector<NodePtr> pathTo(NodePtr access, NodePtr nest) {
    std::vector<NodePtr> path = {nest};
    const source::Span wanted = access->span();
    while (path.back() != access) {
        NodePtr inside = nullptr;
        for (NodePtr child : path.back()->children())
            if (child && child->span().contains(wanted)) inside = child;
        if (!inside) break;
        path.push_back(inside);
    }
    return path;
}

// A condition that holds, or does not hold, where the path leads.
struct Guard {
    NodePtr condition;
    bool holds;
};

bool endsIteration(NodePtr statement) {
    if (ast::is<ast::Compound>(statement))
        return statement->children().size() == 1 && endsIteration(statement->child(0));
    return ast::is<ast::Continue>(statement);
}

// `a && b` holds only if both do.
void addGuard(std::vector<Guard>& guards, NodePtr condition, bool holds) {
    condition = bare(condition);
    const flow::Logic splits = holds ? flow::Logic::And : flow::Logic::Or;
    if (condition && flow::logicOf(condition) == splits) {
        addGuard(guards, condition->child(ast::Binary::left), holds);
        addGuard(guards, condition->child(ast::Binary::right), holds);
    } else {
        guards.push_back({condition, holds});
    }
}

bool isLabel(NodePtr node) { return ast::is<ast::Case>(node) || ast::is<ast::Default>(node); }

bool hasOneValue(NodePtr label) {
    return ast::is<ast::Case>(label) && !label->child(ast::Case::last);
}

bool leavesSwitch(NodePtr statement) {
    if (ast::is<ast::Compound>(statement))
        return !statement->children().empty() && leavesSwitch(statement->children().back());
    return ast::is<ast::Break>(statement) || ast::is<ast::Continue>(statement);
}

// Does control come from the switch at path[k] to the end of the path for one value only?
bool isUnderOneCase(const std::vector<NodePtr>& path, std::size_t k) {
    if (k + 2 >= path.size() || !ast::is<ast::Compound>(path[k + 1])) return false;
    int values = 0;  // since the last statement that leaves the switch
    for (NodePtr each : path[k + 1]->children()) {
        NodePtr statement = each;
        for (; isLabel(statement); statement = statement->children().back())
            values += hasOneValue(statement) ? 1 : 2;  // at least
        if (each == path[k + 2])
            return values == 1 && std::none_of(path.begin() + k + 3, path.end(), isLabel);
        if (leavesSwitch(statement)) values = 0;
    }
    return false;
}

struct Surroundings {
    std::vector<Guard> guards;
    bool isConditional = false;  // may be left out for other reasons, or run several times
};

Surroundings surroundingsOf(const std::vector<NodePtr>& path) {
    Surroundings result;
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
        const NodePtr node = path[k], inside = path[k + 1];
        switch (node->kind()) {
        case Kind::If:
            if (inside == node->child(ast::If::condition)) break;
            addGuard(result.guards, node->child(ast::If::condition),
                     inside == node->child(ast::If::then));
            break;
        case Kind::Conditional:
            if (inside == node->child(ast::Conditional::condition)) break;
            addGuard(result.guards, node->child(ast::Conditional::condition),
                     inside == node->child(ast::Conditional::then));
            break;
        case Kind::Compound:
            for (NodePtr before : node->children()) {
                if (before == inside) break;
                if (ast::is<ast::If>(before) && endsIteration(before->child(ast::If::then)))
                    addGuard(result.guards, before->child(ast::If::condition), false);
            }
            break;
        case Kind::Binary:
            result.isConditional |= flow::logicOf(node) != flow::Logic::None;
            break;
        case Kind::Switch:
            // Its condition is not "other than 0" there, but has one value.
            if (isUnderOneCase(path, k))
                result.guards.push_back({bare(node->child(ast::Switch::condition)), false});
            result.isConditional = true;
            break;
        case Kind::For:
        case Kind::While:
        case Kind::DoWhile:
        case Kind::RangeFor:
        case Kind::Try:
        case Kind::Lambda:
        case Kind::MacroStatement:
        case Kind::At:
            result.isConditional = true;
            break;
        default:
            break;
        }
    }
    return result;
}

// ---- the distance between the two elements ----------------------------------------------------

// By how much the index of each slot differs; false if the accesses are not comparable that way.
struct Distance {
    std::map<const Symbol*, long long> shifts;
    bool isKnown = true, isApart = false;
    bool sharesIndices = true;       // both are subscripted by indices of the same constructs
    bool coversIndices = true;       // .. or of constructs side by side over the same locations
    NodePtr unknownShift = nullptr;  // h of a[i + h], if it is all that is not known
    const Symbol* unknownIndex = nullptr;
};

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

Distance distanceOf(NodePtr write, NodePtr read, NodePtr nest, const Names& changed) {
    Distance result;
    const auto to = write->child(ast::Subscript::subscripts)->children();
    const auto from = read->child(ast::Subscript::subscripts)->children();
    for (std::size_t r = 0; r < to.size() && r < from.size(); ++r) {
        const bool isDistributed = isIndex(typeOf(to[r])) && isIndex(typeOf(from[r]));
        if (!isDistributed) {
            const auto a = constantValue(to[r]), b = constantValue(from[r]);
            result.isApart |= areApart(to[r], from[r], nest, changed);
            result.isKnown &= (a && b) || to[r]->text() == from[r]->text();
            continue;
        }
        const Symbol* index = namedIndex(to[r]);
        const bool isShared = index && index == namedIndex(from[r]);
        result.sharesIndices &= isShared;
        result.coversIndices &= isShared || (index && covers(index, namedIndex(from[r]), changed));
        const bool isShifted = isKind(from[r], TypeKind::ShiftedIndex);
        if (!isShifted) continue;
        const Shift shift = shiftOf(from[r]);
        result.isKnown &= shift.isExact;
        if (shift.isExact && isShared) {
            result.shifts[index] = shift.distance();
        } else if (ast::is<ast::Binary>(bare(from[r]))) {
            result.unknownShift = bare(from[r])->child(ast::Binary::right);
            result.unknownIndex = index;
        }
    }
    return result;
}

bool isShifted(const Distance& distance) {
    return std::ranges::any_of(distance.shifts, [](const auto& each) { return each.second != 0; });
}

// How much a residue changes over that distance; 0 modulo m if it stays the same.
long long changeOf(const Residues& residues, const Distance& distance) {
    long long change = 0;
    for (const auto& [index, factor] : residues) {
        const auto found = distance.shifts.find(index);
        if (found != distance.shifts.end()) change += factor * found->second;
    }
    return change;
}

// ---- iterations -------------------------------------------------------------------------------

// x.size() - 1, or a name for it: the last location of the header's range.
bool isLastOf(NodePtr range, NodePtr low) {
    const bool isName = ast::is<ast::Identifier>(low) && isStable(low->symbol);
    if (isName) low = bare(singleInitializer(low->symbol->initializer));
    return low && range && low->text() == std::string(range->text()) + ".size() - 1";
}

// Number of iterations, if both ends are constants or the same.
std::optional<long long> iterations(NodePtr range, NodePtr triplet) {
    const NodePtr low = triplet->child(ast::Triplet::low),
                  high = triplet->child(ast::Triplet::high);
    if (sameText(low, high) || (!high && isLastOf(range, low))) return 1;
    const auto first = low ? constantValue(low) : std::optional(0LL), last = constantValue(high);
    const NodePtr step = triplet->child(ast::Triplet::step);
    const auto stride = step ? constantValue(step) : std::optional(1LL);
    if (!first || !last || !stride || *stride == 0) return std::nullopt;
    return std::max(0LL, (*last - *first) / *stride + 1);
}

// Does the triplet of one index leave the other element out?
bool isOutsideTriplet(const Symbol* index, const Distance& distance, const Names& changed) {
    if (index && ast::is<ast::At>(index->declaration))
        return distance.shifts.contains(index);  // one location only
    const NodePtr triplet = tripletOf(index);
    if (!triplet) return false;
    const auto own = distance.shifts.find(index);
    const long long shift = own == distance.shifts.end() ? 0 : own->second;
    const auto count = iterations(rangeOf(index), triplet);
    const NodePtr step = triplet->child(ast::Triplet::step);
    const auto stride = step ? constantValue(step) : std::optional(1LL);
    if (count && stride && std::llabs(shift) >= *count * std::llabs(*stride)) return true;
    if (!stride || std::llabs(*stride) < 2) return false;
    const long long modulus = std::llabs(*stride);
    const auto low = residuesOf(triplet->child(ast::Triplet::low), modulus, changed);
    return low && (shift - changeOf(*low, distance)) % modulus != 0;
}

// a[i + h] where i steps by 2 * h.
bool isHalfStep(const Distance& distance) {
    const NodePtr triplet = tripletOf(distance.unknownIndex);
    const NodePtr step = triplet ? bare(triplet->child(ast::Triplet::step)) : nullptr;
    if (!ast::is<ast::Binary>(step) || !distance.unknownShift) return false;
    if (step->child(ast::Binary::op)->text() != "*") return false;
    const NodePtr left = step->child(ast::Binary::left), right = step->child(ast::Binary::right);
    const std::string_view h = distance.unknownShift->text();
    return (constantValue(left) == 2 && right->text() == h) ||
           (constantValue(right) == 2 && left->text() == h);
}

bool isOutsideGuard(const Guard& guard, const Distance& distance, const Names& changed) {
    const auto congruence = congruenceOf(guard.condition);
    if (!congruence) return false;
    const bool isEqual = congruence->isEqual == guard.holds;
    if (!isEqual && congruence->modulus != 2) return false;
    const auto residues = residuesOf(congruence->expression, congruence->modulus, changed);
    return residues && changeOf(*residues, distance) % congruence->modulus != 0;
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

bool areOtherParts(const std::vector<Step>& a, const std::vector<Step>& b, NodePtr nest,
                   const Names& changed) {
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
        if (a[k].isMember != b[k].isMember) return false;
        const bool differ = a[k].isMember ? a[k].node->text() != b[k].node->text()
                                          : areApart(a[k].node, b[k].node, nest, changed);
        if (differ) return true;
    }
    return false;
}

}  // namespace

Dependence dependence(NodePtr write, NodePtr read, NodePtr nest) {
    const Names changed = ast::effectsOf(nest).assigned;
    const Distance distance = distanceOf(write, read, nest, changed);
    if (distance.isApart) return Dependence::None;
    const std::vector<NodePtr> path = pathTo(write, nest), readPath = pathTo(read, nest);
    if (areOtherParts(partOf(path), partOf(readPath), nest, changed)) return Dependence::None;
    const bool readsFirst = read->span().begin < write->span().begin;
    if (!distance.sharesIndices && readsFirst && distance.shifts.empty()) return Dependence::None;
    const Surroundings around = surroundingsOf(path);
    if (isHalfStep(distance)) return Dependence::None;
    for (NodePtr subscript : write->child(ast::Subscript::subscripts)->children())
        if (isOutsideTriplet(namedIndex(subscript), distance, changed)) return Dependence::None;
    if (std::ranges::any_of(around.guards,
                            [&](const Guard& g) { return isOutsideGuard(g, distance, changed); }))
        return Dependence::None;
    const Surroundings readAround = surroundingsOf(readPath);
    const bool isReached =
        distance.sharesIndices || (distance.coversIndices && isShifted(distance));
    const bool isPlain = distance.isKnown && isReached && around.guards.empty() &&
                         !around.isConditional && readAround.guards.empty() &&
                         !readAround.isConditional;
    return isPlain ? Dependence::Certain : Dependence::Perhaps;
}

}  // namespace hpcc::check::halo
