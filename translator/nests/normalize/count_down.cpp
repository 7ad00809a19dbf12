// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/count_down.hpp"

#include <algorithm>
#include <utility>

#include "analysis/loop.hpp"
#include "analysis/numbers.hpp"
#include "analysis/operators.hpp"
#include "ast/comments.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "nests/nest_rewriter.hpp"
#include "nests/normalize/while_loops.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

bool isNamed(NodePtr node, NodePtr name) {
    return ast::is<ast::Identifier>(node) && node->text() == name->text();
}

/// `k--`
bool isCountedDown(NodePtr node, NodePtr name) {
    node = ast::withoutParentheses(node);
    return ast::is<ast::Postfix>(node) && node->child(ast::Postfix::op)->text() == "--" &&
           isNamed(ast::withoutParentheses(node->child(ast::Postfix::operand)), name);
}

/// True if what stands in this part of an expression is only read, as a number.
bool isRead(NodePtr parent, uint32_t slot) {
    switch (parent->kind()) {
    case ast::Kind::Binary:
    case ast::Kind::Subscripts:
    case ast::Kind::Conditional:
        return true;
    case ast::Kind::Unary: {
        const std::string_view op = parent->child(ast::Unary::op)->text();
        return op == "-" || op == "+" || op == "!" || op == "~";
    }
    case ast::Kind::Assign:
        return slot == ast::Assign::value;
    case ast::Kind::Cast:
        return slot == ast::Cast::operand;
    case ast::Kind::NamedCast:
        return slot == ast::NamedCast::operand &&
               parent->child(ast::NamedCast::keyword)->text() == "static_cast";
    default:
        return false;
    }
}

/// True if the variable is only read in the body, and in sight.
bool isOnlyRead(NodePtr node, NodePtr name) {
    if (ast::isAny<ast::OpaqueStatement, ast::MacroStatement, ast::Lambda>(node))
        return !mentions(node, name->text());
    const bool isNumber = ast::is<ast::FunctionalCast>(node) && analysis::givesNumber(node);
    if (isNumber) node = node->child(ast::FunctionalCast::arguments);
    for (uint32_t slot = 0; slot < node->children().size(); ++slot) {
        const NodePtr child = node->child(slot);
        if (!child) continue;
        const bool isIt = isNamed(child, name);
        const bool isFine = isIt ? child->symbol == name->symbol && (isNumber || isRead(node, slot))
                                 : isOnlyRead(child, name);
        if (!isFine) return false;
    }
    return true;
}

/// A value that nothing changes by being asked for: elements of multiarrays among them.
bool isOnlyAsked(NodePtr e) {
    e = ast::withoutParentheses(e);
    if (ast::isPure(e)) return true;
    if (ast::is<ast::Binary>(e))
        return isOnlyAsked(e->child(ast::Binary::left)) &&
               isOnlyAsked(e->child(ast::Binary::right));
    return ast::is<ast::Subscript>(e) && ast::isDirectAccess(e) &&
           ast::isPure(e->child(ast::Subscript::base)) &&
           std::ranges::all_of(e->child(ast::Subscript::subscripts)->children(), isOnlyAsked);
}

/// `k - 1` in the place of k.
class Before : public ast::Rewriter {
public:
    Before(Context& context, NodePtr name)
        : Rewriter(context.arena, 0), context_(context), name_(name) {}

    NodePtr rewriteSubscripts(NodePtr node) override {
        std::vector<NodePtr> children;
        for (const NodePtr child : node->children())
            children.push_back(isNamed(child, name_) ? before("$k - 1", child) : rewrite(child));
        return context_.arena.rebuilt(node, node, children);
    }
    NodePtr rewriteIdentifier(NodePtr node) override {
        return isNamed(node, name_) ? before("($k - 1)", node) : node;
    }

private:
    NodePtr before(const char* schema, NodePtr name) {
        const NodePtr result = context_.expression(schema, {{"$k", name}}, name);
        result->type = ast::withoutParentheses(result)->type = name->type;
        return result;
    }

    Context& context_;
    NodePtr name_;
};

/// True if a number may be a `long long`, which is no other number than `long` but another type.
bool mayBeLongLong(NodePtr node) {
    if (ast::is<ast::NumberLiteral>(node))
        return std::ranges::count(node->text(), 'l') + std::ranges::count(node->text(), 'L') > 1;
    if (!node->type || node->type->kind != ast::TypeKind::Integer) return false;
    const std::string& words = node->type->spelled;
    return words.find("long long") != words.npos || ast::numberNamed(words).bits == 0;
}

/// The name of the type that `auto` stands for; empty if it is not known.
std::string_view deducedFrom(NodePtr value) {
    if (ast::anywhere(value, mayBeLongLong)) return "";
    const ast::NumberType number = analysis::numberOf(value);
    if (number.bits == 32) return number.isSigned ? "int" : "unsigned";
    return number.bits == 64 ? number.isSigned ? "long" : "unsigned long" : "";
}

class CountDown : public NestRewriter {
public:
    CountDown(Context& context, ast::Unit& unit)
        : NestRewriter(context, unit, ast::extension | ast::subscript) {}

    NodePtr rewriteOverall(NodePtr overall) override {
        const bool wasInNest = std::exchange(isInNest_, true);
        const NodePtr result = rewriteChildren(overall);
        isInNest_ = wasInNest;
        return result;
    }

    NodePtr rewriteCompound(NodePtr block) override {
        return rewriteChildren(isInNest_ ? withCountedWhiles(context, block) : block);
    }

    NodePtr rewriteFor(NodePtr statement) override {
        const NodePtr result = rewriteChildren(statement);
        const NodePtr name = isInNest_ ? counter(statement) : nullptr;
        return withPlainStart(name ? byStep(result, name) : result);
    }

private:
    NodePtr withPlainStart(NodePtr loop) {
        const auto head = analysis::loopHead(loop);
        if (!head || !head->isOwn || head->number().bits == 0) return loop;
        const NodePtr initializer = loop->child(ast::For::initializer);
        std::string type = ast::print(initializer->child(ast::Declaration::specifiers));
        const bool hasSign = ast::is<ast::EqualInitializer>(
            analysis::soleDeclarator(initializer)->child(ast::InitDeclarator::initializer));
        if (type == "auto")
            type = deducedFrom(head->first);
        else if (hasSign)
            return loop;
        if (type.empty()) return loop;
        return context.statement("for (" + type + " $k = $first; $condition; $step) $body;",
                                 {{"$k", head->name},
                                  {"$first", head->first},
                                  {"$condition", loop->child(ast::For::condition)},
                                  {"$step", loop->child(ast::For::step)},
                                  {"$body", loop->child(ast::For::body)}},
                                 loop);
    }

    /// Of a loop of such a form; null for others.
    NodePtr counter(NodePtr statement) {
        const NodePtr declarator =
            analysis::soleDeclarator(statement->child(ast::For::initializer));
        const NodePtr condition = ast::withoutParentheses(statement->child(ast::For::condition));
        if (!declarator || !condition || statement->child(ast::For::step)) return nullptr;
        const NodePtr name = declarator->child(ast::InitDeclarator::declarator);
        if (!ast::is<ast::Identifier>(name) || !name->symbol || !name->symbol->type) return nullptr;
        const ast::NumberType number = name->symbol->type->number;
        const bool isFit = number.bits >= 32 && !name->symbol->type->isReference &&
                           !surroundings().macros().mention(name->text()) &&
                           !ast::holdsDirective(statement->origin()->text()) &&
                           countsIn(condition, name, !number.isSigned);
        return isFit && isOnlyRead(statement->child(ast::For::body), name) ? name : nullptr;
    }

    /// `k--`, of what has no sign; `k-- > b`, `b < k--`.
    static bool countsIn(NodePtr condition, NodePtr name, bool isUnsigned) {
        if (isCountedDown(condition, name)) return isUnsigned;
        if (!ast::is<ast::Binary>(condition)) return false;
        const NodePtr left = condition->child(ast::Binary::left),
                      right = condition->child(ast::Binary::right);
        const std::string_view op = condition->child(ast::Binary::op)->text();
        const auto isOne = [&](std::initializer_list<std::string_view> of) {
            return std::ranges::find(of, op) != of.end();
        };
        if (isCountedDown(left, name))
            return isOnlyAsked(right) && !nests::mentions(right, name->text()) &&
                   isOne({">", ">=", "!="});
        return isCountedDown(right, name) && isOnlyAsked(left) &&
               !nests::mentions(left, name->text()) && isOne({"<", "<=", "!="});
    }

    NodePtr byStep(NodePtr statement, NodePtr name) {
        const auto k = [&] { return ast::copy(context.arena, name); };
        const NodePtr condition = ast::withoutParentheses(statement->child(ast::For::condition));
        std::vector<NodePtr> parts(statement->children().begin(), statement->children().end());
        if (ast::is<ast::Postfix>(condition)) {
            parts[ast::For::condition] = context.expression("$k > 0", {{"$k", k()}}, condition);
        } else {
            std::vector<NodePtr> sides(condition->children().begin(), condition->children().end());
            const bool isLeft = isCountedDown(sides[ast::Binary::left], name);
            sides[isLeft ? ast::Binary::left : ast::Binary::right] = k();
            parts[ast::For::condition] = context.arena.rebuilt(condition, condition, sides);
        }
        parts[ast::For::step] = context.expression("--$k", {{"$k", k()}}, statement);
        parts[ast::For::body] = Before(context, name).rewrite(parts[ast::For::body]);
        return context.statement("for ($initializer; $condition; $step) $body;",
                                 {{"$initializer", parts[ast::For::initializer]},
                                  {"$condition", parts[ast::For::condition]},
                                  {"$step", parts[ast::For::step]},
                                  {"$body", parts[ast::For::body]}},
                                 statement);
    }

    bool isInNest_ = false;
};

}  // namespace

ast::Unit countDown(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<CountDown>(std::move(unit), quote);
}

}  // namespace hpcc::nests
