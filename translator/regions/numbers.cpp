// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/numbers.hpp"

#include "analysis/constant.hpp"

namespace hpcc::regions {

std::string shifted(const std::string& text, long by) {
    if (by == 0) return text;
    return text + (by < 0 ? " - " : " + ") + std::to_string(std::abs(by));
}

std::string bound(NodePtr node) { return bound(node, std::string(node->text())); }

std::string bound(NodePtr node, const std::string& text) {
    if (node->is<ast::NumberLiteral>()) return text;
    if (analysis::constantValue(node)) return "(" + text + ")";
    const ast::Type* type = node->type;
    const bool isWide = type && type->kind == ast::TypeKind::Integer && type->number.isSigned &&
                        type->number.bits >= 64;
    return isWide ? "(" + text + ")" : "static_cast<hpspmd::Index>(" + text + ")";
}

namespace {

std::string askedOnce(NodePtr node, const std::string& name, std::string& entry,
                      const Bound& bound) {
    if (!node->contains(ast::call)) return bound(node);
    entry += "const hpspmd::Index " + name + " = " + bound(node) + "; ";
    return name;
}

}  // namespace

std::string freshName(std::string name, const ast::Unit& unit) {
    while (unit.identifiers.contains(name)) name += '_';
    return name;
}

Triplet tripletOf(const Division& division, const ast::Unit& unit, std::string& entry,
                  const Bound& bound) {
    const analysis::CountingLoop& loop = division.counting;
    const long last = loop.includesBound() ? 0 : loop.step > 0 ? -1 : 1;
    const std::string& name = division.variable()->name;
    const std::string first = askedOnce(loop.first, freshName(name + "_first", unit), entry, bound);
    std::string behind = askedOnce(loop.bound, freshName(name + "_end", unit), entry, bound);
    if (maySkipAll(loop))
        behind = "(" + shifted(first, loop.ahead) + " < 0 ? " +
                 shifted(first, loop.ahead - last - 1) + " : " + behind + ")";
    return {shifted(first, division.anchor), shifted(behind, division.anchor + last - loop.ahead)};
}

std::string nestHead(const Division& division, const std::string& range, const Triplet& triplet) {
    const long step = division.counting.step;
    return "overall (" + division.variable()->name + " = " + range + " for " + triplet.first +
           " : " + triplet.last + (step == 1 ? "" : " : " + std::to_string(step)) + ") ";
}

std::string lines(const Division& division, const Triplet& triplet) {
    if (division.isGrouped() || !division.further.empty()) return "hpspmd::detail::Lines::all()";
    const bool isUpwards = division.counting.step > 0;
    return "hpspmd::detail::Lines::of(" + (isUpwards ? triplet.first : triplet.last) + ", " +
           (isUpwards ? triplet.last : triplet.first) + ")";
}

std::string linesAtEntry(const Division& division, const ast::Unit& unit) {
    std::string entry;
    const Triplet triplet =
        tripletOf(division, unit, entry, [](NodePtr node) { return bound(node); });
    return entry.empty() ? lines(division, triplet) : "";
}

std::string value(const Division& division) {
    const Symbol& symbol = *division.variable();
    const std::string index = shifted(symbol.name + "`", -division.anchor);
    const ast::NumberType number = division.counting.number();
    if (number.bits >= 64 && number.isSigned)
        return division.anchor == 0 ? index : "(" + index + ")";
    return "static_cast<" + symbol.type->spelled + ">(" + index + ")";
}

}  // namespace hpcc::regions
