// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/unnamed_functions.hpp"

#include <algorithm>

#include "ast/comments.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/search.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

bool refersElsewhere(const ast::Type* type) {
    return type &&
           (type->isReference || type->kind == ast::TypeKind::Unknown || ast::isHandleType(type));
}

NodePtr lastName(NodePtr name) {
    while (ast::is<ast::QualifiedName>(name)) name = name->child(ast::QualifiedName::name);
    return name;
}

/// The class of `Left::~Left`.
const ast::Symbol* qualifierOf(NodePtr name) {
    if (!ast::is<ast::QualifiedName>(name)) return nullptr;
    const NodePtr qualifier = name->child(ast::QualifiedName::qualifier);
    const NodePtr last = ast::is<ast::QualifiedName>(qualifier) ? lastName(qualifier) : qualifier;
    return last ? last->symbol : nullptr;
}

bool runsUnnamed(NodePtr definition, NodePtr name) {
    if (ast::is<ast::DestructorName>(name)) return true;
    if (ast::isAny<ast::Specifiers, ast::MultiarrayType>(
            definition->child(ast::FunctionDefinition::specifiers)))
        return false;  // it has a result that is written
    if (ast::isAny<ast::OperatorName, ast::ConversionName>(name)) return true;
    const ast::Type* type = definition->type;
    return ast::is<ast::Identifier>(name) && type && !type->parameters.empty() &&
           type->requiredParameters <= 1;
}

/// Text that would stand there twice, or that no program runs.
bool holdsOthers(NodePtr definition) {
    return ast::holdsDirective(definition->text()) || ast::anywhere(definition, [](NodePtr each) {
               return ast::is<ast::Specifier>(each) &&
                      (each->text() == "static" || each->text() == "consteval");
           });
}

}  // namespace

bool reachesItsObjectOnly(NodePtr body) {
    return !ast::anywhere(body, [](NodePtr each) {
        const bool isChange = ast::changedOperand(each) != nullptr;
        const bool isOther =
            ast::isAny<ast::Call, ast::FunctionalCast, ast::New, ast::Lambda, ast::Subscript,
                       ast::PointerMember, ast::Overall>(each) ||
            (ast::is<ast::Unary>(each) &&
             each->child(ast::Unary::op)->text().find_first_of("*&") != std::string_view::npos);
        const bool isElsewhere =
            ast::is<ast::Identifier>(each) && each->symbol && refersElsewhere(each->symbol->type);
        return isChange || isOther || isElsewhere;
    });
}

void UnnamedFunctions::noteClass(NodePtr node) {
    if (node->symbol) classes_[node->symbol] = node;
}

void UnnamedFunctions::note(NodePtr definition, NodePtr around) {
    const NodePtr declared =
        ast::declaredName(definition->child(ast::FunctionDefinition::declarator));
    const ast::Symbol* object = around ? around->symbol : qualifierOf(declared);
    const NodePtr body = definition->child(ast::FunctionDefinition::body);
    if (object && object->kind == ast::SymbolKind::Class && ast::is<ast::Compound>(body) &&
        runsUnnamed(definition, lastName(declared)) && !holdsOthers(definition) &&
        !reachesItsObjectOnly(body))
        functions_[object].push_back(definition);
}

std::vector<NodePtr> UnnamedFunctions::mentionedIn(NodePtr code) {
    std::vector<NodePtr> found;
    mention(code, found);
    for (const NodePtr each : found) begins_.insert(each->span().begin);
    return found;
}

bool UnnamedFunctions::isMentioned(NodePtr definition) const {
    const NodePtr name =
        lastName(ast::declaredName(definition->child(ast::FunctionDefinition::declarator)));
    return begins_.contains(definition->span().begin) && runsUnnamed(definition, name);
}

NodePtr UnnamedFunctions::destructorOf(const ast::Symbol* object) const {
    const auto all = functions_.find(object);
    if (all == functions_.end()) return nullptr;
    const auto found = std::ranges::find_if(all->second, [](NodePtr each) {
        return ast::is<ast::DestructorName>(
            lastName(ast::declaredName(each->child(ast::FunctionDefinition::declarator))));
    });
    return found == all->second.end() ? nullptr : *found;
}

void UnnamedFunctions::mention(NodePtr code, std::vector<NodePtr>& found) {
    ast::anywhere(code, [&](NodePtr each) {
        mention(each->type, found);
        if (each->symbol) mention(each->symbol->type, found), mention(each->symbol, found);
        return false;
    });
}

void UnnamedFunctions::mention(const ast::Type* type, std::vector<NodePtr>& found) {
    for (; type; type = type->element ? type->element : type->result) {
        mention(type->classSymbol, found);
        for (const ast::Type* each : type->arguments) mention(each, found);
    }
}

void UnnamedFunctions::mention(const ast::Symbol* object, std::vector<NodePtr>& found) {
    if (!object || object->kind != ast::SymbolKind::Class || !mentioned_.insert(object).second)
        return;
    mention(object->generic, found);
    const auto functions = functions_.find(object);
    if (functions != functions_.end())
        found.insert(found.end(), functions->second.begin(), functions->second.end());
    const auto definition = classes_.find(object);
    if (definition == classes_.end()) return;
    mention(definition->second->child(ast::Class::bases), found);
    mention(definition->second->child(ast::Class::members), found);
}

}  // namespace hpcc::lower
