// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/counters.hpp"

#include "analysis/loop.hpp"
#include "ast/purity.hpp"

namespace hpcc::optimize {
namespace {

/// `k + 1` as 1, `k` as 0.
std::optional<long> offsetFrom(NodePtr expression, std::string_view counter) {
    expression = ast::withoutParentheses(expression);
    if (ast::is<ast::Identifier>(expression))
        return expression->text() == counter ? std::optional(0L) : std::nullopt;
    if (!ast::is<ast::Binary>(expression) || expression->child(1)->text() != "+") return {};
    const NodePtr left = expression->child(ast::Binary::left);
    long value = 0;
    if (!ast::is<ast::Identifier>(left) || left->text() != counter ||
        !asPlainInteger(expression->child(ast::Binary::right), value))
        return {};
    return value;
}

}  // namespace

bool declaresClass(NodePtr statement, std::string_view name) {
    if (!analysis::soleDeclarator(statement)) return false;
    const NodePtr specifiers = statement->child(ast::Declaration::specifiers);
    if (!ast::is<ast::Specifiers>(specifiers)) return false;
    const NodePtr core = specifiers->child(ast::Specifiers::core);
    return core && core->text() == name;
}

Counters::Counters(const FlowGraph& graph) {
    for (size_t place = 0; place < graph.places().size(); ++place)
        if (graph.places()[place].statement->is<ast::For>())
            addCounter(graph, static_cast<int>(place));
    for (size_t place = 0; place < graph.places().size(); ++place)
        if (declaresClass(graph.places()[place].statement, "hpspmd::DistributedIndex"))
            addIndex(graph, static_cast<int>(place));
}

void Counters::addCounter(const FlowGraph& graph, int place) {
    const NodePtr loop = graph.place(place).statement;
    const NodePtr declarator = analysis::soleDeclarator(loop->child(ast::For::initializer));
    if (!declarator) return;
    const NodePtr initializer = declarator->child(ast::InitDeclarator::initializer);
    const int variable = graph.names().declaredBy(declarator);
    if (variable < 0 || !ast::is<ast::EqualInitializer>(initializer)) return;
    const Variable& counter = graph.names()[variable];
    if (counter.escapes || counter.assignments != 1) return;
    const auto step = analysis::advance(loop->child(ast::For::step), counter.name);
    if (!step) return;
    counters_.push_back({place, variable + firstVariable, initializer->child(0), *step});
}

void Counters::addIndex(const FlowGraph& graph, int place) {
    const NodePtr statement = graph.place(place).statement;
    const NodePtr declarator = analysis::soleDeclarator(statement);
    const NodePtr arguments = declarator->child(ast::InitDeclarator::initializer);
    const int variable = graph.names().declaredBy(declarator);
    if (variable < 0 || !ast::is<ast::Arguments>(arguments) || arguments->children().size() != 3)
        return;
    const NodePtr block = arguments->children()[1];
    if (!ast::is<ast::Identifier>(block)) return;
    for (size_t k = 0; k < counters_.size(); ++k) {
        const Counter& counter = counters_[k];
        const std::string_view name = graph.names()[counter.variable - firstVariable].name;
        const auto offset = offsetFrom(arguments->children()[2], name);
        if (!offset || !graph.isInside(place, counter.loop)) continue;
        indices_.push_back(
            {static_cast<int>(k), variable + firstVariable, block, *offset, statement});
    }
}

const Counter* Counters::counterOf(int variable) const {
    for (const Counter& counter : counters_)
        if (counter.variable == variable) return &counter;
    return nullptr;
}

const FollowingIndex* Counters::indexOf(int variable) const {
    const FollowingIndex* found = nullptr;
    for (const FollowingIndex& index : indices_)
        if (index.variable == variable) found = &index;
    return found;
}

}  // namespace hpcc::optimize
