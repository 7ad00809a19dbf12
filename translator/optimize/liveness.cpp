// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/liveness.hpp"

#include "ast/declarators.hpp"
#include "ast/static_visitor.hpp"

namespace hpcc::optimize {
namespace {

bool isDeclaredBy(const FlowGraph& graph, int variable, const Step& step) {
    if (variable < firstVariable) return false;
    const NodePtr declaration = graph.names()[variable - firstVariable].declaration;
    return declaration == step.node || (ast::is<ast::RangeFor>(declaration) &&
                                        declaration->child(ast::RangeFor::declarator) == step.node);
}

/// What a loop binds its variable to is no part of the step that does so.
bool isBinding(const FlowGraph& graph, const Step& step) {
    return step.isHead && !step.node->is<ast::ConditionDeclaration>() && step.defs.size() == 1 &&
           isDeclaredBy(graph, step.defs.front(), step);
}

/// The `k` of `k = n`.
NodePtr replacedName(NodePtr node) {
    if (!ast::is<ast::Assign>(node) || node->child(ast::Assign::op)->text() != "=") return nullptr;
    const NodePtr target = node->child(ast::Assign::target);
    return ast::is<ast::Identifier>(target) ? target : nullptr;
}

class MentionFinder : public ast::StaticEvaluationVisitor<MentionFinder> {
public:
    MentionFinder(const FlowGraph& graph, const Step& step,
                  const std::function<void(const Mention&)>& found)
        : names_(graph.names()), found_(found), replaced_(replacedName(step.node)) {
        visit(step.node);
    }

    void visitIdentifier(NodePtr node) {
        const int variable = node == declared_ ? -1 : names_.find(node);
        if (variable >= 0) add(variable, node);
        if (const Variables* named = names_.namedIn(node))
            for (const int each : *named) add(each, node);
    }
    void visitInitDeclarator(NodePtr node) {
        declared_ = ast::declaredName(node->child(ast::InitDeclarator::declarator));
        visitChildren(node);
    }
    void visitConditionDeclaration(NodePtr node) {
        declared_ = ast::declaredName(node->child(ast::ConditionDeclaration::declarator));
        visitChildren(node);
    }
    void visitStructuredBinding(NodePtr) {}
    void visitLambda(NodePtr node) { visit(node->child(ast::Lambda::captures)); }

private:
    void add(int variable, NodePtr node) {
        found_({variable + firstVariable, node, node != replaced_});
    }

    const Names& names_;
    const std::function<void(const Mention&)>& found_;
    NodePtr replaced_;
    NodePtr declared_ = nullptr;
};

}  // namespace

void forEachMention(const FlowGraph& graph, const Step& step,
                    const std::function<void(const Mention&)>& visit) {
    if (isBinding(graph, step)) return;
    const StepEffects* const known = graph.names().effectsOf(step.node);
    if (!known || !known->isPlain) {
        MentionFinder(graph, step, visit);
        return;
    }
    const NodePtr replaced = replacedName(step.node);
    for (const NamePlace& place : graph.names().placesIn(*known))
        visit({place.variable + firstVariable, place.node, place.node != replaced});
}

Liveness::Liveness(const FlowGraph& graph, const std::function<bool(const Step&)>& mayGo)
    : effects_(graph.blocks().size()), pinned_(graph.names().size() + firstVariable) {
    collect(graph, mayGo);
    const auto transfer = [this](int block, Facts& live) {
        const auto& effects = effects_[static_cast<size_t>(block)];
        for (auto effect = effects.rbegin(); effect != effects.rend(); ++effect)
            apply(*effect, live);
        live |= pinned_;
    };
    flow_ = solve(graph.blocks(),
                  {analysis::Direction::Backward, analysis::Meet::Union, pinned_, transfer});
}

void Liveness::collect(const FlowGraph& graph, const std::function<bool(const Step&)>& mayGo) {
    const Names& names = graph.names();
    std::vector<size_t> seen(pinned_.size(), 0);
    for (size_t block = 0; block < effects_.size(); ++block) {
        effects_[block].reserve(graph.blocks()[block].steps.size());
        for (const Step& step : graph.blocks()[block].steps) {
            Effect& effect = effects_[block].emplace_back();
            for (const int variable : step.defs)
                if (isDeclaredBy(graph, variable, step)) effect.kills.push_back(variable);
            forEachMention(graph, step, [&](const Mention& mention) {
                ++seen[static_cast<size_t>(mention.variable)];
                (mention.isRead ? effect.reads : effect.kills).push_back(mention.variable);
            });
            if (mayGo(step)) effect.target = step.defs.front();
        }
    }
    for (int variable = 0; variable < names.size(); ++variable) {
        const auto bit = static_cast<size_t>(variable + firstVariable);
        pinned_[bit] = names[variable].escapes || seen[bit] != names.usesOf(variable).size();
    }
}

void Liveness::apply(const Effect& effect, Facts& live) const {
    const auto isLive = [&](int variable) { return live[static_cast<size_t>(variable)]; };
    if (effect.target >= 0 && !isLive(effect.target)) return;
    for (const int variable : effect.kills)
        live[static_cast<size_t>(variable)] = pinned_[static_cast<size_t>(variable)];
    for (const int variable : effect.reads) live.set(static_cast<size_t>(variable));
}

void Liveness::sweep(int block,
                     const std::function<void(int step, const Facts& live)>& visit) const {
    const auto& effects = effects_[static_cast<size_t>(block)];
    Facts live = flow_.behind[static_cast<size_t>(block)];
    live |= pinned_;
    for (size_t step = effects.size(); step-- > 0;) {
        visit(static_cast<int>(step), live);
        apply(effects[step], live);
    }
}

}  // namespace hpcc::optimize
