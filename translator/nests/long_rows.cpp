// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/long_rows.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "analysis/loop.hpp"
#include "analysis/numbers.hpp"
#include "analysis/operators.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "nests/plan.hpp"
#include "nests/quiet_comparisons.hpp"
#include "nests/redone_rows.hpp"
#include "nests/upwards.hpp"
#include "nests/wide_values.hpp"
#include "source/name.hpp"

namespace hpcc::nests {

using ast::NodePtr;

bool isChoice(NodePtr call) {
    const NodePtr callee = call->child(ast::Call::callee);
    if (ast::is<ast::Member>(callee)) return callee->child(ast::Member::name)->text() == "global";
    std::string_view name = callee->text();
    const size_t at = name.rfind("::");
    if (at != name.npos) name.remove_prefix(at + 2);
    name = name.substr(0, name.find('<'));
    constexpr std::array choices = {"larger", "smaller", "clamped", "fmax", "fmin", "fabs", "abs"};
    return std::ranges::find(choices, name) != choices.end();
}

long operationsIn(NodePtr node) {
    if (!node || node->is<ast::Subscript>()) return 0;
    long count = ast::isAny<ast::Binary, ast::Unary, ast::Postfix, ast::Assign, ast::Conditional,
                            ast::If, ast::Call>(node);
    for (const NodePtr child : node->children()) count += operationsIn(child);
    return count;
}

namespace {

/// The body as that of a function of the iteration.
class Returning : public ast::Rewriter {
public:
    explicit Returning(Context& context) : Rewriter(context.arena), context_(context) {}
    NodePtr rewriteContinue(NodePtr node) override {
        return context_.statement("return;", {}, node);
    }

private:
    Context& context_;
};

bool isShortBody(NodePtr body) {
    constexpr long mostOperations = 32;
    return operationsIn(body) <= mostOperations && !ast::anywhere(body, [](NodePtr each) {
               return ast::isAny<ast::For, ast::While, ast::DoWhile, ast::RangeFor, ast::Break,
                                 ast::Return, ast::Goto, ast::Lambda, ast::MacroStatement,
                                 ast::OpaqueStatement, ast::OpaqueExpression>(each) ||
                      (each->is<ast::Call>() && !isChoice(each));
           });
}

/// True if neighbouring iterations reach elements that lie side by side, or one and the same.
bool isInRow(const Access& access, const Loop& loop) {
    return std::ranges::all_of(access.slots, [&](const Slot& slot) {
        return !mentions(slot.subscript, loop.variable) ||
               (&slot == &access.slots.back() && slot.loop == &loop);
    });
}

/// True if numbers of type double decide in a loop what is done.
bool asksDoubles(NodePtr body) {
    return ast::anywhere(body, [](NodePtr each) {
        return ast::is<ast::Binary>(each) && analysis::isComparison(each) &&
               std::ranges::any_of(each->children(), [](NodePtr side) {
                   return side->type && side->type->kind == ast::TypeKind::Floating &&
                          side->type->spelled.find("double") != std::string::npos;
               });
    });
}

bool isCount(const Reduction& number, NodePtr body) {
    return number.op == "+" && analysis::isInteger(number.target) && asksDoubles(body);
}

std::string wayOf(const Reduction& number, NodePtr body) {
    const char* way = isCount(number, body) ? "ByCount"
                      : number.op == "+"    ? "BySum"
                      : number.op == "*"    ? "ByProduct"
                      : number.op == "max"  ? "ByMax"
                                            : "ByMin";
    return std::string("hpspmd::detail::") + way;
}

/// True of integers whose partial values are as wide as the elements from which they come: the
/// masks and the numbers of others are packed and unpacked in each round. Those of floats lose,
/// too.
bool isOfOneWidth(const Reduction& number, const Nest& nest, const Loop& loop) {
    const unsigned bits = analysis::numberOf(number.target).bits;
    const bool isAsWide = bits == 64 || (bits == 32 && isCount(number, bodyOf(loop.statement)));
    return bits == 0 || std::ranges::all_of(accessesIn(nest, loop), [&](const Access* each) {
               const ast::Type* element =
                   ast::multiarrayType(each->node->child(ast::Subscript::base))->element;
               return isDouble(element) ? isAsWide : analysis::numberOf(element).bits == bits;
           });
}

}  // namespace

bool mayBeLongRow(const Nest& nest, const Loop& loop) {
    if (!std::ranges::all_of(accessesIn(nest, loop),
                             [&](const Access* each) { return isInRow(*each, loop); }))
        return false;
    if (loop.kind == Loop::Kind::Overall) return loop.step == 1;
    const auto counting = analysis::countingLoop(loop.statement);
    if (!counting || loop.kind != Loop::Kind::Counting || (loop.step != 1 && loop.step != -1))
        return false;
    const ast::NumberType own = counting->number(), end = analysis::numberOf(loop.end);
    const auto first = analysis::constantValue(loop.first);
    const bool hasEnd = end.bits > 0 || analysis::constantValue(loop.end);
    return own.bits >= 32 && (own.isSigned || own.bits > 32) && hasEnd &&
           (!own.isSigned || end.isSigned || (first && *first >= 0));
}

NodePtr asLongRow(Context& context, NodePtr loop, const std::vector<Reduction>& joined,
                  const std::function<NodePtr(NodePtr)>& behind) {
    constexpr size_t mostNumbers = 4;
    const auto counting = ast::is<ast::For>(loop) ? analysis::countingLoop(loop) : std::nullopt;
    if (!counting || counting->step != 1 || !counting->isOwn || joined.size() > mostNumbers)
        return nullptr;
    const auto taken = context.taken;
    const NodePtr asWritten = loop->child(ast::For::body), end = counting->bound;
    if (!isShortBody(asWritten) || ast::anywhere(end, ast::is<ast::Subscript>)) return nullptr;
    const bool counts = std::ranges::any_of(
        joined, [&](const Reduction& each) { return isCount(each, asWritten); });
    const NodePtr body = counts ? withQuietComparisons(context, asWritten, joined) : asWritten;
    const std::string variable(counting->name->text()),
        rest = context.fresh(variable + "_rest"),
        type = ast::print(loop->child(ast::For::initializer)->child(ast::Declaration::specifiers));
    context.taken = taken;
    std::string ways, parameters, numbers;
    for (const Reduction& each : joined) {
        ways += ", " + wayOf(each, asWritten);
        parameters += ", auto &" + std::string(each.name);
        numbers += ", " + std::string(each.name);
    }
    const NodePtr step = Returning(context).rewrite(ast::copy(context.arena, body));
    const auto steps = step->is<ast::Compound>() ? step->children() : std::span(&step, 1);
    const std::string named = source::mentionsName(ast::print(step), variable) ? variable : "";
    const NodePtr front = context.statement(
        "const " + type + " " + rest + " = hpspmd::detail::takeLongRow<" + type + ways +
            ">($first, " + (counting->includesBound() ? "$end" : "hpspmd::Index($end) - 1") +
            ", [&](const " + type + " " + named + parameters + ") {\n    $steps;\n}" + numbers +
            ");",
        {{"$first", counting->first},
         {"$end", ast::copy(context.arena, end)},
         {"$steps", std::vector(steps.begin(), steps.end())}},
        loop);
    const NodePtr left =
        context.statement("for (" + type + " " + variable + " = " + rest + "; $k " +
                              std::string(counting->op) + " $end; ++$k2) $body;",
                          {{"$k", context.identifier(variable, loop)},
                           {"$end", end},
                           {"$k2", context.identifier(variable, loop)},
                           {"$body", body}},
                          loop);
    return context.behind({front}, behind(left), loop);
}

NodePtr markedIndependent(Context& context, Plans& plans, const NestPlan& plan, const Loop& loop,
                          NodePtr statement) {
    const std::string text = "HPSPMD_INDEPENDENT(" + std::string(loop.variable) + ")\n$loop;";
    const Form& form = plan.forms.at(&loop);
    const bool isTurned = mayBeTurned(*plan.nest, loop) && ast::is<ast::For>(statement);
    const bool hasSums = !form.joined.empty();  // whose order the pass `reductions` gives up
    if (isTurned && !hasSums) statement = turned(context, statement);
    const NodePtr mark = context.statement(text, {{"$loop", statement}}, loop.statement);
    const bool mayBeLong = hasSums && mayBeLongRow(*plan.nest, loop) &&
                           std::ranges::all_of(form.joined, [&](const Reduction& each) {
                               return isOfOneWidth(each, *plan.nest, loop);
                           });
    plans.marks.emplace(mark, Plans::Mark{loop.variable, &form, isTurned && hasSums, mayBeLong});
    return hasSums ? mark : withRareProductsRedone(context, *plan.nest, loop, mark);
}

}  // namespace hpcc::nests
