// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/values_once.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "ast/comments.hpp"
#include "ast/copy.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/remarks.hpp"
#include "ast/search.hpp"
#include "nests/nest_rewriter.hpp"
#include "nests/normalize/counter_values.hpp"
#include "nests/normalize/value_arrays.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// An array of what loops compute of their counter.
struct OnceArray {
    const ast::Symbol* symbol = nullptr;
    const Loop* loop = nullptr;
    NodePtr value = nullptr;
};

/// Elements of arrays in the place of what they hold.
class InPlaceOfValues : public ast::Rewriter {
public:
    InPlaceOfValues(Context& context, std::map<NodePtr, const OnceArray*> arrays)
        : Rewriter(context.arena), context_(context), arrays_(std::move(arrays)) {}

    NodePtr rewriteOther(NodePtr node) override {
        const auto found = arrays_.find(node);
        return found == arrays_.end() ? rewriteChildren(node) : element(*found->second, node);
    }

    NodePtr element(const OnceArray& array, NodePtr place) {
        NodePtr counter = nullptr;
        for (const NodePtr each : ast::allOf<ast::Identifier>(place))
            if (each->text() == array.loop->variable) counter = each;
        const NodePtr result =
            context_.expression("$values[$counter]",
                                {{"$values", nameOf(context_, array.symbol, place)},
                                 {"$counter", ast::copy(context_.arena, counter)}},
                                place);
        result->type = array.symbol->type->element;
        return result;
    }

private:
    Context& context_;
    std::map<NodePtr, const OnceArray*> arrays_;
};

/// True if each iteration comes to the statement, whatever the numbers are.
bool isSurelyReached(NodePtr from, NodePtr statement) {
    if (from == statement) return true;
    if (ast::is<ast::Compound>(from))
        return std::ranges::any_of(from->children(),
                                   [&](NodePtr each) { return isSurelyReached(each, statement); });
    return ast::isAny<ast::Overall, ast::For>(from) && isSurelyReached(bodyOf(from), statement);
}

class ValuesOnce : public NestRewriter {
public:
    ValuesOnce(Context& context, ast::Unit& unit) : NestRewriter(context, unit) {}

    NodePtr rewriteOverall(NodePtr overall) override {
        const Nest* const nest = analysed(overall);
        if (!nest) return rewriteChildren(overall);
        if (nest->isPromised || !nest->method.empty() ||
            ast::holdsDirective(overall->origin()->text()))
            return overall;
        std::deque<OnceArray> arrays;
        std::map<NodePtr, const OnceArray*> places;
        for (const Loop& loop : nest->loops)
            if (isRepeated(*nest, loop))
                for (const NodePtr value : costlyValuesOfCounter(*nest, loop))
                    places[value] = &arrayOf(arrays, loop, value);
        return places.empty() ? overall : written(*nest, overall, arrays, places);
    }

private:
    static bool isOverall(const Loop& loop) { return loop.kind == Loop::Kind::Overall; }

    /// A loop that goes over the same numbers in each iteration of the nest.
    static bool isRepeated(const Nest& nest, const Loop& loop) {
        const Loop& whole = nest.loops.front();
        const auto isFixed = [&](NodePtr e) {
            return ast::isPure(e) && ast::isSafe(e) && !mayChangeIn(whole, e);
        };
        if (&loop == &whole || !loop.isInnermost || loop.jumps ||
            !isSurelyReached(whole.statement, loop.statement))
            return false;
        if (isOverall(loop))
            return ast::is<ast::Identifier>(loop.range) && !mayChangeIn(whole, loop.range);
        return loop.kind == Loop::Kind::Counting && !isShort(loop) && !loop.endsByMeeting &&
               isFixed(loop.first) && isFixed(loop.end);
    }

    OnceArray& arrayOf(std::deque<OnceArray>& arrays, const Loop& loop, NodePtr value) {
        const std::string text = ast::print(value);
        for (OnceArray& each : arrays)
            if (each.loop == &loop && ast::print(each.value) == text) return each;
        ast::Type type;
        type.kind = ast::TypeKind::Multiarray;
        type.element = value->type;
        type.slots = {isOverall(loop) ? ast::SlotKind::Distributed : ast::SlotKind::Sequential};
        type.spelled = wordFor(value->type) + (isOverall(loop) ? " [[-]]" : " [[*]]");
        ast::Symbol symbol;
        symbol.name = context.names.next(std::string(loop.variable) + "_values", counts_);
        symbol.type = context.arena.makeType(type);
        arrays.push_back({context.arena.makeSymbol(symbol), &loop, value});
        return arrays.back();
    }

    NodePtr written(const Nest& nest, NodePtr overall, const std::deque<OnceArray>& arrays,
                    const std::map<NodePtr, const OnceArray*>& places) {
        InPlaceOfValues elements(context, places);
        std::map<const Loop*, std::string> names;
        std::vector<NodePtr> questions, made;
        NodePtr condition = nullptr;
        const auto require = [&](NodePtr asked) {
            condition = condition
                            ? context.expression("$one && $other",
                                                 {{"$one", condition}, {"$other", asked}}, overall)
                            : asked;
        };
        for (const OnceArray& array : arrays) {
            std::string& name = names[array.loop];
            if (name.empty()) {
                name = context.names.next(std::string(array.loop->variable) + "_once", counts_);
                questions.push_back(question(*array.loop, name));
                require(context.identifier(name, overall));
            }
            for (const NodePtr asked : elementsAreFixed(nest, array, name)) require(asked);
            made.push_back(declaration(array, name));
            made.push_back(filled(array, elements));
        }
        if (remarks)
            for (const auto& [value, array] : places)
                remarks->fired("values-once", value,
                               "this is computed once, in front of the nest, for each " +
                                   quoted(std::string(array->loop->variable)));
        const NodePtr copy = ast::copy(context.arena, elements.rewrite(overall));
        return context.statement(
            "{\n"
            "    $questions;\n"
            "    if ($condition) {\n"
            "        $made;\n"
            "        $nest;\n"
            "    } else\n"
            "        $overall;\n"
            "}",
            {{"$questions", questions},
             {"$condition", condition},
             {"$made", made},
             {"$nest", copy},
             {"$overall", overall}},
            overall);
    }

    /// That there are many rows, and the elements which a value reads are there, and share no
    /// memory with what the nest writes.
    std::vector<NodePtr> elementsAreFixed(const Nest& nest, const OnceArray& array,
                                          const std::string& once) {
        std::vector<NodePtr> result;
        std::set<std::pair<size_t, size_t>> asked;
        const Loop& loop = *array.loop;
        for (const NodePtr each : ast::allOf<ast::Subscript>(array.value)) {
            const size_t read = nest.accesses[nest.accessOf.at(each)].array;
            const NodePtr base = nest.arrays[read].base;
            if (result.empty())
                result.push_back(context.expression(
                    once + ".savesQuotients($rows)",
                    {{"$rows", ast::copy(context.arena, nest.loops.front().range)}}, each));
            if (asked.emplace(read, read).second) result.push_back(areThere(loop, base));
            for (const Access& write : nest.accesses)
                if (write.writes && asked.emplace(read, write.array).second)
                    result.push_back(context.expression(
                        "hpspmd::detail::disjoint($a, $b)",
                        {{"$a", context.made(nest.arrays[write.array].base, each)},
                         {"$b", context.made(base, each)}},
                        each));
        }
        return result;
    }
    NodePtr areThere(const Loop& loop, NodePtr base) {
        const std::string distance = loop.reachesEnd ? "" : loop.step > 0 ? " - 1" : " + 1";
        const std::string last = "hpspmd::Index($end)" + distance;
        return context.expression(
            "hpspmd::detail::ready($a, {hpspmd::detail::reached({hpspmd::detail::Reach(" +
                (loop.step > 0 ? "$first, " + last : last + ", $first") + ")})})",
            {{"$a", context.made(base, base)},
             {"$first", ast::copy(context.arena, loop.first)},
             {"$end", ast::copy(context.arena, loop.end)}},
            base);
    }

    NodePtr question(const Loop& loop, const std::string& name) {
        if (isOverall(loop))
            return context.statement("const hpspmd::detail::ValuesOnce $once($range);",
                                     {{"$once", context.identifier(name, loop.statement)},
                                      {"$range", ast::copy(context.arena, loop.range)}},
                                     loop.statement);
        return context.statement("const hpspmd::detail::ValuesOnce $once($first, $end);",
                                 {{"$once", context.identifier(name, loop.statement)},
                                  {"$first", ast::copy(context.arena, loop.first)},
                                  {"$end", ast::copy(context.arena, loop.end)}},
                                 loop.statement);
    }

    NodePtr declaration(const OnceArray& array, const std::string& once) {
        const std::string word = wordFor(array.value->type);
        return context.statement(
            "hpspmd::Array<" + word +
                (isOverall(*array.loop) ? ", hpspmd::Dist> $values = $once.distributed<"
                                        : ", hpspmd::Seq> $values = $once.array<") +
                word + ">();",
            {{"$values", nameOf(context, array.symbol, array.value)},
             {"$once", context.identifier(once, array.value)}},
            array.value);
    }

    /// The loop itself, with nothing but the value in it, or an `overall` of the whole range.
    NodePtr filled(const OnceArray& array, InPlaceOfValues& elements) {
        const NodePtr loop = array.loop->statement, body = bodyOf(loop);
        const NodePtr made = context.statement("$element = $value;",
                                               {{"$element", elements.element(array, array.value)},
                                                {"$value", ast::copy(context.arena, array.value)}},
                                               array.value);
        if (isOverall(*array.loop)) {
            const NodePtr header = headerOf(*array.loop);
            const NodePtr nest = context.statement(
                "overall ($index = $range for :) $made;",
                {{"$index", ast::copy(context.arena, header->child(ast::OverallHeader::index))},
                 {"$range", ast::copy(context.arena, array.loop->range)},
                 {"$made", made}},
                array.value);
            nest->child(ast::Overall::headers)->child(0)->symbol = header->symbol;
            return nest;
        }
        std::vector<NodePtr> children;
        for (const NodePtr child : loop->children())
            children.push_back(child == body ? made : ast::copy(context.arena, child));
        return context.arena.rebuilt(loop, loop, children);
    }

    ast::FreshNames::Counts counts_;
};

}  // namespace

ast::Unit valuesOnce(ast::Unit unit, ast::Quoter& quote) {
    if (Plans::of(unit).wantsDevices) return unit;
    return rewritten<ValuesOnce>(std::move(unit), quote);
}

}  // namespace hpcc::nests
