// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 5: no two at/overall over one process dimension, no jump out of an overall.
#include "ast/search.hpp"
#include "check/facts.hpp"
#include "check/wording.hpp"

namespace hpcc::check {
namespace {

// i = x of a header.
std::string headerText(NodePtr header) {
    const NodePtr source = header->child(1);  // of both At and OverallHeader
    return std::string(header->child(0)->text()) + " = " + textOf(source);
}

NodePtr rangeOf(NodePtr header) { return header->symbol ? rangeOfIndex(*header->symbol) : nullptr; }

// The headers whose bodies hold the present node, within its function, outermost first.
std::vector<NodePtr> headersAround(const Context& context, NodePtr node) {
    std::vector<NodePtr> headers;
    NodePtr inside = node;
    for (auto at = context.path.rbegin(); at != context.path.rend(); inside = *at, ++at) {
        if ((*at)->is<ast::Lambda>() || (*at)->is<ast::FunctionDefinition>()) break;
        if ((*at)->is<ast::At>() && inside == (*at)->child(ast::At::body)) headers.push_back(*at);
        const bool isOverall = (*at)->is<ast::Overall>() || (*at)->is<ast::OverallExpression>();
        const bool isList = (*at)->is<ast::OverallHeaders>();
        if (!isOverall && !isList) continue;
        if (isOverall && inside->is<ast::OverallHeaders>()) continue;  // met as the list
        const NodePtr list = isList ? *at : (*at)->child(0);
        for (NodePtr header : list->children()) {
            if (header == inside) break;  // those to the left only
            headers.push_back(header);
        }
    }
    return headers;
}

// True if the text shows that it lies over a process dimension. A range whose making is not in
// sight may be a CollapsedRange, which may be nested in itself.
bool hasDimension(const RangeFacts& facts) {
    return facts.grid || !facts.format.empty() ||
           (facts.variable && facts.variable->type->kind == TypeKind::Dimension);
}

}  // namespace

void nestedDimension(const Context& context, NodePtr node) {
    const NodePtr range = rangeOf(node);
    if (!range) return;
    const RangeFacts facts = rangeFacts(range);
    for (NodePtr outer : headersAround(context, node)) {
        const NodePtr outerRange = rangeOf(outer);
        if (!outerRange || !provablySameDimension(facts, rangeFacts(outerRange))) continue;
        const Id id = hasDimension(facts) || hasDimension(rangeFacts(outerRange))
                          ? Id::NestedDimension
                          : Id::PerhapsNestedDimension;
        context.report(id, range, headerText(node), headerText(outer))
            .note(outerRange->span(), "fixed here")
            .help(
                "a dimension that each process holds whole is sequential ('*') and is looped over "
                "by an ordinary 'for'");
        return;
    }
}

namespace {

// What a `break` leaves.
bool takesBreak(NodePtr node) {
    return ast::isAny<ast::For, ast::RangeFor, ast::While, ast::DoWhile, ast::MacroStatement,
                      ast::Switch>(node);
}

bool holdsLabel(NodePtr node, std::string_view name) {
    return ast::anywhere(node, [&](NodePtr each) {
        return each->is<ast::Label>() && each->child(ast::Label::name)->text() == name;
    });
}

// The innermost overall that the jump leaves; null if it leaves none.
NodePtr leftOverall(const Context& context, NodePtr jump) {
    for (auto at = context.path.rbegin(); at != context.path.rend(); ++at) {
        if ((*at)->is<ast::Lambda>() || (*at)->is<ast::FunctionDefinition>()) return nullptr;
        if (jump->is<ast::Break>() && takesBreak(*at)) return nullptr;
        if (!(*at)->is<ast::Overall>()) continue;
        const bool stays =
            jump->is<ast::Goto>() && holdsLabel(*at, jump->child(ast::Goto::target)->text());
        if (!stays) return *at;
    }
    return nullptr;
}

}  // namespace

void jumpOutOfOverall(const Context& context, NodePtr node) {
    const NodePtr overall = leftOverall(context, node);
    if (!overall) return;
    const std::string_view word = node->is<ast::Break>()    ? "break"
                                  : node->is<ast::Return>() ? "return"
                                                            : "goto";
    Report report = context.report(Id::JumpOutOfOverall, node, word);
    report.note(overall->child(ast::Overall::headers)->span(), "this 'overall'");
    if (node->is<ast::Break>())
        report.help("'continue' ends one iteration; bound the iterations by the triplet");
    else
        report.help(
            "note the result in a variable, leave after the 'overall' by a reduction of it");
}

}  // namespace hpcc::check
