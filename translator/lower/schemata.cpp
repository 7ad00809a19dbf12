// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/schemata.hpp"

#include <algorithm>

#include "ast/budget.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "lower/regions.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

bool isRange(NodePtr expression) {
    const ast::Type* type = expression->type;
    return type && (type->kind == ast::TypeKind::Range || type->kind == ast::TypeKind::Dimension);
}

NodePtr lowerSlot(Context& context, NodePtr slot) {
    if (slot->is<ast::Triplet>()) return lowerTriplet(context, slot);
    if (slot->is<ast::Split>()) return context.expression("hpspmd::split", {}, slot);
    return slot;
}

/// The specifiers of a multiarray type: `const` and `volatile` belong to the elements, the rest
/// (static, typedef, inline, ..) to the declaration.
struct Words {
    std::string ofDeclaration;
    std::string ofElement;
};

void sortWords(NodePtr list, Words& words) {
    if (!list) return;
    for (const NodePtr word : list->children()) {
        const bool ofElement = word->text() == "const" || word->text() == "volatile";
        (ofElement ? words.ofElement : words.ofDeclaration) += std::string(word->text()) + ' ';
    }
}

/// A comma outside parentheses and quotes.
bool hasBareComma(std::string_view text) {
    int depth = 0;
    char quote = '\0';
    for (size_t k = 0; k < text.size(); ++k) {
        const char c = text[k];
        if (quote != '\0') {
            if (c == '\\') ++k;
            if (c == quote) quote = '\0';
            continue;
        }
        if (c == '"' ||
            (c == '\'' && (k == 0 || !std::isalnum(static_cast<unsigned char>(text[k - 1])))))
            quote = c;
        if (c == '(') ++depth;
        if (c == ')') --depth;
        if (c == ',' && depth == 0) return true;
    }
    return false;
}

std::string slotClass(NodePtr slot) {
    if (slot->is<ast::DistributedSlot>()) return "hpspmd::Dist";
    if (slot->is<ast::SequentialSlot>()) return "hpspmd::Seq";
    return std::string(slot->text());  // a template parameter
}

}  // namespace

std::vector<NodePtr> tripletArguments(Context& context, NodePtr triplet) {
    std::vector<NodePtr> parts(triplet->children().begin(), triplet->children().end());
    while (!parts.empty() && !parts.back()) parts.pop_back();
    for (NodePtr& part : parts)
        if (!part) part = context.expression("hpspmd::detail::none", {}, triplet);
    return parts;
}

NodePtr lowerTriplet(Context& context, NodePtr triplet) {
    return context.expression("hpspmd::Triplet($parts)",
                              {{"$parts", tripletArguments(context, triplet)}}, triplet);
}

NodePtr lowerSection(Context& context, NodePtr original, NodePtr lowered) {
    const NodePtr base = lowered->child(ast::Section::base);
    const auto slots = lowered->child(ast::Section::slots)->children();
    if (isRange(original->child(ast::Section::base)) && slots.size() == 1 &&
        slots[0]->is<ast::Triplet>())
        return context.expression("$x.subrange($parts)",
                                  {{"$x", base}, {"$parts", tripletArguments(context, slots[0])}},
                                  original);
    std::vector<NodePtr> arguments{base};
    for (const NodePtr slot : slots) arguments.push_back(lowerSlot(context, slot));
    // Triplets carry the place of the call for messages; without one, the function object does.
    const bool hasTriplet =
        std::ranges::any_of(slots, [](NodePtr slot) { return slot->is<ast::Triplet>(); });
    return context.expression(
        hasTriplet ? "hpspmd::section($arguments)" : "hpspmd::detail::Section()($arguments)",
        {{"$arguments", arguments}}, original);
}

NodePtr lowerCreation(Context& context, NodePtr creation) {
    NodePtr group = creation->child(ast::NewMultiarray::group);
    if (!group) group = context.expression("hpspmd::apg()", {}, creation);
    std::vector<NodePtr> arguments{group};
    const auto extents = creation->child(ast::NewMultiarray::extents)->children();
    arguments.insert(arguments.end(), extents.begin(), extents.end());
    return context.expression(
        "hpspmd::create<$T>($arguments)",
        {{"$T", creation->child(ast::NewMultiarray::elementType)}, {"$arguments", arguments}},
        creation);
}

NodePtr lowerOverallExpression(Context& context, NodePtr overall) {
    const auto headers = overall->child(ast::OverallExpression::headers)->children();
    NodePtr value = overall->child(ast::OverallExpression::expression);
    for (size_t depth = headers.size(); depth-- > 0;) {
        const NodePtr header = headers[depth];
        const NodePtr index = header->child(ast::OverallHeader::index);
        const bool used = ast::namesIn(value).contains(index->text());
        value = context.expression(
            used ? "hpspmd::detail::overall($x, $triplet, [&](const hpspmd::DistributedIndex &$i) "
                   "{ return $e; })"
                 : "hpspmd::detail::overall($x, $triplet, [&](const hpspmd::DistributedIndex &) "
                   "{ return $e; })",
            {{"$x", header->child(ast::OverallHeader::range)},
             {"$triplet", lowerTriplet(context, header->child(ast::OverallHeader::triplet))},
             {"$i", index},
             {"$e", value}},
            header);
    }
    return value;
}

NodePtr lowerMultiarrayType(Context& context, NodePtr type, const std::vector<std::string>& slots) {
    const NodePtr specifiers = ast::elementSpecifiers(type);
    Words words;
    sortWords(specifiers->child(ast::Specifiers::before), words);
    sortWords(specifiers->child(ast::Specifiers::after), words);
    const NodePtr element = type->child(ast::MultiarrayType::specifiers);
    std::string schema = words.ofDeclaration + "hpspmd::Array<" + words.ofElement + "$T";
    if (element->is<ast::TypeName>())
        schema += ' ' + ast::print(element->child(ast::TypeName::declarator));
    const auto dimensions = type->child(ast::MultiarrayType::dimensions)->children();
    for (size_t r = 0; r < dimensions.size(); ++r) {
        const bool named = r < slots.size() && !slots[r].empty();
        schema += ", " + (named ? slots[r] : slotClass(dimensions[r]));
    }
    const NodePtr result = context.quote.type(
        context.arena, schema + ">", {{"$T", specifiers->child(ast::Specifiers::core)}}, type);
    return result->is<ast::TypeName>() ? result->child(ast::TypeName::specifiers) : result;
}

NodePtr protectArguments(Context& context, NodePtr original, NodePtr lowered) {
    const NodePtr callee = original->child(ast::Call::callee);
    if (!ast::is<ast::Identifier>(callee) || callee->symbol) return lowered;
    const NodePtr before = original->child(ast::Call::arguments);
    const NodePtr after = lowered->child(ast::Call::arguments);
    std::vector<NodePtr> arguments(after->children().begin(), after->children().end());
    for (size_t k = 0; k < arguments.size(); ++k) {
        if (arguments[k] == before->child(static_cast<uint32_t>(k))) continue;
        if (!ast::isExpression(arguments[k]) || !hasBareComma(ast::print(arguments[k]))) continue;
        arguments[k] = context.expression("($e)", {{"$e", arguments[k]}}, arguments[k]);
    }
    return ast::withChild(context.arena, lowered, ast::Call::arguments,
                          ast::rebuild(context.arena, after, arguments));
}

bool isEmpty(NodePtr body) {
    return body->is<ast::EmptyStatement>() ||
           (body->is<ast::Compound>() && body->children().empty());
}

NodePtr blockWith(Context& context, std::vector<NodePtr> first, NodePtr body) {
    if (first.empty() && body->is<ast::Compound>()) return body;
    if (body->is<ast::Compound>() && !body->children().empty() && !beginsWithDirective(body)) {
        std::vector<NodePtr> children(body->children().begin(), body->children().end());
        first.push_back(children.front());
        children.front() = ast::sequence(context.arena, first, children.front());
        return ast::rebuild(context.arena, body, children);
    }
    if (!isEmpty(body)) first.push_back(body);
    if (first.empty()) return context.statement("{}", {}, body);
    return context.statement(
        "{\n"
        "    $statements;\n"
        "}",
        {{"$statements", first}}, body);
}

NodePtr withBudget(Context& context, NodePtr attributed, NodePtr lowered) {
    const ast::Budget budget = ast::budgetOf(attributed);
    if (!budget.attribute) return lowered;
    const auto given = [&](const std::string& text) {
        return context.identifier(text, budget.attribute);
    };
    std::vector<NodePtr> allowed{
        given(budget.messages.empty() ? "hpspmd::detail::unlimited" : budget.messages)};
    if (!budget.bytes.empty()) allowed.push_back(given(budget.bytes));
    const NodePtr comparison =
        context.statement("const hpspmd::detail::WithinBudget $budget($allowed);",
                          {{"$budget", given(context.names.name("budget"))}, {"$allowed", allowed}},
                          budget.attribute);
    if (!lowered->is<ast::FunctionDefinition>()) return blockWith(context, {comparison}, lowered);
    const NodePtr body = lowered->child(ast::FunctionDefinition::body);
    return ast::withChild(context.arena, lowered, ast::FunctionDefinition::body,
                          blockWith(context, {comparison}, body));
}

}  // namespace hpcc::lower
