// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/shapes.hpp"

#include <cstdlib>

#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/type.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;
using diagnostics::Id;

bool isMultiarray(NodePtr node) {
    return node && node->type && node->type->kind == ast::TypeKind::Multiarray;
}

std::string_view withoutScope(std::string_view text, std::string_view scope) {
    return text.starts_with(scope) ? text.substr(scope.size()) : text;
}

// Shape<2>, Adlib::Shape: what a type or a name says.
bool namesShape(std::string_view text) {
    const std::string_view name = withoutScope(withoutScope(text, "hpspmd::"), "Adlib::");
    return name == "Shape" || name.starts_with("Shape<");
}
// 2 of Shape<2>, if it is a number.
std::optional<std::size_t> rankSpelled(std::string_view text) {
    const std::size_t begin = text.find('<');
    if (begin == text.npos || text.size() < begin + 2) return std::nullopt;
    const char digit = text[begin + 1];
    if (digit < '1' || digit > '9' || text[begin + 2] != '>') return std::nullopt;
    return static_cast<std::size_t>(digit - '0');
}

// The entries of `Shape{1, 0}`, `Shape<2>(1, 0)` or an initializer; null for anything else.
NodePtr entriesOf(NodePtr node) {
    if (ast::isAny<ast::BracedInitializer, ast::Arguments>(node)) return node;
    // A class of the program has a kind.
    if (!node || (node->type && node->type->kind != ast::TypeKind::Unknown)) return nullptr;
    if (ast::is<ast::FunctionalCast>(node) && namesShape(node->child(0)->text()))
        return node->child(ast::FunctionalCast::arguments);
    if (ast::is<ast::Call>(node) && namesShape(node->child(ast::Call::callee)->text()))
        return node->child(ast::Call::arguments);
    return nullptr;
}

std::string_view operatorOf(NodePtr node) { return node->child(ast::Binary::op)->text(); }

bool isSum(NodePtr node) {
    return ast::is<ast::Binary>(node) && (operatorOf(node) == "+" || operatorOf(node) == "-");
}

std::optional<long long> calculated(std::string_view op, const Part& left, const Part& right) {
    if (!left.value || !right.value) return std::nullopt;
    const long long a = *left.value, b = *right.value;
    if (op == "+") return a + b;
    if (op == "-") return a - b;
    if (op == "*") return a * b;
    if (b == 0) return std::nullopt;
    return op == "/" ? a / b : a % b;
}

Part number(long long value) { return {std::to_string(value), value, value >= 0}; }

std::string operand(const Part& part) { return part.isAtom ? part.text : "(" + part.text + ")"; }

}  // namespace

bool isShape(const ast::Type* type) {
    return type && type->kind == ast::TypeKind::Unknown && namesShape(type->spelled);
}

NodePtr argumentOf(NodePtr node, std::string_view function) {
    if (!ast::is<ast::Call>(node)) return nullptr;
    const NodePtr callee = node->child(ast::Call::callee),
                  arguments = node->child(ast::Call::arguments);
    const bool isOwn = ast::is<ast::Identifier>(callee) && callee->symbol;
    if (isOwn || withoutScope(callee->text(), "hpspmd::") != function) return nullptr;
    return arguments->children().size() == 1 ? arguments->child(0) : nullptr;
}

const std::vector<std::string>* Shapes::indices(NodePtr expression) const {
    const auto found =
        vectors_.find(ast::is<ast::Identifier>(expression) ? expression->symbol : nullptr);
    return found == vectors_.end() ? nullptr : &found->second;
}

// Each dimension asks; it is told once.
template <class... Arguments>
void Shapes::tell(Id id, source::Span place, const Arguments&... arguments) const {
    if (told_.insert(place.begin).second) engine_.report(id, place, arguments...);
}

void Shapes::requireRank(NodePtr shape, std::size_t own, std::size_t rank) const {
    if (own != rank)
        tell(Id::ShapeRank, shape->span(), shape->text(), std::to_string(own),
             std::to_string(rank));
}

std::optional<long long> Shapes::valueOf(NodePtr expression) const {
    expression = bare(expression);
    if (const NodePtr array = argumentOf(expression, "dim"); isMultiarray(array))
        return static_cast<long long>(array->type->slots.size());
    if (ast::is<ast::Identifier>(expression))
        if (const auto bound = values_.find(expression->symbol); bound != values_.end())
            return bound->second;
    if (ast::is<ast::Binary>(expression)) {
        const auto left = valueOf(expression->child(ast::Binary::left)),
                   right = valueOf(expression->child(ast::Binary::right));
        const std::string_view op = operatorOf(expression);
        if (op.size() == 1 && std::string_view("+-*/%").find(op) != std::string_view::npos)
            return calculated(op, {"", left}, {"", right});
    }
    return analysis::constantValue(expression);
}

// The values that `Shape{1, 0}` names.
Part Shapes::made(NodePtr shape, std::size_t r, std::size_t rank) const {
    const auto entries = entriesOf(shape)->children();
    if (entries.empty()) return number(0);
    requireRank(shape, entries.size(), rank);
    return r < entries.size() ? part(entries[r], 0, 1) : number(0);
}

Part Shapes::combined(NodePtr binary, std::size_t r, std::size_t rank) const {
    const std::string op(operatorOf(binary));
    const Part left = part(binary->child(ast::Binary::left), r, rank),
               right = part(binary->child(ast::Binary::right), r, rank);
    if (const auto value = calculated(op, left, right)) return number(*value);
    if (right.value == 0 && (op == "+" || op == "-")) return left;
    if (left.value == 0 && op == "+") return right;
    if (left.value == 0 && op == "*") return left;
    if (right.value == 0 && op == "*") return right;
    if (left.value == 1 && op == "*") return right;
    if (right.value == 1 && op == "*") return left;
    const bool isPlain = op == "+" || op == "-";
    return {(isPlain && left.text[0] != '-' ? left.text : operand(left)) + " " + op + " " +
                operand(right),
            std::nullopt, false};
}

// A name, or an integer.
Part Shapes::simple(NodePtr e, std::size_t r, std::size_t rank) const {
    const std::string text = text_(e), at = std::to_string(r);
    if (ast::isNumber(e->type)) {
        if (!ast::isPure(e) && !ast::isSimple(e)) tell(Id::VectorOperand, e->span(), e->text());
        return {text, std::nullopt, ast::isSimple(e) || ast::is<ast::NumberLiteral>(e)};
    }
    if (!ast::isSimple(e)) {
        const bool isElement =
            ast::is<ast::Subscript>(e) && ast::isSimple(e->child(ast::Subscript::base));
        if (!isElement && !ast::isPure(e)) tell(Id::VectorOperand, e->span(), e->text());
    }
    if (isShape(e->type)) {
        if (const auto own = rankSpelled(e->type->spelled)) requireRank(e, *own, rank);
        return {text + "[" + at + "]", std::nullopt, true};
    }
    return {"hpspmd::detail::part<" + at + ", " + std::to_string(rank) + ">(" + text + ")",
            std::nullopt, true};
}

Part Shapes::part(NodePtr expression, std::size_t r, std::size_t rank) const {
    const NodePtr e = bare(expression);
    if (const auto value = valueOf(e)) return number(*value);
    if (const NodePtr argument = argumentOf(e, "unit")) {
        const auto d = valueOf(argument);
        if (!d) return {"(" + text_(argument) + " == " + std::to_string(r) + " ? 1 : 0)", {}, true};
        if (*d < 0 || *d >= static_cast<long long>(rank))
            tell(Id::ShapeRank, e->span(), e->text(), std::to_string(*d + 1), std::to_string(rank));
        return number(*d == static_cast<long long>(r) ? 1 : 0);
    }
    const NodePtr array = argumentOf(e, "shape");
    if (isMultiarray(array) && ast::isSimple(bare(array))) {
        requireRank(e, array->type->slots.size(), rank);
        return {text_(bare(array)) + ".size(" + std::to_string(r) + ")", std::nullopt, true};
    }
    if (entriesOf(e)) return made(e, r, rank);
    if (ast::is<ast::GlobalIndex>(e))
        if (const auto* names = indices(bare(e->child(0)))) {
            requireRank(e, names->size(), rank);
            return {(*names)[std::min(r, names->size() - 1)] + "`", std::nullopt, true};
        }
    if (ast::is<ast::Binary>(e)) {
        const std::string_view op = operatorOf(e);
        if (op.size() == 1 && std::string_view("+-*/%").find(op) != std::string_view::npos)
            return combined(e, r, rank);
    }
    if (ast::is<ast::Unary>(e) && e->child(ast::Unary::op)->text() == "-") {
        const Part inner = part(e->child(ast::Unary::operand), r, rank);
        if (inner.value) return number(-*inner.value);
        return {"-" + operand(inner), std::nullopt, false};
    }
    const Symbol* symbol = ast::is<ast::Identifier>(e) ? e->symbol : nullptr;
    const bool isKnown =
        symbol && symbol->initializer && isShape(symbol->type) && analysis::isStable(symbol);
    if (isKnown) {
        NodePtr made = symbol->initializer;
        if (const NodePtr sole = analysis::singleInitializer(made); entriesOf(bare(sole)))
            made = bare(sole);
        if (const NodePtr entries = entriesOf(made); entries && entries->children().size() == rank)
            if (const auto value = valueOf(entries->child(static_cast<uint32_t>(r))))
                return number(*value);
    }
    return simple(e, r, rank);
}

// What stands in front of the terms of a sum.
NodePtr Shapes::leading(NodePtr expression) const {
    expression = bare(expression);
    while (isSum(expression)) expression = bare(expression->child(ast::Binary::left));
    return expression;
}

std::optional<std::size_t> Shapes::rankOf(NodePtr subscript) const {
    NodePtr first = leading(subscript);
    if (ast::is<ast::GlobalIndex>(first)) first = bare(first->child(0));
    const auto* names = indices(first);
    return names ? std::optional(names->size()) : std::nullopt;
}

std::optional<std::string> Shapes::shifted(NodePtr subscript, std::size_t r, bool asInteger) const {
    const auto rank = rankOf(subscript);
    if (!rank) return std::nullopt;
    const NodePtr first = leading(subscript);
    const bool isGlobal = ast::is<ast::GlobalIndex>(first);
    std::string text = (*indices(isGlobal ? bare(first->child(0)) : first))[r];
    if (isGlobal || asInteger) text += '`';
    long long constant = 0;
    std::string others;
    int terms = 0;
    for (NodePtr sum = bare(subscript); isSum(sum); sum = bare(sum->child(ast::Binary::left))) {
        const bool isMinus = operatorOf(sum) == "-";
        const Part term = part(sum->child(ast::Binary::right), r, *rank);
        if (term.value)
            constant += isMinus ? -*term.value : *term.value;
        else
            others = (isMinus ? " - " : " + ") + operand(term) + others;
        terms += !term.value;
    }
    if (constant != 0)
        others += (constant < 0 ? " - " : " + ") + std::to_string(std::llabs(constant));
    // An index is shifted once.
    return terms + (constant != 0) > 1 ? text + " + (0" + others + ")" : text + others;
}

}  // namespace hpcc::regions
