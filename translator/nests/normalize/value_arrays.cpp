// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/value_arrays.hpp"

#include <cctype>

#include "ast/copy.hpp"
#include "nests/normalize/in_place_of.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

NodePtr inPlaceOf(Context& context, const ast::Symbol* variable, NodePtr node,
                  std::function<NodePtr(NodePtr)> make) {
    return InPlaceOf(context.arena, nameOf(context, variable, node), std::move(make)).rewrite(node);
}

}  // namespace

NodePtr nameOf(Context& context, const ast::Symbol* symbol, NodePtr origin) {
    const NodePtr name = context.identifier(symbol->name, origin);
    name->symbol = symbol;
    name->type = symbol->type;
    return name;
}

std::string reductionClass(const LoopValue& value) {
    std::string name(value.reduction);
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return "hpspmd::detail::" + name + "Reduction";
}

ValueArrays::ValueArrays(Context& context, ast::FreshNames::Counts& counts,
                         const analysis::CountingLoop& loop, std::vector<LoopValue> values)
    : context_(context), loop_(loop) {
    for (LoopValue& value : values) {
        ast::Type type;
        type.kind = ast::TypeKind::Multiarray;
        type.element = value.type;
        type.slots = {ast::SlotKind::Sequential};
        type.spelled = value.type->spelled + " [[*]]";
        const std::string word(value.parts.empty() ? value.reduction : value.number->name);
        ast::Symbol symbol;
        symbol.name = context.names.next(word + "_values", counts);
        symbol.type = context.arena.makeType(type);
        held_.push_back({std::move(value), context.arena.makeSymbol(symbol)});
    }
}

std::set<std::string> ValueArrays::names() const {
    std::set<std::string> names;
    for (const Held& held : held_) names.insert(held.array->name);
    return names;
}

NodePtr ValueArrays::declaration(const Held& held, const std::string& together) {
    const NodePtr origin = held.value.call, start = held.value.start;
    const std::string word = wordFor(held.value.type);
    ast::Bindings bindings = {{"$values", nameOf(context_, held.array, origin)},
                              {"$together", context_.identifier(together, origin)}};
    if (start) bindings.emplace_back("$start", ast::copy(context_.arena, start));
    return context_.statement("hpspmd::Array<" + word +
                                  ", hpspmd::Seq> $values = hpspmd::detail::valuesOf<" +
                                  reductionClass(held.value) + ", " + word + ">($together" +
                                  (start ? ", $start);" : ");"),
                              bindings, origin);
}

std::vector<NodePtr> ValueArrays::ranges(const Held& held, const std::string& together) {
    std::vector<NodePtr> result;
    for (const CommonRange& each : held.value.common) {
        const NodePtr origin = held.value.call;
        result.push_back(context_.statement(
            "const hpspmd::Range $name = $together.rangeOf($one, $d, $other, $e);",
            {{"$name", ast::copy(context_.arena, each.name)},
             {"$together", context_.identifier(together, origin)},
             {"$one", ast::copy(context_.arena, each.one)},
             {"$d", context_.number(static_cast<long>(each.dimension), origin)},
             {"$other", ast::copy(context_.arena, each.other)},
             {"$e", context_.number(static_cast<long>(each.otherDimension), origin)}},
            origin));
    }
    return result;
}

NodePtr ValueArrays::join(const Held& held, const std::string& together) {
    const NodePtr origin = held.value.call;
    std::vector<NodePtr> ranges;
    for (const NodePtr range : held.value.ranges)
        ranges.push_back(ast::copy(context_.arena, range));
    ast::Bindings bindings = {{"$together", context_.identifier(together, origin)},
                              {"$values", nameOf(context_, held.array, origin)}};
    if (!ranges.empty()) bindings.emplace_back("$ranges", ranges);
    return context_.expression("hpspmd::detail::joined<" + reductionClass(held.value) +
                                   ">($together, $values" + (ranges.empty() ? ")" : ", {$ranges})"),
                               bindings, origin);
}

NodePtr ValueArrays::madeInArrays(NodePtr statement) {
    NodePtr result = ast::copy(context_.arena, statement);
    for (const Held& held : held_)
        if (held.value.made == statement)
            result = inPlaceOf(context_, held.value.number, result,
                               [&](NodePtr place) { return element(held, place); });
    return result;
}

NodePtr ValueArrays::madeInNumbers(NodePtr statement) {
    std::vector<NodePtr> before, after;
    for (const Held& held : held_) {
        if (held.value.made != statement) continue;
        const auto number = [&] { return nameOf(context_, held.value.number, statement); };
        before.push_back(context_.statement(
            wordFor(held.value.type) + " $number = $e;",
            {{"$number", number()}, {"$e", element(held, statement)}}, statement));
        after.push_back(context_.statement(
            "$e = $number;", {{"$e", element(held, statement)}, {"$number", number()}}, statement));
    }
    return context_.statement(
        "{\n"
        "    $before;\n"
        "    $statement;\n"
        "    $after;\n"
        "}",
        {{"$before", before},
         {"$statement", ast::copy(context_.arena, statement)},
         {"$after", after}},
        statement);
}

NodePtr ValueArrays::element(const Held& held, NodePtr origin) {
    const NodePtr number = nameOf(context_, loop_.name->symbol, origin);
    const NodePtr result = context_.expression(
        "$values[$number]",
        {{"$values", nameOf(context_, held.array, origin)}, {"$number", number}}, origin);
    result->type = held.value.type;
    return result;
}

NodePtr ValueArrays::result(const Held& held, NodePtr origin) {
    const NodePtr e = element(held, origin);
    if (held.value.type->kind == ast::TypeKind::Floating) return e;
    const NodePtr converted = context_.expression(
        "static_cast<" + wordFor(held.value.result) + ">($e)", {{"$e", e}}, origin);
    converted->type = held.value.result;
    return converted;
}

NodePtr ValueArrays::resultInPlaceOf(const ast::Symbol* variable, const Held& held, NodePtr node) {
    return inPlaceOf(context_, variable, node, [&](NodePtr place) { return result(held, place); });
}

}  // namespace hpcc::nests
