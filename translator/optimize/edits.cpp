// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/edits.hpp"

#include <utility>

#include <boost/container/small_vector.hpp>

#include "ast/declarators.hpp"

namespace hpcc::optimize {

class EditingRewriter {
public:
    explicit EditingRewriter(Edits& edits) : edits_(edits), left_(edits.edits_.size()) {}

    NodePtr rewrite(NodePtr node) {
        if (left_ == 0 || (!isInStep_ && edits_.isLeftAlone(node))) return node;
        return node->is<ast::RangeFor>() ? rewriteRangeFor(node) : rewriteAny(node);
    }

private:
    // Nearly all nodes stay what they are: for these there is a short way through.
    NodePtr rewriteAny(NodePtr node) {
        const int* const number = edits_.isMarked(node) ? edits_.numbers_.find(node) : nullptr;
        return number ? made(node, edits_.edits_[static_cast<size_t>(*number)]) : edited(node);
    }

    [[gnu::noinline]] NodePtr made(NodePtr node, Edits::Edit& edit) {
        --left_;
        if (edit.isRemoved) return nullptr;
        const bool wasInStep = std::exchange(isInStep_, isInStep_ || !ast::isStatement(node));
        NodePtr result =
            edit.make ? edit.make([this](NodePtr part) { return rewrite(part); }) : edited(node);
        isInStep_ = wasInStep;
        if (!edit.behind.empty()) result = blockOf(edits_.function_, {}, result, edit.behind);
        if (!edit.inElse.empty()) result = withElse(edit, result);
        return edit.before.empty() ? result : preceded(edit, result);
    }

    /// The loop over blocks: a body that has become a block opens behind its head.
    NodePtr rewriteRangeFor(NodePtr node) {
        const NodePtr result = rewriteAny(node);
        const bool opened = ast::is<ast::RangeFor>(result) &&
                            !ast::is<ast::Compound>(node->child(ast::RangeFor::body)) &&
                            ast::is<ast::Compound>(result->child(ast::RangeFor::body));
        const NodePtr name = ast::declaredName(node->child(ast::RangeFor::declarator));
        if (!opened || !ast::is<ast::Identifier>(name) ||
            result->child(ast::RangeFor::specifiers)->text() != "const hpspmd::Block")
            return result;
        Function& function = edits_.function_;
        return function.statement("for (const hpspmd::Block &$block : $range) $body;",
                                  {{"$block", function.identifier(std::string(name->text()), node)},
                                   {"$range", result->child(ast::RangeFor::range)},
                                   {"$body", result->child(ast::RangeFor::body)}},
                                  node);
    }

    /// The children edited; in a list the removed ones go.
    NodePtr edited(NodePtr node) {
        const auto old = node->children();
        for (size_t same = 0; same < old.size(); ++same) {
            if (same + 1 < old.size()) __builtin_prefetch(old[same + 1]);
            const NodePtr next = old[same] ? rewrite(old[same]) : nullptr;
            if (next != old[same]) return changed(node, same, next);
        }
        return node;
    }

    /// The children before `same` stay, and that one becomes `next`.
    [[gnu::noinline]] NodePtr changed(NodePtr node, size_t same, NodePtr next) {
        const auto old = node->children();
        const bool isList = ast::arityOf(node->kind()) == ast::Arity::List;
        boost::container::small_vector<NodePtr, 8> children(old.begin(),
                                                            old.begin() + static_cast<long>(same));
        for (size_t k = same; k < old.size(); ++k) {
            if (k > same) next = old[k] ? rewrite(old[k]) : nullptr;
            if (isList && old[k] && !next) continue;
            children.push_back(next || !old[k] ? next : emptyStatement(old[k]));
        }
        const bool isEmptied = node->is<ast::Sequence>() && children.empty();
        return isEmptied ? nullptr
                         : ast::rebuild(edits_.function_.arena(), node,
                                        {children.data(), children.size()});
    }

    NodePtr emptyStatement(NodePtr origin) { return edits_.function_.statement("{}", {}, origin); }

    /// The `if` gets an `else`. Its other side is a block then, which no inner `if` shares.
    NodePtr withElse(const Edits::Edit& edit, NodePtr condition) {
        Function& function = edits_.function_;
        return function.statement(
            "if ($condition) $then; else $otherwise;",
            {{"$condition", condition->child(ast::If::condition)},
             {"$then", blockOf(function, {}, condition->child(ast::If::then))},
             {"$otherwise", blockOf(function, {}, nullptr, edit.inElse)}},
            condition);
    }

    NodePtr preceded(const Edits::Edit& edit, NodePtr statement) {
        std::vector<NodePtr> statements(edit.before.rbegin(), edit.before.rend());
        if (!edit.inList) return blockOf(edits_.function_, std::move(statements), statement);
        if (statement) statements.push_back(statement);
        return ast::sequence(edits_.function_.arena(), statements, statement);
    }

    Edits& edits_;
    size_t left_;  // edits that the walk has not met
    bool isInStep_ = false;
};

bool Edits::mayGetElse(NodePtr condition) {
    const NodePtr test = condition->child(ast::If::condition);
    const std::string_view text = condition->text();
    const size_t next = text.find_first_not_of(" \t\n", 2);  // not `constexpr`, or in a macro
    return !condition->child(ast::If::otherwise) && !condition->child(ast::If::initializer) &&
           !test->is<ast::ConditionDeclaration>() && text.starts_with("if") &&
           next != std::string_view::npos && text[next] == '(';
}

NodePtr Edits::apply() {
    return isEmpty() ? function_.definition()
                     : EditingRewriter(*this).rewrite(function_.definition());
}

NodePtr blockOf(Function& function, std::vector<NodePtr> first, NodePtr body,
                const std::vector<NodePtr>& last) {
    if (body && body->is<ast::Compound>() && !body->children().empty()) {
        // Behind the brace of the block, and before the other, so that its own text stays as it is.
        std::vector<NodePtr> children(body->children().begin(), body->children().end());
        const auto join = [&](NodePtr& child, const std::vector<NodePtr>& parts) {
            if (parts.size() > 1) child = ast::sequence(function.arena(), parts, child);
        };
        first.push_back(children.front());
        join(children.front(), first);
        std::vector<NodePtr> end{children.back()};
        end.insert(end.end(), last.rbegin(), last.rend());
        join(children.back(), end);
        return ast::rebuild(function.arena(), body, children);
    }
    if (body) first.push_back(body);
    first.insert(first.end(), last.rbegin(), last.rend());
    const NodePtr origin = first.front();
    return function.statement(
        "{\n"
        "    $statements;\n"
        "}",
        {{"$statements", std::move(first)}}, origin);
}

}  // namespace hpcc::optimize
