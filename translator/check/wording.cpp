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

// The identifier i of i, (i), i - 1.
NodePtr indexName(NodePtr expression) {
    expression = bare(expression);
    while (ast::is<ast::Binary>(expression))
        expression = bare(expression->child(ast::Binary::left));
    return ast::is<ast::Identifier>(expression) ? expression : nullptr;
}

}  // namespace

bool rejectIndex(const Context& context, NodePtr expression, const std::string& use) {
    if (!expression || !isIndex(typeOf(expression))) return false;
    const NodePtr name = indexName(expression);
    const std::string index = name ? std::string(name->text()) : textOf(expression);
    Report report = context.report(Id::IndexAsInteger, expression, index, use);
    report.help("write '" + index + "`' for its global index, an integer");
    if (name) report.fixit(source::behind(name->span()), "`");
    return true;
}

bool isMacro(const Context& context, std::string_view name) {
    const std::string_view text = context.unit.text ? context.unit.text->content() : "";
    for (std::size_t at = text.find("define"); at != text.npos; at = text.find("define", at + 1)) {
        const std::size_t begin = text.find_first_not_of(" \t", at + 6);
        if (begin != text.npos && text.substr(begin).starts_with(name)) return true;
    }
    return false;
}

namespace {

// Whether C++ that the grammar does not know, or a macro's arguments, may declare the name.
bool isNamedInOpaque(NodePtr node, std::string_view name) {
    if (!node) return false;
    const bool isOpaque = node->is<ast::OpaqueDeclaration>() || node->is<ast::OpaqueStatement>();
    const NodePtr opaque = node->is<ast::MacroStatement>() ? node->child(0) : node;
    if ((isOpaque || opaque != node) && opaque->text().find(name) != std::string_view::npos)
        return true;
    return std::ranges::any_of(node->children(),
                               [&](NodePtr child) { return isNamedInOpaque(child, name); });
}

}  // namespace

bool isUndeclared(const Context& context, NodePtr expression) {
    const bool isName = ast::is<ast::Identifier>(expression);
    return isName && expression->type == undeclaredType() &&
           !isMacro(context, expression->text()) &&
           !isNamedInOpaque(context.unit.root, expression->text());
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
