// Statements in the order in which they run.
#include "ast/declarators.hpp"
#include "ast/symbol.hpp"
#include "ast/visitor.hpp"
#include "check/alignment/library_calls.hpp"
#include "check/alignment/walk.hpp"
#include "check/flow/constants.hpp"
#include "check/flow/tracked.hpp"
#include "check/wording.hpp"

#include <algorithm>

namespace hpcc::check::alignment {
namespace {

constexpr int mostRounds = 12;

NodePtr parametersOf(NodePtr definition) {
    const NodePtr declarator =
        ast::functionDeclarator(definition->child(ast::FunctionDefinition::declarator));
    return declarator ? declarator->child(ast::FunctionDeclarator::parameters) : nullptr;
}

}  // namespace

// ---- the function ------------------------------------------------------------------------------

Summary Walk::run() {
    summary_.isKnown = true;
    if (const NodePtr parameters = parametersOf(function_)) {
        for (std::size_t k = 0; k < parameters->children().size(); ++k) {
            const NodePtr each = parameters->child(static_cast<uint32_t>(k));
            if (!each->symbol || k >= mostSources / 4) continue;
            Source made;
            made.place = each;
            made.isParameter = true;
            parameters_[each->symbol] = k;
            state_.values.set({each->symbol, ""}, source(std::move(made)));
        }
    }
    body(function_);
    summarize();
    return std::move(summary_);
}

void Walk::summarize() {
    const auto ownSource = [&](const Coherence& value) -> const Source* {
        for (std::size_t k = 0; k < sources_.size(); ++k)
            if (value[k] && !sources_[k].isParameter) return &sources_[k];
        return nullptr;
    };
    summary_.resultDependsOn = parametersIn(result_);
    if (const Source* source = ownSource(result_)) summary_.result = *source;
    for (const auto& [symbol, k] : parameters_) {
        if (!symbol->type || !symbol->type->isReference || symbol->type->isConst) continue;
        const Coherence value = state_.values.of({symbol, ""});
        const Coherence depends = parametersIn(value);
        const Source* source = ownSource(value);
        if (!source && depends == Coherence().set(k)) continue;  // as it came
        summary_.changed[k] = depends;
        if (source) summary_.differing[k] = *source;
    }
}

void Walk::body(NodePtr function) {
    targets_.push_back({function, nullptr, State::never(), State::never()});
    if (const NodePtr initializers = function->child(ast::FunctionDefinition::initializers)) {
        for (NodePtr each : initializers->children()) {
            if (!ast::is<ast::MemberInitializer>(each)) continue;
            const NodePtr value = each->child(ast::MemberInitializer::initializer);
            set({each->symbol, ""}, construct(each, typeOf(each), value));
        }
    }
    const NodePtr inside = function->child(ast::FunctionDefinition::body);
    if (ast::is<ast::FunctionTry>(inside))
        tryBlock(inside, inside->child(ast::FunctionTry::body),
                 inside->child(ast::FunctionTry::handlers));
    else
        statement(inside);
    state_.join(targets_.back().broken);
    targets_.pop_back();
}

// Loops within loops and lambdas within lambdas are repeated as long as the work is in proportion
// to the text; then the analysis goes on with what it knows.
bool Walk::isTired() const { return steps_ > 10000 + function_->text().size(); }

// ---- statements --------------------------------------------------------------------------------

void Walk::statement(NodePtr node) {
    if (!node) return;
    ++steps_;
    dispatch(node);
}

void Walk::statements(NodePtr list) {
    for (NodePtr each : list->children()) statement(each);
}

void Walk::tryStatement(NodePtr node) {
    tryBlock(node, node->child(ast::Try::body), node->child(ast::Try::handlers));
}

// It may assign whatever it names.
void Walk::opaqueStatement(NodePtr) { state_.values.clear(); }

void Walk::declare(NodePtr declaration, NodePtr node) {
    const bool isVariable = node->is<ast::InitDeclarator>();
    const NodePtr declarator = isVariable ? node->child(ast::InitDeclarator::declarator)
                                          : node->child(ast::ConditionDeclaration::declarator);
    const NodePtr given = isVariable ? node->child(ast::InitDeclarator::initializer)
                                     : node->child(ast::ConditionDeclaration::initializer);
    if (isVariable && ast::functionDeclarator(declarator)) return;
    const NodePtr value = given ? singleInitializer(given) : nullptr;
    const bool isCalledLater = ast::is<ast::Lambda>(value) && isStable(node->symbol);
    if (isCalledLater) return;  // its calls are looked at
    Coherence coherence = construct(node, typeOf(node), given);
    if (declaration->text().substr(0, 80).find("random_device") != std::string_view::npos) {
        Source made;
        made.place = node;
        made.reason = "a random device gives each process other numbers";
        made.isEverywhere = true;
        coherence |= source(std::move(made));
    }
    const bool aliases = flow::bindsReference(declarator) && ast::is<ast::Identifier>(value) &&
                         !typeOf(node)->isConst;
    if (aliases) forget(value->symbol), escaped_.insert(value->symbol);
    if (ast::is<ast::StructuredBinding>(declarator) || !node->symbol) {
        struct Names : ast::Visitor {
            std::vector<NodePtr> names;
            void visitIdentifier(NodePtr name) override { names.push_back(name); }
        } bound;
        bound.visit(declarator);
        for (NodePtr name : bound.names) set({name->symbol, ""}, coherence | control());
        return;
    }
    set({node->symbol, ""}, coherence | control());
}

void Walk::branch(NodePtr node) {
    statement(node->child(ast::If::initializer));
    const NodePtr condition = node->child(ast::If::condition);
    const Coherence who = test(condition);
    const auto known = flow::literalCondition(bare(condition));
    const State before = state_;
    guards_.push_back({condition, who});
    if (known == false) state_.end();
    statement(node->child(ast::If::then));
    const State afterThen = state_;
    state_ = before;
    if (known == true) state_.end();
    statement(node->child(ast::If::otherwise));
    guards_.pop_back();
    state_.join(afterThen);
}

// ---- loops -------------------------------------------------------------------------------------

// `rounds`: what their number depends on besides the condition.
void Walk::loop(NodePtr node, const LoopParts& parts, const Coherence& rounds) {
    State head = state_, exit = State::never();
    const NodePtr condition = bare(parts.condition);
    const bool isEndless =
        condition ? flow::literalCondition(condition) == true : ast::is<ast::For>(node);
    const std::size_t guard = guards_.size();
    guards_.push_back({parts.condition ? parts.condition : node, rounds});
    for (int round = 0; round < mostRounds; ++round) {
        const State before = head;
        const Coherence who = guards_[guard].who;
        state_ = head;
        exit = State::never();
        const auto decide = [&] {
            if (parts.condition) guards_[guard].who |= test(parts.condition);
            exit = state_;
            if (isEndless) exit.end();
        };
        if (parts.testsFirst) decide();
        targets_.push_back({node, parts.body, State::never(), State::never()});
        statement(parts.body);
        const Target target = std::move(targets_.back());
        targets_.pop_back();
        state_.join(target.continued);
        if (parts.body) state_.comeBack(parts.body);
        if (parts.step) evaluate(parts.step);
        if (!parts.testsFirst) decide();
        exit.join(target.broken);
        head.join(state_);
        if ((head == before && guards_[guard].who == who) || isTired()) break;
    }
    guards_.resize(guard);
    state_ = std::move(exit);
    for (const Left& each : head.left) state_.add(each);
    state_.comeBack(node);
}

void Walk::whileLoop(NodePtr node) {
    loop(node, {node->child(ast::While::condition), nullptr, node->child(ast::While::body), true},
         {});
}

void Walk::doLoop(NodePtr node) {
    loop(node,
         {node->child(ast::DoWhile::condition), nullptr, node->child(ast::DoWhile::body), false},
         {});
}

void Walk::macroStatement(NodePtr node) {
    loop(node, {nullptr, nullptr, node->child(ast::MacroStatement::body), true}, {});
}

void Walk::forLoop(NodePtr node) {
    statement(node->child(ast::For::initializer));
    loop(node,
         {node->child(ast::For::condition), node->child(ast::For::step),
          node->child(ast::For::body), true},
         {});
    forgetDeclaredIn(node->child(ast::For::initializer));
}

/// Nobody asks for them any more, and a function may have many loops.
void Walk::forgetDeclaredIn(NodePtr initializer) {
    struct Declared : ast::Visitor {
        std::vector<const Symbol*> symbols;
        void visitInitDeclarator(NodePtr node) override {
            if (node->symbol) symbols.push_back(node->symbol);
        }
    } declared;
    if (ast::is<ast::Declaration>(initializer)) declared.visit(initializer);
    for (const Symbol* each : declared.symbols) state_.values.erase(each);
}

void Walk::rangeLoop(NodePtr node) {
    statement(node->child(ast::RangeFor::initializer));
    const Coherence range = evaluate(node->child(ast::RangeFor::range));
    if (node->symbol) set({node->symbol, ""}, range | control());
    loop(node, {nullptr, nullptr, node->child(ast::RangeFor::body), true}, range);
}

// ---- on, at, overall ---------------------------------------------------------------------------

// Runs `inside` under a guard; the group is as before afterwards.
void Walk::located(NodePtr construct, std::size_t depth, const Coherence& guard,
                   const std::function<void()>& inside) {
    const State skipped = state_;
    guards_.push_back({construct, guard});
    inside();
    guards_.pop_back();
    group_.leaveTo(depth);
    state_.join(skipped);
}

// on (p), on (p / x[3] / i): the members of a restriction are those of the location.
void Walk::on(NodePtr node) {
    NodePtr group = bare(node->child(ast::On::group));
    Coherence guard = evaluate(group);
    const std::size_t depth = group_.depth();
    std::vector<RangeFacts> along;
    while (ast::is<ast::Binary>(group) && isKind(group, TypeKind::Group)) {
        along.push_back(rangeFacts(rangeOfLocation(group->child(ast::Binary::right))));
        group = bare(group->child(ast::Binary::left));
    }
    const Symbol* grid = ast::is<ast::Identifier>(group) ? group->symbol : nullptr;
    Source members;
    members.place = node->child(ast::On::group);
    members.reason = "only the members of '" + textOf(members.place) + "' run this 'on'";
    members.along = along;
    if (mayHaveOutsiders(grid)) members.members = grid;
    const bool mayExclude = members.members || !along.empty();
    if (mayExclude) guard |= source(std::move(members));
    group_.enterOn(node, grid);
    for (const RangeFacts& each : along) group_.enterLocation(node, each);
    located(node, depth, guard, [&] { statement(node->child(ast::On::body)); });
}

void Walk::at(NodePtr node) {
    const NodePtr location = node->child(ast::At::location);
    Coherence guard = evaluate(location);
    const NodePtr range = rangeOfLocation(location);
    Source holders;
    holders.place = location;
    holders.reason = "only the processes that hold '" + textOf(location) + "' run this 'at'";
    holders.along = {rangeFacts(range)};
    const std::size_t depth = group_.depth();
    const bool isWhole = holders.along[0].format == "CollapsedRange";
    if (!isWhole) {
        group_.enterLocation(node, holders.along[0]);
        guard |= source(std::move(holders));
    }
    located(node, depth, guard, [&] { statement(node->child(ast::At::body)); });
}

// The guard under which the body runs.
Coherence Walk::enterHeaders(NodePtr construct, NodePtr headers) {
    Coherence guard;
    for (NodePtr header : headers->children()) {
        const NodePtr range = header->child(ast::OverallHeader::range);
        guard |= evaluate(range) | evaluate(header->child(ast::OverallHeader::triplet));
        const RangeFacts facts = rangeFacts(range);
        if (facts.format == "CollapsedRange") continue;
        Source iterations;
        iterations.place = header;
        iterations.reason = "each process has run other iterations of this 'overall'";
        iterations.along = {facts};
        guard |= source(std::move(iterations));
        group_.enterLocation(construct, facts);
    }
    return guard;
}

void Walk::overall(NodePtr node) {
    const std::size_t depth = group_.depth();
    const Coherence guard = enterHeaders(node, node->child(ast::Overall::headers));
    located(node, depth, guard, [&] {
        loop(node, {nullptr, nullptr, node->child(ast::Overall::body), true}, {});
    });
}

}  // namespace hpcc::check::alignment
