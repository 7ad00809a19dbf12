// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/check.hpp"

#include "ast/visitor.hpp"
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

// The checker's table of contents: which rule looks at which kind of node.
const std::vector<RuleEntry>& allRules() {
    static const std::vector<RuleEntry> rules = {
        // 2. Only elements that the process holds are accessed; an index is not an integer.
        {Kind::Subscript, elementAccess},
        {Kind::Subscript, indexFits},
        {Kind::Section, indexFits},
        {Kind::Binary, indexInOperator},
        {Kind::Unary, indexInUnary},
        {Kind::Postfix, indexInPostfix},
        {Kind::Assign, indexInAssignment},
        {Kind::InitDeclarator, indexInInitializer},
        {Kind::If, indexInCondition},
        {Kind::While, indexInCondition},
        {Kind::DoWhile, indexInCondition},
        {Kind::For, indexInCondition},
        {Kind::Switch, indexInCondition},
        {Kind::Conditional, indexInCondition},
        {Kind::Cast, indexInCast},
        {Kind::NamedCast, indexInCast},
        {Kind::FunctionalCast, indexInCast},
        {Kind::Call, indexInCall},
        {Kind::Return, indexInReturn},
        {Kind::GlobalIndex, globalIndexOperand},
        {Kind::Assign, changedElement},
        {Kind::Unary, changedElement},
        {Kind::Postfix, changedElement},
        // 3. Rank, element type, slots and const agree; each construct gets what it needs.
        {Kind::InitDeclarator, initialization},
        {Kind::MemberInitializer, memberInitialization},
        {Kind::Assign, assignment},
        {Kind::Call, callArguments},
        {Kind::Return, returnedValue},
        {Kind::Cast, castArray},
        {Kind::NamedCast, castArray},
        {Kind::FunctionalCast, castArray},
        {Kind::Section, sectionSubscripts},
        {Kind::Triplet, tripletParts},
        {Kind::Triplet, tripletPlace},
        {Kind::Split, tripletPlace},
        {Kind::On, onGroup},
        {Kind::At, atLocation},
        {Kind::OverallHeader, overallRange},
        {Kind::OverallExpression, overallPlace},
        {Kind::Binary, restrictionOperand},
        {Kind::NewMultiarray, newExtents},
        {Kind::InitDeclarator, declaredType},
        {Kind::Parameter, declaredType},
        {Kind::TypeName, declaredType},
        {Kind::Unary, addressOfArray},
        {Kind::Delete, deletedArray},
        {Kind::MultiarrayType, elementOfArray},
        {Kind::NewMultiarray, elementOfArray},
        {Kind::If, arrayAsCondition},
        {Kind::While, arrayAsCondition},
        {Kind::Binary, arrayInOperator},
        {Kind::Assign, arrayInAssignment},
        {Kind::Unary, arrayInUnary},
        {Kind::Postfix, arrayInPostfix},
        {Kind::Call, arrayPrinted},
        {Kind::RangeFor, rangeForOver},
        {Kind::Call, calledObject},
        {Kind::Assign, assignedResult},
        {Kind::InitDeclarator, madeObject},
        {Kind::Call, madeTemporary},
        {Kind::Call, inquiryArguments},
        {Kind::Call, adlibWithoutName},
        {Kind::Member, memberName},
        {Kind::QualifiedName, adlibName},
        {Kind::Call, adlibArguments},
        // 4. Shifts stay within the ghost cells.
        {Kind::Subscript, shiftWidth},
        // 5. Nothing runs over a process dimension twice; no jump leaves an overall.
        {Kind::At, nestedDimension},
        {Kind::OverallHeader, nestedDimension},
        {Kind::Break, jumpOutOfOverall},
        {Kind::Return, jumpOutOfOverall},
        {Kind::Goto, jumpOutOfOverall},
        // 6. What is read has been assigned, statements are reached, functions return their value.
        {Kind::FunctionDefinition, functionFlow},
        {Kind::Lambda, functionFlow},
    };
    return rules;
}

// Those that ask what an analysis has found out about a whole function.
const std::vector<RuleEntry>& analysedRules() {
    static const std::vector<RuleEntry> rules = {
        // 7. Ghost cells are fresh where a nest reads them.
        {Kind::FunctionDefinition, staleGhosts},
        {Kind::Lambda, staleGhosts},
        // 8. Collectives are reached by all processes of the active group.
        {Kind::FunctionDefinition, collectiveAlignment},
    };
    return rules;
}

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

std::vector<std::vector<Rule>> byKind(const std::vector<RuleEntry>& rules) {
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
    const std::vector<std::vector<Rule>> rules_ = byKind(allRules());
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
    const std::vector<std::vector<Rule>> rules = byKind(analysedRules());
    for (const Place& place : walk.functions) {
        context.path = place.path;
        for (const Rule rule : rules[static_cast<std::size_t>(place.function->kind())])
            rule(context, place.function);
    }
    engine.sort();
}

bool isChecked(const ast::Unit& unit) { return unit.scope || !unit.hasExtensions; }

}  // namespace hpcc::check
