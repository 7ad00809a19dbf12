// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/fixed_skip.hpp"

namespace hpcc::nests {

using ast::NodePtr;

NodePtr FixedSkip::before(Context& context, const std::function<NodePtr(NodePtr)>& fast,
                          NodePtr loop) const {
    return context.statement("if (!($c)) {\n    $loop;\n}",
                             {{"$c", fast(condition)}, {"$loop", loop}}, rest);
}

std::optional<FixedSkip> fixedSkip(Context& context, const Reaches& reaches, const Loop& loop,
                                   NodePtr body) {
    if (!loop.isInnermost || !ast::is<ast::Compound>(body) || body->children().size() < 2)
        return std::nullopt;
    const auto parts = body->children();
    const NodePtr skip = parts.front();
    if (!ast::is<ast::If>(skip) || skip->child(ast::If::initializer) ||
        skip->child(ast::If::otherwise) || skip->text().starts_with("if constexpr") ||
        !ast::is<ast::Continue>(soleStatement(skip->child(ast::If::then))))
        return std::nullopt;
    const NodePtr condition = skip->child(ast::If::condition);
    if (!ast::isExpression(condition) || !reaches.isFixedIn(condition, loop)) return std::nullopt;
    const std::vector<NodePtr> rest(parts.begin() + 1, parts.end());
    return FixedSkip{condition, context.arena.rebuilt(body, body, rest)};
}

}  // namespace hpcc::nests
