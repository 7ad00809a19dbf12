// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/extremes.hpp"

#include <algorithm>

#include "ast/purity.hpp"
#include "ast/symbol.hpp"
#include "nests/device.hpp"
#include "nests/reaches.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// `<double>` of `std::max<double>`.
std::string_view templateArguments(NodePtr callee) {
    const std::string_view text = callee->text();
    const size_t at = text.find('<');
    return at == text.npos ? "" : text.substr(at);
}

/// The only argument, if it is a list in braces.
NodePtr listOf(NodePtr call) {
    const auto arguments = call->child(ast::Call::arguments)->children();
    const bool isList = arguments.size() == 1 && ast::is<ast::BracedInitializer>(arguments[0]);
    return isList ? arguments[0] : nullptr;
}

/// How many numbers it chooses from, or any number of them in braces.
bool hasNumbersFor(std::string_view name, NodePtr call) {
    const size_t count = call->child(ast::Call::arguments)->children().size();
    if (const NodePtr list = listOf(call))
        return (name == "max" || name == "min") && !list->children().empty();
    return count == (name == "clamp" ? 3 : 2);
}

bool hasText(NodePtr e, std::string_view text) {
    return ast::print(ast::withoutParentheses(e)) == text;
}
bool sameText(NodePtr a, NodePtr b) { return hasText(a, ast::print(ast::withoutParentheses(b))); }

}  // namespace

std::string keptBy(NodePtr condition, std::string_view text, NodePtr e) {
    condition = ast::withoutParentheses(condition);
    if (!ast::is<ast::Binary>(condition)) return "";
    const std::string_view op = condition->child(ast::Binary::op)->text();
    const NodePtr left = condition->child(ast::Binary::left),
                  right = condition->child(ast::Binary::right);
    if (op != "<" && op != ">") return "";
    if (hasText(left, text) && sameText(right, e)) return op == "<" ? "max" : "min";
    if (hasText(right, text) && sameText(left, e)) return op == "<" ? "min" : "max";
    return "";
}

std::string_view extremeOf(NodePtr call) {
    if (!ast::is<ast::Call>(call)) return "";
    const NodePtr callee = call->child(ast::Call::callee);
    const std::string_view text = callee->text();
    const std::string_view name = text.substr(0, text.find('<'));
    const bool isOwn = callee->symbol && callee->symbol->declaration;
    for (const std::string_view each : {"max", "min", "clamp", "fmax", "fmin"})
        if ((name == each && !isOwn) ||
            (name.starts_with("std::") && name.substr(std::string_view("std::").size()) == each))
            return hasNumbersFor(each, call) ? each : "";
    return "";
}

std::vector<NodePtr> offeredTo(NodePtr extreme) {
    const NodePtr list = listOf(extreme);
    const auto all = (list ? list : extreme->child(ast::Call::arguments))->children();
    return {all.begin(), all.end()};
}

bool isPureInteger(NodePtr e) {
    if (ast::isPure(e)) return true;
    const std::string_view name = extremeOf(e);
    if (name == "max" || name == "min")
        return isOfSigned(e) && std::ranges::all_of(offeredTo(e), isPureInteger);
    return (e->is<ast::Binary>() || e->is<ast::Parenthesized>()) && isOfSigned(e) &&
           std::ranges::all_of(e->children(), [](NodePtr part) {
               return !ast::isExpression(part) || isPureInteger(part);
           });
}

bool isFmaxOrFmin(NodePtr e) { return extremeOf(e).starts_with('f'); }

NodePtr withoutReferences(Context& context, NodePtr call,
                          const std::function<NodePtr(NodePtr)>& fast) {
    const std::string_view name = extremeOf(call);
    if (name.empty()) return nullptr;
    const std::string types(templateArguments(call->child(ast::Call::callee)));
    const std::vector<NodePtr> offered = offeredTo(call);
    const auto called = [&](const std::string& function, const ast::Bindings& bindings) {
        std::string places;
        for (const auto& [place, value] : bindings)
            places += (places.empty() ? "" : ", ") + std::string(place);
        return context.expression("hpspmd::detail::" + function + types + "(" + places + ")",
                                  bindings, call);
    };
    if (name == "clamp")
        return called(
            "clamped",
            {{"$v", fast(offered[0])}, {"$lo", fast(offered[1])}, {"$hi", fast(offered[2])}});
    const std::string function = name == "max"   ? "larger"
                                 : name == "min" ? "smaller"
                                                 : std::string(name);
    NodePtr result = fast(offered[0]);
    for (size_t k = 1; k < offered.size(); ++k)
        result = called(function, {{"$a", result}, {"$b", fast(offered[k])}});
    result->type = call->type;
    return result;
}

NodePtr keptNumber(Context& context, const NestPlan& plan, EntryTest& test, NodePtr assign,
                   const std::function<NodePtr(NodePtr)>& fast) {
    if (!ast::is<ast::Assign>(assign) || assign->child(ast::Assign::op)->text() != "=")
        return nullptr;
    const NodePtr name = ast::withoutParentheses(assign->child(ast::Assign::target)),
                  call = ast::withoutParentheses(assign->child(ast::Assign::value));
    if (!isFmaxOrFmin(call) || !ast::is<ast::Identifier>(name) || !name->symbol ||
        plan.nest->declared.contains(name->text()))
        return nullptr;
    const bool isJoined = std::ranges::any_of(plan.forms, [&](const auto& each) {
        return std::ranges::find(each.second.joined, name->text(), &Reduction::name) !=
               each.second.joined.end();
    });
    if (!isJoined) return nullptr;
    test.require(context.expression("hpspmd::detail::isOrdered($x)",
                                    {{"$x", context.made(name, assign)}}, assign));
    const auto offered = offeredTo(call);
    const NodePtr other = isNamed(offered[0], name->text()) ? offered[1] : offered[0];
    const std::string word = numberWord(name->symbol->type);
    if ((word != "double" && word != "float") || numberWord(other->type) != word) return nullptr;
    const bool isMax = extremeOf(call) == "fmax";
    return context.expression(
        std::string("$x = hpspmd::detail::") + (isMax ? "larger" : "smaller") + "($x2, $e)",
        {{"$x", fast(name)}, {"$x2", fast(name)}, {"$e", fast(other)}}, assign);
}

}  // namespace hpcc::nests
