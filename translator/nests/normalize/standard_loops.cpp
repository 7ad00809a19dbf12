// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/standard_loops.hpp"

#include "analysis/constant.hpp"
#include "analysis/lengths.hpp"
#include "analysis/plain_values.hpp"
#include "ast/purity.hpp"
#include "nests/names.hpp"
#include "nests/normalize/fixed_handles.hpp"
#include "nests/normalize/sorted_elements.hpp"

namespace hpcc::nests {

using ast::NodePtr;

namespace {

/// Of numbers.
const ast::Type* numberInside(const ast::Type* container) {
    if (!container) return nullptr;
    if (container->kind == ast::TypeKind::CArray)
        return ast::isNumber(container->element) ? container->element : nullptr;
    return analysis::isContainerOfNumbers(container) ? container->arguments.front() : nullptr;
}

bool isContainer(NodePtr e) { return isPlainBase(e) && numberInside(e->type); }

/// `fill` of a call of std::fill; "" of calls of other namespaces.
std::string_view standardName(NodePtr callee) {
    const std::string_view text = callee->text();
    return ast::is<ast::QualifiedName>(callee) && text.starts_with("std::") ? text.substr(5) : "";
}

}  // namespace

StandardLoops::Position StandardLoops::positionOf(NodePtr e) {
    e = ast::withoutParentheses(e);
    if (isContainer(e) && e->type->kind == ast::TypeKind::CArray) return {e};
    if (ast::is<ast::Binary>(e) && e->child(ast::Binary::op)->text() == "+") {
        const Position start = positionOf(e->child(ast::Binary::left));
        const NodePtr offset = e->child(ast::Binary::right);
        const bool isKnown = start.container && !start.offset && !start.isEnd &&
                             ast::isPure(offset) && offset->type &&
                             offset->type->kind == ast::TypeKind::Integer;
        return isKnown ? Position{start.container, offset} : Position();
    }
    if (!ast::is<ast::Call>(e)) return {};
    const NodePtr callee = e->child(ast::Call::callee);
    const auto arguments = e->child(ast::Call::arguments)->children();
    const bool isMember = ast::is<ast::Member>(callee) && arguments.empty();
    const NodePtr container = isMember                ? callee->child(0)
                              : arguments.size() == 1 ? arguments[0]
                                                      : nullptr;
    const std::string_view name =
        isMember ? callee->child(ast::Member::name)->text() : standardName(callee);
    if (!container || !isContainer(container)) return {};
    if (name == "begin" || name == "cbegin") return {container};
    if (name == "end" || name == "cend") return {container, nullptr, true};
    return {};
}

NodePtr StandardLoops::written(NodePtr statement) {
    const NodePtr call = statement->child(0);
    if (!ast::is<ast::Call>(call)) return statement;
    const NodePtr callee = call->child(ast::Call::callee);
    const auto given = call->child(ast::Call::arguments)->children();
    const std::string_view name = standardName(callee);
    NodePtr result = nullptr;
    if (ast::is<ast::Member>(callee) && callee->child(ast::Member::name)->text() == "fill" &&
        given.size() == 1 && isContainer(callee->child(0)))
        result = fill({callee->child(0)}, {callee->child(0), nullptr, true}, given[0]);
    else if (name == "fill" && given.size() == 3)
        result = fill(positionOf(given[0]), positionOf(given[1]), given[2]);
    else if (name == "fill_n" && given.size() == 3 && !positionOf(given[0]).offset &&
             ast::isPure(given[1]) && given[1]->type &&
             given[1]->type->kind == ast::TypeKind::Integer)
        result = fill(positionOf(given[0]), {positionOf(given[0]).container, given[1]}, given[2]);
    else if (name == "sort" && given.size() >= 2)
        result = sort(given[0], given[1], given.subspan(2));
    else if ((name == "nth_element" || name == "partial_sort") && given.size() >= 3 &&
             positionOf(given[1]).container)
        result = sort(given[0], given[2], given.subspan(3));
    else if (name == "copy" && given.size() == 3)
        result = copy(positionOf(given[0]), positionOf(given[1]), positionOf(given[2]));
    return result ? result : statement;
}

NodePtr StandardLoops::fill(const Position& first, const Position& last, NodePtr value) {
    if (!ast::isNumber(value->type) || value->type->spelled.empty()) return nullptr;
    const bool isLiteral = ast::is<ast::NumberLiteral>(value);
    NodePtr number = value;
    if (!isLiteral && first.container) {
        ast::Type type = *value->type;
        type.isReference = type.isConst = false;
        number = context_.variable(
            context_.names.next(std::string(rootOf(first.container)->text()) + "_value", counts_),
            context_.arena.makeType(type), value);
    }
    const NodePtr loop = counted(first, last, [&](NodePtr counter) {
        return context_.statement("$c = $v;",
                                  {{"$c", elementAt(first.container, counter)},
                                   {"$v", ast::copy(context_.arena, number)}},
                                  first.container);
    });
    if (!loop || isLiteral) return loop;
    return context_.behind({context_.statement("const " + number->type->spelled + " $n = $v;",
                                               {{"$n", number}, {"$v", value}}, value)},
                           loop, value);
}

NodePtr StandardLoops::copy(const Position& first, const Position& last, const Position& to) {
    if (!to.container || to.isEnd) return nullptr;
    return counted(first, last, [&](NodePtr counter) {
        const NodePtr place = moved(counter, first.offset, to.offset);
        return context_.statement(
            "$c = $v;",
            {{"$c", elementAt(to.container, place)}, {"$v", elementAt(first.container, counter)}},
            to.container);
    });
}

NodePtr StandardLoops::moved(NodePtr counter, NodePtr from, NodePtr to) {
    NodePtr place = counter;
    const auto by = [&](const char* schema, NodePtr offset) {
        const NodePtr made = context_.expression(
            schema, {{"$k", place}, {"$o", ast::copy(context_.arena, offset)}}, offset);
        made->type = counter->type;
        place = made;
    };
    if (from) by("$k - ($o)", from);
    if (to) by("$k + ($o)", to);
    return place;
}

long long StandardLoops::wholeLength(const Position& begin, const Position& end) {
    const bool isWhole = begin.isBegin() && end.container &&
                         ast::print(begin.container) == ast::print(end.container);
    const auto length = isWhole ? analysis::lengthOf(begin.container) : std::nullopt;
    const bool endsThere =
        length && (end.isEnd || (end.offset && analysis::constantValue(end.offset) == length));
    return endsThere ? *length : 0;
}

const ast::Type* StandardLoops::numberIn(NodePtr container) {
    return numberInside(container->type);
}

/// All elements of a short array in order, which is what the others ask for, too. `by` is empty,
/// `std::less<..>()` or `std::greater<..>()`.
NodePtr StandardLoops::sort(NodePtr first, NodePtr last, std::span<const NodePtr> by) {
    const Position begin = positionOf(first);
    const long long length = wholeLength(begin, positionOf(last));
    if (length < 2 || length > longestSorted) return nullptr;
    const ast::Type* const number = numberInside(begin.container->type);
    const auto isOrder = [&](const std::string& name) {
        const std::string order = ast::print(by[0]);
        for (const std::string& type : {std::string(), number->spelled})
            for (const char* made : {"()", "{}"})
                if (order == "std::" + name + "<" + type + ">" + made) return true;
        return false;
    };
    const bool fromLargest = by.size() == 1 && isOrder("greater");
    const bool isKnown = by.empty() || fromLargest || (by.size() == 1 && isOrder("less"));
    if (!isKnown || number->spelled.empty() || number->isConst) return nullptr;
    return sortedElements(context_, counts_, begin.container, number, length, fromLargest);
}

NodePtr StandardLoops::counted(const Position& first, const Position& last,
                               const std::function<NodePtr(NodePtr)>& body) {
    if (!first.container || !last.container || first.isEnd ||
        ast::print(first.container) != ast::print(last.container))
        return nullptr;
    const NodePtr end = last.isEnd    ? lengthOf(first.container)
                        : last.offset ? last.offset
                                      : context_.number(0, first.container);
    if (!end) return nullptr;
    const ast::Type* const type =
        last.isEnd ? context_.integerType("std::size_t", {64, false}) : context_.indexType();
    const NodePtr counter = context_.variable(
        context_.names.next(std::string(rootOf(first.container)->text()) + "_k", counts_), type,
        first.container);
    const auto again = [&] { return ast::copy(context_.arena, counter); };
    return context_.statement("for (" + type->spelled + " $k = $first; $l < $end; ++$s) $body;",
                              {{"$k", counter},
                               {"$first", first.offset ? ast::copy(context_.arena, first.offset)
                                                       : context_.number(0, first.container)},
                               {"$l", again()},
                               {"$end", end},
                               {"$s", again()},
                               {"$body", body(again())}},
                              first.container);
}

NodePtr StandardLoops::elementAt(NodePtr container, NodePtr subscript) {
    const NodePtr made = context_.expression("$c[$k]",
                                             {{"$c", ast::copy(context_.arena, container)},
                                              {"$k", ast::copy(context_.arena, subscript)}},
                                             container);
    made->type = numberInside(container->type);
    return made;
}

NodePtr StandardLoops::lengthOf(NodePtr container) {
    if (const auto length = analysis::lengthOf(container))
        return context_.number(static_cast<long>(*length), container);
    if (container->type->kind == ast::TypeKind::CArray) return nullptr;
    const NodePtr made =
        context_.expression("$c.size()", {{"$c", ast::copy(context_.arena, container)}}, container);
    made->type = context_.integerType("std::size_t", {64, false});
    return made;
}

}  // namespace hpcc::nests
