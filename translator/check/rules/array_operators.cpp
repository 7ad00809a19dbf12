// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 3: no operator works on whole arrays; the message shows how to write it for the elements.
#include "check/callee.hpp"
#include "check/facts.hpp"
#include "check/wording.hpp"

namespace hpcc::check {
namespace {

bool isArray(NodePtr node) { return isKind(node, TypeKind::Multiarray); }

bool isComparison(std::string_view op) {
    return isOneOf(op, {"==", "!=", "<", ">", "<=", ">=", "<=>"});
}

// "v[i]" of an array, any other operand as it stands.
std::string elementText(NodePtr operand) {
    return isArray(operand) ? elementOf(operand) : textOf(operand);
}

// An operator of C++ out of sight may take anything together with an array.
bool isForeign(NodePtr operand) {
    const Type* type = typeOf(operand);
    return isUnknown(type) || (type->kind == TypeKind::Class && type != streamType());
}

// std::cout << v prints what the process holds.
bool isPrinting(std::string_view op, NodePtr left) {
    return op == "<<" && typeOf(left) == streamType();
}

struct Use {
    std::string_view op;
    NodePtr array;        // the operand that is an array
    std::string element;  // the same for one element: "v[i] + w[i]"
};

void reportUse(const Context& context, const Use& use) {
    if (context.foreignNames.mayOverload(use.op)) return;
    const std::string array = textOf(bare(use.array));
    const std::string word = "'" + std::string(use.op) + "'";
    Report report = context.report(Id::MultiarrayAsScalar, use.array, word, array);
    const std::string loop = loopOver(use.array);
    if (isOneOf(use.op, {"&&", "||", "!", "and", "or", "not"}))
        report.help("ask whether it has elements: " + array + ".valid()");
    else if (loop.empty())
        report.help("for each element: " + use.element);
    else if (isComparison(use.op))
        report.help("compare the elements: Adlib::all(" + loop + " " + use.element + ")");
    else
        report.help("for each element: " + loop + " .. " + use.element +
                    " ..; a number is made by a reduction, Adlib::sum(" + array + ") say");
}

}  // namespace

// v + w, 2 * v, v == w.
void arrayInOperator(const Context& context, NodePtr node) {
    const NodePtr left = node->child(ast::Binary::left), right = node->child(ast::Binary::right);
    const std::string_view op = node->child(ast::Binary::op)->text();
    const bool restricts = op == "/" && isArray(left);
    if ((!isArray(left) && !isArray(right)) || restricts || isPrinting(op, left) ||
        isForeign(left) || isForeign(right))
        return;
    const std::string element =
        elementText(left) + " " + std::string(op) + " " + elementText(right);
    reportUse(context, {op, isArray(left) ? left : right, element});
}

// v += w, v *= 2.
void arrayInAssignment(const Context& context, NodePtr node) {
    const NodePtr target = node->child(ast::Assign::target),
                  value = node->child(ast::Assign::value);
    const std::string_view op = node->child(ast::Assign::op)->text();
    if (op == "=" || !isArray(target) || isForeign(value)) return;
    reportUse(context,
              {op, target, elementText(target) + " " + std::string(op) + " " + elementText(value)});
}

// -v, !v, ++v.
void arrayInUnary(const Context& context, NodePtr node) {
    const NodePtr operand = node->child(ast::Unary::operand);
    const std::string_view op = node->child(ast::Unary::op)->text();
    if (isArray(operand) && isOneOf(op, {"-", "+", "~", "!", "not", "*", "++", "--"}))
        reportUse(context, {op, operand, std::string(op) + elementText(operand)});
}

// std::printf("%g", v), which g++ compiles.
void arrayPrinted(const Context& context, NodePtr node) {
    if (!printsArguments(node) || adlibCallee(node) != "") return;
    for (NodePtr value : node->child(ast::Call::arguments)->children())
        if (isArray(value))
            context
                .report(Id::MultiarrayAsScalar, value, "'" + calleeName(node) + "'", textOf(value))
                .help("Adlib::aprintf(\"%g%N\", " + textOf(value) + ") prints the elements");
}

// v++.
void arrayInPostfix(const Context& context, NodePtr node) {
    const NodePtr operand = node->child(ast::Postfix::operand);
    const std::string_view op = node->child(ast::Postfix::op)->text();
    if (isArray(operand)) reportUse(context, {op, operand, elementText(operand) + std::string(op)});
}

}  // namespace hpcc::check
