// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/plain_statements.hpp"

#include <algorithm>
#include <optional>

#include "analysis/constant.hpp"
#include "analysis/numbers.hpp"
#include "analysis/plain_values.hpp"
#include "analysis/switch_parts.hpp"
#include "ast/comments.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "nests/nest_rewriter.hpp"
#include "nests/normalize/bindings_apart.hpp"
#include "nests/normalize/complex_apart.hpp"
#include "nests/normalize/constant_references.hpp"
#include "nests/normalize/counter_alone.hpp"
#include "nests/normalize/early_ends.hpp"
#include "nests/normalize/fixed_handles.hpp"
#include "nests/normalize/forward_jumps.hpp"
#include "nests/normalize/local_lambdas.hpp"
#include "nests/normalize/objects_apart.hpp"
#include "nests/normalize/one_counter.hpp"
#include "nests/normalize/own_ranges.hpp"
#include "nests/normalize/plain_numbers.hpp"
#include "nests/normalize/range_loops.hpp"
#include "nests/normalize/repeatable.hpp"
#include "nests/normalize/running_numbers.hpp"
#include "nests/normalize/searches.hpp"
#include "nests/normalize/standard_loops.hpp"
#include "nests/normalize/standard_sums.hpp"
#include "nests/normalize/whole_objects.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// What runs for some values of a switch.
struct Section {
    std::vector<NodePtr> values;
    bool isDefault = false;
    std::vector<NodePtr> statements;
};

/// True if it holds a `break` of the statement round it, or a label of a switch round it.
bool leavesSwitch(NodePtr node) {
    if (!node || ast::isAny<ast::For, ast::While, ast::DoWhile, ast::RangeFor, ast::Overall,
                            ast::Switch, ast::Lambda>(node))
        return false;
    return ast::isAny<ast::Break, ast::Case, ast::Default, ast::Label>(node) ||
           std::ranges::any_of(node->children(), leavesSwitch);
}

/// Takes the `break` at the end away, also in a block; true if control does not go on behind it.
bool takeBreak(Context& context, std::vector<NodePtr>& statements) {
    if (statements.empty()) return false;
    NodePtr& last = statements.back();
    if (ast::is<ast::Continue>(last)) return true;
    if (ast::is<ast::Break>(last)) return statements.pop_back(), true;
    if (!ast::is<ast::Compound>(last)) return false;
    std::vector<NodePtr> inside(last->children().begin(), last->children().end());
    if (!takeBreak(context, inside)) return false;
    last = context.arena.rebuilt(last, last, inside);
    return true;
}

/// The sections of a switch that ends with `break` in each of them; nothing for another one.
std::optional<std::vector<Section>> sectionsOf(Context& context, NodePtr body) {
    if (!ast::is<ast::Compound>(body) || body->children().empty()) return std::nullopt;
    std::vector<Section> sections;
    for (NodePtr statement : body->children()) {
        const bool isLabelled = ast::isAny<ast::Case, ast::Default>(statement);
        if (isLabelled) sections.emplace_back();
        if (sections.empty()) return std::nullopt;
        Section& section = sections.back();
        while (ast::isAny<ast::Case, ast::Default>(statement)) {
            if (ast::is<ast::Default>(statement)) {
                section.isDefault = true;
                statement = statement->child(ast::Default::body);
                continue;
            }
            if (statement->child(ast::Case::last)) return std::nullopt;
            section.values.push_back(statement->child(ast::Case::value));
            statement = statement->child(ast::Case::body);
        }
        section.statements.push_back(statement);
    }
    for (Section& section : sections) {
        const bool isLast = &section == &sections.back();
        const bool mayBeSeen = !isLast && std::ranges::any_of(section.statements, [](NodePtr each) {
            return ast::is<ast::Declaration>(each);  // by the sections behind it
        });
        if (mayBeSeen) return std::nullopt;
        if (!takeBreak(context, section.statements) && !isLast) return std::nullopt;
        if (std::ranges::any_of(section.statements, leavesSwitch)) return std::nullopt;
    }
    return sections;
}

/// Of one nest.
class Statements : public ast::Rewriter {
public:
    Statements(Context& context, const Surroundings& surroundings, ast::FreshNames::Counts& counts)
        : Rewriter(context.arena, 0),
          context_(context),
          surroundings_(surroundings),
          counts_(counts),
          lambdas_(context, surroundings),
          numbers_(context),
          loops_(context, surroundings, counts),
          standard_(context, counts) {}

    NodePtr rewriteLambda(NodePtr lambda) override { return lambda; }
    NodePtr rewriteCompound(NodePtr block) override {
        const NodePtr plain = withoutEmpty(lambdas_.inlined(
            withSums(withoutRunningNumbers(context_, rewriteChildren(block)))));
        return withBindingsApart(
            context_, withCopiesOfConstants(context_, surroundings_, counts_,
                                            withoutSearches(context_, counts_, plain)));
    }
    NodePtr rewriteDeclaration(NodePtr declaration) override {
        return asOwnConstant(rewriteChildren(declaration));
    }
    NodePtr rewriteExpressionStatement(NodePtr node) override {
        const NodePtr plain = standard_.written(rewriteChildren(node));
        const auto all = withSumsInFront(context_, counts_, plain);
        return context_.behind({all.begin(), all.end() - 1}, all.back(), node);
    }
    NodePtr rewriteCall(NodePtr call) override { return lambdas_.atOnce(rewriteChildren(call)); }
    NodePtr rewriteSubscript(NodePtr node) override {
        return numbers_.withSignedDistances(rewriteChildren(node));
    }
    NodePtr rewriteFor(NodePtr node) override {
        const NodePtr loop = withConditionInHead(context_, rewriteChildren(node));
        if (!ast::is<ast::For>(loop)) return loop;
        const NodePtr alone = withOneCounter(context_, loop);
        if (!ast::is<ast::For>(alone)) return rewrite(alone);
        return numbers_.withKnownBound(withoutEarlyEnd(context_, withCounterAlone(context_, alone)));
    }
    NodePtr rewriteIf(NodePtr node) override { return withoutDeclaration(rewriteChildren(node)); }
    NodePtr rewriteSwitch(NodePtr node) override { return asConditions(rewriteChildren(node)); }
    NodePtr rewriteRangeFor(NodePtr node) override {
        return loops_.counting(rewriteChildren(node));
    }

private:
    /// Those that declarations ask for.
    NodePtr withSums(NodePtr block) {
        std::vector<NodePtr> statements;
        for (const NodePtr each : block->children())
            for (const NodePtr part : withSumsInFront(context_, counts_, each))
                statements.push_back(part);
        const bool isChanged = statements.size() > block->children().size();
        return isChanged ? context_.arena.rebuilt(block, block, statements) : block;
    }
    /// Without those that are a semicolon alone, and no `[[fallthrough]];`.
    NodePtr withoutEmpty(NodePtr block) {
        std::vector<NodePtr> statements(block->children().begin(), block->children().end());
        const auto isEmpty = [](NodePtr each) {
            return ast::is<ast::EmptyStatement>(each) && each->text() == ";";
        };
        if (std::erase_if(statements, isEmpty) == 0) return block;
        return context_.arena.rebuilt(block, block, statements);
    }

    /// `static constexpr int r = 1;` without `static`.
    NodePtr asOwnConstant(NodePtr declaration) {
        const NodePtr specifiers = declaration->child(ast::Declaration::specifiers);
        const NodePtr before = ast::is<ast::Specifiers>(specifiers)
                                   ? specifiers->child(ast::Specifiers::before)
                                   : nullptr;
        if (!before || before->children().size() != 2) return declaration;
        const auto is = [&](uint32_t k, std::string_view word) {
            return before->child(k)->text() == word;
        };
        const bool isFirst = is(0, "static") && is(1, "constexpr");
        if (!isFirst && !(is(1, "static") && is(0, "constexpr"))) return declaration;
        const NodePtr word = before->child(isFirst ? 1 : 0);
        return ast::withChild(
            context_.arena, declaration, ast::Declaration::specifiers,
            ast::withChild(context_.arena, specifiers, ast::Specifiers::before,
                           ast::rebuild(context_.arena, before, std::span(&word, 1))));
    }

    /// A declaration in the head stands in front, in a block of its own.
    NodePtr withoutDeclaration(NodePtr node) {
        const NodePtr initializer = node->child(ast::If::initializer);
        NodePtr condition = node->child(ast::If::condition);
        if (node->text().starts_with("if constexpr")) return node;
        std::vector<NodePtr> before;
        if (initializer) before.push_back(initializer);
        if (ast::is<ast::ConditionDeclaration>(condition)) {
            const NodePtr name = condition->child(ast::ConditionDeclaration::declarator),
                          value = condition->child(ast::ConditionDeclaration::initializer),
                          words = condition->child(ast::ConditionDeclaration::specifiers);
            if (!ast::is<ast::Identifier>(name) || !ast::is<ast::EqualInitializer>(value) ||
                !name->symbol || !analysis::isNumber(name->symbol->type))
                return node;
            condition = ast::copy(context_.arena, name);
            before.push_back(context_.statement(
                ast::print(words) + " $v = $e;",
                {{"$v", name}, {"$e", value->child(ast::EqualInitializer::value)}}, name));
        }
        if (before.empty()) return node;
        const NodePtr then = node->child(ast::If::then),
                      otherwise = node->child(ast::If::otherwise);
        return context_.behind(before, conditional(condition, {then}, otherwise, node), node);
    }

    NodePtr conditional(NodePtr condition, std::vector<NodePtr> then, NodePtr otherwise,
                        NodePtr origin) {
        const std::string schema =
            "if ($c) {\n"
            "    $then;\n"
            "}";
        return context_.statement(schema + (otherwise ? " else $otherwise;" : ""),
                                  {{"$c", condition}, {"$then", then}, {"$otherwise", otherwise}},
                                  origin);
    }

    /// One `if` behind the other.
    NodePtr asConditions(NodePtr node) {
        const NodePtr value = node->child(ast::Switch::condition);
        const auto sections = sectionsOf(context_, node->child(ast::Switch::body));
        if (!sections || node->child(ast::Switch::initializer) ||
            !analysis::isSwitchable(value->type) || !isRepeatable(value))
            return node;
        NodePtr result = nullptr;
        for (const Section& section : *sections)
            if (section.isDefault)
                result = context_.statement(
                    "{\n"
                    "    $statements;\n"
                    "}",
                    {{"$statements", section.statements}}, node);
        for (auto section = sections->rbegin(); section != sections->rend(); ++section)
            if (!section->isDefault)
                result = conditional(isOneOf(value, section->values, node), section->statements,
                                     result, node);
        return result;
    }

    NodePtr isOneOf(NodePtr value, const std::vector<NodePtr>& values, NodePtr origin) {
        NodePtr result = nullptr;
        for (const NodePtr each : values) {
            const NodePtr next = truth(
                context_.expression("$l == $r",
                                    {{"$l", context_.operand(ast::copy(context_.arena, value))},
                                     {"$r", context_.operand(placedAt(each, origin))}},
                                    origin));
            result = !result ? next
                             : truth(context_.expression("$l || $r", {{"$l", result}, {"$r", next}},
                                                         origin));
        }
        return result;
    }
    /// A label in the line of the switch.
    NodePtr placedAt(NodePtr label, NodePtr origin) {
        if (!ast::isAny<ast::Identifier, ast::NumberLiteral>(label)) return label;
        const std::string text(label->text());
        const NodePtr result = ast::is<ast::NumberLiteral>(label)
                                   ? ast::literal(context_.arena, text, origin)
                                   : context_.identifier(text, origin);
        result->type = label->type;
        result->symbol = label->symbol;
        return result;
    }
    NodePtr truth(NodePtr condition) {
        condition->type = context_.boolType();
        return condition;
    }

    Context& context_;
    const Surroundings& surroundings_;
    ast::FreshNames::Counts& counts_;
    LocalLambdas lambdas_;
    PlainNumbers numbers_;
    RangeLoops loops_;
    StandardLoops standard_;
};

class PlainStatements : public NestRewriter {
public:
    PlainStatements(Context& context, ast::Unit& unit)
        : NestRewriter(context, unit),
          hasProducts_(!Plans::of(unit).wantsDevices),
          identifiers_(unit.identifiers) {}

    NodePtr rewriteOverall(NodePtr overall) override {
        if (ast::holdsDirective(overall->origin()->text())) return overall;
        const NodePtr named = withNamedRanges(context, surroundings(), counts_, overall);
        if (named != overall) return rewriteChildren(named);
        const NodePtr plain = Statements(context, surroundings(), counts_).rewrite(overall);
        const NamesMade names{counts_, identifiers_};
        const NodePtr apart = withObjectsApart(context, surroundings(), names,
                                               withoutWholeObjects(context, names, plain));
        return rewriteChildren(withoutForwardJumps(
            context, withComplexApart(context, surroundings(), names, hasProducts_, apart)));
    }

private:
    const bool hasProducts_;  // of complex numbers; kernels have their own
    std::unordered_set<std::string_view>& identifiers_;
    ast::FreshNames::Counts counts_;
};

}  // namespace

ast::Unit plainStatements(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<PlainStatements>(std::move(unit), quote);
}

}  // namespace hpcc::nests
