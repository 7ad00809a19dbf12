// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/kernel_complex.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/symbol.hpp"
#include "nests/kernel_code.hpp"
#include "nests/kernel_functions.hpp"
#include "nests/kernel_templates.hpp"
#include "source/text.hpp"

namespace hpcc::nests {

using ast::Kind;
using ast::NodePtr;

const ast::Type* complexPart(const ast::Type* type) {
    const bool isComplex = type && type->kind == ast::TypeKind::Class && type->classSymbol &&
                           type->classSymbol->shape == ast::StandardShape::Opaque &&
                           type->arguments.size() == 1;
    if (!isComplex) return nullptr;
    const ast::Type* const part = type->arguments.front();
    const std::string word = numberWord(part);
    return word == "double" || word == "float" || typeParameterOf(part) ? part : nullptr;
}

namespace {

bool isArithmetic(std::string_view op) { return op == "+" || op == "-" || op == "*" || op == "/"; }

}  // namespace

const ast::Type* complexPart(NodePtr e) {
    e = e ? ast::withoutParentheses(e) : e;
    if (!e || ast::isNumber(e->type)) return nullptr;
    if (ast::is<ast::Binary>(e) && isArithmetic(e->child(ast::Binary::op)->text())) {
        const ast::Type* const left = complexPart(e->child(ast::Binary::left));
        return left ? left : complexPart(e->child(ast::Binary::right));
    }
    if (ast::is<ast::Unary>(e) && isArithmetic(e->child(ast::Unary::op)->text()))
        return complexPart(e->child(ast::Unary::operand));
    if (ast::is<ast::Conditional>(e)) return complexPart(e->child(ast::Conditional::then));
    if (ast::is<ast::Call>(e)) {
        const ComplexCall call = complexCall(e);
        if (!call.name.empty()) return call.name == "conj" ? complexPart(call.of) : nullptr;
    }
    return complexPart(e->type);
}

ComplexCall complexCall(NodePtr call) {
    static constexpr std::array<std::string_view, 5> known = {"real", "imag", "norm", "abs",
                                                              "conj"};
    const NodePtr callee = call->child(ast::Call::callee);
    const NodePtr arguments = call->child(ast::Call::arguments);
    NodePtr of = nullptr;
    std::string_view name;
    if (ast::is<ast::Member>(callee) && arguments->children().empty()) {
        of = callee->child(ast::Member::base);
        name = callee->child(ast::Member::name)->text();
        if (name != "real" && name != "imag") return {};
    } else if (arguments->children().size() == 1 && callee->text().starts_with("std::")) {
        of = arguments->child(0);
        name = callee->text().substr(5);
    }
    const auto found = std::ranges::find(known, name);
    return found == known.end() || !complexPart(of) ? ComplexCall{} : ComplexCall{*found, of};
}

std::string KernelCode::complexWord(NodePtr expression) {
    return functions.records.complexWord(complexPart(expression));
}

/// The word for a real number, if its type is what it seems to be.
std::string KernelCode::realWord(NodePtr number) {
    const ast::Type* const type = numberType(number);
    return type ? functions.records.numberOf(type) : "";
}

/// `z` as a complex number of the kernel's; a real one gets an imaginary part of 0.
std::string KernelCode::asComplex(NodePtr value, const std::string& word) {
    const std::string name = functions.records.complexOf(word);
    NodePtr bare = ast::withoutParentheses(value);
    const bool isList = ast::is<ast::BracedInitializer>(bare) || ast::is<ast::Arguments>(bare);
    if (isList && bare->children().size() == 1) return asComplex(bare->child(0), word);
    if (isList && bare->children().size() > 2)
        fail(value, "makes a complex number of more than two");
    if (isList) return complexOf(name, word, bare->children());
    const std::string given = complexWord(bare);
    if (given == word) return ast::print(copied(bare));
    if (!given.empty()) fail(value, "converts a complex number to one of another type");
    return complexOf(name, word, std::array{bare});
}

std::string KernelCode::complexOf(const std::string& name, const std::string& word,
                                  std::span<const NodePtr> parts) {
    std::string text = "MADE(" + name;
    for (size_t k = 0; k < 2; ++k)
        text += ", (" + word + ")(" + (k < parts.size() ? realPart(parts[k]) : "0") + ")";
    return text + ")";
}

std::string KernelCode::realPart(NodePtr number) {
    if (!complexWord(number).empty()) fail(number, "uses a complex number as a part of one");
    return ast::print(copied(number));
}

/// That of what computes with complex numbers; null of any other expression.
NodePtr KernelCode::complexCode(NodePtr node) {
    switch (node->kind()) {
    case Kind::Binary:
        return complexBinary(node);
    case Kind::Assign:
        return complexAssignment(node);
    case Kind::Call:
        return complexCallCode(node);
    case Kind::Unary: {
        const NodePtr operand = node->child(ast::Unary::operand);
        const std::string word = complexWord(operand);
        const std::string_view op = node->child(ast::Unary::op)->text();
        if (word.empty()) return nullptr;
        if (op != "-" && op != "+") return fail(node, "computes with a complex number");
        return op == "+" ? copied(operand) : complexResult(node, word, "minus", {operand});
    }
    case Kind::Conditional: {
        const std::string word = complexWord(node);
        if (word.empty()) return nullptr;
        return context.identifier(
            "(" + ast::print(copied(node->child(ast::Conditional::condition))) + " ? " +
                asComplex(node->child(ast::Conditional::then), word) + " : " +
                asComplex(node->child(ast::Conditional::otherwise), word) + ")",
            node);
    }
    case Kind::FunctionalCast:
        return complexMade(node, node->child(ast::FunctionalCast::arguments));
    default:
        return nullptr;
    }
}

/// `heat_22_9_complex_times(z, w)`
NodePtr KernelCode::complexResult(NodePtr node, const std::string& word, const std::string& name,
                                  std::initializer_list<NodePtr> operands) {
    std::string text;
    for (const NodePtr each : operands)
        text += (text.empty() ? "" : ", ") + ast::print(copied(each));
    return context.identifier(functions.records.complexOf(word) + "_" + name + "(" + text + ")",
                              node);
}

NodePtr KernelCode::complexBinary(NodePtr node) {
    const NodePtr left = node->child(ast::Binary::left), right = node->child(ast::Binary::right);
    const std::string a = complexWord(left), b = complexWord(right);
    if (a.empty() && b.empty()) return nullptr;
    return complexOperation(node, node->child(ast::Binary::op)->text(), left, right);
}

NodePtr KernelCode::complexOperation(NodePtr node, std::string_view op, NodePtr left,
                                     NodePtr right) {
    const std::string a = complexWord(left), b = complexWord(right), word = a.empty() ? b : a;
    if (!isArithmetic(op)) return fail(node, "compares complex numbers");
    if ((a.empty() || b.empty()) && realWord(a.empty() ? left : right) != word)
        return fail(node, "computes with a complex number and one of another type");
    if (!a.empty() && !b.empty() && a != b)
        return fail(node, "computes with complex numbers of several types");
    if (op == "/")
        return complexResult(node, word,
                             b.empty()   ? "dividedBy"
                             : a.empty() ? "realOver"
                                         : "over",
                             {left, right});
    if (a.empty() && op != "-") std::swap(left, right);  // of real numbers: the same
    const bool hasReal = a.empty() || b.empty();
    const std::string name = op == "+" ? "plus" : op == "*" ? "times" : a.empty() ? "from" : "less";
    return complexResult(node, word, name + (hasReal ? "Real" : ""), {left, right});
}

NodePtr KernelCode::complexAssignment(NodePtr node) {
    const NodePtr target = node->child(ast::Assign::target),
                  value = node->child(ast::Assign::value);
    const std::string_view op = node->child(ast::Assign::op)->text();
    const std::string word = complexWord(target);
    if (word.empty()) return nullptr;
    const std::string to = ast::print(copied(target));
    if (op == "=") return context.identifier(to + " = " + asComplex(value, word), node);
    const ast::Effects effects = ast::effectsOf(target);
    if (!effects.assigned.empty() || !effects.calls.empty())
        return fail(target, "changes a complex number whose place may have an effect");
    const NodePtr sum = complexOperation(node, op.substr(0, op.size() - 1), target, value);
    return context.identifier(to + " = " + ast::print(sum), node);
}

NodePtr KernelCode::complexCallCode(NodePtr node) {
    const auto [name, of] = complexCall(node);
    if (name == "real" || name == "imag")
        return context.identifier(
            "(" + ast::print(copied(of)) + ")" + (name == "real" ? ".re" : ".im"), node);
    if (!name.empty()) return complexResult(node, complexWord(of), std::string(name), {of});
    const NodePtr callee = node->child(ast::Call::callee),
                  arguments = node->child(ast::Call::arguments);
    const bool isType = callee->symbol && (callee->symbol->kind == ast::SymbolKind::Class ||
                                           callee->symbol->kind == ast::SymbolKind::Alias);
    if (isType && complexPart(node->type)) return complexMade(node, arguments);
    const bool isOfComplex = std::ranges::any_of(
        arguments->children(), [](NodePtr each) { return complexPart(each) != nullptr; });
    if (isOfComplex && ast::isMathematical(callee))
        return fail(node, "calls " + quoted(ast::print(callee)) + " of a complex number");
    return nullptr;
}

NodePtr KernelCode::complexMade(NodePtr node, NodePtr arguments) {
    const std::string word = functions.records.complexWord(complexPart(node->type));
    if (word.empty()) return nullptr;
    return context.identifier(asComplex(arguments, word), node);
}

}  // namespace hpcc::nests
