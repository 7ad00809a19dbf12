// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/lane_code.hpp"

#include <algorithm>
#include <utility>

#include "analysis/constant.hpp"
#include "analysis/plain_values.hpp"
#include "ast/copy.hpp"
#include "ast/declarators.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "nests/independence.hpp"
#include "nests/lane_values.hpp"
#include "nests/lane_vectors.hpp"
#include "source/name.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class LaneCode {
public:
    LaneCode(Context& context, const Nest& nest, const Loop& loop, Elements& elements,
             const LoopRuns::Names& run)
        : context_(context),
          nest_(nest),
          loop_(loop),
          elements_(elements),
          run_(run),
          varying_(loop),
          all_(context.fresh(std::string(loop.variable) + "_all")),
          values_(context, nest, loop, elements, varying_, all_, run.run),
          vectors_(context, nest, loop, varying_, values_) {}

    /// With "", whether it can be written.
    NodePtr write(const std::string& rest) {
        NodePtr body = masked(varying_.wayOf(loop_.statement).continues, bodyOf(loop_));
        std::vector<NodePtr> statements = vectors_.scratch(body);
        if (hasFailed_ || !vectors_.areKnown()) return nullptr;
        if (rest.empty()) return body;
        std::string extents;
        statements.push_back(withRows(body, extents));
        if (statements.size() > 1)
            body = block(statements, body);
        else
            body = statements.front();
        for (const std::string& length : vectors_.lengths())
            extents += (extents.empty() ? "" : ", ") + length;
        const std::string packs = vectors_.packs();
        const std::string text = ast::print(body), kind = usesMasks_ ? "true" : "false",
                          width = values_.isWide() ? ", hpspmd::detail::widePacks" : "";
        const auto ifMentioned = [&](std::string_view each) {
            return std::string(source::mentionsName(text, each) ? each : "");
        };
        return context_.statement(
            "if constexpr (hpspmd::detail::hasLanes<" + kind + ">)\n" +
                (extents.empty() ? "" : "    if (" + fits(rest, extents) + ")\n") +
                (packs.empty() ? "" : "{\n" + packs) + "    " + rest +
                ".first = hpspmd::detail::eachInLanes<" + kind + width + ">(" + rest +
                ", [&](const hpspmd::Index " + ifMentioned(loop_.variable) + ", const auto &" +
                ifMentioned(all_) + ") {\n" +
                "    $body;\n"
                "});" +
                (packs.empty() ? "" : "\n}"),
            {{"$body", body}}, loop_.statement->child(ast::Overall::headers));
    }

private:
    /// Whether rows so long are copied to packs. Where that pays only sometimes, arrays may share
    /// elements, and then are computed one row after the other.
    std::string fits(const std::string& rest, const std::string& extents) const {
        const bool isInCache = worthOfRows(loop_, values_.rows()) == LaneWorth::InCache;
        std::string asked =
            "hpspmd::detail::fitInLanes(" + (isInCache ? rest + ", {" : "{") + extents + "})";
        ArrayPairs pairs;
        if (isInCache) runsInLanes(nest_, loop_, pairs);
        for (const auto& [left, right] : pairs)
            asked += " && hpspmd::detail::disjoint(" + nest_.arrays[left].text + ", " +
                     nest_.arrays[right].text + ")";
        return asked;
    }
    NodePtr name(const std::string& text, NodePtr origin) {
        return context_.identifier(text, origin);
    }
    /// What is not understood ends it.
    NodePtr checked(NodePtr written, NodePtr origin) {
        hasFailed_ |= !written;
        return written ? written : origin;
    }
    NodePtr block(std::vector<NodePtr> statements, NodePtr origin) {
        return context_.statement("{\n    $s;\n}", {{"$s", std::move(statements)}}, origin);
    }
    std::string freshMask() {
        usesMasks_ = true;
        return context_.fresh(std::string(loop_.variable) + "_some");
    }

    /// The body between the copies of rows to packs and back. Adds the lengths of these.
    NodePtr withRows(NodePtr body, std::string& extents) {
        std::vector<NodePtr> before, behind;
        for (const auto& [array, row] : values_.rows()) {
            const Access& access = *row.access;
            const std::string extent = elements_.nameExtent(array, access.slots.size() - 1);
            extents += (extents.empty() ? "" : ", ") + extent;
            const NodePtr length = lengthWrittenFirst(nest_, loop_, row);
            before.push_back(
                context_.statement("hpspmd::detail::RowsInLanes " + row.name + "(" + all_ +
                                       ", $start, " + elements_.strideOf(array, row.along) + ", " +
                                       extent + (length ? ", $length);" : ");"),
                                   {{"$start", elements_.start(access)},
                                    {"$length", length ? values_.common(length) : nullptr}},
                                   access.node));
            if (row.isWritten)
                behind.push_back(
                    context_.statement(row.name + ".store(" + all_ + ");", {}, access.node));
        }
        if (before.empty()) return body;
        for (const ComputedRow& each : values_.computedRows())
            before.push_back(
                context_.statement("const hpspmd::detail::ComputedInLanes " + each.name + "(" +
                                       each.row + ", " + each.length + ", [&](const auto &" +
                                       values_.elementName() + ") { return " + each.of + "; });",
                                   {}, body));
        before.push_back(body);
        before.insert(before.end(), behind.begin(), behind.end());
        return block(before, body);
    }

    NodePtr statement(NodePtr node) {
        if (hasFailed_) return node;
        switch (node->kind()) {
        case ast::Kind::Compound:
            return block(sequence(node->children()), node);
        case ast::Kind::EmptyStatement:
            return ast::copy(context_.arena, node);
        case ast::Kind::Declaration:
            return declaration(node);
        case ast::Kind::ExpressionStatement:
            return expression(node->child(0));
        case ast::Kind::If:
            return branch(node);
        case ast::Kind::Break:
        case ast::Kind::Continue:
            return jump(node);
        case ast::Kind::For:
        case ast::Kind::While:
        case ast::Kind::DoWhile:
            return loop(node);
        default:
            return checked(nullptr, node);
        }
    }
    NodePtr expression(NodePtr e) {
        const NodePtr change = checked(values_.change(e), e);
        return context_.statement("$e;", {{"$e", change}}, e);
    }

    /// Behind a jump the rest is only for those that have not jumped.
    std::vector<NodePtr> sequence(std::span<const NodePtr> statements) {
        std::vector<NodePtr> result;
        for (size_t k = 0; k < statements.size(); ++k) {
            result.push_back(statement(statements[k]));
            if (!leavesSome(statements[k]) || k + 1 == statements.size()) continue;
            result.push_back(context_.statement("if ($m.any()) {\n    $rest;\n}",
                                                {{"$m", name(values_.mask, statements[k])},
                                                 {"$rest", sequence(statements.subspan(k + 1))}},
                                                statements[k]));
            break;
        }
        return result;
    }

    /// True if it holds a jump of some out of the block round it.
    bool leavesSome(NodePtr node) const {
        if (ast::isAny<ast::Break, ast::Continue>(node)) return !varying_.isCommon(node);
        if (ast::isAny<ast::For, ast::While, ast::DoWhile>(node)) return false;
        return node && std::ranges::any_of(node->children(),
                                           [this](NodePtr each) { return leavesSome(each); });
    }

    NodePtr declaration(NodePtr node) {
        if (std::ranges::none_of(ast::declaratorsOf(node),
                                 [this](NodePtr each) { return varies(each); }))
            return values_.common(node);
        std::vector<NodePtr> made;
        for (const NodePtr each : ast::declaratorsOf(node))
            made.push_back(declarator(node, each, made));
        return made.size() == 1 ? made[0] : ast::sequence(context_.arena, made, node);
    }
    bool varies(NodePtr declarator) const {
        const NodePtr variable =
            analysis::variableOf(declarator->child(ast::InitDeclarator::declarator));
        return variable && varying_.varies(variable->text());
    }

    /// `before`: what stands in front of it.
    NodePtr declarator(NodePtr declaration, NodePtr each, std::vector<NodePtr>& before) {
        const NodePtr declared = each->child(ast::InitDeclarator::declarator),
                      initializer = each->child(ast::InitDeclarator::initializer);
        const NodePtr specifiers = declaration->child(ast::Declaration::specifiers);
        if (!varies(each))
            return context_.statement(
                ast::print(specifiers) + " " + ast::print(values_.common(each)) + ";", {}, each);
        const std::string variable(declared->text());
        const ast::Type* const type = declared->symbol ? declared->symbol->type : nullptr;
        if (!ast::is<ast::Identifier>(declared) || (type && !ast::isNumber(type)))
            return checked(vectors_.array(each, specifiers), each);
        const std::string word = type ? laneWord(type) : wordOf(specifiers->text());
        const bool isTruth = isBool(type);
        if (!isTruth && word.empty()) return checked(nullptr, each);
        const bool needsNoUse = ast::print(declaration).find("maybe_unused") != std::string::npos;
        const std::string text = (needsNoUse ? "[[maybe_unused]] " : "") +
                                 (isTruth ? "hpspmd::detail::Some" : values_.eachOf(word)) + " " +
                                 variable;
        if (!initializer) {
            if (isTruth) return checked(nullptr, each);
            return context_.statement(text + "{};", {}, each);
        }
        NodePtr start = analysis::singleInitializer(initializer);
        if (ast::is<ast::Assign>(ast::withoutParentheses(start))) {  // `double v = w[0] = 1;`
            start = ast::withoutParentheses(start);
            before.push_back(expression(start));
            start = start->child(ast::Assign::target);
        }
        const NodePtr value = checked(!start    ? nullptr
                                      : isTruth ? values_.truth(start)
                                                : values_.value(start),
                                      each);
        return context_.statement(text + " = $v;", {{"$v", value}}, each);
    }

    /// Of a declaration that these passes have made.
    static std::string wordOf(std::string_view specifiers) {
        if (specifiers.starts_with("const ")) specifiers.remove_prefix(6);
        return specifiers == "double" || specifiers == "float" ? std::string(specifiers) : "";
    }

    /// A statement under a mask of its own, if it needs one.
    NodePtr masked(bool isNeeded, NodePtr node) {
        if (!isNeeded) return statement(node);
        const std::string outer = std::exchange(values_.mask, freshMask());
        inner_.push_back(values_.mask);
        const NodePtr body = statement(node);
        inner_.pop_back();
        const std::string own = std::exchange(values_.mask, outer);
        return context_.statement(
            "{\n    hpspmd::detail::Running " + own + " = " + outer + ".copy();\n    $body;\n}",
            {{"$body", body}}, node);
    }

    NodePtr branch(NodePtr node) {
        const NodePtr condition = node->child(ast::If::condition),
                      then = node->child(ast::If::then),
                      otherwise = node->child(ast::If::otherwise);
        if (!varying_.varies(condition)) {
            const NodePtr first = statement(then),
                          second = otherwise ? statement(otherwise) : nullptr;
            return context_.statement(
                second ? "if ($c) {\n    $then;\n} else {\n    $otherwise;\n}"
                       : "if ($c) {\n    $then;\n}",
                {{"$c", values_.common(condition)}, {"$then", first}, {"$otherwise", second}},
                node);
        }
        if (const NodePtr chosen = values_.choiceBy(node))
            return context_.statement("$e;", {{"$e", chosen}}, node);
        const std::string is = context_.fresh(std::string(loop_.variable) + "_is");
        std::vector<NodePtr> made{
            context_.statement("const hpspmd::detail::Some " + is + " = $c;",
                               {{"$c", checked(values_.truth(condition), condition)}}, condition)};
        if (!otherwise || !statementsIn(then).empty()) under(is, then, made);
        if (otherwise && !statementsIn(otherwise).empty()) under("!" + is, otherwise, made);
        return block(made, node);
    }

    void under(const std::string& condition, NodePtr node, std::vector<NodePtr>& made) {
        const std::string outer = std::exchange(values_.mask, freshMask());
        inner_.push_back(values_.mask);
        const NodePtr body = statement(node);
        inner_.pop_back();
        const std::string own = std::exchange(values_.mask, outer);
        made.push_back(context_.statement(
            "hpspmd::detail::Running " + own + " = " + outer + ".where(" + condition + ");", {},
            node));
        const bool isPlain = !ast::anywhere(node, [](NodePtr each) {
            if (ast::is<ast::Binary>(each)) {
                const std::string_view op = each->child(ast::Binary::op)->text();
                return op == "/" || op == "%";
            }
            return ast::isAny<ast::Subscript, ast::Call, ast::For, ast::While, ast::DoWhile>(each);
        });
        made.push_back(isPlain ? body
                               : context_.statement("if (" + own + ".any()) {\n    $body;\n}",
                                                    {{"$body", body}}, node));
    }

    /// Those that jump leave the masks of all blocks that they jump out of.
    NodePtr jump(NodePtr node) {
        if (varying_.isCommon(node)) {
            const bool leavesAll = rounds_.empty();
            if (leavesAll && !values_.rows().empty()) return checked(nullptr, node);
            return leavesAll ? context_.statement("return;", {}, node)
                             : ast::copy(context_.arena, node);
        }
        const size_t from = rounds_.empty()             ? 0
                            : ast::is<ast::Break>(node) ? rounds_.back().first
                                                        : rounds_.back().second;
        std::vector<NodePtr> made;
        for (size_t k = from; k < inner_.size(); ++k)
            made.push_back(context_.statement(
                inner_[k] +
                    (inner_[k] == values_.mask ? ".clear();" : ".drop(" + values_.mask + ");"),
                {}, node));
        return block(made, node);
    }

    NodePtr loop(NodePtr node) {
        const Varying::Way& way = varying_.wayOf(node);
        const std::string outer = values_.mask;
        const size_t depth = inner_.size();
        if (way.leaves) inner_.push_back(values_.mask = freshMask());
        rounds_.emplace_back(depth, inner_.size());
        std::vector<NodePtr> parts(node->children().begin(), node->children().end());
        for (NodePtr& part : parts) part = loopPart(node, part, way);
        const bool isEndless = ast::is<ast::For>(node) && !node->child(ast::For::condition);
        NodePtr made = isEndless && way.leaves ? whileSome(node, parts)
                                               : context_.arena.rebuilt(node, node, parts);
        rounds_.pop_back();
        if (!way.leaves) return made;
        inner_.pop_back();
        const std::string own = std::exchange(values_.mask, outer);
        return context_.statement(
            "{\n    hpspmd::detail::Running " + own + " = " + outer + ".copy();\n    $loop;\n}",
            {{"$loop", made}}, node);
    }

    /// `for (;;)`, which goes on as long as some have not left it.
    NodePtr whileSome(NodePtr node, const std::vector<NodePtr>& parts) {
        return context_.statement("{\n    $first;\n    for (; $m.any(); $step) $body;\n}",
                                  {{"$first", parts[ast::For::initializer]},
                                   {"$m", name(values_.mask, node)},
                                   {"$step", parts[ast::For::step]},
                                   {"$body", parts[ast::For::body]}},
                                  node);
    }

    NodePtr loopPart(NodePtr node, NodePtr part, const Varying::Way& way) {
        if (!part) return nullptr;
        const bool isFor = ast::is<ast::For>(node);
        if (isFor && part == node->child(ast::For::initializer)) {
            const NodePtr first = statement(part);
            return checked(ast::is<ast::Sequence>(first) ? nullptr : first, part);
        }
        if (isFor && part == node->child(ast::For::step))
            return checked(values_.change(part), part);
        if (ast::isStatement(part)) return masked(way.continues, part);
        return condition(part, way);
    }

    NodePtr condition(NodePtr e, const Varying::Way& way) {
        const bool differs = varying_.varies(e);
        const std::string asks = way.breaks ? "$m.any() && " : "";
        const NodePtr is = differs ? checked(values_.truth(e), e) : values_.common(e);
        if (!way.leaves) return is;
        return context_.expression(
            differs ? asks + "$n.keep($e)" : asks + "($e)",
            {{"$m", name(values_.mask, e)}, {"$n", name(values_.mask, e)}, {"$e", is}}, e);
    }

    Context& context_;
    const Nest& nest_;
    const Loop& loop_;
    Elements& elements_;
    const LoopRuns::Names& run_;
    const Varying varying_;
    const std::string all_;
    LaneValues values_;
    LaneVectors vectors_;
    std::vector<std::string> inner_;                 // masks, from the outside in
    std::vector<std::pair<size_t, size_t>> rounds_;  // of these, the first of each loop and body
    bool usesMasks_ = false, hasFailed_ = false;
};

}  // namespace

NodePtr laneCode(Context& context, const Nest& nest, const Loop& loop, Elements& elements,
                 const LoopRuns::Names& run, const std::string& rest) {
    return LaneCode(context, nest, loop, elements, run).write(rest);
}

}  // namespace hpcc::nests
