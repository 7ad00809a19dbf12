// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/forward_jumps.hpp"

#include <algorithm>
#include <optional>

#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "ast/type.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

bool isPlainLoop(NodePtr node) {
    return ast::isAny<ast::For, ast::While, ast::DoWhile, ast::RangeFor>(node);
}

/// The number of jumps to this label.
long jumpsTo(std::string_view label, NodePtr node) {
    return std::ranges::count_if(ast::allOf<ast::Goto>(node), [label](NodePtr jump) {
        return jump->child(ast::Goto::target)->text() == label;
    });
}

/// The jumps to one label of a block.
class Jumps {
public:
    /// `endsLoop`: nothing stands behind the label in the body of a loop.
    Jumps(Context& context, std::string label, bool endsLoop)
        : context_(context), label_(std::move(label)), endsLoop_(endsLoop) {}

    /// A statement in front of the label without them, as one or several; none if it keeps some.
    std::optional<std::vector<NodePtr>> without(NodePtr statement) {
        isKnown_ = true;
        auto result = statements(statement, true);
        return isKnown_ ? std::optional(std::move(result)) : std::nullopt;
    }

    bool usesFlag() const { return flag_ != nullptr; }

    NodePtr flagDeclared(NodePtr origin) {
        return context_.statement("bool $flag = false;", {{"$flag", flag(origin)}}, origin);
    }

    /// What stands between a jump and its label.
    NodePtr unlessJumped(const std::vector<NodePtr>& between, NodePtr origin) {
        return context_.statement(
            "if (!$flag) {\n"
            "    $between;\n"
            "}",
            {{"$flag", flag(origin)}, {"$between", between}}, origin);
    }

private:
    NodePtr flag(NodePtr origin) {
        if (!flag_) {
            flag_ =
                context_.variable(context_.fresh(label_ + "_left"), context_.boolType(), origin);
        }
        const NodePtr use = context_.identifier(std::string(flag_->text()), origin);
        use->type = flag_->type;
        use->symbol = flag_->symbol;
        return use;
    }

    /// `isLast`: behind it control goes on to what stands in front of the label.
    std::vector<NodePtr> statements(NodePtr node, bool isLast) {
        if (jumpsTo(label_, node) == 0) return {node};
        if (ast::is<ast::Goto>(node)) return jump(node, isLast);
        if (isPlainLoop(node)) return loop(node);
        if (ast::is<ast::If>(node)) return {withParts(node, ast::If::then, isLast)};
        if (ast::is<ast::Compound>(node)) return {block(node, isLast)};
        isKnown_ = false;
        return {node};
    }

    NodePtr statement(NodePtr node, bool isLast) {
        std::vector<NodePtr> parts = statements(node, isLast);
        return parts.size() == 1 ? parts.front() : inBlock(parts, node);
    }
    NodePtr inBlock(const std::vector<NodePtr>& parts, NodePtr origin) {
        return context_.statement(
            "{\n"
            "    $parts;\n"
            "}",
            {{"$parts", parts}}, origin);
    }

    NodePtr withParts(NodePtr node, uint32_t first, bool isLast) {
        std::vector<NodePtr> children(node->children().begin(), node->children().end());
        for (size_t k = first; k < children.size(); ++k)
            if (children[k]) children[k] = statement(children[k], isLast);
        return context_.arena.rebuilt(node, node, children);
    }

    NodePtr block(NodePtr node, bool isLast) {
        std::vector<NodePtr> children;
        for (const NodePtr child : node->children()) {
            const std::vector<NodePtr> parts =
                statements(child, isLast && child == node->children().back());
            children.insert(children.end(), parts.begin(), parts.end());
        }
        return context_.arena.rebuilt(node, node, children);
    }

    std::vector<NodePtr> jump(NodePtr node, bool isLast) {
        if (loops_ == 0 && endsLoop_) return {context_.statement("continue;", {}, node)};
        // What stands behind it would run.
        if (loops_ == 0 && !isLast) isKnown_ = false;
        const NodePtr noted = context_.statement("$flag = true;", {{"$flag", flag(node)}}, node);
        if (loops_ == 0) return {noted};
        return {inBlock({noted, context_.statement("break;", {}, node)}, node)};
    }

    std::vector<NodePtr> loop(NodePtr node) {
        const uint32_t body = ast::is<ast::DoWhile>(node)
                                  ? ast::DoWhile::body
                                  : static_cast<uint32_t>(node->children().size() - 1);
        std::vector<NodePtr> children(node->children().begin(), node->children().end());
        ++loops_;
        children[body] = statement(children[body], false);
        --loops_;
        const NodePtr result = context_.arena.rebuilt(node, node, children);
        if (loops_ == 0 && !endsLoop_) return {result};  // what stands behind it is skipped
        const NodePtr left =
            context_.statement(loops_ > 0 ? "if ($flag) break;" : "if ($flag) continue;",
                               {{"$flag", flag(node)}}, node);
        return {result, left};
    }

    Context& context_;
    const std::string label_;
    const bool endsLoop_;
    NodePtr flag_ = nullptr;
    int loops_ = 0;  // round the place, inside of the block with the label
    bool isKnown_ = true;
};

class Blocks : public ast::Rewriter {
public:
    Blocks(Context& context, NodePtr nest)
        : Rewriter(context.arena, 0), context_(context), nest_(nest) {}

    NodePtr rewriteLambda(NodePtr lambda) override { return lambda; }
    NodePtr rewriteOverall(NodePtr node) override { return loop(node, ast::Overall::body); }
    NodePtr rewriteFor(NodePtr node) override { return loop(node, ast::For::body); }
    NodePtr rewriteWhile(NodePtr node) override { return loop(node, ast::While::body); }
    NodePtr rewriteRangeFor(NodePtr node) override { return loop(node, ast::RangeFor::body); }
    NodePtr rewriteDoWhile(NodePtr node) override { return loop(node, ast::DoWhile::body); }
    NodePtr rewriteCompound(NodePtr block) override { return withoutLabels(block, false); }

private:
    NodePtr loop(NodePtr node, uint32_t body) {
        const NodePtr block = node->child(body);
        if (!ast::is<ast::Compound>(block)) return rewriteChildren(node);
        return ast::withChild(context_.arena, node, body, withoutLabels(block, true));
    }

    NodePtr withoutLabels(NodePtr block, bool isBody) {
        block = rewriteChildren(block);
        for (size_t k = block->children().size(); k-- > 0;)
            if (ast::is<ast::Label>(block->child(static_cast<uint32_t>(k))))
                if (const NodePtr other = withoutLabel(block, k, isBody)) block = other;
        return block;
    }

    /// The block without the label that stands there; null if it is needed.
    NodePtr withoutLabel(NodePtr block, size_t place, bool isBody) {
        const auto all = block->children();
        const NodePtr label = all[place];
        const std::string name(label->child(ast::Label::name)->text());
        const NodePtr labelled = label->child(ast::Label::body);
        const bool isEnd = place + 1 == all.size() && ast::is<ast::EmptyStatement>(labelled);
        long found = 0;
        for (size_t k = 0; k < place; ++k) found += jumpsTo(name, all[k]);
        if (found == 0 || found != jumpsTo(name, nest_)) return nullptr;
        Jumps jumps(context_, name, isEnd && isBody);
        const auto rest = without(jumps, name, all.first(place), isEnd && isBody);
        if (!rest) return nullptr;
        std::vector<NodePtr> result = *rest;
        if (jumps.usesFlag()) result.insert(result.begin(), jumps.flagDeclared(all[0]));
        if (!isEnd) result.push_back(labelled);
        result.insert(result.end(), all.begin() + static_cast<long>(place) + 1, all.end());
        return context_.arena.rebuilt(block, block, result);
    }

    /// The statements in front of the label; none if they keep a jump.
    std::optional<std::vector<NodePtr>> without(Jumps& jumps, const std::string& name,
                                                std::span<const NodePtr> statements,
                                                bool endsLoop) {
        std::vector<NodePtr> result;
        for (size_t k = 0; k < statements.size(); ++k) {
            const bool jumpsHere = jumpsTo(name, statements[k]) > 0;
            const auto parts = jumps.without(statements[k]);
            if (!parts) return std::nullopt;
            result.insert(result.end(), parts->begin(), parts->end());
            if (!jumpsHere || endsLoop || k + 1 == statements.size()) continue;
            const auto between = statements.subspan(k + 1);
            if (std::ranges::any_of(between, ast::is<ast::Declaration>)) return std::nullopt;
            const auto rest = without(jumps, name, between, false);
            if (!rest) return std::nullopt;
            result.push_back(jumps.unlessJumped(*rest, between[0]));
            break;
        }
        return result;
    }

    Context& context_;
    const NodePtr nest_;
};

}  // namespace

NodePtr withoutForwardJumps(Context& context, NodePtr nest) {
    if (!ast::anywhere(nest, ast::is<ast::Goto>)) return nest;
    return Blocks(context, nest).rewrite(nest);
}

}  // namespace hpcc::nests
