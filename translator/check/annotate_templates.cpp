// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls of function templates and of overloaded functions run, where that is certain.
#include "analysis/constant.hpp"
#include "ast/copy.hpp"
#include "ast/search.hpp"
#include "check/annotator.hpp"
#include "check/callee.hpp"
#include "check/library.hpp"
#include "check/template_arguments.hpp"

#include <algorithm>
#include <utility>

namespace hpcc::check {
namespace {

constexpr int mostInstances = 16;  // in instances: `power<N>` calls `power<N - 1>`

// Functions of numbers and objects of C and <cmath> that are no names of standard_names.def: in the
// program's own scope they would be overloads out of sight.
constexpr std::string_view namesOfC[] = {
    "abs",       "acoshl", "beta",     "div",        "drem",        "exp10",   "expint",
    "frexp",     "gamma",  "hermite",  "imaxabs",    "isalnum",     "isalpha", "isdigit",
    "isgreater", "isless", "islower",  "isspace",    "isunordered", "isupper", "j0",
    "j1",        "jn",     "laguerre", "ldiv",       "legendre",    "lerp",    "lldiv",
    "midpoint",  "modf",   "nan",      "nexttoward", "nextdown",    "nextup",  "pow10",
    "putchar",   "rand",   "random",   "remquo",     "roundeven",   "scalb",   "significand",
    "sleep",     "swap",   "tolower",  "toupper",    "y0",          "y1",      "yn"};

void addEverywhere(const Scope& scope, std::string_view name, std::vector<const Symbol*>& found,
                   std::vector<const Scope*>& seen) {
    if (std::ranges::find(seen, &scope) != seen.end()) return;
    seen.push_back(&scope);
    for (const Symbol* each : scope.symbols()) {
        if (each->kind == SymbolKind::Function && each->name == name) found.push_back(each);
        if (each->kind == SymbolKind::Namespace && each->members)
            addEverywhere(*each->members, name, found, seen);
    }
    for (const Scope* other : scope.included())
        if (other) addEverywhere(*other, name, found, seen);
}

NodePtr lastOf(NodePtr callee) {
    return ast::is<ast::QualifiedName>(callee) ? callee->child(ast::QualifiedName::name) : callee;
}

// Functions that take exactly these arguments are better than templates.
Sameness takesExactly(const Type& function, std::span<const Type* const> arguments) {
    if (arguments.size() > function.parameters.size() ||
        arguments.size() < function.requiredParameters)
        return Sameness::No;
    Sameness all = Sameness::Yes;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const Type& own = *function.parameters[k];
        const Sameness each =
            own.isReference && !own.isConst ? Sameness::Unknown : same(own, *arguments[k]);
        if (each == Sameness::No) return each;
        if (each == Sameness::Unknown) all = each;
    }
    return all;
}

bool isParameter(const Type* type) { return analysis::typeParameterOf(type); }

const Symbol* chainOf(ast::Arena& arena, const std::vector<const Symbol*>& functions) {
    const Symbol* chain = nullptr;
    for (const Symbol* each : functions) {
        Symbol copy = *each;
        copy.previous = chain;
        chain = arena.makeSymbol(copy);
    }
    Symbol head;
    head.kind = SymbolKind::Function;
    head.previous = chain;
    return arena.makeSymbol(head);
}

// `operator()` of an object, if its class has one; null if it has none, or several.
const Symbol* callOperatorOf(const Symbol& object) {
    const bool isObject =
        object.kind != SymbolKind::Function && object.type && object.type->kind == TypeKind::Class;
    const Symbol* const owner = isObject ? object.type->classSymbol : nullptr;
    const NodePtr definition = owner ? owner->declaration : nullptr;
    if (!ast::is<ast::Class>(definition) || definition->child(ast::Class::bases) ||
        (owner->isTemplate && object.type->arguments.empty()) || !owner->members)
        return nullptr;
    const Symbol* const one = owner->members->findHere("operator()");
    const bool isOne = one && one->kind == SymbolKind::Function && !one->previous &&
                       !one->isTemplate && ast::is<ast::FunctionDefinition>(one->declaration);
    return isOne ? one : nullptr;
}

// The same function, or chain of overloads.
bool isSameName(const Symbol* a, const Symbol* b) {
    for (; a && b && a != b; a = a->previous, b = b->previous)
        if (a->declaration != b->declaration || a->kind != b->kind || a->name != b->name ||
            !a->declaration)
            return false;
    return a == b;
}

bool isWithin(NodePtr outer, NodePtr node) {
    const source::Span whole = outer->span(), part = node->span();
    return whole.text == part.text && whole.begin <= part.begin && part.end <= whole.end;
}

// True if names from outside mean in the copy what they mean in the definition.
bool agrees(NodePtr copy, NodePtr node, NodePtr definition) {
    if (!node) return true;
    if (node->is<ast::Identifier>()) {
        const Symbol* symbol = node->symbol;
        if (!symbol) return !copy->symbol;
        const bool isOwn = symbol->kind == SymbolKind::TemplateParameter ||
                           (symbol->declaration && isWithin(definition, symbol->declaration));
        return isOwn || isSameName(symbol, copy->symbol);
    }
    const auto branch =
        node->is<ast::If>() ? analysis::compiledBranch(copy) : std::optional<NodePtr>();
    for (uint32_t k = 0; k < node->children().size(); ++k) {
        if (branch && k >= ast::If::then && copy->child(k) != *branch) continue;
        const bool isMember = ast::is<ast::Member>(node) && k == ast::Member::name;
        if (!isMember && !agrees(copy->child(k), node->child(k), definition)) return false;
    }
    return true;
}

// The `auto` of a parameter; null if it has another type.
NodePtr autoOf(NodePtr parameter) {
    const NodePtr specifiers =
        ast::is<ast::Parameter>(parameter) ? parameter->child(ast::Parameter::specifiers) : nullptr;
    const NodePtr core =
        ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::core) : nullptr;
    return ast::is<ast::AutoType>(core) && core->text() == "auto" ? core : nullptr;
}

// True if the lambda has so many parameters, `auto v` or `const auto& v` among them.
bool takesAnything(NodePtr lambda, std::span<const Type* const> own,
                   std::span<const Type* const> types) {
    const NodePtr list = lambda->child(ast::Lambda::parameters);
    if (!list || lambda->child(ast::Lambda::templateParameters)) return false;
    const auto parameters = list->children();
    if (parameters.size() != types.size() || own.size() != types.size() ||
        std::ranges::none_of(parameters, autoOf))
        return false;
    for (std::size_t k = 0; k < types.size(); ++k) {
        const bool isAuto = autoOf(parameters[k]) != nullptr;
        const bool isValue = !own[k]->isReference || own[k]->isConst;
        if (!isValue || (isAuto && own[k]->kind != TypeKind::Unknown)) return false;
    }
    return true;
}

}  // namespace

std::vector<const Symbol*> functionsEverywhere(const Scope& scope, std::string_view name) {
    std::vector<const Symbol*> found;
    std::vector<const Scope*> seen;
    addEverywhere(scope, name, found, seen);
    return found;
}

NodePtr lambdaOf(const Symbol& variable) {
    const NodePtr value = ast::is<ast::EqualInitializer>(variable.initializer)
                              ? variable.initializer->child(ast::EqualInitializer::value)
                              : nullptr;
    return variable.kind == SymbolKind::Variable && ast::is<ast::Lambda>(value) ? value : nullptr;
}

// Those among which C++ chooses; none if some of them may be out of sight.
std::vector<const Symbol*> Annotator::candidatesOf(NodePtr callee,
                                                   std::span<const Type* const> arguments) const {
    const NodePtr last = lastOf(callee);
    const NodePtr word =
        last->is<ast::TemplateName>() ? last->child(ast::TemplateName::name) : last;
    const std::string_view name = word->text();
    const bool isQualified = callee != last;
    const NodePtr qualifier = isQualified ? callee->child(ast::QualifiedName::qualifier) : nullptr;
    const Scope* const place = !isQualified ? scope()
                               : qualifier  ? membersOf(qualifier->symbol)
                                            : unit_.scope;
    const bool isOpen = !place || (isQualified ? place->isOpen() : seesForeignNames());
    if (isOpen || std::ranges::find(namesOfC, name) != std::end(namesOfC) ||
        libraryScope()->findHere(name))
        return {};
    auto all = isQualified ? place->allHere(name) : place->overloads(name);
    for (const Symbol* each : all) {
        const bool isKnown = each->kind == SymbolKind::Function && each->home && each->type &&
                             each->type->kind == TypeKind::Function && !each->type->isVariadic &&
                             ast::is<ast::FunctionDefinition>(each->declaration);
        if (!isKnown) return {};
    }
    if (isQualified) return all;
    // Objects bring the functions of their namespaces.
    for (const Type* each : arguments) {
        if (each->kind != TypeKind::Class) continue;
        if (!each->classSymbol->declaration) return {};
        for (const Symbol* other : functionsEverywhere(*unit_.scope, name))
            if (std::ranges::find(all, other->declaration, &Symbol::declaration) == all.end())
                return {};
    }
    return all;
}

// The one that C++ chooses, or those among which the instances of a template round the call do, as
// a chain without a declaration of its own; null if that is not certain.
const Symbol* Annotator::chosen(std::vector<const Symbol*> all, NodePtr callee,
                                std::span<const Type* const> arguments) {
    const NodePtr last = lastOf(callee);
    const NodePtr written =
        last->is<ast::TemplateName>() ? last->child(ast::TemplateName::arguments) : nullptr;
    const Symbol* exact = nullptr;
    const Symbol* generic = nullptr;
    TemplateArguments bound;
    std::erase_if(all,
                  [&](const Symbol* each) { return !acceptsCount(*each->type, arguments.size()); });
    const auto isOne = [](const Symbol* each) { return each->isTemplate; };
    const bool isOnly = all.size() == 1 || (written && std::ranges::count_if(all, isOne) == 1);
    if (isOnly && !all.front()->isTemplate) return written ? nullptr : all.front();
    if (!written && !all.empty() && std::ranges::none_of(all, isOne) &&
        std::ranges::any_of(arguments, isParameter))
        return chainOf(arena(), all);
    for (const Symbol* each : all) {
        if (each->isTemplate) {
            if (!each->head) return nullptr;
            TemplateArguments own = templateArguments(arena(), *each, written, arguments, isOnly);
            if (own.fit == Sameness::Unknown || (own.fit == Sameness::Yes && generic))
                return nullptr;
            if (own.fit == Sameness::No) continue;
            generic = each;
            bound = std::move(own);
        } else if (!written) {
            const Sameness fit = takesExactly(*each->type, arguments);
            if (fit == Sameness::Unknown || (fit == Sameness::Yes && exact)) return nullptr;
            if (fit == Sameness::Yes) exact = each;
        }
    }
    return exact || !generic ? exact : instanceOf(*generic, bound);
}

// `double twice(double v)` of `template <class T> T twice(T v)`: a copy of the definition in which
// T is a name of the type. Null if a name in it would mean something else there.
const Symbol* Annotator::instanceOf(const Symbol& generic, const TemplateArguments& bound) {
    const auto [known, isNew] = instances_.emplace(std::pair(&generic, bound.key()), nullptr);
    if (!isNew || instancesAround_ == mostInstances) return known->second;
    const Symbol*& instance = known->second;
    const NodePtr node = ast::copyWithoutNames(arena(), generic.declaration);
    inScope({const_cast<Scope*>(generic.home)}, [&] {
        Scope* const names = push(Scope::Kind::Function);
        for (const TemplateArguments::Argument& each : bound.all) names->declare(*named(each));
        const Specified base = specified(node->child(ast::FunctionDefinition::specifiers));
        const Declared what = declared(base, node->child(ast::FunctionDefinition::declarator));
        what.name->symbol = generic.declaration->symbol;
        node->type = what.type;
        node->symbol = instance = asInstance(generic, node);
        const bool deduces = base.isAuto && (!what.type->result || isUnknown(what.type->result));
        functionBody(node, what.function, deduces ? instance : nullptr);
    });
    if (!agrees(node, generic.declaration, generic.declaration)) instance = nullptr;
    return instance;
}

// `[](double v) { return 2 * v; }` of `[](auto v) { return 2 * v; }`, for numbers or objects of
// these types. Null if it is no such lambda.
const Symbol* Annotator::instanceOf(NodePtr lambda, std::span<const Type* const> types) {
    const auto found = lambdas_.find(lambda);
    if (found == lambdas_.end() || !found->second.type ||
        !takesAnything(lambda, found->second.type->parameters, types))
        return nullptr;
    const Place place = found->second;
    TemplateArguments bound;
    for (const Type* each : types) bound.all.push_back({nullptr, "", each, std::nullopt});
    const auto [known, isNew] = instances_.emplace(std::pair(place.symbol, bound.key()), nullptr);
    if (!isNew || instancesAround_ == mostInstances) return known->second;
    const Symbol*& instance = known->second;
    const NodePtr node = ast::copyWithoutNames(arena(), lambda);
    for (std::size_t k = 0; k < types.size(); ++k)
        if (const NodePtr core = autoOf(node->child(ast::Lambda::parameters)->children()[k]))
            autos_[core] = types[k];
    inScope(place, [&] { visit(node); });
    if (agrees(node, lambda, lambda)) instance = asInstance(*place.symbol, node);
    return instance;
}

const Symbol* Annotator::asInstance(const Symbol& generic, NodePtr node) {
    Symbol symbol = generic;
    symbol.kind = SymbolKind::Function;
    symbol.declaration = node;
    symbol.type = node->type;
    symbol.initializer = nullptr;
    symbol.previous = nullptr;
    symbol.generic = &generic;
    return arena().makeSymbol(symbol);
}

// What stands elsewhere, as if it stood there.
void Annotator::inScope(const Place& place, const std::function<void()>& work) {
    ++instancesAround_;
    const auto scopes = std::exchange(scopes_, {place.scope});
    const auto classes = std::exchange(classes_, place.classes);
    const int depth = std::exchange(classDepth_, 0);
    const bool wasUnderTemplate = std::exchange(underTemplate_, false);
    work();
    underTemplate_ = wasUnderTemplate;
    classDepth_ = depth;
    classes_ = classes;
    scopes_ = scopes;
    --instancesAround_;
}

// `using T = double;` or `const int N = 3;`
const Symbol* Annotator::named(const TemplateArguments::Argument& argument) {
    Symbol symbol;
    symbol.name = argument.name;
    symbol.declaration = argument.parameter;
    symbol.type = argument.type;
    if (argument.value) {
        const NodePtr literal =
            ast::literal(arena(), std::to_string(*argument.value), argument.parameter);
        literal->type = valueOf(arena(), argument.type);
        symbol.type = constantOf(arena(), argument.type);
        symbol.initializer =
            arena().parsed(ast::Kind::EqualInitializer, literal->span(), {literal});
    } else {
        symbol.kind = SymbolKind::Alias;
    }
    return arena().makeSymbol(symbol);
}

// Notes in the callee's type what a call runs, if it is an instance or one of several overloads.
void Annotator::choose(NodePtr call) {
    const NodePtr callee = call->child(ast::Call::callee);
    const NodePtr last = lastOf(callee);
    const Symbol* const symbol = callee->symbol;
    if (!ast::isAny<ast::Identifier, ast::TemplateName>(last) || !symbol || !symbol->declaration)
        return;
    if (const Symbol* const one = callOperatorOf(*symbol)) {
        const bool isOfInstance = symbol->type->classSymbol->isTemplate;
        callee->type = typeOfCalled(
            *one, isOfInstance ? analysis::Premise::FloatingNumbers : analysis::Premise::Numbers);
        return;
    }
    std::vector<const Type*> types;
    analysis::Premise premise = analysis::Premise::Numbers;
    for (const NodePtr each : call->child(ast::Call::arguments)->children()) {
        const analysis::InstanceType type = certainType(each);
        if (!type.type) return;
        types.push_back(valueOf(arena(), type.type));
        premise = std::max(premise, type.premise);
    }
    const Symbol* one = nullptr;
    if (const NodePtr lambda = lambdaOf(*symbol))
        one = instanceOf(lambda, types);
    else if (symbol->kind == SymbolKind::Function && (symbol->previous || symbol->isTemplate))
        one = chosen(candidatesOf(callee, types), callee, types);
    if (one) callee->type = typeOfCalled(*one, premise);
}

// Of all instances of a template round the call, the result is known only without premises.
const Type* Annotator::typeOfCalled(const Symbol& function, analysis::Premise premise) {
    Type type = function.type ? *function.type : Type();
    type.kind = TypeKind::Function;
    type.called = &function;
    if (premise != analysis::Premise::Numbers && type.result && type.result->isDependent)
        type.result = unknownType();
    return arena().makeType(type);
}

}  // namespace hpcc::check
