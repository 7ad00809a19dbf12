// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/results.hpp"

#include "ast/declarators.hpp"
#include "regions/combining.hpp"
#include "regions/numbers.hpp"
#include "regions/parts.hpp"

namespace hpcc::regions {
namespace {

// The arguments of a method, `results` in place of its array.
std::string argumentsOf(const Method& method) {
    std::string text;
    for (const NodePtr each : ast::parametersOf(method.function)->children()) {
        const NodePtr parameter = attributedNode(each);
        const NodePtr name = ast::declaredName(parameter->child(ast::Parameter::declarator));
        text += text.empty() ? "" : ", ";
        if (!name) continue;  // an error, told where `self` is read
        text += method.arrays.contains(name->symbol) ? "results" : std::string(name->text());
    }
    return text;
}

}  // namespace

Results::Results(const std::pair<const Symbol* const, Combined>& combined, const Method& method,
                 const Division& division, const ast::Unit& unit, const MethodNames& names)
    : variable_(*combined.first),
      combined_(combined.second),
      method_(method),
      division_(division),
      unit_(unit),
      names_(names),
      isNew_(freshName(variable_.name + "_is_new", unit)),
      all_(freshName(variable_.name + "_results", unit)) {}

std::string Results::start() const {
    const std::string& name = variable_.name;
    if (!combined_.operation.isSign()) {
        const std::string counts = combined_.isFree ? "false" : "true";
        return "hpspmd::detail::Results " + all_ + "(" + names_.object + ", " + name + ", " +
               counts + ", " + extents() + "); bool " + isNew_ + " = " +
               (combined_.isFree ? "true" : "!" + names_.object + ".isSingle()") + "; ";
    }
    const std::string way = "<hpspmd::detail::" + std::string(combined_.operation.type) + ">";
    if (!isNumber(variable_.type) && !isRecord(variable_.type))
        return libraryCall("startElements" + way, names_.object + ", " + name) + "; ";
    return name + " = " + libraryCall("start" + way, names_.object + ", " + name) + "; ";
}

// {relax_method.range().size()}, hpspmd::detail::stretchOf(relax_method, 1, false)
std::string Results::extents() const {
    std::string text = "{";
    for (std::size_t k = 0; k < rows(); ++k)
        text += (k == 0 ? "" : ", ") + names_.object + ".range(" + std::to_string(k) + ").size()";
    if (isDealt()) return text + "}, {}";
    const bool isDownwards = division_.innermost().counting.step < 0;
    return text + "}, " +
           libraryCall("stretchOf", names_.object + ", " +
                                        std::to_string(division_.further.size()) +
                                        (isDownwards ? ", true" : ", false"));
}

std::string Results::row() const {
    return combined_.operation.isSign() || isDealt() || rows() == 0 ? "" : noteRow();
}

std::string Results::begun() const {
    const std::string row = !combined_.operation.isSign() && isDealt() ? noteRow() : "";
    return row + (combined_.isFree ? isNew_ + " = false; " : "");
}

// best_results.row(best, best_is_new, {i`}); counted from the first one that runs.
std::string Results::noteRow() const {
    std::string numbers;
    for (std::size_t k = 0; k < rows(); ++k) {
        const Division& loop = division_.at(k);
        const std::string index = loop.variable()->name + "`";
        numbers += (k == 0 ? "" : ", ");
        numbers += loop.counting.step > 0
                       ? index
                       : rangeName(names_.range, k, unit_) + ".size() - 1 - " + index;
    }
    return all_ + ".row(" + variable_.name + ", " + isNew_ + ", {" + numbers + "}); ";
}

std::string Results::take() const {
    return "hpspmd::detail::take(" + variable_.name + ", " + isNew_ + ", " + function() + ", ";
}

std::string Results::join() const {
    const std::string& name = variable_.name;
    if (!combined_.operation.isSign())
        return name + " = " + all_ + (combined_.operation.isOfAll() ? ".byAll(" : ".by(") + name +
               ", " + isNew_ + ", " + function() + "); ";
    const std::string way = "<hpspmd::detail::" + std::string(combined_.operation.type) + ">";
    if (!isNumber(variable_.type) && !isRecord(variable_.type))
        return libraryCall("joinElements" + way, names_.object + ", " + name) + "; ";
    return name + " = " + libraryCall("join" + way, names_.object + ", " + name) + "; ";
}

std::string Results::function() const {
    const std::string sign(combined_.operation.sign);
    switch (combined_.operation.of) {
    case Operation::Of::Two:
        return "[](const auto& one, const auto& other) { return " + sign + "(one, other); }";
    case Operation::Of::All:
        return "[](const auto& results) { return " + sign + "(results); }";
    default:
        return "[&](auto& results) { return " + std::string(method_.name) + "(" +
               argumentsOf(method_) + "); }";
    }
}

}  // namespace hpcc::regions
