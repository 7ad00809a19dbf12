// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/flow/graph.hpp"

#include "check/facts.hpp"
#include "check/flow/class_code.hpp"
#include "check/flow/constants.hpp"
#include "check/flow/directives.hpp"
#include "check/flow/returning.hpp"
#include "check/flow/statement_forms.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace hpcc::check::flow {
namespace {

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

class Builder : StatementForms {
public:
    explicit Builder(Graph& graph) : graph_(graph) {
        current_ = block();
        graph_.exit = block();
    }

    void body(NodePtr node) {
        if (node->is<ast::FunctionTry>())
            tryBlock(node->child(ast::FunctionTry::body), node->child(ast::FunctionTry::handlers));
        else
            statement(node);
        edge(graph_.exit);
    }

private:
    struct Place {
        std::size_t block;
        std::size_t alive = 0;  // so many objects
    };
    // Where break and continue lead.
    struct Target {
        Place broken, continued;
    };
    struct SwitchFrame {
        NodePtr node;
        std::size_t dispatch;
        bool hasDefault = false;
        std::vector<const Symbol*> covered;
    };

    std::size_t block() {
        graph_.blocks.emplace_back();
        return graph_.blocks.size() - 1;
    }
    void edge(std::size_t from, std::size_t to) {
        if (from != nowhere && to != nowhere) graph_.blocks[from].next.push_back(to);
    }
    void edge(std::size_t to) { edge(current_, to); }
    std::size_t follow() {  // a new block behind the present one
        const std::size_t next = block();
        edge(next);
        return current_ = next;
    }
    void step(Step::Kind kind, NodePtr node, NodePtr part = nullptr) {
        if (!node && kind == Step::Kind::Evaluate) return;
        if (current_ == nowhere) current_ = block();  // not reached
        graph_.blocks[current_].steps.push_back({kind, node, part, statement_});
    }

    void statement(NodePtr node);
    void optional(NodePtr node);
    void opaque(NodePtr node);
    void condition(NodePtr expression, std::size_t whenTrue, std::size_t whenFalse);
    void loopBody(NodePtr body, Target target);
    void repeated(NodePtr node, NodePtr body);
    void tryBlock(NodePtr body, NodePtr handlers);
    std::size_t labelled(std::string_view name);

    void statements(NodePtr list) override;
    void expressionStatement(NodePtr expression) override;
    void declare(NodePtr declaration, NodePtr declarator) override {
        step(Step::Kind::Declare, declaration, declarator);
        if (mayEndWithCode(declaration, declarator)) alive_.push_back(declarator);
    }
    void destroy(std::size_t alive);
    Place here(std::size_t block) const { return {block, alive_.size()}; }
    void branch(NodePtr node) override;
    void whileLoop(NodePtr node) override;
    void doLoop(NodePtr node) override;
    void forLoop(NodePtr node) override;
    void rangeLoop(NodePtr node) override;
    void macroStatement(NodePtr node) override;
    void on(NodePtr node) override;
    void at(NodePtr node) override { step(Step::Kind::Nest, node); }
    void overall(NodePtr node) override { step(Step::Kind::Nest, node); }
    void switchStatement(NodePtr node) override;
    void caseLabel(NodePtr node) override;
    void label(NodePtr node) override;
    void jump(NodePtr node) override;
    void tryStatement(NodePtr node) override;
    void opaqueStatement(NodePtr node) override { opaque(node); }

    Graph& graph_;
    std::size_t current_ = nowhere;
    NodePtr statement_ = nullptr;
    int directiveDepth_ = 0;
    Surroundings around_;
    std::vector<Target> targets_;
    std::vector<NodePtr> alive_;  // objects at whose end code runs
    std::vector<SwitchFrame> switches_;
    std::map<std::string_view, std::size_t> labels_;
};

// Do objects that are declared inside end behind it?
bool endsObjects(NodePtr statement) {
    switch (statement->kind()) {
    case ast::Kind::Compound:
    case ast::Kind::If:
    case ast::Kind::For:
    case ast::Kind::RangeFor:
    case ast::Kind::Switch:
        return true;
    default:
        return false;
    }
}

void Builder::statement(NodePtr node) {
    if (!node) return;
    const NodePtr outer = statement_;
    statement_ = node;
    if (around_.isInLoop || !around_.conditions.empty()) graph_.surroundings[node] = around_;
    const std::size_t alive = alive_.size();
    dispatch(node);
    if (endsObjects(node)) {
        if (current_ != nowhere) destroy(alive);
        alive_.resize(alive);
    }
    statement_ = outer;
}

void Builder::tryStatement(NodePtr node) {
    tryBlock(node->child(ast::Try::body), node->child(ast::Try::handlers));
}

// Others hold no elements of what is done inside.
void Builder::on(NodePtr node) {
    step(Step::Kind::Evaluate, node->child(ast::On::group));
    statement(node->child(ast::On::body));
}

void Builder::statements(NodePtr list) {
    const int depth = directiveDepth_;
    forEachStatement(
        list,
        [&](std::string_view gap) {
            forEachCondition(gap, [&](int opened) { directiveDepth_ += opened; });
        },
        [&](NodePtr each) { directiveDepth_ > depth ? optional(each) : statement(each); });
    directiveDepth_ = depth;
}

// The objects declared last end, but for so many.
void Builder::destroy(std::size_t alive) {
    for (std::size_t k = alive_.size(); k > alive; --k) step(Step::Kind::Destroy, alive_[k - 1]);
}

// A statement between #if and #endif may not exist.
void Builder::optional(NodePtr node) {
    if (current_ == nowhere) current_ = block();
    const std::size_t before = current_;
    follow();
    statement(node);
    const std::size_t behind = follow();
    edge(before, behind);
    step(Step::Kind::Doubt, node);
}

void Builder::expressionStatement(NodePtr expression) {
    const NodePtr inner = bare(expression);
    if (ast::is<ast::Identifier>(inner) && !inner->symbol) return opaque(inner);  // a macro's name
    step(Step::Kind::Evaluate, expression);
    const bool ends = ast::is<ast::Throw>(inner) || (inner && neverReturns(inner));
    if (ends) current_ = nowhere;
}

// It may break, continue or return.
void Builder::opaque(NodePtr node) {
    step(Step::Kind::Opaque, node);
    if (!targets_.empty()) {
        edge(targets_.back().broken.block);
        edge(targets_.back().continued.block);
    }
    follow();
}

// ---- branches ----------------------------------------------------------------------------------

void Builder::condition(NodePtr expression, std::size_t whenTrue, std::size_t whenFalse) {
    const auto value = literalCondition(bare(expression));
    if (ast::is<ast::ConditionDeclaration>(expression))
        step(Step::Kind::Declare, expression, expression);
    else
        step(Step::Kind::Evaluate, expression);
    if (!value || *value) edge(whenTrue);
    if (!value || !*value) edge(whenFalse);
}

void Builder::branch(NodePtr node) {
    statement(node->child(ast::If::initializer));
    const NodePtr test = node->child(ast::If::condition);
    const std::size_t then = block(), otherwise = block(), behind = block();
    condition(test, then, otherwise);
    around_.conditions.push_back(test);
    const auto side = [&](std::size_t start, NodePtr body) {
        current_ = start;
        step(Step::Kind::Assume, node, test);
        statement(body);
        edge(behind);
    };
    side(then, node->child(ast::If::then));
    side(otherwise, node->child(ast::If::otherwise));
    around_.conditions.pop_back();
    current_ = behind;
    step(isConstexprIf(node) ? Step::Kind::Doubt : Step::Kind::Leave, node, test);
}

// ---- loops -------------------------------------------------------------------------------------

void Builder::loopBody(NodePtr body, Target target) {
    const bool wasInLoop = std::exchange(around_.isInLoop, true);
    targets_.push_back(target);
    statement(body);
    targets_.pop_back();
    edge(target.continued.block);
    around_.isInLoop = wasInLoop;
}

void Builder::whileLoop(NodePtr node) {
    const std::size_t head = follow(), inside = block(), behind = block();
    condition(node->child(ast::While::condition), inside, behind);
    current_ = inside;
    loopBody(node->child(ast::While::body), {here(behind), here(head)});
    current_ = behind;
    step(Step::Kind::Leave, node);
}

void Builder::doLoop(NodePtr node) {
    const std::size_t inside = follow(), test = block(), behind = block();
    loopBody(node->child(ast::DoWhile::body), {here(behind), here(test)});
    current_ = test;
    condition(node->child(ast::DoWhile::condition), inside, behind);
    current_ = behind;
    step(Step::Kind::Leave, node);
}

void Builder::forLoop(NodePtr node) {
    statement(node->child(ast::For::initializer));
    const std::size_t head = block(), inside = block(), next = block(), behind = block();
    edge(runsAtLeastOnce(node) ? inside : head);
    current_ = head;
    if (const NodePtr test = node->child(ast::For::condition))
        condition(test, inside, behind);
    else
        edge(inside);
    current_ = inside;
    loopBody(node->child(ast::For::body), {here(behind), here(next)});
    current_ = next;
    step(Step::Kind::Evaluate, node->child(ast::For::step));
    edge(head);
    current_ = behind;
    step(Step::Kind::Leave, node);
}

void Builder::rangeLoop(NodePtr node) {
    statement(node->child(ast::RangeFor::initializer));
    step(Step::Kind::Evaluate, node->child(ast::RangeFor::range));
    repeated(node, node->child(ast::RangeFor::body));
    const NodePtr range = bare(node->child(ast::RangeFor::range));
    if (mayEndLoopWithCode(range)) step(Step::Kind::Destroy, range);
}

void Builder::macroStatement(NodePtr node) {
    step(Step::Kind::Opaque, node->child(ast::MacroStatement::head));
    repeated(node, node->child(ast::MacroStatement::body));
    step(Step::Kind::Doubt, node);
}

void Builder::repeated(NodePtr node, NodePtr body) {
    const std::size_t head = follow(), inside = block(), behind = block();
    edge(inside);
    edge(behind);
    current_ = inside;
    if (node->is<ast::RangeFor>()) step(Step::Kind::Declare, node, node);
    loopBody(body, {here(behind), here(head)});
    current_ = behind;
    step(Step::Kind::Leave, node);
}

// ---- switch, labels, jumps ---------------------------------------------------------------------

void Builder::switchStatement(NodePtr node) {
    statement(node->child(ast::Switch::initializer));
    const NodePtr chosen = node->child(ast::Switch::condition);
    const bool declares = ast::is<ast::ConditionDeclaration>(chosen);
    step(declares ? Step::Kind::Declare : Step::Kind::Evaluate, chosen, chosen);
    const std::size_t behind = block();
    switches_.push_back({node, current_, false, {}});
    const Place continued = targets_.empty() ? Place{nowhere} : targets_.back().continued;
    targets_.push_back({here(behind), continued});
    around_.conditions.push_back(chosen);
    current_ = nowhere;
    statement(node->child(ast::Switch::body));
    around_.conditions.pop_back();
    edge(behind);
    targets_.pop_back();
    const SwitchFrame frame = switches_.back();
    switches_.pop_back();
    if (!frame.hasDefault && !mayBeExhaustive(chosen, frame.covered)) edge(frame.dispatch, behind);
    current_ = behind;
    step(Step::Kind::Leave, node, chosen);
}

void Builder::caseLabel(NodePtr node) {
    const bool isDefault = node->is<ast::Default>();
    follow();
    if (!switches_.empty()) {
        SwitchFrame& frame = switches_.back();
        frame.hasDefault |= isDefault;
        if (!isDefault)
            if (const Symbol* symbol = bare(node->child(ast::Case::value))->symbol)
                frame.covered.push_back(symbol);
        edge(frame.dispatch, current_);
        step(Step::Kind::Assume, frame.node, frame.node->child(ast::Switch::condition));
    }
    statement(node->child(isDefault ? +ast::Default::body : +ast::Case::body));
}

std::size_t Builder::labelled(std::string_view name) {
    const auto known = labels_.find(name);
    if (known != labels_.end()) return known->second;
    return labels_[name] = block();
}

void Builder::label(NodePtr node) {
    const std::size_t there = labelled(node->child(ast::Label::name)->text());
    edge(there);
    current_ = there;
    statement(node->child(ast::Label::body));
}

void Builder::jump(NodePtr node) {
    if (node->is<ast::Return>()) {
        if (const NodePtr value = node->child(ast::Return::value)) step(Step::Kind::Return, value);
        destroy(0);
        edge(graph_.exit);
        graph_.returnsEarly |= !around_.conditions.empty() || around_.isInLoop;
    } else if (node->is<ast::Goto>()) {
        destroy(0);  // or some of them
        edge(labelled(node->child(ast::Goto::target)->text()));
    } else if (!targets_.empty()) {
        const Target& target = targets_.back();
        const Place& place = node->is<ast::Break>() ? target.broken : target.continued;
        destroy(place.alive);
        edge(place.block);
    }
    current_ = nowhere;
}

void Builder::tryBlock(NodePtr body, NodePtr handlers) {
    if (current_ == nowhere) current_ = block();
    const std::size_t before = current_;
    follow();
    statement(body);
    const std::size_t behind = block();
    edge(behind);
    for (NodePtr handler : handlers->children()) {
        if (!ast::is<ast::Handler>(handler)) continue;
        current_ = block();
        edge(before, current_);
        step(Step::Kind::Forget, handler);
        statement(handler->child(ast::Handler::body));
        edge(behind);
    }
    current_ = behind;
}

}  // namespace

Graph flowGraph(NodePtr body) {
    Graph graph;
    Builder(graph).body(body);
    return graph;
}

}  // namespace hpcc::check::flow
