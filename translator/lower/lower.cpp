// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/lower.hpp"

#include <algorithm>

#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/rewriter.hpp"
#include "ast/subscripts.hpp"
#include "lower/access.hpp"
#include "lower/check_plan.hpp"
#include "lower/checks.hpp"
#include "lower/control.hpp"
#include "lower/formals.hpp"
#include "lower/schemata.hpp"
#include "lower/threads.hpp"
#include "lower/writes.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

/// Applies the schemata from the leaves up, and puts the planned checks in their places.
class Lowerer : public ast::Rewriter {
public:
    Lowerer(Context& context, const ast::Unit& unit, CheckPlan plan)
        : Rewriter(context.arena, ast::extension | ast::subscript | ast::call),
          context_(context),
          file_(*unit.text),
          macros_(unit.whole->macros()),
          unit_(unit),
          plan_(std::move(plan)) {}

    NodePtr rewriteOther(NodePtr node) override { return withChecks(node); }

    NodePtr rewriteMultiarrayType(NodePtr node) override {
        const auto slots = slotNames_.find(node);
        return lowerMultiarrayType(
            context_, rewriteChildren(node),
            slots == slotNames_.end() ? std::vector<std::string>{} : slots->second);
    }
    NodePtr rewriteNewMultiarray(NodePtr node) override {
        return lowerCreation(context_, rewriteChildren(node));
    }
    NodePtr rewriteSection(NodePtr node) override {
        return lowerSection(context_, node, rewriteChildren(node));
    }
    NodePtr rewriteGlobalIndex(NodePtr node) override {
        return lowerGlobalIndex(context_, rewriteChildren(node));
    }
    NodePtr rewriteOverallExpression(NodePtr node) override {
        return lowerOverallExpression(context_, rewriteChildren(node));
    }
    NodePtr rewriteSubscript(NodePtr node) override {
        const auto flag = plan_.flagged.find(node);
        const auto within = plan_.within.find(node);
        return lowerAccess(context_,
                           {node, rewriteChildren(node), formOf(node),
                            within == plan_.within.end() ? std::set<size_t>{} : within->second,
                            flag == plan_.flagged.end() ? "" : flag->second,
                            changed_.contains(node) && !isDirectAccess(node)});
    }
    NodePtr rewriteAssign(NodePtr node) override { return changing(node); }
    NodePtr rewritePostfix(NodePtr node) override { return changing(node); }
    NodePtr rewriteUnary(NodePtr node) override { return changing(node); }
    NodePtr rewriteCall(NodePtr node) override {
        return protectArguments(context_, node, believingFills(node, rewriteChildren(node)));
    }

    NodePtr rewriteCompound(NodePtr node) override {
        const NodePtr block = withChecks(node);
        if (isUsersBlock(block) || block->children().empty()) return block;
        // The block in which pre-translation declared ranges takes in that of the construct. Others
        // may be the body of a loop whose variable has the name of what is declared in the last.
        if (!block->child(0)->is<ast::Declaration>()) return block;
        std::vector<NodePtr> statements(block->children().begin(), block->children().end());
        const NodePtr last = statements.back();
        if (!last->is<ast::Compound>() || isUsersBlock(last)) return block;
        statements.pop_back();
        statements.insert(statements.end(), last->children().begin(), last->children().end());
        return ast::rebuild(arena(), block, statements);
    }
    NodePtr rewriteOn(NodePtr node) override { return lowerOn(context_, withChecks(node)); }
    NodePtr rewriteAt(NodePtr node) override { return lowerAt(context_, withChecks(node)); }
    NodePtr rewriteOverall(NodePtr node) override {
        return lowerOverall(context_, withChecks(node), checksBefore(node));
    }
    NodePtr rewriteMacroStatement(NodePtr node) override {
        const auto threads = threadMarkOf(node);
        if (!threads) return withChecks(node);
        const NodePtr overall = node->child(ast::MacroStatement::body);
        return lowerOverall(context_, withChecks(overall), checksBefore(overall), &*threads);
    }
    NodePtr rewriteSwitch(NodePtr node) override {
        switchBodies_.insert(node->child(ast::Switch::body));
        return withChecks(node);
    }
    NodePtr rewriteIf(NodePtr node) override { return closedElse(node, withChecks(node)); }

    NodePtr rewriteTemplate(NodePtr node) override {
        const NodePtr declaration = node->child(ast::Template::declaration);
        ++heads_;
        const FreeSlots slots =
            freeSlots(context_, node->child(ast::Template::parameters), declaration, heads_);
        slotNames_.insert(slots.ofType.begin(), slots.ofType.end());
        if (!declaration->is<ast::Template>()) heads_ = 0;
        const NodePtr lowered = withChecks(node);
        heads_ = 0;
        return addFreeSlots(context_, lowered, slots);
    }
    NodePtr rewriteAttributed(NodePtr node) override {
        const NodePtr list = node->child(ast::Attributed::attributes);
        std::vector<NodePtr> foreign;
        for (const NodePtr attribute : list->children())
            if (attribute->is<ast::ForeignAttribute>()) foreign.push_back(attribute);
        const NodePtr declared =
            withBudget(context_, node, rewrite(node->child(ast::Attributed::declaration)));
        if (foreign.empty()) return declared;
        const NodePtr parts[] = {ast::rebuild(arena(), list, foreign), declared};
        return ast::rebuild(arena(), node, parts);
    }

private:
    /// The node with its children rewritten; a child with checks gets them in front, in a block of
    /// its own unless it stands in one.
    NodePtr withChecks(NodePtr node) {
        // In the block of a `switch` no declaration may stand between the labels.
        const bool isList =
            ast::arityOf(node->kind()) == ast::Arity::List && !switchBodies_.contains(node);
        const auto old = node->children();
        std::vector<NodePtr> children;  // stays empty as long as none differs
        for (size_t k = 0; k < old.size(); ++k) {
            NodePtr lowered = rewrite(old[k]);
            if (ast::isStatement(old[k]) && !old[k]->is<ast::Overall>()) {
                std::vector<NodePtr> checks = checksBefore(old[k]);
                if (!checks.empty()) lowered = joined(std::move(checks), lowered, isList);
            }
            if (lowered != old[k] && children.empty()) children.assign(old.begin(), old.end());
            if (!children.empty()) children[k] = lowered;
        }
        return children.empty() ? node : ast::rebuild(arena(), node, children);
    }

    /// Before a call that may fill ghost cells without the library's knowledge, they count as
    /// filled.
    NodePtr believingFills(NodePtr node, NodePtr lowered) {
        const NodePtr list = node->child(ast::Call::arguments);
        const auto isFilled = [](NodePtr argument) {
            const ast::Type* type = ast::multiarrayType(argument);
            return type && !type->elementConst &&
                   std::ranges::find(type->slots, ast::SlotKind::Distributed) != type->slots.end();
        };
        const auto given = list->children();
        if (!context_.options.ghostChecks || std::ranges::none_of(given, isFilled) ||
            macros_.mayBeMacro(node) || !mayFillUnseen(unit_, node))
            return lowered;
        const NodePtr loweredList = lowered->child(ast::Call::arguments);
        std::vector<NodePtr> arguments;
        for (size_t k = 0; k < given.size(); ++k) {
            arguments.push_back(loweredList->child(static_cast<uint32_t>(k)));
            if (isFilled(given[k]))
                arguments.back() = context_.expression("hpspmd::detail::filled($a)",
                                                       {{"$a", arguments.back()}}, given[k]);
        }
        return ast::withChild(arena(), lowered, ast::Call::arguments,
                              ast::rebuild(arena(), loweredList, arguments));
    }

    NodePtr changing(NodePtr node) {
        const NodePtr target = ast::changedOperand(node);
        if (target && context_.options.ghostChecks)
            if (const NodePtr access = elementAccess(target)) changed_.insert(access);
        return rewriteOther(node);
    }

    /// True for what stands in the user's file, false for what a schema made.
    bool isUsers(NodePtr node) const { return node->shape()->span().text == &file_; }
    /// Or what a pass has made of one, as of the body of a short loop written out.
    bool isUsersBlock(NodePtr node) const {
        return isUsers(node) || node->origin()->is<ast::Compound>();
    }

    NodePtr joined(std::vector<NodePtr> checks, NodePtr statement, bool inList) {
        if (!inList && !statement->is<ast::Declaration>())
            return blockWith(context_, std::move(checks), statement);
        checks.push_back(statement);
        return ast::sequence(arena(), checks, statement);
    }

    std::vector<NodePtr> checksBefore(NodePtr statement) {
        std::vector<NodePtr> checks;
        if (const Demands* demands = plan_.at(statement))
            for (const Demand& demand : *demands)
                checks.push_back(makeCheck(context_, demand, [this](NodePtr expression) {
                    return lowerPart(ast::copy(arena(), expression));
                }));
        return checks;
    }

    NodePtr lowerPart(NodePtr part) {
        const NodePtr lowered = rewrite(part);
        return lowered->is<ast::Triplet>() ? lowerTriplet(context_, lowered) : lowered;
    }

    AccessForm formOf(NodePtr access) const {
        const NodePtr base = access->child(ast::Subscript::base);
        const auto subscripts = access->child(ast::Subscript::subscripts)->children();
        if (isDirectAccess(access)) {
            // Outside constructs the sequential subscripts are checked one by one, in the formula.
            const bool sequential =
                !subscripts.empty() && !asIndexSubscript(subscripts[0]) && onlyIntegers(subscripts);
            const bool direct =
                !context_.options.boundsChecks || plan_.covered.contains(access) || sequential;
            return direct ? AccessForm::Offset : AccessForm::Library;
        }
        if (multiarrayType(base) || subscripts.size() != 1) return AccessForm::Library;
        return hasUnknownType(base) && isIndexValue(subscripts[0]) ? AccessForm::Library
                                                                   : AccessForm::Foreign;
    }

    static bool onlyIntegers(std::span<const NodePtr> subscripts) {
        for (const NodePtr subscript : subscripts)
            if (asIndexSubscript(subscript)) return false;
        return true;
    }

    /// `on` and `at` become an `if`: braces keep an `else` from joining it.
    NodePtr closedElse(NodePtr original, NodePtr lowered) {
        if (!original->child(ast::If::otherwise)) return lowered;
        NodePtr open = original->child(ast::If::then);
        while (open &&
               (open->is<ast::While>() || open->is<ast::For>() || open->is<ast::RangeFor>() ||
                open->is<ast::Label>() || (open->is<ast::If>() && open->child(ast::If::otherwise))))
            open = open->children().back();
        const bool binds = ast::is<ast::On>(open) || ast::is<ast::At>(open);
        const NodePtr branch = lowered->child(ast::If::then);
        if (!binds || branch->is<ast::Compound>()) return lowered;
        const NodePtr closed = context_.statement(
            "{\n"
            "    $body;\n"
            "}",
            {{"$body", branch}}, branch);
        return ast::withChild(arena(), lowered, ast::If::then, closed);
    }

    Context& context_;
    const source::Text& file_;
    const ast::MacroNames& macros_;
    const ast::Unit& unit_;
    CheckPlan plan_;
    std::unordered_map<NodePtr, std::vector<std::string>> slotNames_;
    std::unordered_set<NodePtr> switchBodies_;
    std::unordered_set<NodePtr> changed_;  // accesses to elements that are assigned
    int heads_ = 0;                        // template heads directly before the current declaration
};

}  // namespace

ast::Unit lower(ast::Unit unit, ast::Quoter& quote, const Options& options) {
    if (!unit.hasExtensions) return unit;
    Context context{{*unit.arena, quote, ast::FreshNames(unit.identifiers)}, options, {}};
    CheckPlan plan = options.any() ? planChecks(unit, context.names, options) : CheckPlan{};
    unit.root = Lowerer(context, unit, std::move(plan)).rewrite(unit.root);
    return unit;
}

bool isLowered(const ast::Unit& unit) {
    return !unit.hasExtensions || !unit.root->contains(ast::extension);
}

}  // namespace hpcc::lower
