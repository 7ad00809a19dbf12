// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes and enumerations, templates, namespaces, using and aliases.
#include <algorithm>
#include <cctype>

#include "analysis/constant.hpp"
#include "ast/comments.hpp"
#include "ast/macro_names.hpp"
#include "check/annotator.hpp"

namespace hpcc::check {

// The symbol of the class that `node` (Class or ElaboratedType) declares: that of an earlier
// forward declaration, or a new one.
const Symbol* Annotator::classSymbol(NodePtr node, NodePtr name) {
    if (ast::is<ast::QualifiedName>(name)) return resolve(name);
    if (ast::is<ast::TemplateName>(name)) {  // template <> struct Hash<int> { };
        if (const Symbol* primary = resolve(name)) specialise(*primary);
        return nullptr;
    }
    const Symbol* known = name ? declaringScope()->findHere(name->text()) : nullptr;
    if (known && known->kind == SymbolKind::Class && known->declaration && !known->members) {
        name->symbol = known;
        name->type = known->type;
        return known;
    }
    Symbol* symbol = name ? declareName(name, SymbolKind::Class, node, nullptr)
                          : declare("(class)", SymbolKind::Class, node, nullptr);
    Type type;
    type.kind = TypeKind::Class;
    type.spelled = name ? std::string(name->text()) : "class";
    type.classSymbol = symbol;
    symbol->type = arena().makeType(type);
    if (name) name->type = symbol->type;
    return symbol;
}

// Its constants have other values in some instances.
void Annotator::specialise(const Symbol& primary) {
    specialised_.insert(&primary);
    if (!primary.members) return;
    for (const Symbol* each : primary.members->symbols())
        if (each->kind == SymbolKind::Variable) each->isReassigned = true;
}

void Annotator::visitClass(NodePtr node) {
    const bool isDefinition = node->is<ast::Class>();
    const NodePtr name =
        isDefinition ? node->child(ast::Class::name) : node->child(ast::ElaboratedType::name);
    const Symbol* symbol = classSymbol(node, name);
    underTemplate_ = false;
    node->symbol = symbol;
    node->type = symbol ? symbol->type : unknownType();
    if (!isDefinition) return;
    Scope* members = push(Scope::Kind::Class);
    // What the libraries declare outlives this text.
    if (symbol && symbol->declaration) symbol->members = members;
    if (const NodePtr bases = node->child(ast::Class::bases)) baseClasses(bases, members);
    classes_.push_back(symbol);
    const bool isUnion = node->text().starts_with("union");
    ++classDepth_;
    unionDepth_ += isUnion;
    visitChildren(node->child(ast::Class::members));
    unionDepth_ -= isUnion;
    --classDepth_;
    classes_.pop_back();
    pop();
    if (!name && isUnion) declaringScope()->include(members);  // union { int a; float b; };
    if (classDepth_ == 0) runDeferred();
}

void Annotator::baseClasses(NodePtr bases, Scope* members) {
    for (NodePtr base : bases->children()) {
        const Type* type = typeOfName(base->child(ast::Base::name));
        const Symbol* symbol = type->classSymbol;
        if (type->kind == TypeKind::Class && symbol && symbol->members)
            members->include(symbol->members);
        else
            members->setOpen();
    }
}

// A macro, which is perhaps defined in a header, may stand for several enumerators: it has no
// lower-case letters, or is defined in this text.
static bool mayBeMacro(NodePtr name) {
    return std::ranges::none_of(name->text(), [](unsigned char c) { return std::islower(c); }) ||
           ast::MacroNames(*name->span().text).namesIn(name).size() > 1;
}

void Annotator::visitEnum(NodePtr node) {
    const NodePtr name = node->child(ast::Enum::name);
    const std::string_view text = node->text();
    const bool isScoped = text.starts_with("enum class") || text.starts_with("enum struct");
    Type type;
    type.kind = isScoped ? TypeKind::Class : TypeKind::Integer;
    type.spelled = name ? std::string(name->text()) : "enum";
    const NodePtr enumerators = node->child(ast::Enum::enumerators);
    Symbol* symbol = ast::is<ast::Identifier>(name)
                         ? declareName(name, SymbolKind::Class, node, nullptr)
                         : declare("(enum)", SymbolKind::Class, node, nullptr);
    type.classSymbol = isScoped ? symbol : nullptr;
    symbol->type = node->type = arena().makeType(type);
    node->symbol = symbol;
    // `Variable::energy` may be said of those that lie in the scope round it, too.
    Scope* own = isScoped ? push(Scope::Kind::Class)
                          : arena().makeScope(Scope::Kind::Class, declaringScope());
    if (enumerators) {
        std::optional<long long> next;
        if (!ast::holdsDirective(text)) next = 0;
        for (NodePtr each : enumerators->children()) {
            const NodePtr value = each->child(ast::Enumerator::value);
            visit(value);
            if (value && next) next = analysis::constantValue(value);
            const NodePtr named = each->child(ast::Enumerator::name);
            if (mayBeMacro(named)) next.reset();
            Symbol* enumerator = declareName(named, SymbolKind::Enumerator, each, symbol->type);
            if (next) enumerator->initializer = ast::literal(arena(), std::to_string(*next), each);
            if (next) ++*next;
            each->symbol = enumerator;
            if (!isScoped) own->declare(*enumerator);
        }
    }
    symbol->members = own;
    if (isScoped) pop();
}

// ---- templates -------------------------------------------------------------------------------

namespace {

// The type of `int N`, `std::size_t N`; unknown for anything else.
const Type* valueParameterType(ast::Arena& arena, std::string_view text, std::string_view name) {
    const std::size_t end = text.find_last_not_of(' ', text.find(" " + std::string(name)));
    Type type;
    type.spelled = text.substr(0, end == text.npos ? 0 : end + 1);
    if (type.spelled == "bool") return boolType();
    type.number = ast::numberNamed(type.spelled);
    if (type.spelled.empty() || type.number.bits == 0) return unknownType();
    type.kind = TypeKind::Integer;
    return arena.makeType(type);
}

}  // namespace

// `head`: the Template; null of a lambda.
void Annotator::templateParameter(NodePtr node, NodePtr head) {
    const bool isType = ast::is<ast::TypeParameter>(node);
    if (!isType && !ast::is<ast::ValueParameter>(node)) return;
    const NodePtr name = node->child(0);
    if (!name) return;
    Symbol* symbol = declareName(name, SymbolKind::TemplateParameter, node, unknownType());
    symbol->head = head;
    if (isType) {
        Type type;
        type.spelled = name->text();
        type.classSymbol = symbol;
        type.isDependent = true;
        const bool isPack = node->text().find("...") != std::string_view::npos;
        if (typeParameters_ == TypeParameters::AreNumbers && !isPack)
            type.kind = TypeKind::Floating;
        symbol->type = name->type = arena().makeType(type);
    } else {
        symbol->type = name->type = valueParameterType(arena(), node->text(), name->text());
    }
    node->symbol = symbol;
}

void Annotator::visitTemplate(NodePtr node) {
    push(Scope::Kind::Template);
    for (NodePtr each : node->child(ast::Template::parameters)->children())
        templateParameter(each, node);
    underTemplate_ = true;
    template_ = node;
    const NodePtr declaration = node->child(ast::Template::declaration);
    visit(declaration);
    underTemplate_ = false;
    if (declaration) node->symbol = declaration->symbol;
    pop();
}

// ---- namespaces ------------------------------------------------------------------------------

void Annotator::visitNamespace(NodePtr node) {
    const NodePtr name = node->child(ast::Namespace::name);
    std::string_view rest = name ? name->text() : std::string_view();
    std::size_t depth = 0;
    do {
        const std::size_t colons = rest.find("::");
        push(namespaceScope(rest.substr(0, colons)));
        rest = colons == rest.npos ? std::string_view() : rest.substr(colons + 2);
        ++depth;
    } while (!rest.empty());
    visitChildren(node->child(ast::Namespace::members));
    while (depth-- > 0) pop();
}

void Annotator::visitNamespaceAlias(NodePtr node) {
    const Symbol* target = resolve(node->child(ast::NamespaceAlias::target));
    Symbol* alias = declareName(node->child(ast::NamespaceAlias::name), SymbolKind::Namespace, node,
                                unknownType());
    alias->members = membersOf(target);
}

void Annotator::visitUsingDirective(NodePtr node) {
    const Symbol* space = resolve(node->child(ast::UsingDirective::name));
    if (space && space->members)
        declaringScope()->include(space->members);
    else
        declaringScope()->setOpen();
}

// A name from out of sight is an overload of unknown type, so that nothing is concluded from the
// others.
void Annotator::visitUsingDeclaration(NodePtr node) {
    const NodePtr name = node->child(ast::UsingDeclaration::name);
    if (!resolve(name)) {
        const std::string_view text = name->text();
        const std::size_t colons = text.rfind("::");
        declare(colons == text.npos ? text : text.substr(colons + 2), SymbolKind::Function, node,
                unknownType());
        return;
    }
    const std::vector<const Symbol*> meant = overloadsOf(*name->symbol);
    for (auto symbol = meant.rbegin(); symbol != meant.rend(); ++symbol) {
        Symbol copy = **symbol;
        copy.previous = nullptr;
        declaringScope()->declare(*arena().makeSymbol(copy));
    }
}

void Annotator::visitAliasDeclaration(NodePtr node) {
    const NodePtr type = node->child(ast::AliasDeclaration::type);
    visit(type);
    node->symbol = declareName(node->child(ast::AliasDeclaration::name), SymbolKind::Alias, node,
                               typeOf(type));
    node->type = typeOf(type);
}

std::vector<const Symbol*> overloadsOf(const Symbol& function) {
    std::vector<const Symbol*> all;
    for (const Symbol* s = &function; s; s = s->previous) all.push_back(s);
    return all;
}

}  // namespace hpcc::check
