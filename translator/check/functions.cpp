#include "check/functions.hpp"

#include "ast/declarators.hpp"
#include "ast/symbol.hpp"

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

std::string_view lastName(NodePtr name) {
    while (ast::is<ast::QualifiedName>(name)) name = name->child(ast::QualifiedName::name);
    return name ? name->text() : std::string_view();
}

}  // namespace

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

// Declarations hold declarations in these places; bodies are not entered.
void Functions::collect(NodePtr node, bool isInClass) const {
    if (!node) return;
    switch (node->kind()) {
    case Kind::FunctionDefinition: {
        const NodePtr name = ast::declaredName(node->child(ast::FunctionDefinition::declarator));
        definitions_.insert({lastName(name), {node, isInClass}});
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
        return collect(node->child(ast::Class::members), true);
    case Kind::TranslationUnit:
    case Kind::Namespace:
    case Kind::Members:
    case Kind::LinkageSpecification:
    case Kind::Template:
        for (NodePtr child : node->children()) collect(child, isInClass);
        return;
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
