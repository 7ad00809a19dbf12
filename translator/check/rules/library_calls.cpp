// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 3: what constructors and inquiries of the library are given, and functions of Adlib that are
// called without its name.
#include "ast/known_calls.hpp"
#include "check/facts.hpp"
#include "check/library.hpp"
#include "check/wording.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace hpcc::check {
namespace {

// How an object of a class is made. Arguments: n a number, d a dimension, s a list of sizes.
struct Form {
    std::string_view className, arguments, shown;
};

constexpr std::array forms = {
    Form{"BlockRange", "nd", "(extent, dimension)"},
    Form{"CyclicRange", "nd", "(extent, dimension)"},
    Form{"ExtBlockRange", "nd", "(extent, dimension) or (extent, dimension, low, high)"},
    Form{"ExtBlockRange", "ndnn", ""},
    Form{"BlockCyclicRange", "ndn", "(extent, dimension, block)"},
    Form{"IrregRange", "sd", "(sizes, dimension) or (sizes, dimension, low, high)"},
    Form{"IrregRange", "sdnn", ""},
    Form{"MeasuredRange", "nd",
         "(extent, dimension), (extent, dimension, low, high), or these and a probe"},
    Form{"MeasuredRange", "nds", ""},
    Form{"MeasuredRange", "ndnn", ""},
    Form{"MeasuredRange", "ndnns", ""},
    Form{"CollapsedRange", "n", "(extent)"},
    Form{"Procs1", "n", "() or (extent)"},
    Form{"Procs1", "", ""},
    Form{"Procs2", "nn", "() or (rows, columns)"},
    Form{"Procs2", "", ""},
    Form{"Procs3", "nnn", "() or three extents"},
    Form{"Procs3", "", ""},
};

// False only if the argument certainly is none of that sort.
bool mayBe(char sort, const Type* type) {
    if (isUnknown(type) || type->kind == TypeKind::Class) return true;
    if (sort == 'n') return isNumber(type);
    if (sort == 'd') return type->kind == TypeKind::Dimension;
    return !isNumber(type) && !isRange(type) && type->kind != TypeKind::Group;
}

bool fits(const Form& form, std::span<const NodePtr> values) {
    return std::ranges::equal(form.arguments, values,
                              [](char sort, NodePtr value) { return mayBe(sort, typeOf(value)); });
}

bool isCopy(std::span<const NodePtr> values) {
    const Type* type = values.size() == 1 ? typeOf(values[0]) : nullptr;
    return type && (isUnknown(type) || isRange(type) || type->kind == TypeKind::Group);
}

std::string listed(std::span<const NodePtr> values) {
    std::string text;
    for (NodePtr value : values) text += (text.empty() ? "" : ", ") + textOf(value);
    return "(" + text + ")";
}

void adviseDimension(Report& report, std::span<const NodePtr> values) {
    for (NodePtr value : values)
        if (isKind(value, TypeKind::Group))
            report.help("a dimension of a grid is meant: " + textOf(value) + ".dim(0)");
}

void checkMade(const Context& context, NodePtr at, const Type* type, NodePtr initializer) {
    const auto values = initializer->children();
    if (isCopy(values)) return;
    const auto isPlain = [](NodePtr value) {
        return !ast::is<ast::BracedInitializer>(value) && !ast::is<ast::PackExpansion>(value);
    };
    if (!std::ranges::all_of(values, isPlain)) return;
    if (type->spelled == "Range" && type->kind == TypeKind::Range && !values.empty()) {
        context.report(Id::MadeFrom, at, "Range", "another range", listed(values))
            .help("the class says who holds what: BlockRange, CyclicRange, ExtBlockRange, ..");
        return;
    }
    std::string_view shown;
    for (const Form& form : forms) {
        if (form.className != type->spelled) continue;
        if (fits(form, values)) return;
        if (shown.empty()) shown = form.shown;
    }
    if (shown.empty()) return;
    Report report = context.report(Id::MadeFrom, at, type->spelled, shown, listed(values));
    adviseDimension(report, values);
}

// What an inquiry takes, in words; "" if it may take several forms.
std::string_view wordsFor(ast::Takes takes) {
    constexpr std::pair<ast::Takes, std::string_view> words[] = {
        {ast::Takes::Nothing, "no argument"},
        {ast::Takes::Dimension, "one argument, the number of a dimension"},
        {ast::Takes::Location, "one argument, the number of a location"},
        {ast::Takes::Group, "one argument, another group"}};
    for (const auto& [each, text] : words)
        if (each == takes) return text;
    return "";
}

// The rank of an array, or of a grid whose class says it; nothing for other groups.
std::optional<long long> rankOf(const Type* owner) {
    if (owner->kind == TypeKind::Multiarray) return static_cast<long long>(owner->slots.size());
    const std::string_view name = owner->spelled;
    const bool isGrid = name.size() == 6 && name.starts_with("Procs");
    return isGrid ? std::optional<long long>(name.back() - '0') : std::nullopt;
}

void checkDimension(const Context& context, NodePtr base, NodePtr argument) {
    const auto rank = rankOf(typeOf(base)), number = constantValue(argument);
    if (!rank || !number || (*number >= 0 && *number < *rank)) return;
    Report report =
        context.report(Id::NoSuchDimension, argument, textOf(base), *rank, textOf(argument));
    if (*rank == 1)
        report.help("dimensions are numbered from 0, the only one here");
    else if (*rank > 1)
        report.help("dimensions are numbered from 0, here to " + std::to_string(*rank - 1));
}

// Names that no other library has for something else.
bool isAdlibFunction(std::string_view name) {
    static constexpr std::array<std::string_view, 13> common = {
        "any",    "all",  "count",     "copy",   "shift",   "sum",      "product",
        "reduce", "scan", "transpose", "gather", "scatter", "broadcast"};
    const Symbol* found = findInAdlib(name);
    return found && found->kind == ast::SymbolKind::Function &&
           std::ranges::find(common, name) == common.end();
}

}  // namespace

void madeObject(const Context& context, NodePtr node) {
    const NodePtr initializer = node->child(ast::InitDeclarator::initializer);
    const bool isDirect = initializer && !initializer->is<ast::EqualInitializer>();
    if (isDirect && node->symbol) checkMade(context, initializer, typeOf(node), initializer);
}

void madeTemporary(const Context& context, NodePtr node) {
    const NodePtr callee = bare(node->child(ast::Call::callee));
    if (callee->symbol && callee->symbol->kind == ast::SymbolKind::Class)
        checkMade(context, node->child(ast::Call::arguments), typeOf(node),
                  node->child(ast::Call::arguments));
}

void inquiryArguments(const Context& context, NodePtr node) {
    const NodePtr callee = bare(node->child(ast::Call::callee));
    if (!callee->is<ast::Member>()) return;
    const NodePtr base = callee->child(ast::Member::base),
                  arguments = node->child(ast::Call::arguments);
    const Type* owner = typeOf(base);
    const ast::RuntimeMember* inquiry = ast::inquiryOf(node);
    if (!inquiry || inquiry->takes == ast::Takes::Any) return;
    const bool takesNothing = inquiry->takes == ast::Takes::Nothing;
    const std::size_t given = arguments->children().size();
    if (given == (takesNothing ? 0 : 1)) {
        if (inquiry->takes == ast::Takes::Dimension)
            checkDimension(context, base, arguments->child(0));
        return;
    }
    Report report = context.report(Id::InquiryArguments, arguments, inquiry->name, describe(owner),
                                   wordsFor(inquiry->takes), given);
    if (given == 0)
        report.help("write " + textOf(callee) + "(0) for the first");
    else if (takesNothing)
        report.fixit(arguments->span(), "()");
}

// writeHalo(a): out of sight here, and yet the C++ compiler would find something of that name.
void adlibWithoutName(const Context& context, NodePtr node) {
    const NodePtr callee = node->child(ast::Call::callee);
    const auto values = node->child(ast::Call::arguments)->children();
    if (std::ranges::none_of(values, [](NodePtr v) { return isKind(v, TypeKind::Multiarray); }))
        return;
    if (!isAdlibFunction(callee->text()) || !isUndeclared(context, callee)) return;
    const std::string name = "Adlib::" + std::string(callee->text());
    context.report(Id::AdlibWithoutName, callee, callee->text(), name).fixit(callee->span(), name);
}

}  // namespace hpcc::check
