// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of objects that kernels know, and of objects outside of the nest.
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
    const bool isMember = ast::is<ast::Member>(callee);
    const ast::Type* const type = isMember ? callee->child(ast::Member::base)->type : object;
    const bool isCallable = isMember || ast::is<ast::Identifier>(callee);
    return isCallable && functions.isMemberOf(type, callee->symbol) ? type : nullptr;
}

/// Of a call on an object outside of the nest; "" if it is none.
std::string KernelCode::outerMembersFor(NodePtr callee) const {
    if (!functions.isOfOneClass(callee->symbol)) return "";
    if (ast::is<ast::Identifier>(callee)) return membersOf(nullptr);
    const bool isMember = ast::is<ast::Member>(callee);
    if (!isMember && !ast::is<ast::PointerMember>(callee)) return "";
    const NodePtr on = callee->child(0);
    if (on->text() == "this") return membersOf(nullptr);
    return isMember ? membersOf(on) : "";
}

}  // namespace hpcc::nests
