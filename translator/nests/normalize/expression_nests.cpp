// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/expression_nests.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "ast/comments.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// True if it may be written twice, and one of both evaluated.
bool isRepeatable(NodePtr node) {
    if (!node) return true;
    const bool isKnown = !ast::is<ast::Lambda>(node) && !ast::is<ast::OpaqueExpression>(node) &&
                         !ast::changedOperand(node) &&
                         (!ast::is<ast::Call>(node) || analysis::isHarmlessCall(node));
    return isKnown && std::ranges::all_of(node->children(), isRepeatable);
}

class HeaderRenaming : public ast::Rewriter {
public:
    HeaderRenaming(Context& context, const std::map<std::string_view, NodePtr>& headers)
        : Rewriter(context.arena), context_(context), headers_(headers) {}

    NodePtr rewriteIdentifier(NodePtr node) override {
        const auto found = headers_.find(node->text());
        if (found == headers_.end()) return node;
        const NodePtr made = context_.identifier(std::string(indexOf(found->second)->text()), node);
        made->symbol = found->second->symbol;
        made->type = node->type;
        return made;
    }

private:
    Context& context_;
    const std::map<std::string_view, NodePtr>& headers_;
};

}  // namespace

std::span<const NodePtr> headersOf(NodePtr values) {
    return values->child(ast::OverallExpression::headers)->children();
}
NodePtr expressionOf(NodePtr values) { return values->child(ast::OverallExpression::expression); }
NodePtr indexOf(NodePtr header) { return header->child(ast::OverallHeader::index); }

std::string_view libraryFunction(NodePtr call) {
    const NodePtr callee = call->child(ast::Call::callee);
    std::string_view name = callee->text();
    for (const std::string_view scope : {"hpspmd::", "Adlib::"})
        if (name.starts_with(scope)) name.remove_prefix(scope.size());
    return ast::isLibraryName(callee) ? name : "";
}

bool ExpressionNests::canBeNest(NodePtr values, bool isBox) {
    std::unordered_set<std::string_view> indices;
    for (const NodePtr header : values->child(ast::OverallExpression::headers)->children()) {
        const NodePtr range = header->child(ast::OverallHeader::range);
        if (!ast::isPure(range)) return false;
        const NodePtr fixed = isBox ? header->child(ast::OverallHeader::triplet) : nullptr;
        for (const NodePtr part : {range, fixed})
            for (const std::string_view name : ast::namesIn(part))
                if (indices.contains(name)) return false;
        indices.insert(header->child(ast::OverallHeader::index)->text());
    }
    const bool isNested = ast::is<ast::OverallExpression>(expressionOf(values));
    return !(isBox && isNested) && isRepeatable(values) &&
           !ast::holdsDirective(values->origin()->text());
}

NodePtr ExpressionNests::withIndices(const std::map<std::string_view, NodePtr>& headers,
                                     NodePtr expression) {
    return HeaderRenaming(context, headers).rewrite(expression);
}

std::vector<NodePtr> ExpressionNests::nestOver(Headers headers, NodePtr body,
                                               ast::FreshNames::Given& given) {
    std::vector<NodePtr> statements;
    for (size_t depth = headers.size(); depth-- > 0;) {
        const NodePtr header = ast::copy(context.arena, headers[depth]);
        body = overall(withSimpleRange(header, given, statements), body);
    }
    statements.push_back(body);
    return statements;
}

/// Its range by a name.
NodePtr ExpressionNests::withSimpleRange(NodePtr header, ast::FreshNames::Given& given,
                                         std::vector<NodePtr>& statements) {
    const NodePtr range = header->child(ast::OverallHeader::range);
    if (ast::isSimple(range)) return header;
    const std::string index(header->child(ast::OverallHeader::index)->text());
    const std::string name = context.names.name(index + "_range", given);
    statements.push_back(context.statement(
        "const hpspmd::Range $name = $range;",
        {{"$name", context.variable(name, range->type, range)}, {"$range", range}}, range));
    return ast::withChild(context.arena, header, ast::OverallHeader::range,
                          context.variable(name, range->type, range));
}

NodePtr ExpressionNests::overall(NodePtr header, NodePtr body) {
    const NodePtr shape =
        context.statement("overall (i = x for :) $body;", {{"$body", body}}, header);
    const NodePtr headers =
        context.arena.rebuilt(shape->child(ast::Overall::headers), header, std::span(&header, 1));
    return ast::withChild(context.arena, shape, ast::Overall::headers, headers);
}

}  // namespace hpcc::nests
