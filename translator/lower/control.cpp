// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/control.hpp"

#include "ast/comments.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "lower/locations.hpp"
#include "lower/schemata.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

/// The names of one construct over index i.
struct ConstructNames {
    ConstructNames(Context& context, NodePtr index) : context_(context), index_(index) {}

    NodePtr operator()(const char* suffix) {
        const std::string wanted = std::string(index_->text()) + suffix;
        return context_.identifier(context_.names.name(wanted), index_);
    }

private:
    Context& context_;
    NodePtr index_;
};

/// The comments between head and body of a construct, as the user wrote it.
NodePtr commentsBefore(Context& context, NodePtr construct, uint32_t head, uint32_t body) {
    const NodePtr written = construct->shape();
    return ast::commentsBetween(context.arena, written->child(head), written->child(body));
}

/// The body with the declaration of its index in front; in a block of its own if it declares a
/// variable of that name itself.
NodePtr bodyWithIndex(Context& context, NodePtr index, NodePtr declaration, NodePtr comments,
                      NodePtr body) {
    if (isEmpty(body)) return context.statement("{}", {}, body);
    std::vector<NodePtr> entry{declaration};
    if (comments) entry.push_back(comments);
    if (body->is<ast::Compound>() && ast::effectsOf(body).declared.contains(index->text()))
        return context.statement(
            "{\n"
            "    $entry;\n"
            "    $body;\n"
            "}",
            {{"$entry", entry}, {"$body", body}}, body);
    return blockWith(context, entry, body);
}

}  // namespace

NodePtr lowerOn(Context& context, NodePtr on) {
    const NodePtr group = on->child(ast::On::group);
    NodePtr name = group;
    while (ast::is<ast::Binary>(name)) name = ast::withoutParentheses(name->child(0));
    const NodePtr body = on->child(ast::On::body);
    std::vector<NodePtr> comments;
    if (const NodePtr comment = commentsBefore(context, on, ast::On::group, ast::On::body))
        comments.push_back(comment);
    const std::string wanted = ast::is<ast::Identifier>(name) ? std::string(name->text()) : "group";
    const NodePtr guard = context.identifier(context.names.name(wanted + "_on"), on);
    const ast::Type* const type = ast::withoutParentheses(group)->type;
    if (type && type->kind == ast::TypeKind::Target) {  // never skipped, as the C++ compiler sees
        comments.insert(comments.begin(),
                        context.statement("const hpspmd::detail::On $on{$target};",
                                          {{"$on", guard}, {"$target", group}}, on));
        return blockWith(context, comments, body);
    }
    return context.statement(
        "if (const hpspmd::detail::On $on{$group}) $body;",
        {{"$on", guard}, {"$group", group}, {"$body", blockWith(context, comments, body)}}, on);
}

NodePtr lowerAt(Context& context, NodePtr at) {
    const NodePtr index = at->child(ast::At::index);
    ConstructNames name(context, index);
    const LocationParts parts = locationParts(at->child(ast::At::location));
    const NodePtr place =
        parts.range ? context.expression("$range.location($n)",
                                         {{"$range", parts.range}, {"$n", parts.number}}, at)
                    : at->child(ast::At::location);
    const auto range = [&] {
        return parts.range ? ast::copy(context.arena, parts.range)
                           : context.expression("$at.dim", {{"$at", name("_at")}}, at);
    };
    const NodePtr guard =
        context.statement("const hpspmd::detail::Active $active($range.dim());",
                          {{"$active", name("_active")}, {"$range", range()}}, at);
    const NodePtr declaration =
        context.statement("const hpspmd::DistributedIndex $i($range, $at);",
                          {{"$i", index}, {"$range", range()}, {"$at", name("_at")}}, at);
    const NodePtr entry = ast::sequence(context.arena, {guard, declaration}, at);
    const NodePtr body = at->child(ast::At::body);
    const NodePtr comments = commentsBefore(context, at, ast::At::location, ast::At::body);
    return context.statement("if (const hpspmd::Location $at = $place; $at2.held()) $body;",
                             {{"$at", name("_at")},
                              {"$at2", name("_at")},
                              {"$place", place},
                              {"$body", bodyWithIndex(context, index, entry, comments, body)}},
                             at);
}

NodePtr lowerOverall(Context& context, NodePtr overall, std::vector<NodePtr> checks,
                     const ThreadMark* threads) {
    const NodePtr header = overall->child(ast::Overall::headers)->child(0);
    const NodePtr index = header->child(ast::OverallHeader::index);
    const NodePtr range = header->child(ast::OverallHeader::range);
    ConstructNames name(context, index);
    const NodePtr declaration =
        context.statement("const hpspmd::DistributedIndex $i($range, $block, $k);",
                          {{"$i", index},
                           {"$range", ast::copy(context.arena, range)},
                           {"$block", name("_block")},
                           {"$k", name("_k")}},
                          header);
    checks.push_back(context.statement(
        "const hpspmd::detail::Active $active($range.dim());",
        {{"$active", name("_active")}, {"$range", ast::copy(context.arena, range)}}, header));
    const NodePtr body = overall->child(ast::Overall::body);
    // A list of headers had one body; the comments before it go with the innermost.
    const NodePtr list = overall->shape()->child(ast::Overall::headers);
    const bool innermost = list->children().back() == header->shape();
    const NodePtr comments =
        innermost ? commentsBefore(context, overall, ast::Overall::headers, ast::Overall::body)
                  : nullptr;
    const NodePtr blocks = context.expression(
        "$range.localBlocks($triplet)",
        {{"$range", range},
         {"$triplet", tripletArguments(context, header->child(ast::OverallHeader::triplet))}},
        header);
    NodePtr loop = context.statement(
        "for (const hpspmd::Block &$block : $blocks)\n"
        "    for (hpspmd::Index $k = 0; $k2 < $block2.count; ++$k3) $body;",
        {{"$block", name("_block")},
         {"$blocks", threads ? name("_share") : blocks},
         {"$block2", name("_block")},
         {"$k", name("_k")},
         {"$k2", name("_k")},
         {"$k3", name("_k")},
         {"$body", bodyWithIndex(context, index, declaration, comments, body)}},
        header);
    if (threads) loop = inThreads(context, *threads, name("_share"), blocks, loop);
    return context.statement(
        "{\n"
        "    $entry;\n"
        "    $loop;\n"
        "}",
        {{"$entry", checks}, {"$loop", loop}}, header);
}

}  // namespace hpcc::lower
