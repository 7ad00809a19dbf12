// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions: operators, literals, casts, lambdas. Unknown op T is unknown.
#include "ast/effects.hpp"
#include "check/annotator.hpp"

#include <algorithm>
#include <cstdlib>

namespace hpcc::check {
namespace {

bool isComparison(std::string_view op) {
    return isOneOf(op, {"==", "!=", "<", ">", "<=", ">=", "&&", "||", "and", "or", "not_eq"});
}

const Type* promoted(const Type* type) { return type->number.bits < 32 ? intType() : type; }

// C++'s usual arithmetic conversions, as far as a translator needs them.
const Type* arithmetic(const Type* left, const Type* right) {
    if (!isNumber(left) || !isNumber(right)) return unknownType();
    if (left->kind == TypeKind::Floating && right->kind == TypeKind::Floating)
        return left->spelled == "float" || right->spelled == "long double" ? right : left;
    if (left->kind == TypeKind::Floating) return left;
    if (right->kind == TypeKind::Floating) return right;
    left = promoted(left), right = promoted(right);
    const NumberType a = left->number, b = right->number;
    if (a.bits != b.bits) return a.bits > b.bits ? left : right;
    if (a.isSigned != b.isSigned) return a.isSigned ? right : left;
    return right->spelled == "Index" || right->spelled == "long long" ? right : left;
}

// i + e, i - e: e an integer or not known.
const Type* shifted(std::string_view op, const Type* left, const Type* right) {
    const bool shifts = (op == "+" || op == "-") && isIndex(left) && !isIndex(right);
    return shifts ? shiftedIndexType() : unknownType();
}

// Group and array restriction: p / i, a / x[n].
const Type* restricted(const Type* left, const Type* right) {
    if (left->kind == TypeKind::Group) return groupType();
    const bool byLocation = isIndex(right) || right->kind == TypeKind::Location;
    return left->kind == TypeKind::Multiarray && byLocation ? left : unknownType();
}

const Type* binaryType(std::string_view op, const Type* left, const Type* right) {
    if (isComparison(op)) {
        const bool known = isNumber(left) && isNumber(right);
        return known ? boolType() : unknownType();
    }
    if (op == "<<" && left == streamType()) return streamType();
    if (isIndex(left)) return shifted(op, left, right);
    if (op == "/" && (left->kind == TypeKind::Group || left->kind == TypeKind::Multiarray))
        return restricted(left, right);
    const bool moves = (op == "+" || op == "-") && isInteger(right);
    if (moves && left->kind == TypeKind::Pointer) return left;
    if (isOneOf(op, {"<<", ">>"}) && isInteger(left)) return promoted(left);
    return arithmetic(left, right);
}

// c ? a : b of two multiarrays: distributed where either is, const if either is.
const Type* joined(ast::Arena& arena, const Type* a, const Type* b) {
    if (a->slots.size() != b->slots.size() || nameOf(a->element) != nameOf(b->element))
        return unknownType();
    std::vector<SlotKind> slots = a->slots;
    for (std::size_t r = 0; r < slots.size(); ++r)
        if (b->slots[r] == SlotKind::Distributed) slots[r] = SlotKind::Distributed;
    return multiarrayOf(arena, a->element, a->elementConst || b->elementConst, std::move(slots));
}

bool isFloatingLiteral(std::string_view text) {
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    return text.find_first_of(isHex ? ".pP" : ".eE") != text.npos;
}

}  // namespace

void Annotator::visitOther(NodePtr node) {
    visitChildren(node);
    if (ast::isExpression(node) && !node->type) node->type = unknownType();
}

// ---- names and literals ----------------------------------------------------------------------

void Annotator::visitIdentifier(NodePtr node) {
    const Symbol* symbol = resolve(node);
    if (symbol)
        node->type = symbol->type ? symbol->type : unknownType();
    else
        node->type =
            node->is<ast::Identifier>() && !seesForeignNames() ? undeclaredType() : unknownType();
}

// Whether a name without declaration here may come from a base class or namespace out of sight.
bool Annotator::seesForeignNames() const {
    for (const Scope* place = scope(); place; place = place->parent())
        if (place->isOpen()) return true;
    return false;
}

// The type of 1, 1u, 1L, 1ull, 0xffffffff, 3000000000.
static std::string integerWords(std::string_view text) {
    const std::size_t end = text.find_first_of("uUlLzZ");
    const std::string_view suffix = text.substr(std::min(end, text.size()));
    std::string digits(text.substr(0, end));
    std::erase(digits, '\'');
    const bool isDecimal = digits[0] != '0', isBinary = digits.starts_with("0b");
    const auto value =
        std::strtoull(digits.c_str() + (isBinary ? 2 : 0), nullptr, isBinary ? 2 : 0);
    bool isUnsigned = suffix.find_first_of("uU") != suffix.npos,
         isLong = suffix.find_first_of("lLzZ") != suffix.npos || value > 0xffffffffU;
    if (!isLong && !isUnsigned && value > 0x7fffffffU) (isDecimal ? isLong : isUnsigned) = true;
    if (value > 0x7fffffffffffffffU) isUnsigned = true;
    return std::string(isUnsigned ? "unsigned " : "") + (isLong ? "long" : "int");
}

void Annotator::visitNumberLiteral(NodePtr node) {
    const std::string_view text = node->text();
    if (text.find('_') != text.npos)
        node->type = unknownType();  // 12_km
    else if (isFloatingLiteral(text))
        node->type = builtinType(
            arena(),
            text.find_first_of("fF") != text.npos && !text.starts_with("0x") ? "float" : "double");
    else
        node->type = builtinType(arena(), integerWords(text));
}

void Annotator::visitKeywordLiteral(NodePtr node) {
    const std::string_view word = node->text();
    if (word == "true" || word == "false")
        node->type = boolType();
    else if (word == "this" && !classes_.empty() && classes_.back())
        node->type = pointerTo(arena(), classes_.back()->type);
    else
        node->type = unknownType();
}

// ---- operators -------------------------------------------------------------------------------

void Annotator::takeType(NodePtr node, uint32_t slot) {
    visitChildren(node);
    node->type = typeOf(node->child(slot));
}

// The name that `target` is, if it is one, gets another value.
void Annotator::reassign(NodePtr target) {
    while (ast::is<ast::Parenthesized>(target)) target = target->child(0);
    if (ast::is<ast::Member>(target)) target = target->child(ast::Member::name);
    if (ast::is<ast::PointerMember>(target)) target = target->child(ast::PointerMember::name);
    if (target && target->symbol) target->symbol->isReassigned = true;
}

void Annotator::visitAssign(NodePtr node) {
    visitChildren(node);
    ast::addAssigned(node, assigned_);
    const NodePtr target = node->child(ast::Assign::target);
    reassign(target);
    node->type = typeOf(target);
    operated(node, node->child(ast::Assign::op)->text(), {target, node->child(ast::Assign::value)});
}

void Annotator::visitConditional(NodePtr node) {
    visitChildren(node);
    const Type* a = typeOf(node->child(ast::Conditional::then));
    const Type* b = typeOf(node->child(ast::Conditional::otherwise));
    if (a->kind == TypeKind::Multiarray && b->kind == TypeKind::Multiarray)
        node->type = joined(arena(), a, b);
    else if (isNumber(a) && isNumber(b))
        node->type = nameOf(a) == nameOf(b) ? valueOf(arena(), a) : arithmetic(a, b);
    else
        node->type =
            a->kind == b->kind && !isUnknown(a) && nameOf(a) == nameOf(b) ? a : unknownType();
}

void Annotator::visitBinary(NodePtr node) {
    visitChildren(node);
    ast::addAssigned(node, assigned_);
    const std::string_view op = node->child(ast::Binary::op)->text();
    const NodePtr right = node->child(ast::Binary::right);
    node->type = binaryType(op, typeOf(node->child(ast::Binary::left)), typeOf(right));
    operated(node, op, {node->child(ast::Binary::left), right});
    if (op == ">>" && isUnknown(node->type)) reassign(right);  // std::cin >> x
}

void Annotator::visitUnary(NodePtr node) {
    visitChildren(node);
    ast::addAssigned(node, assigned_);
    const std::string_view op = node->child(ast::Unary::op)->text();
    const NodePtr operand = node->child(ast::Unary::operand);
    const Type* type = typeOf(operand);
    node->type = unknownType();
    if (op == "*") {
        node->type = pointee(type);
    } else if (op == "&") {
        reassign(operand);
        if (!isUnknown(type)) node->type = pointerTo(arena(), type);
    } else if (op == "!" || op == "not") {
        if (isNumber(type)) node->type = boolType();
    } else if (op == "++" || op == "--") {
        reassign(operand);
        node->type = type;
    } else if (isNumber(type)) {
        node->type = type->kind == TypeKind::Floating ? type : promoted(type);
    }
    operated(node, op, {operand});
}

void Annotator::visitPostfix(NodePtr node) {
    visitChildren(node);
    ast::addAssigned(node, assigned_);
    const NodePtr operand = node->child(ast::Postfix::operand);
    reassign(operand);
    node->type = typeOf(operand);
}

void Annotator::visitSizeof(NodePtr node) {
    visitChildren(node);
    node->type = builtinType(arena(), "unsigned long");
}

// ---- types in expressions --------------------------------------------------------------------

void Annotator::visitTypeName(NodePtr node) {
    const Declared what = declared(specified(node->child(ast::TypeName::specifiers)),
                                   node->child(ast::TypeName::declarator));
    node->type = what.type;
}

void Annotator::visitFunctionalCast(NodePtr node) {
    const NodePtr type = node->child(ast::FunctionalCast::type);
    if (type->is<ast::MultiarrayType>())
        node->type = declared(specified(type), nullptr).type;
    else if (type->category() == ast::Category::Expression)
        node->type = typeOfName(type);
    else
        node->type = coreType(type);
    visit(node->child(ast::FunctionalCast::arguments));
    node->type = deducedSequence(node->type, node->child(ast::FunctionalCast::arguments));
    type->type = node->type;
}

void Annotator::visitNew(NodePtr node) {
    visitChildren(node);
    const Type* type = typeOf(node->child(ast::New::type));
    node->type = pointerTo(arena(), type->kind == TypeKind::CArray ? type->element : type);
}

}  // namespace hpcc::check
