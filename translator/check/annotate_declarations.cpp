// Variables, functions, classes, namespaces, templates.
#include "check/annotator.hpp"

#include <algorithm>
#include <utility>

namespace hpcc::check {
namespace {

// Constructors are overloads of this name in their class, so that the class's own name stays free.
constexpr std::string_view constructorName = "(constructor)";

bool isConstructor(NodePtr specifiers, NodePtr name) {
    const bool hasType = specifiers && !specifiers->is<ast::SpecifierList>();
    if (hasType || !name) return false;
    if (name->is<ast::QualifiedName>()) name = name->child(ast::QualifiedName::name);
    return name->is<ast::Identifier>();
}

// Fields in declaration order; empty if the class is not a plain struct of them.
std::vector<const Symbol*> plainFields(const Scope& members) {
    std::vector<const Symbol*> fields;
    if (!members.included().empty() || members.isOpen()) return fields;
    std::ranges::copy_if(members.symbols(), std::back_inserter(fields),
                         [](const Symbol* s) { return s->kind == SymbolKind::Field; });
    return fields;
}

}  // namespace

// ---- deferral: bodies and initializers inside a class see all of its members -----------------

void Annotator::later(std::function<void()> work) {
    if (classDepth_ == 0) return work();
    deferred_.push_back([this, work = std::move(work), scopes = scopes_, classes = classes_] {
        const auto outerScopes = std::exchange(scopes_, scopes);
        const auto outerClasses = std::exchange(classes_, classes);
        work();
        scopes_ = outerScopes;
        classes_ = outerClasses;
    });
}

void Annotator::runDeferred() {
    for (const auto& work : std::exchange(deferred_, {})) work();
}

// ---- variables -------------------------------------------------------------------------------

void Annotator::visitDeclaration(NodePtr node) {
    if (node->text().starts_with("friend class") || node->text().starts_with("friend struct"))
        return;
    const Specified base = specified(node->child(ast::Declaration::specifiers));
    const NodePtr declarators = node->child(ast::Declaration::declarators);
    if (!declarators) return;
    for (NodePtr each : declarators->children()) initDeclarator(base, each);
}

void Annotator::initDeclarator(const Specified& base, NodePtr node) {
    const NodePtr initializer = node->child(ast::InitDeclarator::initializer);
    const Declared what = declared(base, node->child(ast::InitDeclarator::declarator));
    if (base.isTypedef && what.name) {
        node->symbol = declareName(what.name, SymbolKind::Alias, node, what.type);
    } else if (what.function) {
        if (!base.isFriend) declareFunction(what, node);
    } else if (inClass() && !what.isAuto) {
        declareVariable(base, what, node);
        later([this, initializer] { visit(initializer); });
    } else {
        visit(initializer);
        if (what.bindings)
            declareBindings(what.bindings, initializerType(initializer), node);
        else
            declareVariable(base, what, node);
    }
}

void Annotator::declareVariable(const Specified&, const Declared& what, NodePtr node) {
    if (!what.name) return;
    const NodePtr initializer = node->is<ast::InitDeclarator>()
                                    ? node->child(ast::InitDeclarator::initializer)
                                    : node->child(ast::ConditionDeclaration::initializer);
    const Type* type =
        what.isAuto ? deducedType(what.type, initializerType(initializer)) : what.type;
    node->type = type;
    if (!what.name->is<ast::Identifier>()) {  // int Counter::made = 0;
        node->symbol = resolve(what.name);
        return;
    }
    const Symbol* twin = declaringScope()->findHere(what.name->text());
    const bool contradicts = twin && twin->kind == SymbolKind::Variable && twin->declaration &&
                             nameOf(twin->type) != nameOf(type);
    if (contradicts) type = unknownType();  // two #if branches declare it
    Symbol* symbol =
        declareName(what.name, inClass() ? SymbolKind::Field : SymbolKind::Variable, node, type);
    symbol->initializer = initializer;
    node->symbol = symbol;
}

void Annotator::visitConditionDeclaration(NodePtr node) {
    const Specified base = specified(node->child(ast::ConditionDeclaration::specifiers));
    visit(node->child(ast::ConditionDeclaration::initializer));
    declareVariable(base, declared(base, node->child(ast::ConditionDeclaration::declarator)), node);
}

void Annotator::declareBindings(NodePtr bindings, const Type* type, NodePtr declaration) {
    std::vector<const Type*> parts(bindings->children().size(), unknownType());
    const Symbol* classSymbol = type->classSymbol;
    if (type->kind == TypeKind::CArray) {
        std::ranges::fill(parts, type->element);
    } else if (classSymbol && classSymbol->shape == ast::StandardShape::Pair) {
        for (std::size_t k = 0; k < std::min(parts.size(), type->arguments.size()); ++k)
            parts[k] = type->arguments[k];
    } else if (classSymbol && classSymbol->members) {
        const auto fields = plainFields(*classSymbol->members);
        if (fields.size() == parts.size())
            std::ranges::transform(fields, parts.begin(), [](auto* field) { return field->type; });
    }
    for (std::size_t k = 0; k < parts.size(); ++k)
        declareName(bindings->child(static_cast<uint32_t>(k)), SymbolKind::Variable, declaration,
                    parts[k]);
}

// ---- functions -------------------------------------------------------------------------------

void Annotator::declareFunction(const Declared& what, NodePtr node) {
    node->type = what.type;
    if (what.name->is<ast::QualifiedName>()) {
        node->symbol = resolve(what.name);
    } else {
        node->symbol = declareName(what.name, SymbolKind::Function, node, what.type);
    }
}

void Annotator::visitFunctionDefinition(NodePtr node) {
    const NodePtr specifiers = node->child(ast::FunctionDefinition::specifiers);
    const NodePtr declarator = node->child(ast::FunctionDefinition::declarator);
    const NodePtr name = nameIn(declarator);
    const Specified base = specified(specifiers);
    const bool isMemberOutside = ast::is<ast::QualifiedName>(name);
    if (isMemberOutside) {  // parameters and body see the class, then the template head
        resolve(name);
        const NodePtr qualifier = name->child(ast::QualifiedName::qualifier);
        const Symbol* owner = qualifier ? qualifier->symbol : nullptr;
        const Scope* members = membersOf(owner);
        Scope* inside = arena().makeScope(Scope::Kind::Template, members ? members : scope());
        if (members)
            inside->include(scope());
        else
            inside->setOpen();
        push(inside);
        classes_.push_back(owner);
    }
    const Declared what = declared(base, declarator);
    node->type = what.type;
    const Symbol* symbol = name ? name->symbol : nullptr;
    if (isConstructor(specifiers, name) && !isMemberOutside) {
        symbol = declare(constructorName, SymbolKind::Function, node, what.type);
    } else if (what.function && !isMemberOutside) {
        symbol = declareName(name, SymbolKind::Function, node, what.type);
    }
    node->symbol = symbol;
    underTemplate_ = false;
    const bool deduces =
        base.isAuto && isUnknown(what.type->result ? what.type->result : unknownType());
    later([=, this] { functionBody(node, what.function, deduces ? symbol : nullptr); });
    if (isMemberOutside) {
        classes_.pop_back();
        pop();
    }
}

// `deduced`: the function whose result type is that of its first return statement, or null.
void Annotator::functionBody(NodePtr node, NodePtr function, const Symbol* deduced) {
    push(Scope::Kind::Function);
    if (function) declareParameters(function->child(ast::FunctionDeclarator::parameters));
    if (const NodePtr initializers = node->child(ast::FunctionDefinition::initializers))
        memberInitializers(initializers);
    bodies_.emplace_back();
    visit(node->child(ast::FunctionDefinition::body));
    const Type* result = bodies_.back().deduced;
    bodies_.pop_back();
    if (deduced && result && deduced->declaration == node) {
        Type type = *deduced->type;
        type.result = result;
        deduced->type = arena().makeType(type);
    }
    pop();
}

void Annotator::declareParameters(NodePtr parameters) {
    for (NodePtr parameter : parameters->children()) {
        if (!parameter->is<ast::Parameter>()) continue;
        if (parameter->symbol) scopes_.back()->declare(*parameter->symbol);
        visit(parameter->child(ast::Parameter::defaultValue));
    }
}

void Annotator::memberInitializers(NodePtr node) {
    for (NodePtr each : node->children()) {
        if (!ast::is<ast::MemberInitializer>(each)) continue;
        const NodePtr name = each->child(ast::MemberInitializer::name);
        const Scope* members = classes_.empty() ? nullptr : membersOf(classes_.back());
        each->symbol = name->is<ast::Identifier>() ? resolveIn(members, name) : resolve(name);
        if (each->symbol) each->type = name->type = each->symbol->type;
        visit(each->child(ast::MemberInitializer::initializer));
    }
}

void Annotator::visitDefaultedFunction(NodePtr node) { visitSpecialDeclaration(node); }

// Also `= default` and `= delete`; both nodes have specifiers and declarator in the same places.
void Annotator::visitSpecialDeclaration(NodePtr node) {
    const NodePtr specifiers = node->child(ast::SpecialDeclaration::specifiers);
    const NodePtr declarator = node->child(ast::SpecialDeclaration::declarator);
    const Declared what = declared(specified(specifiers), declarator);
    node->type = what.type;
    if (!what.name || !what.function || what.name->is<ast::QualifiedName>()) return;
    if (isConstructor(specifiers, what.name))
        node->symbol = declare(constructorName, SymbolKind::Function, node, what.type);
    else
        node->symbol = declareName(what.name, SymbolKind::Function, node, what.type);
}

// ---- templates -------------------------------------------------------------------------------

namespace {

// The type of `int N`, `std::size_t N`; unknown for anything else.
const Type* valueParameterType(std::string_view text) {
    for (const std::string_view word : {"int", "unsigned", "long", "short", "char", "size_t",
                                        "std::size_t", "Index", "hpspmd::Index", "std::ptrdiff_t"})
        if (text.starts_with(word) && text.substr(word.size()).starts_with(' ')) return intType();
    return text.starts_with("bool ") ? boolType() : unknownType();
}

}  // namespace

void Annotator::templateParameter(NodePtr node) {
    const bool isType = ast::is<ast::TypeParameter>(node);
    if (!isType && !ast::is<ast::ValueParameter>(node)) return;
    const NodePtr name = node->child(0);
    if (!name) return;
    Symbol* symbol = declareName(name, SymbolKind::TemplateParameter, node, unknownType());
    if (isType) {
        Type type;
        type.spelled = name->text();
        type.classSymbol = symbol;
        type.isDependent = true;
        symbol->type = name->type = arena().makeType(type);
    } else {
        symbol->type = name->type = valueParameterType(node->text());
    }
    node->symbol = symbol;
}

void Annotator::visitTemplate(NodePtr node) {
    push(Scope::Kind::Template);
    for (NodePtr each : node->child(ast::Template::parameters)->children()) templateParameter(each);
    underTemplate_ = true;
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
