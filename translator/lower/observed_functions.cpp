// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/observed_functions.hpp"

#include <algorithm>
#include <utility>

#include "analysis/harmless_calls.hpp"
#include "ast/comments.hpp"
#include "ast/copy.hpp"
#include "ast/declarators.hpp"
#include "ast/independent.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/specifiers.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "ast/visitor.hpp"
#include "ast/whole.hpp"
#include "ast/writer.hpp"
#include "lower/observer.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

/// `operator_plus_is` of "operator+=".
std::string wordsOf(std::string_view operatorName) {
    static const std::map<char, std::string_view> words{
        {'+', "_plus"},  {'-', "_minus"}, {'*', "_times"}, {'/', "_by"},  {'%', "_rest"},
        {'=', "_is"},    {'<', "_less"},  {'>', "_more"},  {'!', "_not"}, {'&', "_and"},
        {'|', "_or"},    {'^', "_xor"},   {'~', "_flip"},  {'[', "_at"},  {'(', "_call"},
        {',', "_comma"}, {' ', ""},       {']', ""},       {')', ""}};
    std::string result;
    for (const char c : operatorName) {
        const auto word = words.find(c);
        result += word == words.end() ? std::string(1, c) : std::string(word->second);
    }
    return result;
}

NodePtr specifiersBefore(NodePtr function) {
    NodePtr specifiers = function->child(ast::FunctionDefinition::specifiers);
    if (ast::is<ast::MultiarrayType>(specifiers)) specifiers = ast::elementSpecifiers(specifiers);
    return ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::before)
                                                : specifiers;
}

/// The function or lambda variable that a call names; of an instance, that of the template.
NodePtr declarationOf(NodePtr call) {
    const NodePtr callee = call->child(ast::Call::callee);
    if (!analysis::definitionOf(callee) || analysis::calledObject(callee)) return nullptr;
    const ast::Symbol* symbol = callee->symbol;
    if (symbol->kind == ast::SymbolKind::Function && callee->type && callee->type->called)
        symbol = callee->type->called;
    if (symbol->kind == ast::SymbolKind::Function && symbol->generic) symbol = symbol->generic;
    return symbol->declaration;
}

bool isBeginOf(const std::vector<std::string>& outer, const std::vector<std::string>& inner) {
    return outer.size() <= inner.size() && std::equal(outer.begin(), outer.end(), inner.begin());
}

/// Changes nothing of its own between calls.
bool hasNoState(NodePtr lambda) {
    const NodePtr qualifiers = lambda->child(ast::Lambda::qualifiers);
    return !qualifiers || !ast::holdsWord(qualifiers, "mutable");
}

/// It does nothing with elements that are no arguments.
bool isOfLibraries(NodePtr callee) {
    if (ast::is<ast::Member>(callee)) {
        const ast::Type* type = callee->child(ast::Member::base)->type;
        return ast::isHandleType(type) ||
               (type && type->classSymbol && !type->classSymbol->declaration);
    }
    return callee->text().starts_with("std::");
}

}  // namespace

bool capturesAll(NodePtr lambda) {
    return std::ranges::any_of(lambda->child(ast::Lambda::captures)->children(), [](NodePtr each) {
        return ast::is<ast::DefaultCapture>(each) && each->text() == "&";
    });
}

class ObservedFunctions::Collector : public ast::Visitor {
public:
    explicit Collector(ObservedFunctions& functions) : functions_(functions) {}

    void visitNamespace(NodePtr node) override {
        const NodePtr name = node->child(ast::Namespace::name);
        place_.namespaces.push_back(name ? ast::print(name) : "");
        visitChildren(node);
        place_.namespaces.pop_back();
    }
    void visitClass(NodePtr node) override {
        const NodePtr outer = std::exchange(class_, node);
        if (node->symbol) functions_.classes_[node->symbol] = place_.namespaces;
        functions_.unnamed_.noteClass(node);
        visitChildren(node);
        class_ = outer;
    }
    void visitFunctionDefinition(NodePtr node) override {
        const CodePlace outer = place_;
        const NodePtr around = std::exchange(class_, nullptr);
        if (!isInFunction_) place_.begin = node->span().begin;
        const NodePtr name = ast::declaredName(node->child(ast::FunctionDefinition::declarator));
        place_.hasObject = (around || ast::is<ast::QualifiedName>(name)) &&
                           !ast::holdsWord(specifiersBefore(node), "static");
        place_.object = around ? around->symbol : nullptr;
        functions_.places_.emplace(node->span().begin, place_);
        if (canHaveForm(node, around)) note(node->symbol->declaration, node, around != nullptr);
        functions_.unnamed_.note(node, around);
        const bool wasInFunction = std::exchange(isInFunction_, true);
        visitChildren(node);
        isInFunction_ = wasInFunction;
        class_ = around;
        place_ = outer;
    }
    void visitLambda(NodePtr node) override {
        const bool before = place_.capturesAll;
        place_.capturesAll = before && capturesAll(node);
        visitChildren(node);
        place_.capturesAll = before;
    }
    void visitAttributed(NodePtr node) override {
        isAsserted_ = ast::isAssertedIndependent(node) || !ast::promisesOf(node).empty();
        visitChildren(node);
        isAsserted_ = false;
    }
    void visitOverall(NodePtr node) override {
        if (std::exchange(isAsserted_, false)) functions_.nests_.emplace_back(node, place_);
        visitChildren(node);
    }
    void visitCompound(NodePtr node) override {
        for (const NodePtr each : node->children()) {
            if (const NodePtr variable = lambdaIn(each))
                note(variable->symbol->declaration,
                     variable->child(ast::InitDeclarator::initializer)
                         ->child(ast::EqualInitializer::value),
                     false);
            visit(each);
        }
    }

private:
    void note(NodePtr declaration, NodePtr definition, bool isMember) {
        Known known{definition, place_, isMember, ast::is<ast::Lambda>(definition)};
        if (known.isLambda) known.place.capturesAll = place_.capturesAll && capturesAll(definition);
        functions_.known_.emplace(declaration, std::move(known));
    }

    /// `auto f = [..] ..;`
    static NodePtr lambdaIn(NodePtr statement) {
        const NodePtr list = ast::is<ast::Declaration>(statement)
                                 ? statement->child(ast::Declaration::declarators)
                                 : nullptr;
        if (!list || list->children().size() != 1) return nullptr;
        const NodePtr variable = list->child(0);
        const NodePtr initializer = variable->child(ast::InitDeclarator::initializer);
        const NodePtr lambda = ast::is<ast::EqualInitializer>(initializer)
                                   ? initializer->child(ast::EqualInitializer::value)
                                   : nullptr;
        const bool isNamed =
            ast::is<ast::Lambda>(lambda) && variable->symbol && variable->symbol->declaration &&
            hasNoState(lambda) &&
            ast::is<ast::Identifier>(variable->child(ast::InitDeclarator::declarator));
        return isNamed && !ast::holdsDirective(statement->text()) ? variable : nullptr;
    }

    /// No destructor, no conversion, none that another one may override.
    bool canHaveForm(NodePtr node, NodePtr around) const {
        const NodePtr name = ast::declaredName(node->child(ast::FunctionDefinition::declarator));
        const bool mayBeVirtual = around && (around->child(ast::Class::bases) ||
                                             ast::holdsWord(specifiersBefore(node), "virtual"));
        const bool hasResult =
            ast::is<ast::Specifiers>(node->child(ast::FunctionDefinition::specifiers));
        const bool isOperator = hasResult && ast::is<ast::OperatorName>(name);
        return (isOperator || ast::is<ast::Identifier>(name)) && node->symbol &&
               node->symbol->declaration && (hasResult || around) &&
               ast::is<ast::Compound>(node->child(ast::FunctionDefinition::body)) &&
               !mayBeVirtual && (isOperator || !ast::holdsWord(specifiersBefore(node), "friend")) &&
               !ast::holdsDirective(node->text());
    }

    ObservedFunctions& functions_;
    CodePlace place_;
    NodePtr class_ = nullptr;
    bool isInFunction_ = false;
    bool isAsserted_ = false;  // the next nest
};

ObservedFunctions::ObservedFunctions(const ast::Unit& unit, ast::Quoter& quote)
    : macros_(unit.whole->macros()) {
    Collector(*this).visit(unit.root);
    if (!nests_.empty()) {
        operations_.emplace(unit);
        findCalled(unit, quote);
    }
    isComplete_ = true;
}

/// By writing forms, of which nothing else is kept.
void ObservedFunctions::findCalled(const ast::Unit& unit, ast::Quoter& quote) {
    identifiers_ = unit.identifiers;
    ast::Arena arena;
    ast::Writer writer{arena, quote, ast::FreshNames(identifiers_)};
    std::vector<NodePtr> open, unnamed;
    const auto callsIn = [&](NodePtr code, const CodePlace& place) {
        const std::vector<NodePtr> mentioned = unnamed_.mentionedIn(code);
        unnamed.insert(unnamed.end(), mentioned.begin(), mentioned.end());
        Observer observer(writer, *this, place, "nest_asserted");
        observer.rewrite(ast::copy(arena, code));
        return std::move(observer.calls);
    };
    const auto add = [&open](const ObservedCalls& calls) {
        open.insert(open.end(), calls.observed.begin(), calls.observed.end());
    };
    for (const auto& [nest, place] : nests_) add(callsIn(nest, place));
    while (!open.empty() || !unnamed.empty()) {
        if (open.empty()) {
            const NodePtr function = unnamed.back();
            unnamed.pop_back();
            add(callsOfUnnamed_[function] =
                    callsIn(function->children().back(), placeOf(function)));
            continue;
        }
        const NodePtr function = open.back();
        open.pop_back();
        if (calls_.contains(function)) continue;
        const Known& known = known_.at(function);
        ObservedCalls& all = calls_[function];
        all = callsIn(known.definition->children().back(), known.place);
        const NodePtr initializers =
            known.isLambda ? nullptr
                           : known.definition->child(ast::FunctionDefinition::initializers);
        if (initializers) {
            const ObservedCalls more = callsIn(initializers, known.place);
            all.observed.insert(all.observed.end(), more.observed.begin(), more.observed.end());
            all.unseen.insert(more.unseen.begin(), more.unseen.end());
        }
        add(all);
    }
}

std::string ObservedFunctions::nameOf(NodePtr declaration) const {
    const ast::FreshNames names(identifiers_);
    if (!ast::is<ast::FunctionDefinition>(declaration))
        return names.name(declaration->symbol->name + "_asserted");
    const NodePtr name = ast::declaredName(declaration->child(ast::FunctionDefinition::declarator));
    const bool hasResult =
        ast::is<ast::Specifiers>(declaration->child(ast::FunctionDefinition::specifiers));
    if (!hasResult) return std::string(name->text());  // of a constructor
    if (!ast::is<ast::OperatorName>(name))
        return names.name(std::string(name->text()) + "_asserted");
    // Members would hide others in their class.
    const bool isMember =
        known_.at(declaration).isMember && !ast::holdsWord(specifiersBefore(declaration), "friend");
    return names.name(wordsOf(name->text()) + (isMember ? "_of_object" : "") + "_asserted");
}

const CodePlace& ObservedFunctions::placeOf(NodePtr function) const {
    static const CodePlace none;
    const auto found = places_.find(function->span().begin);
    return found == places_.end() ? none : found->second;
}

std::string ObservedFunctions::unseenBy(const ObservedCalls& calls) const {
    std::set<std::string> names = calls.unseen;
    std::set<NodePtr> seen;
    std::vector<NodePtr> open = calls.observed;
    open.insert(open.end(), calls.ends.begin(), calls.ends.end());
    while (!open.empty()) {
        const NodePtr function = open.back();
        open.pop_back();
        if (!seen.insert(function).second) continue;
        const auto unnamed = callsOfUnnamed_.find(function);
        const ObservedCalls& further =
            unnamed == callsOfUnnamed_.end() ? calls_.at(function) : unnamed->second;
        names.insert(further.unseen.begin(), further.unseen.end());
        open.insert(open.end(), further.observed.begin(), further.observed.end());
        open.insert(open.end(), further.ends.begin(), further.ends.end());
    }
    std::string text;
    for (const std::string& each : names) text += (text.empty() ? "" : ", ") + each;
    return text;
}

NodePtr ObservedFunctions::observedBy(NodePtr call, const CodePlace& from) const {
    const auto found = known_.find(declarationOf(call));
    if (found == known_.end() || (isComplete_ && !isWanted(found->first))) return nullptr;
    const Known& known = found->second;
    const bool isQualified = ast::is<ast::QualifiedName>(call->child(ast::Call::callee));
    const bool isFound = isQualified || isBeginOf(known.place.namespaces, from.namespaces);
    return known.isMember || (isFound && isInSight(known, from)) ? found->first : nullptr;
}

bool ObservedFunctions::isInSight(const Known& known, const CodePlace& from) const {
    return known.place.begin <= from.begin && (!known.isLambda || from.capturesAll);
}

/// In the namespace of one of them.
bool ObservedFunctions::isFoundByOperands(NodePtr function, const Known& known) const {
    return std::ranges::any_of(function->type->parameters, [&](const ast::Type* each) {
        const auto object = classes_.find(each->classSymbol);
        return object != classes_.end() && object->second == known.place.namespaces;
    });
}

std::vector<NodePtr> ObservedFunctions::observedBy(const Operated& operated,
                                                   const CodePlace& from) const {
    std::vector<NodePtr> all;
    for (const Operation* each : operated.functions) {
        const auto found = known_.find(each->declaration);
        const bool isLike = (each->owner == nullptr) == (operated.functions[0]->owner == nullptr);
        if (found == known_.end() || !isLike || (isComplete_ && !isWanted(found->first))) return {};
        const Known& known = found->second;
        const bool isFound = isBeginOf(known.place.namespaces, from.namespaces) ||
                             isFoundByOperands(each->declaration, known);
        if (!known.isMember && !(isFound && isInSight(known, from))) return {};
        all.push_back(found->first);
    }
    return all;
}

bool ObservedFunctions::mayReachElements(NodePtr call) const {
    const NodePtr callee = call->child(ast::Call::callee);
    if (callee->text().starts_with("hpspmd::detail::") || macros_.mayBeMacro(call) ||
        analysis::isHarmlessCall(call))
        return false;
    return !isOfLibraries(callee) ||
           std::ranges::any_of(call->child(ast::Call::arguments)->children(), [](NodePtr each) {
               return !ast::isNumber(each->type) && !ast::is<ast::StringLiteral>(each);
           });
}

}  // namespace hpcc::lower
