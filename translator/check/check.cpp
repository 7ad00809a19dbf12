#include "check/check.hpp"

#include "ast/visitor.hpp"
#include "check/annotate.hpp"
#include "check/functions.hpp"
#include "check/halo/results.hpp"
#include "check/rules.hpp"

#include <algorithm>

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
        // 7. Ghost cells are fresh where a nest reads them.
        {Kind::FunctionDefinition, staleGhosts},
        {Kind::Lambda, staleGhosts},
        // 8. Collectives are reached by all processes of the active group.
        {Kind::FunctionDefinition, collectiveAlignment},
    };
    return rules;
}

bool isExtension(NodePtr node) {
    switch (node->kind()) {
    case Kind::MultiarrayType:
    case Kind::On:
    case Kind::At:
    case Kind::Overall:
    case Kind::OverallExpression:
    case Kind::Section:
    case Kind::GlobalIndex:
    case Kind::NewMultiarray:
    case Kind::Split:
        return true;
    case Kind::Subscript:
        return isKind(node->child(ast::Subscript::base), TypeKind::Multiarray);
    default:
        return false;
    }
}

bool usesExtensions(NodePtr node) {
    return node && (isExtension(node) || std::ranges::any_of(node->children(), usesExtensions));
}

std::vector<std::vector<Rule>> rulesByKind() {
    std::vector<std::vector<Rule>> byKind(static_cast<std::size_t>(ast::kindCount()));
    for (const RuleEntry& entry : allRules())
        byKind[static_cast<std::size_t>(entry.kind)].push_back(entry.rule);
    return byKind;
}

// One walk over the tree that shows each node to its rules, inside before outside.
class RuleWalk {
public:
    explicit RuleWalk(Context& context) : context_(context) {}

    void walk(NodePtr node) {
        if (!node) return;
        const bool isOutermostFunction = node->is<ast::FunctionDefinition>() && functionDepth_ == 0;
        if (isOutermostFunction && !usesExtensions(node)) return;
        functionDepth_ += node->is<ast::FunctionDefinition>();
        context_.path.push_back(node);
        for (NodePtr child : node->children()) walk(child);
        context_.path.pop_back();
        functionDepth_ -= node->is<ast::FunctionDefinition>();
        for (const Rule rule : rules_[static_cast<std::size_t>(node->kind())]) rule(context_, node);
    }

private:
    Context& context_;
    const std::vector<std::vector<Rule>> rules_ = rulesByKind();
    int functionDepth_ = 0;
};

}  // namespace

void check(ast::Unit& unit, diagnostics::Engine& engine) {
    if (!unit.hasExtensions && unit.imports.empty()) return;
    annotate(unit);
    if (!unit.hasExtensions) unit.hasExtensions = usesExtensions(unit.root);
    if (!unit.hasExtensions) return;
    const ForeignNames foreignNames(unit);
    const ast::MacroNames& macros = unit.whole->macros();
    const Functions functions(unit);
    alignment::Summaries summaries(functions, macros);
    halo::Results halos(functions, macros);
    Context context{engine, foreignNames, macros, summaries, halos, {}};
    RuleWalk(context).walk(unit.root);
    engine.sort();
}

bool isChecked(const ast::Unit& unit) { return unit.scope || !unit.hasExtensions; }

}  // namespace hpcc::check
