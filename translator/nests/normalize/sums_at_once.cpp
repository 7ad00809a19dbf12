// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/sums_at_once.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "ast/comments.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/remarks.hpp"
#include "ast/search.hpp"
#include "nests/normalize/expression_nests.hpp"
#include "nests/normalize/in_place_of.hpp"
#include "nests/normalize/reduction_runs.hpp"
#include "nests/normalize/value_arrays.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// A value of a run, and the number that a nest makes of it.
struct Part {
    const LoopValue* value = nullptr;
    const ast::Symbol* number = nullptr;
};

/// Nests over the same elements, which have become one.
struct JointNest {
    std::vector<NodePtr> headers = {};
    std::vector<NodePtr> steps = {};
};

class SumsAtOnce : public ExpressionNests {
public:
    SumsAtOnce(Context& context, ast::Unit& unit)
        : ExpressionNests(context, unit, ast::extension | ast::call) {}

    NodePtr rewriteCompound(NodePtr old) override {
        const NodePtr block = rewriteChildren(old);
        const auto statements = block->children();
        if (ast::holdsDirective(block->origin()->text()) ||
            std::ranges::any_of(statements, ast::isAny<ast::Case, ast::Default, ast::Label>))
            return block;  // nothing may jump over a declaration
        const ReductionRuns runs(context, surroundings().macros(), function(), statements);
        std::vector<NodePtr> result;
        bool isChanged = false;
        for (size_t k = 0; k < statements.size();) {
            const ReductionRun run = runs.at(k);
            isChanged |= run.length > 0;
            if (run.length > 0)
                write(run, statements.subspan(k, run.length), result);
            else
                result.push_back(statements[k]);
            k += std::max<size_t>(run.length, 1);
        }
        return isChanged ? context.arena.rebuilt(block, block, result) : block;
    }

private:
    void write(const ReductionRun& run, std::span<const NodePtr> statements,
               std::vector<NodePtr>& result) {
        const NodePtr origin = statements.front();
        if (remarks)
            remarks->fired("sums-at-once", origin,
                           run.values.size() > 1
                               ? "what Adlib reduces from here on is computed at once, and joined "
                                 "by one message"
                               : "this product is computed by a nest");
        std::vector<Part> parts;
        for (const LoopValue& value : run.values) parts.push_back({&value, numberFor(value)});
        const std::string together = context.names.next("at_once", counts_);
        result.push_back(context.statement("hpspmd::detail::AtOnce $together;",
                                           {{"$together", context.identifier(together, origin)}},
                                           origin));
        const std::vector<NodePtr> ranges = rangesOf(run, together, result);
        for (const Part& part : parts) result.push_back(declaration(part));
        result.push_back(attempt(parts, ranges, together, origin));
        const std::string joined = context.names.next("joined", counts_);
        result.push_back(joining(parts, ranges, together, joined, origin));
        std::map<NodePtr, NodePtr> chosen;
        for (const Part& part : parts) chosen[part.value->call] = choice(part, joined);
        InPlaceOfCalls inPlace(context.arena, chosen);
        for (const NodePtr statement : statements) result.push_back(inPlace.rewrite(statement));
    }

    const ast::Symbol* numberFor(const LoopValue& value) {
        const std::string word(value.reduction);
        ast::Symbol symbol;
        symbol.name = context.names.next(word + "_part", counts_);
        symbol.type = value.type;
        symbol.declaration = value.call;
        return context.arena.makeSymbol(symbol);
    }
    NodePtr declaration(const Part& part) {
        const LoopValue& value = *part.value;
        const std::string word = wordFor(value.type);
        return context.statement(word + " $number = hpspmd::detail::nothing<" +
                                     reductionClass(value) + ", " + word + ">();",
                                 {{"$number", nameOf(context, part.number, value.call)}},
                                 value.call);
    }

    /// Names for the ranges of the nests, and what the arrays must have in common.
    std::vector<NodePtr> rangesOf(const ReductionRun& run, const std::string& together,
                                  std::vector<NodePtr>& result) {
        std::vector<NodePtr> ranges = run.ranges;
        std::set<std::string> asked;
        for (const LoopValue& value : run.values)
            for (size_t d = 0; d < value.common.size(); ++d) {
                const CommonRange& common = value.common[d];
                if (ranges.size() == d)
                    ranges.push_back(declaredRange(common, together, value.call, result));
                for (const auto& [array, dimension] :
                     {std::pair(common.one, common.dimension),
                      std::pair(common.other, common.otherDimension)})
                    if (asked.insert(ast::print(array) + std::to_string(dimension)).second)
                        require(together, ranges[d], array, dimension, result);
            }
        return ranges;
    }
    NodePtr declaredRange(const CommonRange& common, const std::string& together, NodePtr origin,
                          std::vector<NodePtr>& result) {
        const NodePtr name =
            context.variable(context.names.next("at_range", counts_), common.name->type, origin);
        result.push_back(
            context.statement("const hpspmd::Range $name = $together.rangeOf($array, $d);",
                              {{"$name", ast::copy(context.arena, name)},
                               {"$together", context.identifier(together, origin)},
                               {"$array", ast::copy(context.arena, common.one)},
                               {"$d", context.number(long(common.dimension), origin)}},
                              origin));
        return name;
    }
    void require(const std::string& together, NodePtr range, NodePtr array, size_t dimension,
                 std::vector<NodePtr>& result) {
        const NodePtr origin = array;
        result.push_back(context.statement("$together.require($range, $array, $d);",
                                           {{"$together", context.identifier(together, origin)},
                                            {"$range", ast::copy(context.arena, range)},
                                            {"$array", ast::copy(context.arena, array)},
                                            {"$d", context.number(long(dimension), origin)}},
                                           origin));
    }

    NodePtr attempt(const std::vector<Part>& parts, const std::vector<NodePtr>& ranges,
                    const std::string& together, NodePtr origin) {
        std::vector<NodePtr> made;
        std::vector<JointNest> nests;
        for (const Part& part : parts) add(part, ranges, nests, made);
        for (const JointNest& nest : nests) made.push_back(written(nest, origin));
        return context.statement(
            "try {\n"
            "    if ($condition) {\n"
            "        $made;\n"
            "        $together.done();\n"
            "    }\n"
            "} catch (...) {\n"
            "}",
            {{"$condition", context.identifier(together, origin)},
             {"$made", made},
             {"$together", context.identifier(together, origin)}},
            origin);
    }

    /// Adds what makes a value to a nest over the same elements.
    void add(const Part& part, const std::vector<NodePtr>& ranges, std::vector<JointNest>& nests,
             std::vector<NodePtr>& made) {
        const LoopValue& value = *part.value;
        NodePtr step =
            InPlaceOf(context.arena, nameOf(context, value.number, value.call), [&](NodePtr place) {
                return nameOf(context, part.number, place);
            }).rewrite(ast::copy(context.arena, value.made));
        JointNest own;
        for (; ast::is<ast::Overall>(step); step = step->child(ast::Overall::body))
            for (const NodePtr header : step->child(ast::Overall::headers)->children())
                own.headers.push_back(header);
        if (own.headers.empty()) return made.push_back(step);
        if (!value.common.empty())
            for (size_t d = 0; d < own.headers.size(); ++d)
                own.headers[d] =
                    ast::withChild(context.arena, own.headers[d], ast::OverallHeader::range,
                                   ast::copy(context.arena, ranges[d]));
        const auto nest =
            std::ranges::find_if(nests, [&](const JointNest& each) { return canJoin(each, own); });
        if (nest == nests.end()) {
            own.steps = {step};
            nests.push_back(std::move(own));
            return;
        }
        std::map<std::string_view, NodePtr> renamed;
        for (size_t d = 0; d < own.headers.size(); ++d)
            renamed[indexOf(own.headers[d])->text()] = nest->headers[d];
        nest->steps.push_back(withIndices(renamed, step));
    }
    static bool canJoin(const JointNest& nest, const JointNest& other) {
        const auto areAlike = [](NodePtr one, NodePtr two) {
            const auto part = [](NodePtr header, auto slot) {
                return ast::print(header->child(slot));
            };
            return part(one, ast::OverallHeader::range) == part(two, ast::OverallHeader::range) &&
                   part(one, ast::OverallHeader::triplet) == part(two, ast::OverallHeader::triplet);
        };
        return nest.steps.size() < mostSteps &&
               std::ranges::equal(nest.headers, other.headers, areAlike);
    }
    NodePtr written(const JointNest& nest, NodePtr origin) {
        NodePtr body = nest.steps.front();
        if (nest.steps.size() > 1)
            body = context.statement("{\n    $steps;\n}", {{"$steps", nest.steps}}, origin);
        for (size_t d = nest.headers.size(); d-- > 0;) body = overall(nest.headers[d], body);
        return body;
    }

    NodePtr joining(const std::vector<Part>& parts, const std::vector<NodePtr>& ranges,
                    const std::string& together, const std::string& joined, NodePtr origin) {
        std::vector<NodePtr> numbers, copies;
        for (const Part& part : parts)
            numbers.push_back(context.expression(
                "hpspmd::detail::partOf<" + reductionClass(*part.value) + ">($number)",
                {{"$number", nameOf(context, part.number, origin)}}, origin));
        for (const NodePtr range : ranges) copies.push_back(ast::copy(context.arena, range));
        ast::Bindings bindings = {{"$joined", context.identifier(joined, origin)},
                                  {"$together", context.identifier(together, origin)},
                                  {"$numbers", numbers}};
        if (!ranges.empty()) bindings.emplace_back("$ranges", copies);
        return context.statement("const bool $joined = hpspmd::detail::joinedAtOnce($together, " +
                                     std::string(ranges.empty() ? "" : "{$ranges}, ") +
                                     "$numbers);",
                                 bindings, origin);
    }

    /// The number, or what the program says.
    NodePtr choice(const Part& part, const std::string& joined) {
        const LoopValue& value = *part.value;
        const NodePtr origin = value.call;
        const bool isFraction = value.type->kind == ast::TypeKind::Floating;
        const NodePtr result = context.expression(
            isFraction ? "($joined ? $number : $call)"
                       : "($joined ? static_cast<" + wordFor(value.result) + ">($number) : $call)",
            {{"$joined", context.identifier(joined, origin)},
             {"$number", nameOf(context, part.number, origin)},
             {"$call", inGeneral(origin)}},
            origin);
        result->type = value.result;
        return result;
    }
    /// A call without its nest.
    NodePtr inGeneral(NodePtr call) {
        const auto expressions = ast::allOf<ast::OverallExpression>(call);
        if (expressions.empty()) return ast::copy(context.arena, call);
        const NodePtr arguments = call->child(ast::Call::arguments);
        const NodePtr values = ast::copy(context.arena, expressions.front());
        return ast::withChild(context.arena, call, ast::Call::arguments,
                              context.arena.rebuilt(arguments, arguments, std::span(&values, 1)));
    }

    static constexpr size_t mostSteps = 4;  // more need more registers than there are

    ast::FreshNames::Counts counts_;
};

}  // namespace

ast::Unit sumsAtOnce(ast::Unit unit, ast::Quoter& quote) {
    if (Plans::of(unit).wantsDevices || unit.threads) return unit;
    return rewritten<SumsAtOnce>(std::move(unit), quote);
}

}  // namespace hpcc::nests
