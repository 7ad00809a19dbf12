// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/written_parts.hpp"

#include <algorithm>

#include "ast/copy.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "lower/locations.hpp"

namespace hpcc::lower {

using ast::NodePtr;

std::vector<NodePtr> WrittenParts::of(const Writes::Written& written) {
    constexpr size_t most = 6;
    std::vector<NodePtr> parts;
    bool isPerhaps = written.isPerhaps;
    for (const Writes::Elements& each : written.elements) {
        const NodePtr part = this->part(written.array, each);
        if (!part) return {madeOf(writer_.arena, written.array, origin_)};
        const bool isNew = std::ranges::none_of(
            parts, [&](NodePtr known) { return ast::print(known) == ast::print(part); });
        isPerhaps |= isNew && parts.size() == most;
        if (isNew && parts.size() < most) parts.push_back(part);
    }
    std::vector<NodePtr> result;
    if (isPerhaps)
        result.push_back(writer_.expression("hpspmd::detail::perhaps($a)",
                                            {{"$a", madeOf(writer_.arena, written.array, origin_)}},
                                            origin_));
    for (const NodePtr part : parts)
        result.push_back(result.empty() ? part
                                        : writer_.expression("hpspmd::detail::further($part)",
                                                             {{"$part", part}}, origin_));
    return result;
}

/// Null if it is all of the array.
NodePtr WrittenParts::part(NodePtr array, const Writes::Elements& elements) {
    const size_t rank = elements.access->child(ast::Subscript::subscripts)->children().size();
    std::vector<NodePtr> spans;
    bool isPart = false;
    for (size_t r = 0; r < rank; ++r) {
        const NodePtr known = span(elements, r);
        isPart |= known != nullptr;
        spans.push_back(known ? known : runtimeName("everywhere"));
    }
    const bool areAll = elements.part.isWhole();
    if (!isPart && areAll) return nullptr;
    const NodePtr made = madeOf(writer_.arena, array, origin_);
    if (areAll)
        return writer_.expression("hpspmd::detail::part($a, {$spans})",
                                  {{"$a", made}, {"$spans", spans}}, origin_);
    const std::string bytes = "hpspmd::detail::bytes(" + ast::print(made) + ", " +
                              addressesOf(elements.part, writer_.names.name("element")) + ")";
    return writer_.expression("hpspmd::detail::part($a, {$spans}, $bytes)",
                              {{"$a", made},
                               {"$spans", spans},
                               {"$bytes", ast::identifier(writer_.arena, bytes, origin_)}},
                              origin_);
}

/// Null if it is all of the dimension.
NodePtr WrittenParts::span(const Writes::Elements& elements, size_t r) {
    const NodePtr subscript =
        elements.access->child(ast::Subscript::subscripts)->child(static_cast<uint32_t>(r));
    if (elements.constructs[r]) return spanOf(elements.constructs[r]);
    if (ast::isIndexValue(subscript)) return runtimeName("somewhere");
    if (const CountingLoop* loop = loopOf(elements.loops, subscript)) return counted(*loop);
    if (!isKnown(subscript)) return runtimeName("somewhere");
    return writer_.expression("hpspmd::detail::only($e)",
                              {{"$e", madeOf(writer_.arena, subscript, origin_)}}, origin_);
}

NodePtr WrittenParts::counted(const CountingLoop& loop) {
    if (effects_.touches(loop.last.names) || !loop.last.harmless) return runtimeName("somewhere");
    const std::string ends = std::to_string(loop.first) + ", " + loop.last.values()[0];
    return writer_.expression("hpspmd::detail::only($ends)",
                              {{"$ends", ast::identifier(writer_.arena, ends, origin_)}}, origin_);
}

NodePtr WrittenParts::spanOf(NodePtr construct) {
    NodePtr range;
    std::vector<NodePtr> parts;
    if (construct->is<ast::At>()) {
        const LocationParts location = locationParts(construct->child(ast::At::location));
        if (!location.number) return runtimeName("somewhere");
        range = location.range;
        parts = {location.number, location.number};
    } else {
        range = construct->child(ast::OverallHeader::range);
        const NodePtr triplet = construct->child(ast::OverallHeader::triplet);
        parts.assign(triplet->children().begin(), triplet->children().end());
        while (!parts.empty() && !parts.back()) parts.pop_back();
        if (parts.empty()) return nullptr;
    }
    const auto isTold = [&](NodePtr part) { return !part || isKnown(part); };
    if (!range || !isKnown(range) || !std::ranges::all_of(parts, isTold))
        return runtimeName("somewhere");
    for (NodePtr& part : parts)
        part = part ? madeOf(writer_.arena, part, origin_) : runtimeName("none");
    return writer_.expression(
        "hpspmd::detail::span($range, $parts)",
        {{"$range", madeOf(writer_.arena, range, origin_)}, {"$parts", parts}}, origin_);
}

bool WrittenParts::isKnown(NodePtr expression) const {
    return isFixed(expression, macros_, effects_) && ast::isSafe(expression);
}

NodePtr WrittenParts::runtimeName(std::string_view name) {
    return writer_.expression("hpspmd::detail::" + std::string(name), {}, origin_);
}

NodePtr madeOf(ast::Arena& arena, NodePtr expression, NodePtr origin) {
    const std::string text = ast::print(expression);
    const bool isPlain = text.find('`') == text.npos && text.find("[[") == text.npos;
    return isPlain ? ast::identifier(arena, text, origin) : ast::copy(arena, expression);
}

}  // namespace hpcc::lower
