// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/reader.hpp"

#include <algorithm>
#include <set>

#include "analysis/harmless_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {
namespace {

using ast::Kind;
using ast::TypeKind;

constexpr int deepest = 24;

bool isSum(std::string_view op) { return op == "+" || op == "-" || op == "*"; }

bool isRange(NodePtr node) { return node->type && node->type->kind == TypeKind::Range; }

bool isScopedEnumeration(const ast::Type& type) {
    return type.kind == TypeKind::Class && type.classSymbol &&
           ast::is<ast::Enum>(type.classSymbol->declaration);
}

void addSymbols(NodePtr node, std::string& key) {
    if (!node) return;
    if (node->is<ast::Identifier>() && node->symbol)
        key += "@" + std::to_string(reinterpret_cast<std::uintptr_t>(node->symbol));
    for (const NodePtr child : node->children()) addSymbols(child, key);
}

// The same for expressions of the same words about the same variables.
std::string keyOf(NodePtr node) {
    std::string key = ast::print(node);
    addSymbols(node, key);
    return key;
}

}  // namespace

Sum Reader::atom(const void* owner, int iteration, std::string text, const Sum& sum) {
    const auto [found, isNew] =
        atoms_.try_emplace(Key(owner, iteration, std::move(text), sum), count_);
    count_ += isNew ? 1 : 0;
    return Sum::of(found->second);
}

Sum Reader::variable(const Loop& loop, int iteration) { return atom(loop.one, iteration); }

Sum Reader::opaque(NodePtr node) {
    return !function_ && space_.isFixed(node) ? atom(nullptr, -1, keyOf(node)) : fresh();
}

bool Reader::isInteger(NodePtr node, Place place) const {
    node = bare(node);
    if (constantValue(node)) return true;
    const bool isTyped = node->type && node->type->kind != TypeKind::Unknown;
    if (isTyped)
        return node->type->kind == TypeKind::Integer || node->type->kind == TypeKind::Bool ||
               node->type->kind == TypeKind::Index || node->type->kind == TypeKind::ShiftedIndex ||
               isScopedEnumeration(*node->type);
    if (node->is<ast::Identifier>()) {
        const Loop* loop = space_.loopOf(node, place.loop);
        return loop &&
               (loop->isDistributed() || (loop->counting && loop->counting->number().bits > 0));
    }
    if (node->is<ast::Unary>()) return isInteger(node->child(ast::Unary::operand), place);
    return node->is<ast::GlobalIndex>() ||
           (node->is<ast::Binary>() && isInteger(node->child(ast::Binary::left), place) &&
            isInteger(node->child(ast::Binary::right), place));
}

// Of 64 bits without a sign: less than 0 is very much there, but not where it subscripts.
bool Reader::mayHaveWrapped(NodePtr node, Place place) const {
    const Descent descent;
    node = bare(node);
    if (descent.isTooDeep()) return true;
    if (constantValue(node)) return false;
    if (node->is<ast::Identifier>() && isUnsigned(numberOf(node))) {
        const auto value = meaningOf(node, place.loop);
        return value.expression && mayHaveWrapped(value.expression, {value.place, 0});
    }
    if (!isUnsigned(numberOf(node))) return false;
    if (node->is<ast::Unary>() || operatorOf(node) == "-") return true;
    return std::ranges::any_of(node->children(), [&](NodePtr child) {
        return ast::isExpression(child) && mayHaveWrapped(child, place);
    });
}

// m of e % m and e & (m - 1); 0 if it is neither.
long Reader::modulusOf(NodePtr node, Place place) const {
    if (!ast::is<ast::Binary>(node)) return 0;
    const NodePtr left = node->child(ast::Binary::left);
    const auto number = constantValue(node->child(ast::Binary::right));
    if (!number || !isInteger(left, place)) return 0;
    const bool isPowerOfTwo = (*number & (*number - 1)) == 0;
    if (operatorOf(node) == "%" && *number > 1 && (isPowerOfTwo || !mayHaveWrapped(left, place)))
        return static_cast<long>(*number);
    return (operatorOf(node) == "&" || operatorOf(node) == "bitand") && number == 1 ? 2 : 0;
}

// q of a - m q, which is less than m in absolute value; for bits, from 0.
Sum Reader::quotient(const Sum& sum, long modulus, bool isBits) {
    const Sum quotient = atom(nullptr, isBits ? 1 : 0, std::to_string(modulus), sum);
    const Sum rest = sum - Sum(modulus) * quotient;
    System& known = known_[*quotient.solvableAtom()];
    if (!known.isEmpty()) return quotient;
    known.isNotNegative(Sum(modulus - 1) - rest);
    if (!isBits) rests_[*quotient.solvableAtom()] = {sum, rest};
    known.isNotNegative(isBits ? rest : rest + Sum(modulus - 1));
    return quotient;
}

// Modulo 2^bits, from 0 or in both directions from it.
Sum Reader::wrapped(const Sum& sum, NumberType type) {
    if (sum.isConstant() && sum.constant() >= 0 && sum.constant() < 1L << (type.bits - 1))
        return sum;
    const long modulus = 1L << type.bits, half = type.isSigned ? modulus / 2 : 0;
    return sum - Sum(modulus) * quotient(sum + Sum(half), modulus, true);
}

// Of 64 bits, or a type that holds all values: as it is.
Sum Reader::converted(NodePtr value, Place place, const ast::Type* to) {
    if (to && to->kind == TypeKind::Bool) return truth(value, place);
    const Sum sum = read(value, place);
    const NumberType source = numberOf(value), target = numberOf(to);
    const long modulus = modulusOf(bare(value), place);  // a rest fits in
    const bool isSmall = modulus > 0 && target.bits > 0 && modulus < 1L << (target.bits / 2);
    if (source.bits == 0 || target.bits == 0 || target.bits >= 64 || holdsAllOf(target, source) ||
        (isSmall && (target.isSigned || isNotNegative(value, place))))
        return sum;
    return wrapped(sum, target);
}

Sum Reader::named(NodePtr name, Place place) {
    if (const auto found = bound_.find(name->symbol); found != bound_.end()) return found->second;
    const Loop* const loop = space_.loopOf(name, place.loop);
    if (loop && (!function_ || loop->name->symbol == name->symbol))
        return variable(*loop, place.iteration);
    const auto value = meaningOf(name, place.loop);
    const bool isKnown = value.expression && isInteger(name, place) &&
                         isInteger(value.expression, {value.place, place.iteration});
    if (isKnown && function_)
        return converted(value.expression, {value.place, place.iteration}, name->type);
    if (isKnown) {
        const auto [found, isNew] = values_.try_emplace({name->symbol, place.iteration});
        if (isNew)
            found->second = converted(value.expression, {value.place, place.iteration}, name->type);
        return found->second;
    }
    if (isOfCall(name)) return fresh();
    if (!name->symbol) return opaque(name);
    if (const auto sum = settled(name, place)) return *sum;
    if (space_.isFixed(name)) return atom(name->symbol, -1);
    return isStable(name->symbol) ? atom(name->symbol, place.iteration) : fresh();
}

Sum Reader::binary(NodePtr node, Place place) {
    const NodePtr left = node->child(ast::Binary::left), right = node->child(ast::Binary::right);
    const std::string_view op = operatorOf(node);
    if (!isInteger(left, place) || !isInteger(right, place)) return opaque(node);
    if (op == "==" || op == "!=" || op == "not_eq") return equality(node, place);
    if (isSum(op)) {
        const Sum a = read(left, place), b = read(right, place);
        const Sum sum = op == "+" ? a + b : op == "-" ? a - b : a * b;
        const NumberType type = numberOf(node);
        if (isUnsigned(type) && type.bits == 32) return wrapped(sum, type);
        const bool isKnown = node->type && node->type->kind != TypeKind::Unknown;
        return isKnown || !(isUnsigned(numberOf(left)) || isUnsigned(numberOf(right)))
                   ? sum
                   : opaque(node);
    }
    const auto number = constantValue(right);
    if (const long modulus = modulusOf(node, place); modulus > 0) {
        const Sum sum = read(left, place);
        const bool isBits = op != "%" || isUnsigned(numberOf(left));
        return sum - Sum(modulus) * quotient(sum, modulus, isBits);
    }
    if (op == "/" && number && *number > 1 && !mayHaveWrapped(left, place))
        return quotient(read(left, place), static_cast<long>(*number), false);
    if (op == "^" || op == "xor") {  // a + b - 2 (a & b)
        const Sum a = read(left, place), b = read(right, place);
        if (isBit(left, place) && isBit(right, place)) return exclusive(a, b);
        const Sum& other = number == 1 ? a : b;
        return a + b -
               Sum(2) * (number == 1 || constantValue(left) == 1
                             ? other - Sum(2) * quotient(other, 2, true)
                         : !function_ && space_.isFixed(node)
                             ? atom(nullptr, -1, keyOf(node) + " & ")
                             : fresh());
    }
    return opaque(node);
}

Sum Reader::read(NodePtr node, Place place) {
    node = bare(node);
    if (!node || depth_ > deepest) return fresh();
    if (depth_ > 0) {
        ++depth_;
        const Sum sum = parts(node, place);
        --depth_;
        return sum;
    }
    const auto [found, isNew] = sums_.try_emplace({node, place.iteration});
    if (!isNew) return found->second;
    ++depth_;
    found->second = parts(node, place);
    --depth_;
    return found->second;
}

Sum Reader::read(const Subscript& subscript, Place place) {
    const Sum moved = Sum(subscript.step) * read(subscript.node, place);
    return subscript.first ? read(subscript.first, {}) + moved : moved;
}

Sum Reader::parts(NodePtr node, Place place) {
    if (const auto value = constantValue(node)) return Sum(static_cast<long>(*value));
    if (isFixedHere_ && !function_ && isFixedHere_(node)) return atom(nullptr, -1, keyOf(node));
    if (const NodePtr operand = ast::convertedToNumber(node))
        return isInteger(node, place) && isInteger(operand, place)
                   ? converted(operand, place, node->type)
                   : opaque(node);
    switch (node->kind()) {
    case Kind::GlobalIndex:
        return read(node->child(ast::GlobalIndex::operand), place);
    case Kind::Identifier:
        return named(node, place);
    case Kind::Binary:
        return binary(node, place);
    case Kind::Unary: {
        const NodePtr operand = node->child(ast::Unary::operand);
        if (operatorOf(node) == "-" && isInteger(operand, place) && !isUnsigned(numberOf(node)))
            return Sum(0) - read(operand, place);
        return isNegation(node) && isInteger(operand, place) ? Sum(1) - truth(operand, place)
                                                             : opaque(node);
    }
    case Kind::Conditional: {
        const NodePtr then = node->child(ast::Conditional::then),
                      otherwise = node->child(ast::Conditional::otherwise);
        const bool isKnown = then && isInteger(then, place) && isInteger(otherwise, place) &&
                             areComparable(then, otherwise, place) &&
                             isInteger(node->child(ast::Conditional::condition), place) &&
                             !mayHaveWrapped(node, place);
        return isKnown ? chosen(truth(node->child(ast::Conditional::condition), place),
                                read(then, place), read(otherwise, place))
                       : opaque(node);
    }
    case Kind::Call:
        return definitionOf(node->child(ast::Call::callee)) ? called(node, place) : inquiry(node);
    default:
        return opaque(node);
    }
}

// ---- loops -------------------------------------------------------------------------------------

// x.size(), which is n for `BlockRange x(n, d)`, and a.rng(0).size() for `Range x = a.rng(0)`.
Sum Reader::sizeOf(NodePtr range) {
    range = bare(range);
    const Symbol* symbol = range->symbol;
    if (range->is<ast::Identifier>() && isStable(symbol) && symbol->initializer && isRange(range)) {
        const NodePtr made = symbol->initializer, value = singleInitializer(made);
        if (value && ast::is<ast::Call>(bare(value)) && IterationSpace::isStableThroughout(value))
            return sizeOf(value);
        const bool isMade = !made->is<ast::EqualInitializer>() && !made->children().empty();
        const NodePtr extent = isMade ? made->child(0) : nullptr;
        if (extent && isInteger(extent, {}) && space_.isFixed(extent) &&
            IterationSpace::isStableThroughout(extent))
            return read(extent, {});
    }
    return space_.isFixed(range) ? atom(nullptr, -1, keyOf(range) + ".size()") : fresh();
}

// x.size(), or a.size(r), which is that of a.rng(r).
Sum Reader::inquiry(NodePtr call) {
    if (function_) return fresh();
    const NodePtr callee = call->child(ast::Call::callee);
    if (!ast::is<ast::Member>(callee) || callee->child(ast::Member::name)->text() != "size")
        return opaque(call);
    const NodePtr base = callee->child(ast::Member::base);
    const auto arguments = call->child(ast::Call::arguments)->children();
    if (isRange(base) && arguments.empty()) return sizeOf(base);
    const bool isArray = base->type && base->type->kind == TypeKind::Multiarray;
    if (!isArray || arguments.size() != 1 || !space_.isFixed(call)) return opaque(call);
    std::string range = ast::print(base) + ".rng(" + ast::print(arguments[0]) + ")";
    addSymbols(call, range);
    return atom(nullptr, -1, range + ".size()");
}

std::optional<Reader::Triplet> Reader::triplet(const Loop& loop, int iteration) {
    const NodePtr written = loop.triplet();
    if (!written) return std::nullopt;
    const Place place{loop.outer, iteration};
    const NodePtr low = written->child(ast::Triplet::low),
                  high = written->child(ast::Triplet::high),
                  step = written->child(ast::Triplet::step);
    const auto number = step ? constantValue(step) : std::optional(1LL);
    const Sum size = sizeOf(loop.range()), last = size - Sum(1);
    const auto end = [&](NodePtr end, const Sum& up, const Sum& down, const char* name) {
        if (end) return read(end, place);
        if (number) return *number > 0 ? up : down;
        return space_.isFixed(step) ? atom(loop.one, -1, name) : fresh();
    };
    const Sum by = step ? read(step, place) : Sum(1);
    return Triplet{end(low, Sum(0), last, "first"), end(high, last, Sum(0), "last"), by, size};
}

// k of `for (int k = first; k < bound; k += step)`.
void Reader::boundCounter(System& system, const Loop& loop, const Sum& own, int iteration) {
    const CountingLoop& counting = *loop.counting;
    const Place outside{loop.outer, iteration}, inside{&loop, iteration};
    const NumberType type = counting.number();
    if (type.bits == 0) return;
    if (isUnsigned(type)) system.isNotNegative(own);
    if (isUnsigned(type) && type.bits == 32) system.isNotNegative(Sum((1L << 32) - 1) - own);
    if (!counting.holdsBound() || !isInteger(counting.first, outside) ||
        (isUnsigned(type) && !isNeverNegative(counting.first)) ||
        mayHaveWrapped(counting.first, outside))
        return;
    const Sum count = fresh();
    system.isZero(own - read(counting.first, outside) - Sum(counting.step) * count);
    system.isNotNegative(count);
    if (!isInteger(counting.bound, inside) || mayHaveWrapped(counting.bound, inside) ||
        (isUnsigned(type) && !isNeverNegative(counting.bound)) || counting.endsByMeeting())
        return;
    const Sum room = Sum(counting.step > 0 ? 1 : -1) *
                     (read(counting.bound, inside) - own - Sum(counting.ahead));
    system.isNotNegative(counting.includesBound() ? room : room - Sum(1));
}

const System& Reader::bounds(const Loop& loop, int iteration) {
    const auto [found, isNew] = bounds_.try_emplace({&loop, iteration});
    System& system = found->second;
    if (!isNew) return system;
    const Sum own = variable(loop, iteration);
    if (loop.counting) {
        boundCounter(system, loop, own, iteration);
        return system;
    }
    if (ast::is<ast::At>(loop.header)) {
        const NodePtr location = bare(loop.header->child(ast::At::location));
        if (ast::is<ast::Subscript>(location))
            system.isZero(own - read(location->child(ast::Subscript::subscripts)->child(0),
                                     {loop.outer, iteration}));
        else if (space_.isFixed(location))
            system.isZero(own - opaque(location));
    }
    const auto ends = triplet(loop, iteration);
    if (!ends) return system;
    system.isNotNegative(own);
    system.isNotNegative(ends->size - own - Sum(1));
    const Sum count = fresh();
    system.isZero(own - ends->first - ends->step * count);
    system.isNotNegative(count);
    const long step = ends->step.isConstant() ? ends->step.constant() : 0;
    if (step > 0) system.isNotNegative(ends->last - own);
    if (step < 0) system.isNotNegative(own - ends->last);
    if (step == 0 && ends->step.terms().size() == 1)
        for (const Atom each : ends->step.terms().begin()->first) system.isNotZero(each);
    return system;
}

void Reader::complete(System& system) const {
    if (known_.empty()) return;
    std::set<Atom> done;
    for (std::vector<Atom> next = system.atoms(); !next.empty();) {
        System more;
        for (const Atom each : next) {
            const auto known = known_.find(each);
            if (known != known_.end() && done.insert(each).second) more.add(known->second);
        }
        system.add(more);
        next = more.atoms();
    }
}

void Reader::completeSigns(System& system) const {
    complete(system);
    for (const Atom each : system.atoms()) {
        const auto found = rests_.find(each);
        if (found == rests_.end()) continue;
        System negative = system;
        negative.isNotNegative(Sum(-1) - found->second.first);
        if (negative.isImpossible()) system.isNotNegative(found->second.second);
    }
}

}  // namespace hpcc::analysis
