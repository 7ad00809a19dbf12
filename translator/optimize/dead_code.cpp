// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/dead_code.hpp"

#include <algorithm>
#include <map>

#include "analysis/loop.hpp"
#include "optimize/bodies.hpp"
#include "optimize/counters.hpp"
#include "optimize/liveness.hpp"

namespace hpcc::optimize {
namespace {

/// `const int k = 2;`, the counter of a loop that was written out.
bool isLiteralConstant(NodePtr declarator) {
    const NodePtr initializer = declarator->child(ast::InitDeclarator::initializer);
    return ast::is<ast::EqualInitializer>(initializer) &&
           ast::is<ast::NumberLiteral>(initializer->child(ast::EqualInitializer::value));
}

/// A declaration of one variable that a schema made and that may go if nothing reads the variable.
bool isRemovable(NodePtr statement, const source::Text* file) {
    if (statement->shape()->span().text == file) return false;
    for (const std::string_view name :
         {"hpspmd::DistributedIndex", "hpspmd::Index", "hpspmd::Dimension", "hpspmd::Range",
          "hpspmd::Group", "hpspmd::detail::Blocks"})
        if (declaresClass(statement, name)) return true;
    const NodePtr declarator = analysis::soleDeclarator(statement);
    const NodePtr specifiers = statement->child(ast::Declaration::specifiers);
    return declarator && specifiers &&
           (specifiers->text() == "auto" || isLiteralConstant(declarator));
}

class Elimination : BodyPass {
public:
    static bool concerns(const Body& body) { return body.hasDeclarations; }

    using BodyPass::BodyPass;

    void run() {
        for (const Place& place : graph.places()) {
            if (place.statement->is<ast::For>())
                findMoves(place.statement->child(ast::For::step));
            else if (place.statement->is<ast::Declaration>() && isRemovable(place.statement, text))
                addDeclaration(place.statement);
        }
        if (declarations_.empty()) return;
        findDeadSteps();
        keepNamed();
        for (const Step* step : dead_) remove(*step);
        if (function.isHeard()) tell();
    }

private:
    void addDeclaration(NodePtr statement) {
        const int variable = graph.names().declaredBy(analysis::soleDeclarator(statement));
        if (variable >= 0) declarations_[variable + firstVariable] = statement;
    }

    /// `at += s`, an operand of the commas of a loop's step.
    void findMoves(NodePtr node) {
        if (ast::is<ast::Comma>(node)) {
            findMoves(node->child(ast::Comma::left));
            findMoves(node->child(ast::Comma::right));
        } else if (ast::is<ast::Assign>(node)) {
            moves_.insert(node);
        }
    }

    /// Assigns a variable that a schema declared, and does nothing else.
    bool mayGo(const Step& step) const {
        if (step.defs.size() != 1 || !declarations_.contains(step.defs[0])) return false;
        return step.node->is<ast::InitDeclarator>() || moves_.contains(step.node);
    }

    void findDeadSteps() {
        const Liveness liveness(graph, [this](const Step& step) { return mayGo(step); });
        for (size_t block = 0; block < graph.blocks().size(); ++block)
            liveness.sweep(static_cast<int>(block), [&](int number, const Facts& live) {
                const Step& step = graph.blocks()[block].steps[static_cast<size_t>(number)];
                if (mayGo(step) && !live[static_cast<size_t>(step.defs[0])]) dead_.push_back(&step);
            });
    }

    /// What steps that stay name is declared, even if no way leads to them.
    void keepNamed() {
        std::unordered_map<int, size_t> gone;  // mentions in dead steps, by variable
        for (const Step* step : dead_)
            forEachMention(graph, *step, [&](const Mention& mention) { ++gone[mention.variable]; });
        const auto mustStay = [&](const Step* step) {
            const int variable = step->defs[0];
            return step->node->is<ast::InitDeclarator>() &&
                   gone[variable] != graph.names().usesOf(variable - firstVariable).size();
        };
        for (auto step = std::ranges::find_if(dead_, mustStay); step != dead_.end();
             step = std::ranges::find_if(dead_, mustStay)) {
            forEachMention(graph, **step,
                           [&](const Mention& mention) { --gone[mention.variable]; });
            dead_.erase(step);
        }
    }

    void remove(const Step& step) {
        if (step.node->is<ast::InitDeclarator>())
            return edits.remove(declarations_.at(step.defs[0]));
        edits.remove(step.node);
        const NodePtr whole = graph.place(step.place).statement->child(ast::For::step);
        edits.replace(whole, [this, whole](const auto& edited) { return rest(whole, edited); });
    }

    /// What stays of the step of a loop; its counter does.
    NodePtr rest(NodePtr node, const std::function<NodePtr(NodePtr)>& edited) const {
        if (!node->is<ast::Comma>()) return edited(node);
        const NodePtr left = rest(node->child(ast::Comma::left), edited);
        const NodePtr right = rest(node->child(ast::Comma::right), edited);
        if (!left || !right) return left ? left : right;
        const NodePtr parts[] = {left, right};
        return ast::rebuild(function.arena(), node, parts);
    }

    /// The temporaries are not the user's; the indices are.
    void tell() const {
        std::unordered_set<NodePtr> gone;
        std::unordered_set<int> dead;
        for (const Step* step : dead_) {
            if (step->node->is<ast::InitDeclarator>()) dead.insert(step->defs[0]);
            forEachMention(graph, *step,
                           [&](const Mention& mention) { gone.insert(mention.node); });
        }
        for (const auto& [variable, statement] : declarations_) {
            if (!declaresClass(statement, "hpspmd::DistributedIndex")) continue;
            const Names& names = graph.names();
            const std::string index =
                "the index '" + std::string(names[variable - firstVariable].name) + "'";
            if (dead.contains(variable)) {
                function.fired(statement, index + " is not made: nothing reads it any more");
                continue;
            }
            const auto uses = names.usesOf(variable - firstVariable);
            const auto read =
                std::ranges::find_if(uses, [&](NodePtr use) { return !gone.contains(use); });
            if (read != uses.end())
                function.missed(statement, index + " is made in each iteration", *read,
                                "because here it is read as a whole");
        }
    }

    std::map<int, NodePtr> declarations_;  // that may go, by variable
    std::unordered_set<NodePtr> moves_;    // that may go, in steps of loops
    std::vector<const Step*> dead_;
};

}  // namespace

ast::Unit eliminateDeadCode(ast::Unit unit, ast::Quoter& quote) {
    return improveBodies<Elimination>(std::move(unit), quote, "dead");
}

}  // namespace hpcc::optimize
