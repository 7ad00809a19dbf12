// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements in the order in which they run.
#include "ast/declarators.hpp"
#include "ast/symbol.hpp"
#include "check/alignment/library_calls.hpp"
#include "check/alignment/objects.hpp"
#include "check/alignment/walk.hpp"
#include "check/flow/constants.hpp"
#include "check/flow/tracked.hpp"
#include "check/wording.hpp"

namespace hpcc::check::alignment {
namespace {

constexpr int mostRoundsOfLoop = 12;

}  // namespace

// ---- the function ------------------------------------------------------------------------------

Summary Walk::run() {
    summary_.isKnown = true;
    if (const NodePtr parameters = ast::parametersOf(function_)) {
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
    const auto judged = [&](const Coherence& value) {
        Outcome outcome{parametersIn(value), {}, false};
        for (const SourceSet& sources : {value.surely, value.perhaps})
            for (std::size_t k = 0; k < sources_.size() && !outcome.source.place; ++k)
                if (sources[k] && !sources_[k].isParameter)
                    outcome.source = sources_[k], outcome.isSure = value.surely[k];
        return outcome;
    };
    if (result_) summary_.result = judged(result_->whole);
    if (result_)
        for (const auto& [name, value] : result_->parts) summary_.resultParts[name] = judged(value);
    for (const auto& [symbol, k] : parameters_) {
        if (!symbol->type || !symbol->type->isReference || symbol->type->isConst) continue;
        std::vector<std::string_view> parts = state_.values.partsOf(symbol);
        parts.push_back("");
        for (const std::string_view part : parts) {
            const Outcome outcome = judged(state_.values.of({symbol, part}));
            const bool isAsItCame = !outcome.source.place && outcome.on == Coherence::from(k);
            if (!isAsItCame || !part.empty()) summary_.changed[{k, part}] = outcome;
        }
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
    state_.join(targets_.back().broken, control().surely);
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
    const auto [declarator, given] = ast::declaredIn(node);
    if (node->is<ast::InitDeclarator>() && ast::functionDeclarator(declarator)) return;
    const NodePtr value = given ? singleInitializer(given) : nullptr;
    const bool isCalledLater = ast::is<ast::Lambda>(value) && isStable(node->symbol);
    if (isCalledLater) return;  // its calls are looked at
    if (given && declareComposed(node, declarator, given)) {
        if (isKind(node, TypeKind::Class)) construct(node, typeOf(node), nullptr);
        return;
    }
    Coherence coherence = construct(node, typeOf(node), given);
    if (declaration->text().substr(0, 80).find("random_device") != std::string_view::npos)
        coherence |=
            source(Source::everywhere(node, "a random device gives each process other numbers"));
    const bool isCopy = ast::is<ast::StructuredBinding>(declarator);  // auto [a, b] = t
    const Symbol* named = flow::bindsReference(declarator) && !isCopy ? rootOf(value) : nullptr;
    const bool isConst = declaration->text().starts_with("const ");
    const bool isAlias = named && !(isConst && isStable(named));
    const bool isBinding = isCopy || !node->symbol;
    if (isAlias) {
        loseSight(value);
        if (node->symbol) escaped_.insert(node->symbol);
    }
    const Composed object = withParts(bare(value), isBinding ? coherence.weakened() : coherence);
    if (isBinding) {
        const std::vector<const Symbol*> bound = boundNames(declarator);
        if (isAlias) escaped_.insert(bound.begin(), bound.end());
        bind(declarator, object,
             partNames(value ? typeOf(value) : unknownType(), nullptr, bound.size()));
        return;
    }
    if (isStandardOptional(typeOf(node)) && value && isNumber(typeOf(value))) {
        set({node->symbol, "*"}, coherence | control());
        coherence = {};
    }
    set({node->symbol, ""}, coherence | control());
    for (const auto& [part, of] : object.parts) set({node->symbol, part}, of | control());
}

// ---- loops -------------------------------------------------------------------------------------

// `rounds`: what their number depends on besides the condition.
void Walk::loop(NodePtr node, const LoopParts& parts, const Coherence& rounds) {
    State head = state_, exit = State::never();
    const NodePtr condition = bare(parts.condition);
    const bool isEndless =
        condition ? flow::literalCondition(condition) == true : ast::is<ast::For>(node);
    const std::size_t guard = guards_.size();  // a loop is taken to run
    guards_.push_back({parts.condition ? parts.condition : node, rounds});
    for (int round = 0; round < mostRoundsOfLoop; ++round) {
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
        state_.join(target.continued, control().surely);
        if (parts.body) state_.comeBack(parts.body);
        if (parts.step) evaluate(parts.step);
        if (!parts.testsFirst) decide();
        exit.join(target.broken, control().surely);
        head.comeRound(state_, round == 0);
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
    const NodePtr declared = ast::is<ast::Declaration>(initializer)
                                 ? initializer->child(ast::Declaration::declarators)
                                 : nullptr;
    if (!declared) return;
    for (const NodePtr each : declared->children())
        if (each->symbol) state_.values.erase(each->symbol);
}

void Walk::rangeLoop(NodePtr node) {
    statement(node->child(ast::RangeFor::initializer));
    const NodePtr range = bare(node->child(ast::RangeFor::range));
    const Coherence rounds = evaluate(range);  // of {a, b} the elements alone
    const bool isListed = ast::is<ast::BracedInitializer>(range);
    const Symbol* symbol = plainVariable(range);
    const Coherence elements = symbol ? state_.values.anyElementOf(symbol) : rounds;
    const NodePtr declarator = node->child(ast::RangeFor::declarator);
    const bool isConst =
        node->child(ast::RangeFor::specifiers)->text().find("const") != std::string_view::npos;
    const bool isAlias =
        flow::bindsReference(declarator) && !isConst && (!declarator->is<ast::StructuredBinding>());
    if (isAlias && rootOf(range)) {
        loseSight(range);
        for (const Symbol* each : boundNames(declarator)) escaped_.insert(each);
    }
    for (const Symbol* each : boundNames(declarator)) set({each, ""}, elements | control());
    loop(node, {nullptr, nullptr, node->child(ast::RangeFor::body), true},
         isListed ? Coherence() : rounds);
}

// ---- on, at, overall ---------------------------------------------------------------------------

// Runs `inside` under a guard; the group is as before afterwards.
void Walk::located(NodePtr construct, std::size_t depth, const Coherence& guard,
                   const std::function<void()>& inside) {
    const State skipped = state_;
    guards_.push_back({construct, guard});
    inside();
    const SourceSet divided = control().surely;
    guards_.pop_back();
    group_.leaveTo(depth);
    state_.join(skipped, divided);
}

// on (p), on (p / x[3] / i): the members of a restriction are those of the location.
void Walk::on(NodePtr node) {
    NodePtr group = bare(node->child(ast::On::group));
    Coherence guard = evaluate(group);
    if (isKind(group, TypeKind::Target)) return statement(node->child(ast::On::body));
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
