// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/chosen_store.hpp"

#include "analysis/constant.hpp"
#include "ast/print.hpp"
#include "ast/search.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class ChosenStore {
public:
    explicit ChosenStore(Context& context) : context_(context) {}

    /// What a branch assigns the target; null if it does something else.
    NodePtr value(NodePtr statement) {
        statement = statement ? soleStatement(statement) : nullptr;
        if (ast::is<ast::If>(statement)) return choice(statement);
        const NodePtr assign = statement ? soleAssignment(statement) : nullptr;
        if (!assign || assign->child(ast::Assign::op)->text() != "=") return nullptr;
        const NodePtr to = ast::withoutParentheses(assign->child(ast::Assign::target));
        if (!target) target = to;
        return ast::print(to) == ast::print(target) ? assign->child(ast::Assign::value) : nullptr;
    }

    NodePtr target = nullptr;

private:
    NodePtr choice(NodePtr statement) {
        const NodePtr condition = statement->child(ast::If::condition);
        if (analysis::isConstexprIf(statement) || statement->child(ast::If::initializer) ||
            ast::is<ast::Declaration>(condition))
            return nullptr;
        const NodePtr then = value(statement->child(ast::If::then)),
                      otherwise = then ? value(statement->child(ast::If::otherwise)) : nullptr;
        return otherwise ? context_.expression("$c ? $a : $b",
                                               {{"$c", condition}, {"$a", then}, {"$b", otherwise}},
                                               statement)
                         : nullptr;
    }

    Context& context_;
};

}  // namespace

NodePtr chosenStore(Context& context, NodePtr statement) {
    if (!ast::is<ast::If>(statement)) return statement;
    ChosenStore store(context);
    const NodePtr value = store.value(statement);
    return value && ast::is<ast::Subscript>(store.target)
               ? context.statement("$t = $v;", {{"$t", store.target}, {"$v", value}}, statement)
               : statement;
}

}  // namespace hpcc::nests
