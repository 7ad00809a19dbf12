// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/check.hpp"

#include "check/annotate.hpp"
#include "check/functions.hpp"
#include "check/halo/results.hpp"
#include "check/rules.hpp"
#include "threads/deep_stack.hpp"

#include <algorithm>
#include <functional>

namespace hpcc::check {
namespace {

using ast::Kind;

constexpr RuleEntry allRules[] = {
#define RULE(kind, rule) {Kind::kind, rule},
#include "check/all_rules.def"
};

constexpr RuleEntry analysedRules[] = {
#define ANALYSED_RULE(kind, rule) {Kind::kind, rule},
#include "check/all_rules.def"
};

bool accessesMultiarray(NodePtr node) {
    if (!node || !node->contains(ast::subscript)) return false;
    if (node->is<ast::Subscript>() &&
        isKind(node->child(ast::Subscript::base), TypeKind::Multiarray))
        return true;
    return std::ranges::any_of(node->children(), accessesMultiarray);
}

bool usesExtensions(NodePtr node) {
    return node->contains(ast::extension) || accessesMultiarray(node);
}

// Plain functions beside others may call collectives, too.
bool isJudged(NodePtr function) {
    return usesExtensions(function) || function->text().find("Adlib::") != std::string_view::npos;
}

std::vector<std::vector<Rule>> byKind(std::span<const RuleEntry> rules) {
    std::vector<std::vector<Rule>> result(static_cast<std::size_t>(ast::kindCount()));
    for (const RuleEntry& entry : rules)
        result[static_cast<std::size_t>(entry.kind)].push_back(entry.rule);
    return result;
}

bool isFunction(NodePtr node) {
    return node->is<ast::FunctionDefinition>() || node->is<ast::Lambda>();
}

// A function, and what stands around it.
struct Place {
    std::vector<NodePtr> path;
    NodePtr function;
};

// One walk over the tree that shows each node to its rules, inside before outside.
class RuleWalk {
public:
    explicit RuleWalk(Context& context) : context_(context) {}

    std::vector<Place> functions;  // that it has passed

    void walk(NodePtr node) {
        if (!node) return;
        const std::vector<Rule>& rules = rules_[static_cast<std::size_t>(node->kind())];
        if (rules.empty() && node->children().empty()) return;
        const bool isOutermostFunction = node->is<ast::FunctionDefinition>() && functionDepth_ == 0;
        if (isOutermostFunction && !isJudged(node)) return;
        functionDepth_ += node->is<ast::FunctionDefinition>();
        context_.path.push_back(node);
        for (NodePtr child : node->children()) walk(child);
        context_.path.pop_back();
        functionDepth_ -= node->is<ast::FunctionDefinition>();
        for (const Rule rule : rules) rule(context_, node);
        if (isFunction(node)) functions.push_back({context_.path, node});
    }

private:
    Context& context_;
    const std::vector<std::vector<Rule>> rules_ = byKind(allRules);
    int functionDepth_ = 0;
};

// The functions that the rules look at, inside before outside.
void collectFunctions(NodePtr node, std::vector<NodePtr>& functions, bool isInFunction = false) {
    if (!node) return;
    const bool isDefinition = node->is<ast::FunctionDefinition>();
    if (isDefinition && !isInFunction && !isJudged(node)) return;
    for (NodePtr child : node->children())
        collectFunctions(child, functions, isInFunction || isDefinition);
    if (isFunction(node)) functions.push_back(node);
}

// The two analyses and the walk know nothing of one another: in large texts they run side by side.
void analyse(const ast::Unit& unit, RuleWalk& walk, Context& context) {
    constexpr std::size_t large = 1 << 16;  // bytes; the time of a thread's start does not count
    const std::vector<std::function<void()>> works = {
        [&] {
            std::vector<NodePtr> functions;
            collectFunctions(unit.root, functions);
            for (NodePtr each : functions) context.halos.of(each);
        },
        [&] {
            std::vector<NodePtr> functions;
            collectFunctions(unit.root, functions);
            for (NodePtr each : functions)
                if (each->is<ast::FunctionDefinition>()) context.alignment.ofDefinition(each);
        },
        [&] { walk.walk(unit.root); }};
    if (unit.text->size() >= large) return threads::together(works);
    for (const auto& work : works) work();
}

}  // namespace

void check(ast::Unit& unit, diagnostics::Engine& engine) {
    if (!unit.hasExtensions && unit.imports.empty()) return;
    annotate(unit);
    if (!unit.hasExtensions) unit.hasExtensions = usesExtensions(unit.root);
    if (!unit.hasExtensions) return;
    const ForeignNames foreignNames(unit);
    const ast::MacroNames& macros = unit.whole->macros();
    const Functions functions(unit), functionsOfAlignment(unit);  // each is for one thread
    alignment::Summaries summaries(functionsOfAlignment, macros);
    halo::Results halos(functions, macros);
    Context context{engine, foreignNames, macros, summaries, halos, {}};
    RuleWalk walk(context);
    analyse(unit, walk, context);
    const std::vector<std::vector<Rule>> rules = byKind(analysedRules);
    for (const Place& place : walk.functions) {
        context.path = place.path;
        for (const Rule rule : rules[static_cast<std::size_t>(place.function->kind())])
            rule(context, place.function);
    }
    engine.sort();
}

bool isChecked(const ast::Unit& unit) { return unit.scope || !unit.hasExtensions; }

}  // namespace hpcc::check
