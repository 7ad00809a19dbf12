// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/halo_call.hpp"

#include "ast/print.hpp"
#include "ast/subscripts.hpp"

namespace hpcc::nests {

using ast::NodePtr;

static bool isHaloCall(NodePtr e) {
    if (!ast::is<ast::Call>(e) || e->child(ast::Call::arguments)->children().empty()) return false;
    const std::string callee = ast::print(e->child(ast::Call::callee));
    return callee == "Adlib::halo" || callee == "hpspmd::Adlib::halo";
}

std::optional<HaloCall> haloCallIn(NodePtr statement) {
    if (!ast::is<ast::ExpressionStatement>(statement)) return std::nullopt;
    const NodePtr call = statement->child(ast::ExpressionStatement::expression);
    if (!ast::is<ast::Call>(call)) return std::nullopt;
    const std::string callee = ast::print(call->child(ast::Call::callee));
    if (callee != "Adlib::writeHalo" && callee != "hpspmd::Adlib::writeHalo") return std::nullopt;
    const auto arguments = call->child(ast::Call::arguments)->children();
    HaloCall halo{statement, {arguments.begin(), arguments.end()}, {}, false};
    for (const NodePtr argument : arguments) {
        const NodePtr array =
            isHaloCall(argument) ? argument->child(ast::Call::arguments)->child(0) : argument;
        if (ast::multiarrayType(array)) halo.arrays.push_back(ast::print(array));
    }
    halo.isJoint = halo.arrays.size() == arguments.size() &&
                   (arguments.size() > 1 || (!arguments.empty() && isHaloCall(arguments[0])));
    if (halo.arrays.empty() || (!halo.isJoint && halo.arrays.size() != 1)) return std::nullopt;
    return halo;
}

}  // namespace hpcc::nests
