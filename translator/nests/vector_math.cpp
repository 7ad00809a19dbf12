// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/vector_math.hpp"

#include <algorithm>

#include "ast/known_calls.hpp"
#include "nests/device.hpp"

namespace hpcc::nests {

using ast::NodePtr;

bool isForMany(NodePtr call) {
    if (!ast::hasVectorForm(call)) return false;
    const auto arguments = call->child(ast::Call::arguments)->children();
    const std::string word = arguments.empty() ? "" : numberWord(arguments[0]->type);
    return (word == "double" || word == "float") &&
           std::ranges::all_of(arguments,
                               [&](NodePtr each) { return numberWord(each->type) == word; });
}

NodePtr callOfMany(Context& context, NodePtr call, std::vector<NodePtr> arguments) {
    const NodePtr callee = call->child(ast::Call::callee);
    const NodePtr result = context.expression(
        "hpspmd::detail::many::" + std::string(callee->symbol->name) + "($arguments)",
        {{"$arguments", std::move(arguments)}}, call);
    result->type = call->type;
    return result;
}

}  // namespace hpcc::nests
