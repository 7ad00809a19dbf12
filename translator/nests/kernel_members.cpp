// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of objects that kernels know, and of objects outside of the nest; conversions.
#include "analysis/harmless_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/kernel_code.hpp"
#include "nests/kernel_functions.hpp"
#include "nests/kernel_words.hpp"

namespace hpcc::nests {

using ast::NodePtr;

/// `c.x` of an object that the kernel knows.
NodePtr KernelCode::member(NodePtr node) {
    const NodePtr base = node->child(ast::Member::base);
    const std::string name =
        functions.records.memberOf(base->type, node->child(ast::Member::name)->text());
    if (name.empty())
        return fail(node, "uses " + quoted(compact(ast::print(node))) +
                              ", which is no member that a kernel knows");
    return context.identifier(ast::print(copied(base)) + "." + name, node);
}

/// True of an operator of a class of the program's.
bool KernelCode::runsOperator(NodePtr node) {
    return node->symbol && node->symbol->kind == ast::SymbolKind::Function &&
           ast::isAny<ast::Binary, ast::Unary, ast::Postfix, ast::Assign, ast::Subscript>(node);
}

/// `operator_sum(a, b)` of `a + b`, which runs one function.
NodePtr KernelCode::operated(NodePtr node) {
    const std::string what =
        "applies an operator of a class in " + quoted(compact(ast::print(node)));
    const ast::Symbol& function = *node->symbol;
    if (!ast::isAny<ast::Binary, ast::Unary>(node) || function.previous) return fail(node, what);
    std::vector<NodePtr> operands;
    for (const NodePtr child : node->children())
        if (ast::isExpression(child)) operands.push_back(child);
    const ast::Type* const object = ast::withoutParentheses(operands.front())->type;
    const ast::Symbol* own = object && object->classSymbol && object->classSymbol->members
                                 ? object->classSymbol->members->findHere(function.name)
                                 : nullptr;
    while (own && own->declaration != function.declaration) own = own->previous;
    const bool isMember = own && !function.declaration->text().starts_with("friend");
    if (isMember && functions.records.classOf(object).empty()) return fail(node, what);

    ast::Symbol named = function;
    named.name = "operator_" + std::to_string(operands.size());
    const NodePtr callee = context.identifier(function.name, node);
    callee->symbol = context.arena.makeSymbol(named);
    ast::Type type = *function.type;
    type.called = callee->symbol;
    callee->type = context.arena.makeType(type);
    const auto called = functions.called(callee, isMember ? object : nullptr, "");
    if (const Obstacle* found = std::get_if<Obstacle>(&called))
        return fail(node, what + ": it " + found->reason);
    std::string text;
    for (size_t k = 0; k < operands.size(); ++k) {
        const bool isObject = isMember && k == 0;
        const NodePtr value =
            isObject ? copied(operands[0])
                     : fitting(operands[k], function.type->parameters[k - (isMember ? 1 : 0)]);
        text += (text.empty() ? "" : ", ") + ast::print(value);
    }
    return context.identifier(std::get<std::string>(called) + "(" + text + ")", node);
}

/// The class of the object on which a member function is called, if kernels know both.
const ast::Type* KernelCode::objectOf(NodePtr callee) const {
    if (const ast::Type* const type = analysis::calledObject(callee))
        return functions.isMemberOf(type, callee->type->called) ? type : nullptr;
    const bool isMember = ast::is<ast::Member>(callee);
    const ast::Type* const type = isMember ? callee->child(ast::Member::base)->type : object;
    const bool isCallable = isMember || ast::is<ast::Identifier>(callee);
    return isCallable && functions.isMemberOf(type, callee->symbol) ? type : nullptr;
}

/// Of a call on an object outside of the nest; "" if it is none.
std::string KernelCode::outerMembersFor(NodePtr callee) const {
    if (analysis::calledObject(callee))
        return functions.isOfOneClass(callee->type->called) ? membersOf(callee) : "";
    if (!functions.isOfOneClass(callee->symbol)) return "";
    if (ast::is<ast::Identifier>(callee)) return membersOf(nullptr);
    const bool isMember = ast::is<ast::Member>(callee);
    if (!isMember && !ast::is<ast::PointerMember>(callee)) return "";
    const NodePtr on = callee->child(0);
    if (on->text() == "this") return membersOf(nullptr);
    return isMember ? membersOf(on) : "";
}

NodePtr KernelCode::cast(NodePtr node) {
    const bool isObject = !functions.records.classOf(node->type).empty();
    if (isObject && ast::is<ast::FunctionalCast>(node))
        return made(node, node->type, node->child(ast::FunctionalCast::arguments));
    if (isObject) return fitting(node->children().back(), node->type);
    const std::string word = localWord(functions.records.numberOf(convertedType(node)));
    if (word.empty()) return fail(node, "converts to what is no number that a kernel knows");
    const std::string spelled = ast::print(node->children()[node->children().size() - 2]);
    if (const ast::Symbol* parameter = typeParameterOf(convertedType(node));
        parameter && parameter->name != spelled)
        otherNames[spelled] = word;
    NodePtr operand = node->children().back();
    if (ast::is<ast::Arguments>(operand) || ast::is<ast::BracedInitializer>(operand)) {
        if (operand->children().empty()) return context.identifier("((" + word + ")0)", node);
        if (operand->children().size() != 1) return fail(node, "converts other than one number");
        operand = operand->child(0);
    }
    return context.identifier("(" + word + ")(" + ast::print(copied(operand)) + ")", node);
}

}  // namespace hpcc::nests
