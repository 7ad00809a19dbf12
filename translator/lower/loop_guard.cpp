#include "lower/loop_guard.hpp"

#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

/// The only declarator of the loop's head, if it is `k = constant`.
NodePtr counter(NodePtr initializer) {
    if (!ast::is<ast::Declaration>(initializer)) return nullptr;
    const NodePtr list = initializer->child(ast::Declaration::declarators);
    if (!list || list->children().size() != 1) return nullptr;
    const NodePtr single = list->child(0);
    const bool plain =
        ast::is<ast::Identifier>(single->child(ast::InitDeclarator::declarator)) &&
        ast::is<ast::EqualInitializer>(single->child(ast::InitDeclarator::initializer));
    return plain ? single : nullptr;
}

bool holds(long left, std::string_view op, long right) {
    if (op == "<") return left < right;
    if (op == "<=") return left <= right;
    if (op == ">") return left > right;
    if (op == ">=") return left >= right;
    return left != right;
}

}  // namespace

LoopGuard loopGuard(ast::Arena& arena, NodePtr loop) {
    const NodePtr declared = counter(loop->child(ast::For::initializer));
    const NodePtr condition = loop->child(ast::For::condition);
    if (!declared || !ast::is<ast::Binary>(condition)) return {};
    const NodePtr name = declared->child(ast::InitDeclarator::declarator);
    const NodePtr start =
        declared->child(ast::InitDeclarator::initializer)->child(ast::EqualInitializer::value);
    const NodePtr left = condition->child(ast::Binary::left);
    const NodePtr bound = condition->child(ast::Binary::right);
    const std::string_view op = condition->child(ast::Binary::op)->text();
    const bool compares = op == "<" || op == "<=" || op == ">" || op == ">=" || op == "!=";
    const bool ofCounter = ast::is<ast::Identifier>(left) && left->text() == name->text();
    // A literal start: comparing two variables of different signedness would be a warning.
    const auto first = asConstant(start);
    if (!compares || !ofCounter || !first || !ast::isPure(bound) ||
        ast::namesIn(bound).contains(name->text()))
        return {};
    // `0 <= n` and `0 > n` would be warned about where n is unsigned.
    if (*first == 0 && (op == "<=" || op == ">") && !asConstant(bound)) return {};
    if (const auto last = asConstant(bound))
        return holds(*first, op, *last) ? LoopGuard{true, nullptr} : LoopGuard{};
    const NodePtr parts[] = {ast::copy(arena, start), condition->child(ast::Binary::op),
                             ast::copy(arena, bound)};
    return {true, ast::rebuild(arena, condition, parts)};
}

}  // namespace hpcc::lower
