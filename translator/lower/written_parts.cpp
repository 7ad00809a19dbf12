// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/written_parts.hpp"

#include <algorithm>

#include "ast/copy.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "lower/locations.hpp"
#include "lower/threads.hpp"

namespace hpcc::lower {

using ast::NodePtr;

WrittenParts::WrittenParts(ast::Writer& writer, NodePtr nest, const ast::Effects& effects,
                           const ast::MacroNames& macros,
                           const std::vector<Writes::Written>& arrays)
    : writer_(writer), effects_(effects) {
    const auto mayHideAccesses = [&](NodePtr each) {
        return ast::isAny<ast::OpaqueStatement, ast::Lambda>(each) ||
               (each->is<ast::Call>() && macros.mayBeMacro(each)) ||
               (each->is<ast::MacroStatement>() && !isMarkedForThreads(each));
    };
    if (ast::anywhere(nest, mayHideAccesses)) return;
    for (const auto& [array, isSure] : arrays)
        if (std::string text = ast::print(array); isSure && !macros.mention(text))
            arrays_[std::move(text)];
    collect(nest);
}

void WrittenParts::collect(NodePtr node) {
    if (!node) return;
    if (node->is<ast::Subscript>() && ast::isSimple(node->child(ast::Subscript::base))) {
        collectAccess(node);
        return collect(node->child(ast::Subscript::subscripts));
    }
    if (ast::isSimple(node)) {
        if (const auto found = arrays_.find(ast::print(node)); found != arrays_.end())
            found->second.areAll = false;
        return;
    }
    if (ast::isAny<ast::At, ast::OverallHeader>(node)) {
        const auto [known, isNew] = constructs_.emplace(node->child(0)->text(), node);
        if (!isNew) known->second = nullptr;
    }
    for (const NodePtr child : node->children()) collect(child);
}

void WrittenParts::collectAccess(NodePtr access) {
    const auto found = arrays_.find(ast::print(access->child(ast::Subscript::base)));
    if (found != arrays_.end()) join(found->second, access);
}

void WrittenParts::join(Accesses& known, NodePtr access) const {
    const auto subscripts = access->child(ast::Subscript::subscripts)->children();
    const auto unshifted = [](NodePtr subscript) {
        const auto index = ast::asIndexSubscript(subscript);
        return index ? index->index : subscript;
    };
    if (known.subscripts.empty()) {
        std::ranges::transform(subscripts, std::back_inserter(known.subscripts), unshifted);
        return;
    }
    known.areAll &= known.subscripts.size() == subscripts.size();
    for (size_t r = 0; known.areAll && r < subscripts.size(); ++r) {
        NodePtr& same = known.subscripts[r];
        if (same && ast::print(same) != ast::print(unshifted(subscripts[r]))) same = nullptr;
    }
}

NodePtr WrittenParts::of(NodePtr array, NodePtr origin) {
    const auto found = arrays_.find(ast::print(array));
    if (found == arrays_.end() || !found->second.areAll) return nullptr;
    std::vector<NodePtr> spans;
    bool isPart = false;
    for (const NodePtr subscript : found->second.subscripts) {
        const NodePtr known = subscript ? span(subscript, origin) : nullptr;
        isPart |= known != nullptr;
        spans.push_back(known ? known
                              : writer_.expression("hpspmd::detail::everywhere", {}, origin));
    }
    if (!isPart) return nullptr;
    return writer_.expression("hpspmd::detail::part($a, {$spans})",
                              {{"$a", madeOf(writer_.arena, array, origin)}, {"$spans", spans}},
                              origin);
}

/// Null if it may be any location.
NodePtr WrittenParts::span(NodePtr subscript, NodePtr origin) {
    if (!ast::isIndexValue(subscript)) {
        if (!isKnown(subscript)) return nullptr;
        return writer_.expression("hpspmd::detail::only($e)",
                                  {{"$e", madeOf(writer_.arena, subscript, origin)}}, origin);
    }
    const auto construct = constructs_.find(subscript->text());
    if (construct == constructs_.end() || !construct->second) return nullptr;
    return spanOf(construct->second, origin);
}

NodePtr WrittenParts::spanOf(NodePtr construct, NodePtr origin) {
    NodePtr range;
    std::vector<NodePtr> parts;
    if (construct->is<ast::At>()) {
        const LocationParts location = locationParts(construct->child(ast::At::location));
        range = location.range;
        parts = {location.number, location.number};
    } else {
        range = construct->child(ast::OverallHeader::range);
        const NodePtr triplet = construct->child(ast::OverallHeader::triplet);
        parts.assign(triplet->children().begin(), triplet->children().end());
        while (!parts.empty() && !parts.back()) parts.pop_back();
    }
    const auto isTold = [&](NodePtr part) { return !part || isKnown(part); };
    if (!range || parts.empty() || !isKnown(range) || !std::ranges::all_of(parts, isTold))
        return nullptr;
    for (NodePtr& part : parts)
        part = part ? madeOf(writer_.arena, part, origin)
                    : writer_.expression("hpspmd::detail::none", {}, origin);
    return writer_.expression("hpspmd::detail::span($range, $parts)",
                              {{"$range", madeOf(writer_.arena, range, origin)}, {"$parts", parts}},
                              origin);
}

bool WrittenParts::isKnown(NodePtr expression) const {
    return ast::isPure(expression) && !effects_.touches(ast::namesIn(expression));
}

NodePtr madeOf(ast::Arena& arena, NodePtr expression, NodePtr origin) {
    const std::string text = ast::print(expression);
    const bool isPlain = text.find('`') == text.npos && text.find("[[") == text.npos;
    return isPlain ? ast::identifier(arena, text, origin) : ast::copy(arena, expression);
}

}  // namespace hpcc::lower
