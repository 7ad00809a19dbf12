// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators of the program's classes: which functions an expression may run, and what they give.
#include "ast/comments.hpp"
#include "ast/specifiers.hpp"
#include "check/annotator.hpp"
#include "check/template_arguments.hpp"

#include <utility>

namespace hpcc::check {

// How well a function takes operands.
enum class Taking : std::uint8_t { No, Perhaps, Converted, Exactly };

// A function that an operator may mean.
struct Candidate {
    const Symbol* function;
    const Type* object;     // of whose class it is a member or friend; null for others
    bool isMember = false;  // which takes the first operand as its object
};

namespace {

// A class whose definition is in sight, none of whose members comes from elsewhere.
const Symbol* declaredClass(const Type* type) {
    const Symbol* symbol =
        type && type->kind == TypeKind::Class && !type->element ? type->classSymbol : nullptr;
    const bool isDeclared = symbol && symbol->kind == SymbolKind::Class &&
                            symbol->shape == ast::StandardShape::None &&
                            ast::is<ast::Class>(symbol->declaration) && symbol->members;
    return isDeclared && !symbol->declaration->child(ast::Class::bases) ? symbol : nullptr;
}

NodePtr specifiersBefore(NodePtr function) {
    const NodePtr specifiers = ast::is<ast::FunctionDefinition>(function)
                                   ? function->child(ast::FunctionDefinition::specifiers)
                                   : nullptr;
    return ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::before)
                                                : nullptr;
}

bool isFriend(const Symbol& function) {
    const NodePtr node = function.declaration;
    return (node && node->text().starts_with("friend")) ||
           ast::holdsWord(specifiersBefore(node), "friend");
}

bool hasConversions(const Symbol& object) {
    return std::ranges::any_of(object.members->symbols(), [](const Symbol* each) {
        constexpr std::string_view word = "operator";
        return each->kind == SymbolKind::Function && each->name.starts_with(word) &&
               each->name.size() > word.size() && each->name[word.size()] == ' ';
    });
}

Taking takes(const Type& parameter, const Type& operand) {
    if (same(parameter, operand) == Sameness::Yes) return Taking::Exactly;
    if (isNumber(&parameter) && isNumber(&operand)) return Taking::Converted;
    const Symbol *to = declaredClass(&parameter), *from = declaredClass(&operand);
    if (from && isNumber(&parameter)) return hasConversions(*from) ? Taking::Perhaps : Taking::No;
    if (from && to && from != to)
        return to->members->findHere("(constructor)") || hasConversions(*from) ? Taking::Perhaps
                                                                               : Taking::No;
    if (to && !from) return to->members->findHere("(constructor)") ? Taking::Perhaps : Taking::No;
    return Taking::Perhaps;
}

const Type& inInstance(const Type& type, const Candidate& of) {
    return of.object ? *check::inInstance(&type, of.object) : type;
}

Taking takes(const Candidate& candidate, std::span<const NodePtr> operands) {
    const Type& type = *candidate.function->type;
    if (candidate.isMember) operands = operands.subspan(1);
    const std::size_t count = operands.size();
    if (type.isVariadic || type.requiredParameters > count || count > type.parameters.size())
        return Taking::No;
    Taking least = Taking::Exactly;
    for (std::size_t k = 0; k < count; ++k)
        least = std::min(least,
                         takes(inInstance(*type.parameters[k], candidate), *typeOf(operands[k])));
    return least;
}

bool isFunctionInSight(const Symbol& function) {
    return function.type && function.type->kind == TypeKind::Function &&
           ast::is<ast::FunctionDefinition>(function.declaration);
}

// Those that the operator may mean, in all namespaces.
std::vector<Candidate> candidatesFor(const std::string& name, std::span<const NodePtr> operands,
                                     const Scope& file) {
    std::vector<Candidate> all;
    for (const NodePtr& operand : operands) {
        const Symbol* const object = declaredClass(typeOf(operand));
        const Symbol* each = object ? object->members->findHere(name) : nullptr;
        for (; each; each = each->previous) {
            const bool isMember = !isFriend(*each), isFirst = &operand == operands.data();
            const bool isKnown = std::ranges::find(all, each, &Candidate::function) != all.end();
            if ((isMember ? isFirst : !isKnown)) all.push_back({each, typeOf(operand), isMember});
        }
    }
    for (const Symbol* each : functionsEverywhere(file, name)) all.push_back({each, nullptr});
    return all;
}

}  // namespace

// The function, and how well it takes the operands; of a template the instance.
std::pair<const Symbol*, Taking> Annotator::judged(const Candidate& candidate,
                                                   std::span<const NodePtr> operands) {
    const Symbol* const function = candidate.function;
    if (!isFunctionInSight(*function)) return {function, Taking::Perhaps};
    if (!function->isTemplate) return {function, takes(candidate, operands)};
    if (!function->head) return {function, Taking::Perhaps};
    std::vector<const Type*> types;
    for (const NodePtr each : operands) types.push_back(valueOf(arena(), typeOf(each)));
    const TemplateArguments bound = templateArguments(arena(), *function, nullptr, types, false);
    if (bound.fit == Sameness::No) return {function, Taking::No};
    const Symbol* one = bound.fit == Sameness::Yes ? instanceOf(*function, bound) : nullptr;
    return {one, one ? Taking::Exactly : Taking::Perhaps};
}

// Notes the function of an operator of classes as the symbol of the expression, and its result as
// the type. Where several may be meant (`const` or not) they are overloads of it, and all give the
// same.
void Annotator::operated(NodePtr node, std::string_view op,
                         std::initializer_list<NodePtr> operands) {
    const std::span<const NodePtr> all(operands.begin(), operands.size());
    const auto isOfClass = [](NodePtr each) { return declaredClass(typeOf(each)) != nullptr; };
    if (std::ranges::none_of(all, isOfClass) || isOneOf(op, {"=", "&", ","})) return;
    std::vector<Candidate> exact, possible;
    bool isOpen = seesForeignNames(), isGeneric = false;
    for (Candidate each : candidatesFor("operator" + std::string(op), all, *unit_.scope)) {
        const auto [function, fit] = judged(each, all);
        each.function = function;
        isOpen = isOpen || fit == Taking::Perhaps;
        if (fit == Taking::Converted) possible.push_back(each);
        if (fit != Taking::Exactly) continue;
        exact.push_back(each);
        isGeneric = isGeneric || function->generic;
    }
    if (isOpen && (exact.empty() || isGeneric)) return;
    const auto isCertain = [](NodePtr each) { return certainType(each).type == typeOf(each); };
    if (exact.empty() && !std::ranges::all_of(all, isCertain)) return;
    const Type* result = nullptr;
    const Symbol* chain = nullptr;
    for (const Candidate& each : exact.empty() ? possible : exact) {
        const Type* own = each.function->type->result;
        own = own ? valueOf(arena(), &inInstance(*own, each)) : unknownType();
        if (isUnknown(own) || (result && nameOf(result) != nameOf(own))) return;
        result = own;
        Symbol copy = *each.function;
        copy.previous = chain;
        chain = arena().makeSymbol(copy);
    }
    if (!result) return;
    node->symbol = chain;
    if (!ast::is<ast::Assign>(node) && isUnknown(typeOf(node))) node->type = result;
}

}  // namespace hpcc::check
