// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/wording.hpp"

#include "check/facts.hpp"
#include "check/near_names.hpp"

#include <algorithm>

namespace hpcc::check {

std::string textOf(NodePtr node) {
    std::string out;
    for (const char c : node->text()) {
        const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!blank)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    constexpr std::size_t limit = 40;
    return out.size() <= limit ? out : out.substr(0, limit - 3) + "...";
}

namespace {

// i, j, .. for distributed slots, k, l, .. for sequential ones.
std::vector<std::string> subscriptNames(const std::vector<SlotKind>& slots) {
    constexpr std::string_view distributed = "ijpqrs", sequential = "klmn";
    std::vector<std::string> names;
    std::size_t indices = 0, integers = 0;
    for (const SlotKind slot : slots)
        names.emplace_back(1, slot == SlotKind::Distributed
                                  ? distributed[indices++ % distributed.size()]
                                  : sequential[integers++ % sequential.size()]);
    return names;
}

}  // namespace

source::Span headOf(NodePtr node) {
    source::Span span = node->span();
    const auto end = std::min(node->text().find_first_of("\n{"), node->text().size());
    span.end = span.begin + static_cast<uint32_t>(end);
    return span;
}

std::string withArticle(std::string_view name) {
    const bool isVowel = !name.empty() && std::string_view("AEIO").find(name[0]) != name.npos;
    return (isVowel ? "an " : "a ") + std::string(name);
}

std::string elementOf(NodePtr array) {
    std::string subscripts;
    for (const std::string& name : subscriptNames(typeOf(array)->slots))
        subscripts += (subscripts.empty() ? "" : ", ") + name;
    return textOf(bare(array)) + "[" + subscripts + "]";
}

std::string loopOver(NodePtr array) {
    const std::vector<SlotKind>& slots = typeOf(array)->slots;
    const std::vector<std::string> names = subscriptNames(slots);
    std::string headers;
    for (std::size_t r = 0; r < slots.size(); ++r) {
        if (slots[r] != SlotKind::Distributed) continue;
        headers += (headers.empty() ? "" : ", ") + names[r] + " = " + textOf(bare(array)) +
                   ".rng(" + std::to_string(r) + ") for :";
    }
    return headers.empty() ? "" : "overall (" + headers + ")";
}

namespace {

// The identifier i of i, (i), i - 1.
NodePtr indexName(NodePtr expression) {
    expression = bare(expression);
    while (ast::is<ast::Binary>(expression))
        expression = bare(expression->child(ast::Binary::left));
    return ast::is<ast::Identifier>(expression) ? expression : nullptr;
}

}  // namespace

const std::string adviceToMove =
    "a nest reads elements at its own index and at shifted ones, as 'i + 1'; others come by a "
    "collective into an array that is read at 'i': Adlib::remap of a section "
    "'[[first : last : step]]' for a constant step, Adlib::gather for any places";

bool rejectIndex(const Context& context, NodePtr expression, const std::string& use) {
    if (!expression || !isIndex(typeOf(expression))) return false;
    const NodePtr name = indexName(expression);
    const std::string index = name ? std::string(name->text()) : textOf(expression);
    Report report = context.report(Id::IndexAsInteger, expression, index, use);
    report.help("write '" + index + "`' for its global index, an integer");
    if (name) report.fixit(source::behind(name->span()), "`");
    return true;
}

bool isUndeclared(const Context& context, NodePtr expression) {
    const bool isName = ast::is<ast::Identifier>(expression);
    return isName && expression->type == undeclaredType() &&
           !context.foreignNames.mayDeclare(expression->text());
}

namespace {

NodePtr enclosingFunction(const Context& context) {
    const auto found = std::ranges::find_if(
        context.path, [](NodePtr node) { return node->is<ast::FunctionDefinition>(); });
    return found == context.path.end() ? nullptr : *found;
}

// The name in a header inside `node` that binds an index of that name.
NodePtr bindingOf(NodePtr node, std::string_view name) {
    if (!node) return nullptr;
    const bool binds = node->is<ast::OverallHeader>() || node->is<ast::At>();
    if (binds && node->child(0)->text() == name) return node->child(0);
    for (NodePtr child : node->children())
        if (const NodePtr found = bindingOf(child, name)) return found;
    return nullptr;
}

std::vector<std::string> boundIndices(const Context& context) {
    std::vector<std::string> names;
    for (NodePtr node : context.path) {
        if (node->is<ast::At>()) names.emplace_back(node->child(ast::At::index)->text());
        if (!node->is<ast::Overall>()) continue;
        for (NodePtr header : node->child(ast::Overall::headers)->children())
            names.emplace_back(header->child(ast::OverallHeader::index)->text());
    }
    return names;
}

}  // namespace

void reportUnbound(const Context& context, NodePtr name) {
    const std::string text(name->text());
    Report report = context.report(Id::UnboundIndex, name, text);
    const std::string nearest = nearestName(text, boundIndices(context));
    if (const NodePtr bound = bindingOf(enclosingFunction(context), text))
        report.note(bound->span(), "'" + text + "' is bound only inside this");
    else if (!nearest.empty())
        report.help("did you mean '" + nearest + "'?").fixit(name->span(), nearest);
    else
        report.help("bind it around this place: overall (" + text + " = x for :) or at (" + text +
                    " = x[n])");
}

}  // namespace hpcc::check
