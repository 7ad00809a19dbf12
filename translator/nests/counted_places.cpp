// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/counted_places.hpp"

#include <algorithm>
#include <cstdlib>

#include "analysis/constant.hpp"
#include "analysis/loop.hpp"
#include "analysis/numbers.hpp"
#include "ast/effects.hpp"
#include "ast/search.hpp"
#include "nests/container_elements.hpp"
#include "nests/loop_ends.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// `1`, also of `1.0`; nothing of what is no small whole number.
std::optional<int> wholeNumber(NodePtr e) {
    constexpr long most = 1000;
    auto value = analysis::constantValue(e);
    const auto number = value ? std::nullopt : analysis::decimalValue(e);
    if (number && *number <= most && *number == static_cast<long>(*number))
        value = static_cast<long>(*number);
    return value && std::abs(*value) <= most ? std::optional(static_cast<int>(*value))
                                             : std::nullopt;
}

/// What a statement adds to an element: -1 of `--counts[k]`.
struct Added {
    NodePtr element;
    int by;
};
std::optional<Added> addedBy(NodePtr statement) {
    const NodePtr e =
        ast::is<ast::ExpressionStatement>(statement)
            ? ast::withoutParentheses(statement->child(ast::ExpressionStatement::expression))
            : nullptr;
    const NodePtr changed = e ? ast::withoutParentheses(ast::changedOperand(e)) : nullptr;
    if (!ast::is<ast::Subscript>(changed)) return std::nullopt;
    if (!ast::is<ast::Assign>(e)) {
        const auto op = e->is<ast::Unary>() ? ast::Unary::op : ast::Postfix::op;
        return Added{changed, e->child(op)->text() == "++" ? 1 : -1};
    }
    const std::string_view op = e->child(ast::Assign::op)->text();
    const std::string text = ast::print(changed);
    const NodePtr term = op == "-="
                             ? e->child(ast::Assign::value)
                             : addendOf(e, [&](NodePtr each) { return ast::print(each) == text; });
    const auto number = term ? wholeNumber(term) : std::nullopt;
    return number ? std::optional(Added{changed, op == "-=" ? -*number : *number}) : std::nullopt;
}

/// True of integers and of doubles, which hold whole numbers as large as are counted.
bool holdsCounts(const ast::Type* type) {
    return isDouble(type) || (ast::isNumber(type) && type->kind == ast::TypeKind::Integer);
}

/// The variable whose memory a table is, or of which it is a member; null of others.
NodePtr ownerOf(NodePtr table) {
    const NodePtr own = ownContainer(table);
    if (own) return own == table ? own : nullptr;
    NodePtr root = isNamedContainer(table) ? table : nullptr;
    while (ast::is<ast::Member>(root)) root = root->child(ast::Member::base);
    const ast::Symbol* const symbol = ast::is<ast::Identifier>(root) ? root->symbol : nullptr;
    const bool isObject = symbol && symbol->kind == ast::SymbolKind::Variable && symbol->type &&
                          !symbol->type->isReference;
    return isObject ? root : nullptr;
}

}  // namespace

/// Numbers and elements that no step of the loop changes; nothing but the counts does.
bool CountedPlaces::onlyReads(const Loop& loop, NodePtr e) const {
    const auto isOther = [&](NodePtr each) {
        const Access* const access = accessAt(nest_, each);
        if (access) {
            for (size_t r = 0; r < access->slots.size(); ++r)
                if (test_.unchecked().contains({each, r})) return true;
            return false;
        }
        return ast::changedOperand(each) || ast::isAny<ast::Lambda, ast::Subscript>(each) ||
               (each->is<ast::GlobalIndex>() && loop.kind == Loop::Kind::Overall);
    };
    return !ast::anywhere(e, isOther);
}

std::optional<CountedPlaces::Count> CountedPlaces::countOf(const Loop& loop) const {
    const bool isUp = loop.step == 1;
    if (!loop.isInnermost || loop.jumps || loop.kind == Loop::Kind::Other || loop.endsPerRow ||
        loop.endsByMeeting || !(isUp || loop.step == -1) ||
        (loop.kind == Loop::Kind::Overall && loop.usesGlobal))
        return std::nullopt;
    const auto own = analysis::countingLoop(loop.statement);
    if (loop.kind == Loop::Kind::Counting &&
        (!own || counterType(loop)->text() == "auto" || !own->number().isSigned ||
         own->number().bits < 32 || !analysis::isInteger(loop.end)))
        return std::nullopt;
    std::vector<NodePtr> parts = statementsIn(bodyOf(loop));
    const auto added = parts.empty() ? std::nullopt : addedBy(parts.back());
    if (!added) return std::nullopt;
    parts.pop_back();
    Count count{added->element, accessAt(nest_, added->element), parts, added->by};
    const auto isNumber = [&](NodePtr part) {
        const auto number = numberDeclaredIn(part);
        return number && onlyReads(loop, number->start);
    };
    const NodePtr place = count.element->child(ast::Subscript::subscripts)->child(0);
    if (!holdsCounts(count.element->type) || !std::ranges::all_of(parts, isNumber) ||
        !onlyReads(loop, place))
        return std::nullopt;
    if (count.access)  // the places are compared with the extent, upwards
        return isUp && count.access->slots.size() == 1 &&
                       test_.unchecked().contains({count.element, 0})
                   ? std::optional(count)
                   : std::nullopt;
    return count;
}

/// True if what is no element of a multiarray or container of the nest may be one of a table.
static bool mayTouchTables(const Nest& nest) {
    const auto isReference = [](NodePtr e) {
        return ast::is<ast::Identifier>(e) && e->symbol && e->symbol->type &&
               e->symbol->type->isReference && ast::isNumber(e->symbol->type);
    };
    const Loop& all = nest.loops.front();
    return nest.callsForeign || all.touchesOther || ast::anywhere(all.statement, isReference);
}

/// Nothing else in the nest touches the table.
bool CountedPlaces::isAlone(const Loop& loop, const Count& count) const {
    const std::string text = ast::print(count.element);
    if (count.access)
        return !nest_.loops.front().touchesForeign &&
               std::ranges::all_of(nest_.accesses, [&](const Access& each) {
                   return each.array != count.access->array ||
                          (each.loop == &loop && ast::print(each.node) == text);
               });
    const NodePtr owner = ownerOf(count.element->child(ast::Subscript::base));
    if (!owner || nest_.containers.size() != 1 || loop.declared.contains(owner->text()))
        return false;
    const auto mentionsIn = [&](NodePtr e) {
        return std::ranges::count(ast::allOf<ast::Identifier>(e), owner->symbol,
                                  &ast::Node::symbol);
    };
    long own = 0;
    for (const NodePtr each : ast::allOf<ast::Subscript>(bodyOf(loop)))
        if (ast::print(each) == text) own += mentionsIn(each);
    return own == mentionsIn(nest_.loops.front().statement);
}

void CountedPlaces::find(NestPlan& plan, ArrayPairs& apart) {
    if (plan.device || plan.threads || plan.fold || plan.fused) return;
    std::vector<std::pair<const Loop*, Count>> counts;
    for (const Loop& loop : nest_.loops)
        if (const auto count = countOf(loop)) counts.emplace_back(&loop, *count);
    if (counts.empty() || mayTouchTables(nest_)) return;
    // Of two loops that count in a container, none is alone.
    const auto inContainer = [](const auto& each) { return !each.second.access; };
    if (std::ranges::count_if(counts, inContainer) > 1) std::erase_if(counts, inContainer);
    for (const auto& [loop, count] : counts) {
        if (!isAlone(*loop, count) || (context_.keepsOrderOfSums && isDouble(count.element->type)))
            continue;
        const NodePtr table = count.element->child(ast::Subscript::base);
        for (size_t array = 0; array < nest_.arrays.size(); ++array)
            if (count.access && array != count.access->array)
                apart.insert(std::minmax(array, count.access->array));
            else if (!count.access)
                test_.require(context_.expression(
                    "hpspmd::detail::disjointFrom($a, $table)",
                    {{"$a", context_.identifier(nest_.arrays[array].text, table)},
                     {"$table", ast::copy(context_.arena, table)}},
                    nest_.loops.front().statement));
        plan.notes.push_back("with several tables of the counts '" + ast::print(table) + "'");
        plan.forms[loop].kind = Form::Kind::Counted;
        found_.emplace(loop, count);
    }
}

/// True if only subscripts of elements name the variable: no function asks for its type.
bool CountedPlaces::isForElements(NodePtr e, std::string_view variable) const {
    if (accessAt(nest_, e)) return !holdsCall(e);
    return !isNamed(e, variable) && std::ranges::all_of(e->children(), [&](NodePtr part) {
        return !part || isForElements(part, variable);
    });
}

std::string CountedPlaces::declared(const Count& count) {
    const NodePtr table = count.element->child(ast::Subscript::base);
    const std::string text = ast::print(table);
    const std::string name = context_.fresh(text.substr(text.find_last_of(".>") + 1) + "_in");
    const std::string by = ", " + std::to_string(count.by) + ");";
    tables_.push_back(
        count.access
            ? context_.statement("auto " + name + " = hpspmd::detail::countsIn<true>($data, " +
                                     elements_.extentOf(*count.access, 0) + by,
                                 {{"$data", elements_.row(*count.access)}}, count.element)
            : context_.statement("auto " + name +
                                     " = hpspmd::detail::countsIn<false>(std::data($t), "
                                     "static_cast<hpspmd::Index>(std::size($t2))" +
                                     by,
                                 {{"$t", ast::copy(context_.arena, table)},
                                  {"$t2", ast::copy(context_.arena, table)}},
                                 count.element));
    return name;
}

NodePtr CountedPlaces::written(const Loop& loop, NodePtr first, NodePtr last) {
    Count& count = found_.at(&loop);
    if (count.name.empty()) count.name = declared(count);
    const NodePtr place = count.element->child(ast::Subscript::subscripts)->child(0);
    bool isIndex = loop.kind == Loop::Kind::Overall || isForElements(place, loop.variable);
    std::vector<NodePtr> before;
    for (const NodePtr part : count.before) {
        isIndex &= isForElements(part, loop.variable);
        before.push_back(elements_.fast(part));
    }
    const std::string type = isIndex ? "hpspmd::Index" : std::string(counterType(loop)->text());
    if (loop.step < 0) std::swap(first, last);
    return context_.statement(count.name + ".add($first, $last, [&](" + type + " " +
                                  std::string(loop.variable) +
                                  ") {\n    $before;\n    return $place;\n});",
                              {{"$first", first},
                               {"$last", last},
                               {"$before", before},
                               {"$place", elements_.fast(place)}},
                              loop.statement);
}

}  // namespace hpcc::nests
