#include "analysis/reader.hpp"

#include <algorithm>
#include <cstdlib>

#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {
namespace {

using ast::Kind;
using ast::SymbolKind;

constexpr int deepest = 24;

bool isInteger(NodePtr node) {
    return constantValue(node) || (node->type && (node->type->kind == ast::TypeKind::Integer ||
                                                  node->type->kind == ast::TypeKind::Bool));
}

std::string_view operatorOf(NodePtr binary) { return binary->child(ast::Binary::op)->text(); }

std::string_view opposite(std::string_view op) {
    if (op == "==") return "!=";
    if (op == "!=" || op == "not_eq") return "==";
    if (op == "<") return ">=";
    if (op == ">=") return "<";
    if (op == ">") return "<=";
    return op == "<=" ? ">" : "";
}

bool isRange(NodePtr node) { return node->type && node->type->kind == ast::TypeKind::Range; }

bool isIndexSymbol(const Symbol* symbol) {
    return symbol && symbol->kind == SymbolKind::DistributedIndex;
}

// m of e % m and e & (m - 1); 0 if it is neither.
long modulusOf(NodePtr node) {
    if (!ast::is<ast::Binary>(node)) return 0;
    const auto number = constantValue(node->child(ast::Binary::right));
    if (!number || !isInteger(node->child(ast::Binary::left))) return 0;
    if (operatorOf(node) == "%" && *number > 1) return static_cast<long>(*number);
    return isOperator(node, "&", "bitand") && number == 1 ? 2 : 0;
}

}  // namespace

bool isOperator(NodePtr node, std::string_view sign, std::string_view word) {
    const NodePtr op = ast::is<ast::Binary>(node)  ? node->child(ast::Binary::op)
                       : ast::is<ast::Unary>(node) ? node->child(ast::Unary::op)
                                                   : nullptr;
    return op && (op->text() == sign || op->text() == word);
}

Sum Reader::atom(const Symbol* symbol, int iteration, std::string text, const Sum& sum) {
    const auto [found, isNew] =
        atoms_.try_emplace(Key(symbol, iteration, std::move(text), sum), count_);
    count_ += isNew ? 1 : 0;
    return Sum::of(found->second);
}

Sum Reader::index(const Symbol* index, int iteration) { return atom(index, iteration); }

// Names, numbers, operators and inquiries that are the same in all iterations.
bool Reader::isFixed(NodePtr node) const {
    if (!node) return true;
    if (node->is<ast::GlobalIndex>()) return false;
    if (node->is<ast::Identifier>()) {
        const Symbol* symbol = node->symbol;
        const bool isInner =
            symbol && symbol->declaration && nest_->span().contains(symbol->declaration->span());
        return !isInner && !isIndexSymbol(symbol) && !changed_.contains(node->text());
    }
    return std::ranges::all_of(node->children(), [this](NodePtr each) { return isFixed(each); });
}

Sum Reader::fixedOrFresh(NodePtr node) {
    if (!ast::isPure(node) || !isFixed(node)) return fresh();
    const bool isName = node->is<ast::Identifier>() && node->symbol;
    return isName ? atom(node->symbol, 0) : atom(nullptr, 0, std::string(node->text()));
}

// What an initializer names has the value that it had there.
bool Reader::isStableThroughout(NodePtr node) {
    if (!node) return true;
    if (node->is<ast::Identifier>())
        return !node->symbol || isIndexSymbol(node->symbol) || isStable(node->symbol);
    return std::ranges::all_of(node->children(), isStableThroughout);
}

// Of an expression inside the nest: its names keep their values to the end of the iteration.
bool Reader::keepsValue(NodePtr node) const {
    if (!node) return true;
    if (node->is<ast::Identifier>())
        return isFixed(node) || isIndexSymbol(node->symbol) || isStable(node->symbol);
    return std::ranges::all_of(node->children(), [this](NodePtr each) { return keepsValue(each); });
}

// The value that a variable has wherever it is named; null if there is none.
NodePtr Reader::valueOf(NodePtr name) const {
    const Symbol* symbol = name->symbol;
    if (!isStable(symbol) || symbol->kind != SymbolKind::Variable) return nullptr;
    const NodePtr value = singleInitializer(symbol->initializer);
    if (!value || !isInteger(name)) return nullptr;
    const bool isInner = symbol->declaration && nest_->span().contains(symbol->declaration->span());
    return isStableThroughout(value) || (isInner && keepsValue(value)) ? value : nullptr;
}

Sum Reader::variable(NodePtr name, int iteration) {
    const Symbol* symbol = name->symbol;
    if (isIndexSymbol(symbol)) return index(symbol, iteration);
    if (const NodePtr value = valueOf(name)) return read(value, iteration);
    const bool isOfIteration = isStable(symbol) && !isFixed(name);
    return isOfIteration ? atom(symbol, iteration) : fixedOrFresh(name);
}

// q of a - m q, which is less than m in absolute value; for bits, from 0.
Sum Reader::quotient(const Sum& sum, long modulus, bool isBits) {
    const Sum quotient = atom(nullptr, isBits ? 1 : 0, std::to_string(modulus), sum);
    const Sum rest = sum - Sum(modulus) * quotient;
    system_.isNotNegative(Sum(modulus - 1) - rest);
    system_.isNotNegative(isBits ? rest : rest + Sum(modulus - 1));
    return quotient;
}

Sum Reader::remainder(const Sum& sum, long modulus, bool isBits) {
    return sum - Sum(modulus) * quotient(sum, modulus, isBits);
}

Sum Reader::binary(NodePtr node, int iteration) {
    const NodePtr left = node->child(ast::Binary::left), right = node->child(ast::Binary::right);
    const std::string_view op = operatorOf(node);
    const auto number = constantValue(right);
    if (op == "+" || op == "-" || op == "*") {
        const Sum a = read(left, iteration), b = read(right, iteration);
        return op == "+" ? a + b : op == "-" ? a - b : a * b;
    }
    if (!isInteger(left)) return fixedOrFresh(node);
    if (const long modulus = modulusOf(node); modulus > 0)
        return remainder(read(left, iteration), modulus, op != "%");
    if (op == "/" && number && *number > 1)
        return quotient(read(left, iteration), static_cast<long>(*number), false);
    if (isOperator(node, "^", "xor")) {  // a + b - 2 (a & b)
        const Sum a = read(left, iteration), b = read(right, iteration);
        return a + b - Sum(2) * (number == 1 ? remainder(a, 2, true) : fresh());
    }
    return fixedOrFresh(node);
}

Sum Reader::read(NodePtr node, int iteration) {
    node = bare(node);
    if (!node || depth_ > deepest) return fresh();
    if (const auto value = constantValue(node)) return Sum(static_cast<long>(*value));
    ++depth_;
    const auto done = [this](Sum sum) {
        --depth_;
        return sum;
    };
    switch (node->kind()) {
    case Kind::GlobalIndex:
        return done(read(node->child(ast::GlobalIndex::operand), iteration));
    case Kind::Identifier:
        return done(variable(node, iteration));
    case Kind::Binary:
        return done(binary(node, iteration));
    case Kind::Unary:
        if (isOperator(node, "-", "-"))
            return done(Sum(0) - read(node->child(ast::Unary::operand), iteration));
        break;
    case Kind::Call:
        return done(inquiry(node));
    case Kind::Cast:
    case Kind::NamedCast:
        if (isInteger(node)) return done(read(node->children().back(), iteration));
        break;
    default:
        break;
    }
    return done(fixedOrFresh(node));
}

// `left` is not `value`: where it is a remainder modulo 2, then it is the other one.
void Reader::differ(NodePtr left, const Sum& value, int iteration) {
    left = bare(left);
    if (ast::is<ast::Identifier>(left))
        if (const NodePtr named = valueOf(left)) left = bare(named);
    if (modulusOf(left) != 2) return;
    const Sum sum = read(left->child(ast::Binary::left), iteration);
    system_.isZero(sum - value - Sum(1) - Sum(2) * fresh());
}

void Reader::compare(NodePtr condition, std::string_view op, int iteration) {
    const NodePtr left = condition->child(ast::Binary::left),
                  right = condition->child(ast::Binary::right);
    if (!isInteger(left) || !isInteger(right)) return;
    const Sum a = read(left, iteration), b = read(right, iteration);
    if (op == "==") system_.isZero(a - b);
    if (op == "<") system_.isNotNegative(b - a - Sum(1));
    if (op == "<=") system_.isNotNegative(b - a);
    if (op == ">") system_.isNotNegative(a - b - Sum(1));
    if (op == ">=") system_.isNotNegative(a - b);
    if (op != "!=" && op != "not_eq") return;
    differ(left, b, iteration);
    differ(right, a, iteration);
}

void Reader::assume(NodePtr condition, bool holds, int iteration) {
    condition = bare(condition);
    if (!condition || depth_ > deepest) return;
    ++depth_;
    const bool isBoth =
        holds ? isOperator(condition, "&&", "and") : isOperator(condition, "||", "or");
    if (isBoth && condition->is<ast::Binary>()) {
        assume(condition->child(ast::Binary::left), holds, iteration);
        assume(condition->child(ast::Binary::right), holds, iteration);
    } else if (condition->is<ast::Unary>() && isOperator(condition, "!", "not")) {
        assume(condition->child(ast::Unary::operand), !holds, iteration);
    } else if (condition->is<ast::Binary>() && !opposite(operatorOf(condition)).empty()) {
        const std::string_view op = operatorOf(condition);
        compare(condition, holds ? op : opposite(op), iteration);
    } else if (condition->is<ast::Identifier>() && valueOf(condition)) {
        assume(valueOf(condition), holds, iteration);
    } else if (isInteger(condition) && holds) {
        differ(condition, Sum(0), iteration);
    } else if (isInteger(condition)) {
        system_.isZero(read(condition, iteration));
    }
    --depth_;
}

// x.size(), which is n for `BlockRange x(n, d)`, and a.rng(0).size() for `Range x = a.rng(0)`.
Sum Reader::sizeOf(NodePtr range) {
    range = bare(range);
    const Symbol* symbol = range->symbol;
    const bool isNamed = range->is<ast::Identifier>() && isStable(symbol) && symbol->initializer;
    if (isNamed && isRange(range)) {
        const NodePtr value = singleInitializer(symbol->initializer);
        if (value && ast::is<ast::Call>(bare(value)) && isStableThroughout(value))
            return sizeOf(value);
        const NodePtr made = symbol->initializer;
        const NodePtr extent = made->is<ast::EqualInitializer>() || made->children().empty()
                                   ? nullptr
                                   : made->child(0);
        if (extent && isInteger(extent) && isFixed(extent) && isStableThroughout(extent))
            return read(extent, 0);
    }
    return isFixed(range) ? atom(nullptr, 0, std::string(range->text()) + ".size()") : fresh();
}

// x.size(), or a.size(r), which is that of a.rng(r).
Sum Reader::inquiry(NodePtr call) {
    const NodePtr callee = call->child(ast::Call::callee);
    if (!ast::is<ast::Member>(callee) || callee->child(ast::Member::name)->text() != "size")
        return fixedOrFresh(call);
    const NodePtr base = callee->child(ast::Member::base);
    const auto arguments = call->child(ast::Call::arguments)->children();
    if (isRange(base) && arguments.empty()) return sizeOf(base);
    const bool isArray = base->type && base->type->kind == ast::TypeKind::Multiarray;
    if (!isArray || arguments.size() != 1 || !isFixed(call)) return fixedOrFresh(call);
    return atom(
        nullptr, 0,
        std::string(base->text()) + ".rng(" + std::string(arguments[0]->text()) + ").size()");
}

std::optional<Reader::Triplet> Reader::triplet(const Symbol* symbol, int iteration) {
    const NodePtr header = symbol->declaration;
    if (!ast::is<ast::OverallHeader>(header)) return std::nullopt;
    const NodePtr range = header->child(ast::OverallHeader::range),
                  written = header->child(ast::OverallHeader::triplet);
    if (!range || !written) return std::nullopt;
    const NodePtr low = written->child(ast::Triplet::low),
                  high = written->child(ast::Triplet::high),
                  step = written->child(ast::Triplet::step);
    const auto number = step ? constantValue(step) : std::optional(1LL);
    const Sum size = sizeOf(range), last = size - Sum(1);
    const auto end = [&](NodePtr end, const Sum& up, const Sum& down) {
        if (end) return read(end, iteration);
        return !number ? fresh() : *number > 0 ? up : down;
    };
    const Sum by = step ? read(step, iteration) : Sum(1);
    return Triplet{end(low, Sum(0), last), end(high, last, Sum(0)), by, size};
}

void Reader::bound(const Symbol* symbol, int iteration) {
    const Sum own = index(symbol, iteration);
    const NodePtr header = symbol->declaration;
    if (ast::is<ast::At>(header)) {
        const NodePtr location = bare(header->child(ast::At::location));
        if (ast::is<ast::Subscript>(location))
            system_.isZero(own -
                           read(location->child(ast::Subscript::subscripts)->child(0), iteration));
        else if (isFixed(location))
            system_.isZero(own - atom(nullptr, 0, std::string(location->text())));
    }
    const auto ends = triplet(symbol, iteration);
    if (!ends) return;
    system_.isNotNegative(own);
    system_.isNotNegative(ends->size - own - Sum(1));
    const Sum count = fresh();
    system_.isZero(own - ends->first - ends->step * count);
    system_.isNotNegative(count);
    const long step = ends->step.isConstant() ? ends->step.constant() : 0;
    if (step > 0) system_.isNotNegative(ends->last - own);
    if (step < 0) system_.isNotNegative(own - ends->last);
    if (step != 0 || ends->step.terms().size() != 1) return;
    for (const Atom each : ends->step.terms().begin()->first) system_.isNotZero(each);
}

}  // namespace hpcc::analysis
