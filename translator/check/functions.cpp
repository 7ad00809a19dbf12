// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/functions.hpp"

#include "ast/declarators.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "ast/symbol.hpp"
#include "check/words.hpp"

#include <algorithm>

namespace hpcc::check {
namespace {

using ast::Kind;

bool isSameSignature(const Type* a, const Type* b) {
    return a && b && a->kind == TypeKind::Function && b->kind == TypeKind::Function &&
           std::ranges::equal(a->parameters, b->parameters, {}, nameOf, nameOf);
}

bool isAmongOverloads(const Symbol& wanted, const Symbol* head) {
    for (; head; head = head->previous)
        if (head == &wanted || head->declaration == wanted.declaration) return true;
    return false;
}

// The overload of `method` that a class itself declares; null if there is none.
const Symbol* declaredIn(NodePtr classNode, const Symbol& method) {
    const ast::Scope* scope = classNode->symbol ? classNode->symbol->members : nullptr;
    for (const Symbol* each = scope ? scope->findHere(method.name) : nullptr; each;
         each = each->previous)
        if (each == &method || isSameSignature(each->type, method.type)) return each;
    return nullptr;
}

bool derivesFrom(const ast::Scope* scope, const ast::Scope* base, int depth = 16) {
    return scope && depth > 0 &&
           std::ranges::any_of(scope->included(), [&](const ast::Scope* each) {
               return each == base || derivesFrom(each, base, depth - 1);
           });
}

std::string_view lastName(NodePtr name) {
    while (ast::is<ast::QualifiedName>(name)) name = name->child(ast::QualifiedName::name);
    if (ast::is<ast::TemplateName>(name)) name = name->child(ast::TemplateName::name);
    return name ? name->text() : std::string_view();
}

}  // namespace

bool isQualified(const Symbol& function, std::string_view word) {
    const NodePtr declared = function.declaration;
    NodePtr declarator = nullptr;
    if (ast::is<ast::FunctionDefinition>(declared))
        declarator = declared->child(ast::FunctionDefinition::declarator);
    if (ast::is<ast::InitDeclarator>(declared))
        declarator = declared->child(ast::InitDeclarator::declarator);
    return ast::isQualifiedAs(declarator, word);
}

// ---- collecting ------------------------------------------------------------------------------

void Functions::collect() const {
    if (isCollected_) return;
    isCollected_ = true;
    collect(unit_);
}

void Functions::collect(const ast::Unit& unit) const {
    if (!seen_.insert(&unit).second) return;
    for (const ast::Unit* import : unit.imports) collect(*import);
    collect(unit.root, false);
}

namespace {

struct Declared {
    NodePtr node, specifiers, declarator;
};

// The functions that a declaration or definition declares.
std::vector<Declared> declaredFunctions(NodePtr node) {
    if (node->is<ast::FunctionDefinition>())
        return {{node, node->child(ast::FunctionDefinition::specifiers),
                 node->child(ast::FunctionDefinition::declarator)}};
    const NodePtr list =
        node->is<ast::Declaration>() ? node->child(ast::Declaration::declarators) : nullptr;
    std::vector<Declared> found;
    if (!list) return found;
    for (NodePtr each : list->children()) {
        const NodePtr declarator = ast::is<ast::InitDeclarator>(each)
                                       ? each->child(ast::InitDeclarator::declarator)
                                       : nullptr;
        if (ast::functionDeclarator(declarator))
            found.push_back({each, node->child(ast::Declaration::specifiers), declarator});
    }
    return found;
}

}  // namespace

namespace {

bool isSpecialization(NodePtr node) {
    if (node->child(ast::Template::parameters)->children().empty()) return true;
    NodePtr declared = node->child(ast::Template::declaration);
    if (!ast::is<ast::Declaration>(declared)) return false;
    declared = declared->child(ast::Declaration::specifiers);
    if (ast::is<ast::Specifiers>(declared)) declared = declared->child(ast::Specifiers::core);
    return ast::is<ast::Class>(declared) &&
           ast::is<ast::TemplateName>(declared->child(ast::Class::name));
}

}  // namespace

void Functions::collectMember(NodePtr node, NodePtr classNode) const {
    if (ast::is<ast::Template>(node)) node = node->child(ast::Template::declaration);
    if (!node) return;
    for (const Declared& each : declaredFunctions(node)) {
        classOf_.emplace(each.node, classNode);
        if (!ast::isVirtual(each.specifiers, each.declarator)) continue;
        virtual_.insert(each.node);
        virtuals_.emplace(lastName(ast::declaredName(each.declarator)), classNode);
    }
}

// template <> void f<int>(..), template <> struct S<int> { .. }, template <class T> struct S<T*>
void Functions::collectSpecialized(NodePtr node, bool isMember) const {
    if (node->is<ast::FunctionDefinition>() || node->is<ast::Declaration>())
        for (const Declared& each : declaredFunctions(node)) {
            const NodePtr name = ast::declaredName(each.declarator);
            const bool mayBeEither = ast::is<ast::QualifiedName>(name);  // of a class, a namespace
            const bool isOverload =
                !isMember && ast::is<ast::Identifier>(name);  // and a symbol of its own
            for (Names* names : {&specialized_, isOverload ? nullptr : &hidden_}) {
                if (!names) continue;
                if (isMember || mayBeEither) names->members.insert(lastName(name));
                if (!isMember) names->functions.insert(lastName(name));
            }
        }
    const NodePtr specifiers =
        node->is<ast::Declaration>() ? node->child(ast::Declaration::specifiers) : nullptr;
    const NodePtr core =
        ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::core) : nullptr;
    if (!ast::is<ast::Class>(core)) return;
    for (NodePtr each : core->child(ast::Class::members)->children())
        if (each) collectSpecialized(each, true);
}

// Declarations hold declarations in these places. Of bodies, only classes in them count that have
// virtual functions.
void Functions::collect(NodePtr node, bool isInClass) const {
    if (!node) return;
    switch (node->kind()) {
    case Kind::FunctionDefinition: {
        const NodePtr name = ast::declaredName(node->child(ast::FunctionDefinition::declarator));
        definitions_.insert({lastName(name), {node, isInClass}});
        const NodePtr body = node->child(ast::FunctionDefinition::body);
        if (body && (holdsWord(body->text(), "virtual") || holdsWord(body->text(), "override")))
            for (const NodePtr each : ast::allOf<ast::Class>(body)) collect(each, isInClass);
        return;
    }
    case Kind::Attributed:
        note(node->child(ast::Attributed::attributes), node->child(ast::Attributed::declaration));
        return collect(node->child(ast::Attributed::declaration), isInClass);
    case Kind::Declaration:
        return collect(node->child(ast::Declaration::specifiers), isInClass);
    case Kind::Specifiers:
        return collect(node->child(ast::Specifiers::core), isInClass);
    case Kind::Class:
        classes_.push_back(node);
        for (NodePtr each : node->child(ast::Class::members)->children()) collectMember(each, node);
        return collect(node->child(ast::Class::members), true);
    case Kind::TranslationUnit:
    case Kind::Namespace:
    case Kind::Members:
    case Kind::LinkageSpecification:
        for (NodePtr child : node->children()) collect(child, isInClass);
        return;
    case Kind::Template:
        if (isSpecialization(node))
            collectSpecialized(node->child(ast::Template::declaration), isInClass);
        return collect(node->child(ast::Template::declaration), isInClass);
    default:
        return;
    }
}

void Functions::note(NodePtr attributes, NodePtr declared) const {
    if (!declared) return;
    if (declared->is<ast::Template>() || declared->is<ast::Attributed>())
        return note(attributes, declared->children().back());
    const bool isList = declared->is<ast::Declaration>();
    const NodePtr declarators = isList ? declared->child(ast::Declaration::declarators) : nullptr;
    const auto add = [&](NodePtr declaration) {
        for (NodePtr each : attributes->children())
            if (ast::is<ast::HpspmdAttribute>(each)) attributes_[declaration].push_back(each);
    };
    if (!isList) return add(declared);
    if (!declarators) return;
    for (NodePtr each : declarators->children()) add(each);
}

// ---- asking ----------------------------------------------------------------------------------

NodePtr Functions::definition(const Symbol& function) const {
    if (ast::is<ast::FunctionDefinition>(function.declaration)) return function.declaration;
    if (function.kind != ast::SymbolKind::Function || !function.declaration) return nullptr;
    collect();
    NodePtr byName = nullptr;
    int count = 0;
    const auto [begin, end] = definitions_.equal_range(function.name);
    for (auto at = begin; at != end; ++at) {
        const auto [node, isInClass] = at->second;
        if (!isSameSignature(node->type, function.type)) continue;
        if (node->symbol && isAmongOverloads(function, node->symbol)) return node;
        const NodePtr name = ast::declaredName(node->child(ast::FunctionDefinition::declarator));
        if (isInClass || !ast::is<ast::Identifier>(name)) continue;
        byName = node;
        ++count;
    }
    return count == 1 ? byName : nullptr;  // declared in a header, defined in the file
}

namespace {

// True if `base` is the class, or one that it derives from, perhaps out of sight.
bool mayDerive(NodePtr classNode, NodePtr base, int depth = 16) {
    if (classNode == base || depth == 0) return true;
    const NodePtr bases = classNode->child(ast::Class::bases);
    return bases && std::ranges::any_of(bases->children(), [&](NodePtr each) {
               const Symbol* symbol = each->child(ast::Base::name)->symbol;
               return !symbol || !ast::is<ast::Class>(symbol->declaration) ||
                      mayDerive(symbol->declaration, base, depth - 1);
           });
}

}  // namespace

bool Functions::mayVary(const Symbol& function) const {
    collect();
    return mayVary(function, specialized_);
}

bool Functions::mayVary(const Symbol& function, const Names& specialized) const {
    const auto own = classOf_.find(function.declaration);
    const bool isMember = own != classOf_.end();
    if ((isMember ? specialized.members : specialized.functions).contains(function.name))
        return true;
    const auto [begin, end] = virtuals_.equal_range(function.name);
    return isMember && std::any_of(begin, end, [&](const auto& each) {
               return mayDerive(own->second, each.second);
           });
}

void Functions::noteVarying() const {
    collect();
    for (const auto& [name, definition] : definitions_)
        if (const Symbol* symbol = definition.node->symbol)
            symbol->mayVary = mayVary(*symbol, hidden_);
}

std::vector<const Symbol*> Functions::overriders(const Symbol& method) const {
    collect();
    std::vector<const Symbol*> found;
    const auto owner = classOf_.find(method.declaration);
    if (owner == classOf_.end() || !owner->second->symbol) return found;
    if (!virtual_.contains(method.declaration)) return found;
    for (NodePtr each : classes_)
        if (each->symbol && derivesFrom(each->symbol->members, owner->second->symbol->members))
            if (const Symbol* overrider = declaredIn(each, method)) found.push_back(overrider);
    return found;
}

bool Functions::mayBeOverridden(const Symbol& method) const {
    collect();
    const auto owner = classOf_.find(method.declaration);
    if (!virtual_.contains(method.declaration) || isQualified(method, "final")) return false;
    const std::string_view text = owner->second->text();
    return text.substr(0, text.find_first_of("{:")).find(" final") == std::string_view::npos;
}

NodePtr Functions::attribute(const Symbol& function, std::string_view name) const {
    collect();
    if (attributes_.empty()) return nullptr;
    for (const Symbol* each = &function; each; each = each->previous) {
        if (each != &function && !isSameSignature(each->type, function.type)) continue;
        const auto found = attributes_.find(each->declaration);
        if (found == attributes_.end()) continue;
        for (NodePtr attribute : found->second)
            if (attribute->child(ast::HpspmdAttribute::name)->text() == name) return attribute;
    }
    return nullptr;
}

}  // namespace hpcc::check
