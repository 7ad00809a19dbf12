// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/range_loops.hpp"

#include <algorithm>
#include <cstdlib>

#include "analysis/constant.hpp"
#include "analysis/plain_values.hpp"
#include "ast/copyable.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "nests/normalize/fixed_handles.hpp"
#include "nests/normalize/in_place_of.hpp"
#include "nests/normalize/same_words.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

const ast::Type* integer(Context& context, std::string spelled, ast::NumberType number) {
    ast::Type type;
    type.kind = ast::TypeKind::Integer;
    type.spelled = std::move(spelled);
    type.number = number;
    return context.arena.makeType(type);
}

/// Of a C array as it is declared; null if that is not known.
std::optional<long long> lengthOf(NodePtr array) {
    const ast::Symbol* symbol =
        ast::is<ast::Member>(array) ? array->child(ast::Member::name)->symbol : array->symbol;
    const NodePtr declaration = symbol ? symbol->declaration : nullptr;
    if (!ast::isAny<ast::InitDeclarator, ast::Parameter>(declaration)) return std::nullopt;
    const bool isParameter = ast::is<ast::Parameter>(declaration);  // `double (&w)[3]`
    const NodePtr declarator = declaration->child(isParameter ? +ast::Parameter::declarator
                                                              : +ast::InitDeclarator::declarator);
    if (!ast::is<ast::ArrayDeclarator>(declarator)) return std::nullopt;
    if (const NodePtr size = declarator->child(ast::ArrayDeclarator::size))
        return analysis::constantValue(size);
    NodePtr values = isParameter ? nullptr : declaration->child(ast::InitDeclarator::initializer);
    if (ast::is<ast::EqualInitializer>(values)) values = values->child(0);
    if (!ast::is<ast::BracedInitializer>(values)) return std::nullopt;
    return static_cast<long long>(values->children().size());
}

/// The type of the elements of a C array, std::array, std::vector or std::span of numbers.
const ast::Type* elementOf(const ast::Type* container) {
    if (!container) return nullptr;
    const bool isArray = container->kind == ast::TypeKind::CArray;
    if (!isArray && !analysis::isContainerOfNumbers(container)) return nullptr;
    const ast::Type* element = isArray ? container->element : container->arguments.front();
    return ast::isNumber(element) ? element : nullptr;
}

/// True if the variable of the loop has the type of what it goes over.
bool isDeduced(NodePtr loop) {
    const NodePtr words = loop->child(ast::RangeFor::specifiers);
    return ast::is<ast::Specifiers>(words) && words->child(ast::Specifiers::core)->text() == "auto";
}

}  // namespace

NodePtr RangeLoops::counting(NodePtr loop) {
    const NodePtr name = ast::declaredName(loop->child(ast::RangeFor::declarator));
    const NodePtr range = ast::withoutParentheses(loop->child(ast::RangeFor::range));
    const bool isKnown = !loop->child(ast::RangeFor::initializer) &&
                         ast::is<ast::Identifier>(name) && name->symbol &&
                         !surroundings_.macros().mention(name->text());
    if (!isKnown) return loop;
    return ast::is<ast::BracedInitializer>(range) ? overList(loop, name)
                                                  : overContainer(loop, name);
}

/// True if the variable is not changed, nor any element that it might be a copy of.
bool RangeLoops::isOnlyRead(NodePtr node, NodePtr name, bool isCopy) {
    if (const NodePtr target = ast::changedOperand(node)) {
        const NodePtr bare = ast::withoutParentheses(target);
        const bool isElement =
            ast::is<ast::Subscript>(bare) && ast::multiarrayType(bare->child(ast::Subscript::base));
        const ast::Symbol* symbol = ast::is<ast::Identifier>(bare) ? bare->symbol : nullptr;
        const bool isOther = symbol && symbol->type && !symbol->type->isReference;
        if (symbol == name->symbol || (isCopy && !isElement && !isOther)) return false;
    }
    return std::ranges::all_of(
        node->children(), [&](NodePtr child) { return !child || isOnlyRead(child, name, isCopy); });
}

NodePtr RangeLoops::overContainer(NodePtr loop, NodePtr name) {
    const NodePtr container = ast::withoutParentheses(loop->child(ast::RangeFor::range));
    const ast::Type* const element = elementOf(container->type);
    if (!element || !isPlainBase(container) || !FixedNames(loop, surroundings_).keep(container))
        return loop;
    NodePtr end = nullptr;
    if (container->type->kind != ast::TypeKind::CArray) {
        end = context_.expression("$c.size()", {{"$c", ast::copy(context_.arena, container)}},
                                  container);
        end->type = integer(context_, "std::size_t", {64, false});
    } else if (const auto length = lengthOf(container)) {
        end = context_.number(static_cast<long>(*length), container);
    }
    return end ? overElements(loop, name, container, element, end) : loop;
}

/// The variable is the element itself, or else a number of its own.
NodePtr RangeLoops::overElements(NodePtr loop, NodePtr name, NodePtr container,
                                 const ast::Type* element, NodePtr end) {
    const ast::Type* const type = name->symbol->type;
    const NodePtr body = loop->child(ast::RangeFor::body);
    const bool isReference = !ast::is<ast::Identifier>(loop->child(ast::RangeFor::declarator));
    const bool isAlias = isReference && type && type->isReference && !type->isConst;
    const bool isIt = isDeduced(loop) || isSameNumber(type, element);
    const bool isNamed = isIt && (isAlias || isOnlyRead(body, name));
    if (!isNamed && (isReference || !ast::isNumber(type))) return loop;
    const std::string k = context_.names.next(std::string(name->text()) + "_k", counts_);
    const NodePtr counter =
        context_.variable(k, integer(context_, "std::size_t", {64, false}), loop);
    const auto counted = [&] { return ast::copy(context_.arena, counter); };
    const auto counterpart = [&](NodePtr at) {
        const NodePtr made = context_.expression(
            "$c[$k]", {{"$c", ast::copy(context_.arena, container)}, {"$k", counted()}}, at);
        made->type = element;
        return made;
    };
    const std::string words = ast::print(loop->child(ast::RangeFor::specifiers));
    const NodePtr round =
        isNamed
            ? InPlaceOf(context_.arena, name, counterpart).rewrite(body)
            : context_.behind({context_.statement(words + " $v = $e;",
                                                  {{"$v", name}, {"$e", counterpart(loop)}}, loop)},
                              body, loop);
    return context_.statement(
        "for (std::size_t $k = 0; $l < $end; ++$s) $body;",
        {{"$k", counter}, {"$l", counted()}, {"$end", end}, {"$s", counted()}, {"$body", round}},
        loop);
}

NodePtr RangeLoops::overList(NodePtr loop, NodePtr name) {
    const NodePtr list = ast::withoutParentheses(loop->child(ast::RangeFor::range));
    const auto values = list->children();
    const ast::Type* const type = values.empty() ? nullptr : values[0]->type;
    const bool isOfOne = type && std::ranges::all_of(values, [&](NodePtr value) {
                             return ast::isPure(value) && isSameNumber(value->type, type);
                         });
    if (!isOfOne) return loop;
    if (const NodePtr made = overConstants(loop, name, isDeduced(loop) ? type : name->symbol->type))
        return made;
    const std::string length = std::to_string(values.size());
    ast::Type array;
    array.kind = ast::TypeKind::CArray;
    array.isConst = true;
    array.element = type;
    const NodePtr made =
        context_.variable(context_.names.next(std::string(name->text()) + "_list", counts_),
                          context_.arena.makeType(array), list);
    const NodePtr counting = overElements(loop, name, made, type,
                                          context_.number(static_cast<long>(values.size()), list));
    return context_.statement(
        "{\n"
        "    const " +
            type->spelled + " $list[" + length +
            "] = $values;\n"
            "    $loop;\n"
            "}",
        {{"$list", made}, {"$values", list}, {"$loop", counting}}, loop);
}

/// `{-1, 1}` as steps of two, `{-2, 0, 1}` written out; null if the values are no constants, or the
/// body is not to be repeated.
NodePtr RangeLoops::overConstants(NodePtr loop, NodePtr name, const ast::Type* type) {
    const NodePtr body = loop->child(ast::RangeFor::body);
    if (!isOnlyRead(body, name, false) || !type || type->kind != ast::TypeKind::Integer ||
        type->number.bits < 32)
        return nullptr;
    std::vector<long long> values;
    for (const NodePtr value :
         ast::withoutParentheses(loop->child(ast::RangeFor::range))->children()) {
        const auto constant = analysis::constantValue(value);
        if (!constant || std::abs(*constant) > 1000) return nullptr;
        values.push_back(*constant);
    }
    const bool isSigned = type->number.isSigned;
    if (!isSigned && std::ranges::min(values) < 0) return nullptr;
    const long long by = values.size() > 1 ? values[1] - values[0] : 1;
    bool isEven = isSigned ? by != 0 : by > 0;
    for (size_t k = 1; k < values.size(); ++k) isEven &= values[k] - values[k - 1] == by;
    ast::Type number = *type;
    number.isConst = number.isReference = false;
    number.spelled = isSigned ? "int" : "unsigned";
    if (type->number.bits == 64) number.spelled = isSigned ? "hpspmd::Index" : "std::size_t";
    const ast::Type* const whole = context_.arena.makeType(number);
    if (!isEven) return writtenOut(loop, name, values, whole);
    const NodePtr counter =
        context_.variable(context_.names.next(std::string(name->text()), counts_), whole, loop);
    const auto counted = [&](NodePtr) { return ast::copy(context_.arena, counter); };
    const auto text = [](long long value) { return std::to_string(value); };
    return context_.statement("for (" + number.spelled + " $k = " + text(values.front()) +
                                  (by > 0 ? "; $l <= " : "; $l >= ") + text(values.back()) +
                                  (by > 0 ? "; $s += " : "; $s -= ") + text(by > 0 ? by : -by) +
                                  ") $body;",
                              {{"$k", counter},
                               {"$l", counted(nullptr)},
                               {"$s", counted(nullptr)},
                               {"$body", InPlaceOf(context_.arena, name, counted).rewrite(body)}},
                              loop);
}

NodePtr RangeLoops::writtenOut(NodePtr loop, NodePtr name, const std::vector<long long>& values,
                               const ast::Type* type) {
    constexpr size_t mostValues = 9, mostNodes = 200;
    const NodePtr body = loop->child(ast::RangeFor::body);
    if (values.size() > mostValues || holdsJump(body) || !ast::isCopyable(body, mostNodes))
        return nullptr;
    std::vector<NodePtr> rounds;
    for (const long long value : values) {
        const auto constant = [&](NodePtr at) {
            const std::string digits = std::to_string(value);
            const std::string text = value < 0 ? "(" + digits + ")" : digits;
            const NodePtr made =
                type->spelled == "int"
                    ? context_.expression(text, {}, at)
                    : context_.expression(type->spelled + "(" + digits + ")", {}, at);
            made->type = type;
            return made;
        };
        rounds.push_back(
            InPlaceOf(context_.arena, name, constant).rewrite(ast::copy(context_.arena, body)));
    }
    return context_.statement(
        "{\n"
        "    $rounds;\n"
        "}",
        {{"$rounds", rounds}}, loop);
}

}  // namespace hpcc::nests
