// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Misspelt names of the runtime: only where a near name exists (or what other libraries call it),
// because the library may know more names than the translator.
#include "check/library.hpp"
#include "check/near_names.hpp"
#include "check/rules.hpp"
#include "check/wording.hpp"

#include <array>

namespace hpcc::check {
namespace {

void didYouMean(Report report, NodePtr name, const std::string& nearest) {
    report.help("did you mean '" + nearest + "'?").fixit(name->span(), nearest);
}

// What other libraries call it.
struct Habit {
    TypeKind owner;
    std::string_view habit, name;
};

constexpr std::array habits = {
    Habit{TypeKind::Multiarray, "length", "size"},
    Habit{TypeKind::Multiarray, "extent", "size"},
    Habit{TypeKind::Multiarray, "shape", "size"},
    Habit{TypeKind::Multiarray, "range", "rng"},
    Habit{TypeKind::Multiarray, "dim", "rng"},
    Habit{TypeKind::Multiarray, "group", "grp"},
    Habit{TypeKind::Range, "length", "size"},
    Habit{TypeKind::Range, "extent", "size"},
    Habit{TypeKind::Range, "dimension", "dim"},
    Habit{TypeKind::Group, "count", "size"},
    Habit{TypeKind::Group, "id", "rank"},
    Habit{TypeKind::Group, "dimension", "dim"},
    Habit{TypeKind::Dimension, "coordinate", "crd"},
    Habit{TypeKind::Dimension, "rank", "crd"},
};

struct AdlibHabit {
    std::string_view habit, name;
};

constexpr std::array adlibHabits = {
    AdlibHabit{"max", "maxval"},           AdlibHabit{"min", "minval"},
    AdlibHabit{"dot", "dotProduct"},       AdlibHabit{"exchange", "writeHalo"},
    AdlibHabit{"updateHalo", "writeHalo"}, AdlibHabit{"print", "gprint"},
    AdlibHabit{"println", "gprintln"},     AdlibHabit{"printf", "aprintf"},
    AdlibHabit{"bcast", "broadcast"},      AdlibHabit{"argmax", "maxloc"},
    AdlibHabit{"argmin", "minloc"},        AdlibHabit{"cumsum", "scan"},
};

// The function of Adlib that other libraries have as a member: a.sum(); null if there is none.
const ast::Symbol* adlibInstead(std::string_view name) {
    for (const AdlibHabit& each : adlibHabits)
        if (each.habit == name) return findInAdlib(each.name);
    const ast::Symbol* const found = findInAdlib(name);
    return found && found->kind == ast::SymbolKind::Function ? found : nullptr;
}

// a[i].value, where the elements are numbers.
void memberOfNumber(const Context& context, NodePtr node, NodePtr name) {
    const NodePtr element = node->child(ast::Member::base);
    const bool isElement = ast::is<ast::Subscript>(element) && isNumber(typeOf(element)) &&
                           isKind(element->child(ast::Subscript::base), TypeKind::Multiarray);
    if (!isElement) return;
    context.report(Id::UnknownMember, name, describe(typeOf(element)), name->text())
        .help("the element itself is the number")
        .fixit(node->span(), textOf(element));
}

std::string proposedMember(TypeKind kind, std::string_view name) {
    const std::string nearest = nearestName(name, memberNames(kind));
    if (!nearest.empty()) return nearest;
    for (const Habit& each : habits)
        if (each.habit == name && each.owner == kind) return std::string(each.name);
    return {};
}

}  // namespace

void memberName(const Context& context, NodePtr node) {
    const Type* type = typeOf(node->child(ast::Member::base));
    const TypeKind kind = type->kind;
    const bool isRuntime = kind == TypeKind::Multiarray || kind == TypeKind::Group ||
                           kind == TypeKind::Range || kind == TypeKind::Dimension;
    const NodePtr name = node->child(ast::Member::name);
    if (name->is<ast::Identifier>()) memberOfNumber(context, node, name);
    if (!isRuntime || !name->is<ast::Identifier>() || memberResult(kind, name->text())) return;
    const ast::Symbol* const function =
        kind == TypeKind::Multiarray ? adlibInstead(name->text()) : nullptr;
    if (function) {
        const std::string array = textOf(node->child(ast::Member::base));
        context.report(Id::UnknownMember, name, "a multiarray", name->text())
            .help("a function of Adlib does it: Adlib::" + function->name + "(" + array + ")");
        return;
    }
    const std::string nearest = proposedMember(kind, name->text());
    if (nearest.empty()) return;
    const std::string owner = kind == TypeKind::Multiarray ? "a multiarray" : describe(type);
    didYouMean(context.report(Id::UnknownMember, name, owner, name->text()), name, nearest);
}

void adlibName(const Context& context, NodePtr node) {
    const NodePtr qualifier = node->child(ast::QualifiedName::qualifier);
    const NodePtr name = node->child(ast::QualifiedName::name);
    const ast::Symbol* space = qualifier ? qualifier->symbol : nullptr;
    if (!space || space->name != "Adlib" || !space->members || node->symbol) return;
    std::vector<std::string> names;
    for (const ast::Scope* scope : space->members->included())
        for (const ast::Symbol* symbol : scope->symbols()) names.push_back(symbol->name);
    for (const ast::Symbol* symbol : space->members->symbols()) names.push_back(symbol->name);
    std::string nearest = nearestName(name->text(), names);
    for (const AdlibHabit& each : adlibHabits)
        if (each.habit == name->text()) nearest = each.name;
    if (nearest.empty() || !name->is<ast::Identifier>()) return;
    didYouMean(context.report(Id::UnknownMember, name, "Adlib", name->text()), name, nearest);
}

}  // namespace hpcc::check
