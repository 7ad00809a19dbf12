// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/regions.hpp"

#include <algorithm>

#include "ast/declarators.hpp"
#include "ast/search.hpp"
#include "regions/collecting.hpp"
#include "regions/places.hpp"
#include "regions/writing.hpp"

namespace hpcc::regions {
namespace {

// Finds the methods, and their local arrays.
class Search {
public:
    Search(const ast::Unit& unit, Edits& edits, diagnostics::Engine& engine)
        : unit_(unit), written_(edits), edits_(edits), engine_(engine) {}

    void visit(NodePtr node, NodePtr attributes = nullptr) {
        if (!node) return;
        if (node->is<ast::Attributed>())
            return visit(node->child(ast::Attributed::declaration), attributes ? attributes : node);
        if (node->is<ast::FunctionDefinition>()) return function(node, attributes);
        if (node->is<ast::Declaration>()) prototype(node);
        for (const NodePtr child : node->children()) visit(child);
    }

private:
    void function(NodePtr function, NodePtr attributes) {
        const std::vector<NodePtr> parameters = dividedParameters(ast::parametersOf(function));
        if (parameters.empty())
            loops(function->child(ast::FunctionDefinition::body), function);
        else
            method(function, parameters, attributes);
        for (const NodePtr child : function->children()) visit(child);
    }

    // Those that are marked, of a function that is no method.
    void loops(NodePtr node, NodePtr function, NodePtr around = nullptr) {
        if (!node || ast::isAny<ast::Lambda, ast::FunctionDefinition>(node)) return;
        if (node->is<ast::Attributed>() && attributeOf(node, "overall")) {
            const Method plan = planLoop(unit_.root, function, node, engine_);
            if (engine_.hasErrors()) return;
            tellDivisions(plan, engine_);
            if (around) tellCollectedBehind(plan, around, engine_);
            return writeMethod(plan, unit_, written_, edits_, engine_);
        }
        if (ast::isAny<ast::For, ast::RangeFor, ast::While, ast::DoWhile>(node)) around = node;
        for (const NodePtr child : node->children()) loops(child, function, around);
    }

    void method(NodePtr function, const std::vector<NodePtr>& parameters, NodePtr attributes) {
        const NodePtr body = function->child(ast::FunctionDefinition::body);
        edits_.before(function->span().begin, "[[hpspmd::collective(method)]] ");
        if (!body->is<ast::Compound>()) return;
        Arrays arrays;
        for (const NodePtr each : parameters) add(each, arrays);
        addLocal(body, arrays);
        if (engine_.hasErrors()) return;
        const Method plan =
            planMethod(unit_.root, function, std::move(arrays), attributes, engine_);
        if (engine_.hasErrors()) return;
        tellDivisions(plan, engine_);
        writeMethod(plan, unit_, written_, edits_, engine_);
    }

    // Of a function that is defined elsewhere.
    void prototype(NodePtr declaration) {
        const NodePtr list = declaration->child(ast::Declaration::declarators);
        if (!list || list->children().size() != 1) return;
        const NodePtr function =
            ast::functionDeclarator(list->child(0)->child(ast::InitDeclarator::declarator));
        if (!function) return;
        if (!dividedParameters(function->child(ast::FunctionDeclarator::parameters)).empty())
            edits_.before(declaration->span().begin, "[[hpspmd::collective(method)]] ");
    }

    void add(NodePtr attributed, Arrays& arrays) {
        if (const auto array =
                dividedArray(attributed, *attributeOf(attributed, "dist"), unit_.root, engine_))
            arrays.emplace(array->symbol, *array);
    }

    void addLocal(NodePtr node, Arrays& arrays) {
        if (!node || node->is<ast::Lambda>()) return;
        if (node->is<ast::Attributed>() && attributedNode(node)->is<ast::Declaration>() &&
            attributeOf(node, "dist"))
            add(node, arrays);
        for (const NodePtr child : node->children()) addLocal(child, arrays);
    }

    const ast::Unit& unit_;
    const Edits written_;  // without attributes
    Edits& edits_;
    diagnostics::Engine& engine_;
};

bool includesLibrary(std::string_view text) {
    return text.find("#include <hpspmd") != std::string_view::npos ||
           text.find("#include \"hpspmd") != std::string_view::npos;
}

// An empty line in front of `end`, outside of comments and of branches of #if; -1 if there is none.
int64_t emptyLine(const source::Text& text, uint32_t end) {
    int64_t found = -1;
    int depth = 0;
    uint32_t begin = 0;
    while (begin < end) {
        const std::size_t newline = text.content().find('\n', begin);
        if (newline == std::string_view::npos || newline >= end) break;
        const std::string_view line = text.slice(begin, static_cast<uint32_t>(newline));
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos && depth == 0 && !text.isProtected(begin))
            found = begin;
        const std::string_view rest = first == std::string_view::npos ? "" : line.substr(first);
        if (rest.starts_with("#if")) ++depth;
        if (rest.starts_with("#endif")) --depth;
        begin = static_cast<uint32_t>(newline) + 1;
    }
    return found;
}

// What the nests need, in an empty line: so the others keep their numbers.
void includeLibrary(const ast::Unit& unit, Edits& edits) {
    if (includesLibrary(unit.text->content()) || unit.root->children().empty()) return;
    const uint32_t first = unit.root->child(0)->span().begin;
    const int64_t line = emptyLine(*unit.text, first);
    if (line < 0)
        edits.before(0, "#include <hpspmd>\n");
    else
        edits.before(static_cast<uint32_t>(line), "#include <hpspmd>");
}

bool holdsAttribute(NodePtr node) {
    if (!node || !node->contains(ast::extension)) return false;
    if (node->is<ast::Attributed>() && !methodAttributes(node).empty()) return true;
    return std::ranges::any_of(node->children(), holdsAttribute);
}

}  // namespace

bool hasAttributes(const ast::Unit& unit) { return holdsAttribute(unit.root); }

std::optional<std::string> divided(const ast::Unit& unit, diagnostics::Engine& engine) {
    Edits edits;
    if (!checkPlaces(unit.root, edits, engine) || engine.hasErrors()) return std::nullopt;
    Search(unit, edits, engine).visit(unit.root);
    if (engine.hasErrors()) return std::nullopt;
    includeLibrary(unit, edits);
    return edits.appliedTo(*unit.text);
}

}  // namespace hpcc::regions
