// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/flow_graph_builder.hpp"

#include <algorithm>
#include <utility>

namespace hpcc::optimize {
void FlowGraphBuilder::build(NodePtr body) {
    constexpr size_t many = 128;
    graph_.blocks_.reserve(many);
    graph_.places_.reserve(many);
    current_ = newBlock();
    graph_.isKnown_ = !graph_.names().body(graph_.body_).isOpaque;
    if (!graph_.isKnown_) return;
    hasLabels_ = graph_.names().body(graph_.body_).hasLabels;
    statement(body, -1, Edge::List);
    for (size_t from = 0; from < graph_.blocks_.size(); ++from)
        for (const int to : graph_.blocks_[from].successors)
            graph_.blocks_[static_cast<size_t>(to)].predecessors.push_back(static_cast<int>(from));
}

int FlowGraphBuilder::newBlock() {
    graph_.blocks_.emplace_back();
    return static_cast<int>(graph_.blocks_.size()) - 1;
}

void FlowGraphBuilder::connect(int from, int to) {
    graph_.blocks_[static_cast<size_t>(from)].successors.push_back(to);
}

int FlowGraphBuilder::newPlace(NodePtr node, int parent, Edge edge) {
    Place place;
    place.statement = node;
    place.parent = parent;
    place.edge = edge;
    place.block = current_;
    place.step = static_cast<int>(graph_.blocks_[static_cast<size_t>(current_)].steps.size());
    if (parent >= 0) place.loops = graph_.place(parent).loops + (edge == Edge::Loop ? 1 : 0);
    place.isLoop = node->is<ast::For>() || node->is<ast::RangeFor>() || node->is<ast::While>() ||
                   node->is<ast::DoWhile>();
    place.isList = node->is<ast::Compound>();
    // A declaration cannot move into a block of its own.
    const bool declares = node->is<ast::Declaration>() || node->is<ast::Sequence>();
    place.canPrecede = edge == Edge::List || !declares;
    graph_.places_.push_back(place);
    return static_cast<int>(graph_.places_.size()) - 1;
}

void FlowGraphBuilder::markJump(int place, int within) {
    for (; place != within; place = graph_.place(place).parent)
        graph_.places_[static_cast<size_t>(place)].mayJump = true;
}

void FlowGraphBuilder::step(NodePtr node, int place, bool repeated) {
    if (!node) return;
    if (node->is<ast::Comma>()) {
        step(node->child(ast::Comma::left), place, repeated);
        return step(node->child(ast::Comma::right), place, repeated);
    }
    const StepEffects* const known = graph_.names().effectsOf(node);
    const StepEffects& effects = known ? *known : effectsOfStep(graph_.names(), node);
    Step made{node, place, {}, repeated, effects.callsUnknown};
    graph_.places_[static_cast<size_t>(place)].callsUnknown |= effects.callsUnknown;
    if (effects.reachesOutside) made.defs.push_back(outsideHandles);
    if (effects.reachesOutside || effects.storesElements) made.defs.push_back(outsideValues);
    for (const int variable : effects.assigned) {
        const bool own =
            graph_.names()[variable].body == graph_.body_ && !graph_.names()[variable].escapes;
        if (own) {
            made.defs.push_back(variable + firstVariable);
        } else if (!effects.reachesOutside) {
            made.defs.push_back(outsideHandles);
            made.defs.push_back(outsideValues);
        }
    }
    if (std::ranges::any_of(made.defs, [&](int each) { return isSeenByHandler(each, node); }))
        startBlock();
    std::vector<Step>& steps = graph_.blocks_[static_cast<size_t>(current_)].steps;
    if (steps.empty()) steps.reserve(4);
    steps.push_back(std::move(made));
}

/// Does a handler see the variable, which the step assigns? Not if the body of the `try` declares
/// it.
bool FlowGraphBuilder::isSeenByHandler(int variable, NodePtr step) const {
    if (tryBody_ < 0 || variable < firstVariable) return false;
    return graph_.homeOf(variable).place < tryBody_ &&
           graph_.names()[variable - firstVariable].declaration != step;
}

/// A block behind the present one, if that holds anything.
void FlowGraphBuilder::startBlock() {
    if (graph_.blocks_[static_cast<size_t>(current_)].steps.empty()) return;
    const int next = newBlock();
    connect(current_, next);
    current_ = next;
}

void FlowGraphBuilder::declare(NodePtr declaration, int place, bool inHead) {
    const Names& names = graph_.names();
    // A structured binding declares several.
    for (int variable = names.declaredBy(declaration);
         variable >= 0 && variable < names.size() && names[variable].declaration == declaration;
         ++variable) {
        graph_.homes_[static_cast<size_t>(variable) + firstVariable] = {place, inHead};
        auto& steps = graph_.blocks_[static_cast<size_t>(current_)].steps;
        if (!steps.empty() && steps.back().node == declaration)
            steps.back().defs.push_back(variable + firstVariable);
    }
}

void FlowGraphBuilder::head(NodePtr part, int place, bool repeated) {
    if (!part) return;
    if (part->is<ast::Declaration>()) {
        const NodePtr list = part->child(ast::Declaration::declarators);
        for (const NodePtr each : list ? list->children() : std::span<const NodePtr>()) {
            step(each, place, repeated);
            declare(each, place, true);
        }
        return;
    }
    if (part->is<ast::ExpressionStatement>()) part = part->child(0);
    step(part, place, repeated);
    if (part->is<ast::ConditionDeclaration>()) declare(part, place, true);
}

void FlowGraphBuilder::statement(NodePtr node, int parent, Edge edge) {
    if (!node) return;
    // Checks stand before their statement in a Sequence: its parts belong to the list around it.
    if (node->is<ast::Sequence>() && edge == Edge::List) {
        for (const NodePtr child : node->children()) statement(child, parent, edge);
        return;
    }
    const int place = newPlace(node, parent, edge);
    switch (node->kind()) {
    case ast::Kind::Compound:
    case ast::Kind::Sequence:
        list(node, place, false);
        break;
    case ast::Kind::Declaration:
        declaration(node, place);
        break;
    case ast::Kind::ExpressionStatement:
        step(node->child(0), place, false);
        break;
    case ast::Kind::If:
        ifStatement(node, place);
        break;
    case ast::Kind::For:
        forStatement(node, place);
        break;
    case ast::Kind::RangeFor:
        rangeFor(node, place);
        break;
    case ast::Kind::While:
        whileStatement(node, place);
        break;
    case ast::Kind::DoWhile:
        doWhile(node, place);
        break;
    case ast::Kind::Switch:
        switchStatement(node, place);
        break;
    case ast::Kind::Case:
        step(node->child(ast::Case::value), place, false);
        caseLabel(node->child(ast::Case::body), place);
        break;
    case ast::Kind::Default:
        sawDefault_ = true;
        caseLabel(node->child(ast::Default::body), place);
        break;
    case ast::Kind::Label:
        label(node, place);
        break;
    case ast::Kind::Goto: {
        const auto known = labels_.try_emplace(node->child(0)->text(), -1).first;
        if (known->second < 0) known->second = newBlock();
        jumpTo(known->second, place);
        break;
    }
    case ast::Kind::Break:
        jumpTo(targets_.atBreak, place, targets_.loop);
        break;
    case ast::Kind::Continue:
        jumpTo(targets_.atContinue, place, targets_.loop);
        break;
    case ast::Kind::Return:
        step(node->child(0), place, false);
        jumpTo(-1, place);
        break;
    case ast::Kind::MacroStatement: {
        const size_t body = graph_.places_.size();
        statement(node->child(ast::MacroStatement::body), place, Edge::Branch);
        graph_.places_[body].canPrecede = false;  // nothing may stand in between
        break;
    }
    case ast::Kind::Try:
        tryStatement(node, place);
        break;
    default:
        break;
    }
    graph_.places_[static_cast<size_t>(place)].end = static_cast<int>(graph_.places_.size());
}

void FlowGraphBuilder::list(NodePtr node, int place, bool isSwitch) {
    // Where a label can be jumped to, no declaration may stand in between.
    const Edge edge = isSwitch || hasLabels_ ? Edge::Branch : Edge::List;
    for (const NodePtr child : node->children()) statement(child, place, edge);
}

void FlowGraphBuilder::declaration(NodePtr node, int place) {
    const NodePtr list = node->child(ast::Declaration::declarators);
    if (!list) return;
    for (const NodePtr each : list->children()) {
        step(each, place, false);
        declare(each, place, false);
    }
}

void FlowGraphBuilder::ifStatement(NodePtr node, int place) {
    head(node->child(ast::If::initializer), place, false);
    head(node->child(ast::If::condition), place, false);
    const int before = current_;
    const int behind = newBlock();
    current_ = newBlock();
    connect(before, current_);
    statement(node->child(ast::If::then), place, Edge::Branch);
    connect(current_, behind);
    if (const NodePtr otherwise = node->child(ast::If::otherwise)) {
        current_ = newBlock();
        connect(before, current_);
        statement(otherwise, place, Edge::Branch);
        connect(current_, behind);
    } else {
        connect(before, behind);
    }
    current_ = behind;
}

void FlowGraphBuilder::loopBody(NodePtr body, int place, Targets targets) {
    const Targets outer = std::exchange(targets_, targets);
    statement(body, place, Edge::Loop);
    targets_ = outer;
}

void FlowGraphBuilder::forStatement(NodePtr node, int place) {
    head(node->child(ast::For::initializer), place, false);
    const int header = newBlock();
    const int behind = newBlock();
    const int stepping = newBlock();
    connect(current_, header);
    current_ = header;
    head(node->child(ast::For::condition), place, true);
    if (node->child(ast::For::condition)) connect(current_, behind);
    const int body = newBlock();
    connect(current_, body);
    current_ = body;
    loopBody(node->child(ast::For::body), place, {behind, stepping, place});
    connect(current_, stepping);
    current_ = stepping;
    head(node->child(ast::For::step), place, true);
    connect(current_, header);
    current_ = behind;
}

void FlowGraphBuilder::rangeFor(NodePtr node, int place) {
    head(node->child(ast::RangeFor::initializer), place, false);
    step(node->child(ast::RangeFor::range), place, false);
    const int header = newBlock();
    const int behind = newBlock();
    connect(current_, header);
    connect(header, behind);
    const int body = newBlock();
    connect(header, body);
    current_ = body;
    const int variable = graph_.names().declaredBy(node);
    if (variable >= 0) {
        declare(node, place, true);
        Step bound{
            node->child(ast::RangeFor::declarator), place, {variable + firstVariable}, true, false};
        graph_.blocks_[static_cast<size_t>(current_)].steps.push_back(std::move(bound));
    }
    loopBody(node->child(ast::RangeFor::body), place, {behind, header, place});
    connect(current_, header);
    current_ = behind;
}

void FlowGraphBuilder::whileStatement(NodePtr node, int place) {
    const int header = newBlock();
    const int behind = newBlock();
    connect(current_, header);
    current_ = header;
    head(node->child(ast::While::condition), place, true);
    connect(current_, behind);
    const int body = newBlock();
    connect(current_, body);
    current_ = body;
    loopBody(node->child(ast::While::body), place, {behind, header, place});
    connect(current_, header);
    current_ = behind;
}

void FlowGraphBuilder::doWhile(NodePtr node, int place) {
    const int body = newBlock();
    const int condition = newBlock();
    const int behind = newBlock();
    connect(current_, body);
    current_ = body;
    loopBody(node->child(ast::DoWhile::body), place, {behind, condition, place});
    connect(current_, condition);
    current_ = condition;
    head(node->child(ast::DoWhile::condition), place, true);
    connect(current_, body);
    connect(current_, behind);
    current_ = behind;
}

void FlowGraphBuilder::switchStatement(NodePtr node, int place) {
    head(node->child(ast::Switch::initializer), place, false);
    head(node->child(ast::Switch::condition), place, false);
    const int behind = newBlock();
    const int outerHead = std::exchange(switchHead_, current_);
    const bool outerDefault = std::exchange(sawDefault_, false);
    const Targets outer = std::exchange(targets_, {behind, targets_.atContinue, targets_.loop});
    current_ = newBlock();  // what stands before the first label is not reached
    const NodePtr body = node->child(ast::Switch::body);
    if (ast::is<ast::Compound>(body)) {
        const int inner = newPlace(body, place, Edge::Branch);
        list(body, inner, true);
        graph_.places_[static_cast<size_t>(inner)].end = static_cast<int>(graph_.places_.size());
    } else {
        statement(body, place, Edge::Branch);
    }
    connect(current_, behind);
    connect(switchHead_, behind);
    targets_ = outer;
    switchHead_ = outerHead;
    sawDefault_ = outerDefault;
    current_ = behind;
}

void FlowGraphBuilder::caseLabel(NodePtr body, int place) {
    const int target = newBlock();
    connect(current_, target);
    if (switchHead_ >= 0) connect(switchHead_, target);
    current_ = target;
    statement(body, place, Edge::Branch);
}

void FlowGraphBuilder::label(NodePtr node, int place) {
    const auto known = labels_.try_emplace(node->child(ast::Label::name)->text(), -1).first;
    if (known->second < 0) known->second = newBlock();
    connect(current_, known->second);
    current_ = known->second;
    statement(node->child(ast::Label::body), place, Edge::Branch);
}

void FlowGraphBuilder::jumpTo(int target, int place, int within) {
    markJump(place, within);
    if (target >= 0) connect(current_, target);
    current_ = newBlock();  // not reached, unless a label follows
}

// A handler may be reached from anywhere in the body. So that it is reached by what a variable was
// before each assignment, too, each assignment there of what the handler sees begins a block.
void FlowGraphBuilder::tryStatement(NodePtr node, int place) {
    const int before = current_;
    const int first = newBlock();
    connect(before, first);
    current_ = first;
    const int outer = std::exchange(tryBody_, static_cast<int>(graph_.places().size()));
    statement(node->child(ast::Try::body), place, Edge::Branch);
    tryBody_ = outer;
    const int last = static_cast<int>(graph_.blocks_.size());
    const int behind = newBlock();
    connect(current_, behind);
    for (const NodePtr handler : node->child(ast::Try::handlers)->children()) {
        const int entry = newBlock();
        connect(before, entry);
        for (int block = first; block < last; ++block) connect(block, entry);
        current_ = entry;
        const NodePtr body = handler->child(ast::Handler::body);
        statement(body, place, Edge::Branch);
        connect(current_, behind);
    }
    markJump(place, -1);
    current_ = behind;
}

}  // namespace hpcc::optimize
