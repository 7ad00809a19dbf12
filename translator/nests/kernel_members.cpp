// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of objects that kernels know, and of objects outside of the nest; conversions.
#include "analysis/harmless_calls.hpp"
#include "ast/print.hpp"
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
