// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/range_loops.hpp"

#include <algorithm>
#include <cstdlib>

#include "analysis/constant.hpp"
#include "analysis/lengths.hpp"
#include "analysis/plain_values.hpp"
#include "analysis/written_parts.hpp"
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

/// The type of the elements of a container of plain values, or of one of multiarrays.
const ast::Type* elementOf(const ast::Type* container) {
    if (const ast::Type* plain = analysis::plainElementOf(container)) return plain;
    if (!container || !ast::isStandardSequence(container)) return nullptr;
    const std::string_view name = container->classSymbol->name;
    const ast::Type* element = container->arguments.front();
    const bool isIndexed = name == "vector" || name == "array" || name == "span";
    return isIndexed && element->kind == ast::TypeKind::Multiarray ? element : nullptr;
}

/// True if the variable of the loop has the type of what it goes over.
bool isDeduced(NodePtr loop) {
    const NodePtr words = loop->child(ast::RangeFor::specifiers);
    return ast::is<ast::Specifiers>(words) && words->child(ast::Specifiers::core)->text() == "auto";
}

}  // namespace

NodePtr RangeLoops::counting(NodePtr loop) {
    const NodePtr name = ast::declaredName(loop->child(ast::RangeFor::declarator));
    if (!ast::is<ast::Identifier>(name)) return overContainer(loop);
    const NodePtr range = ast::withoutParentheses(loop->child(ast::RangeFor::range));
    const bool isKnown = !loop->child(ast::RangeFor::initializer) && name->symbol &&
                         !surroundings_.macros().mention(name->text());
    if (!isKnown) return loop;
    return ast::is<ast::BracedInitializer>(range) ? overList(loop, name) : overContainer(loop);
}

/// True if the variable is not changed, nor any element that it might be a copy of.
bool RangeLoops::isOnlyRead(NodePtr node, NodePtr name, bool isCopy) {
    if (givesAnotherName(node, name->symbol)) return false;
    if (const NodePtr target = ast::changedOperand(node)) {
        const NodePtr bare = ast::withoutParentheses(target);
        const bool isElement =
            ast::is<ast::Subscript>(bare) && ast::multiarrayType(bare->child(ast::Subscript::base));
        const ast::Symbol* symbol = ast::is<ast::Identifier>(bare) ? bare->symbol : nullptr;
        const bool isOther = symbol && symbol->type && !symbol->type->isReference;
        NodePtr root = bare;
        while (ast::isAny<ast::Member, ast::Subscript>(root))
            root = ast::withoutParentheses(root->child(0));
        if (root->symbol == name->symbol || (isCopy && !isElement && !isOther)) return false;
    }
    return std::ranges::all_of(
        node->children(), [&](NodePtr child) { return !child || isOnlyRead(child, name, isCopy); });
}

NodePtr RangeLoops::overContainer(NodePtr loop) {
    const NodePtr container = ast::withoutParentheses(loop->child(ast::RangeFor::range));
    const ast::Type* const element = elementOf(container->type);
    if (!element || !isPlainBase(container) || loop->child(ast::RangeFor::initializer) ||
        !FixedNames(loop, surroundings_).keep(container))
        return loop;
    NodePtr end = nullptr;
    const bool isArray = container->type->kind == ast::TypeKind::CArray;
    if (const auto length = analysis::lengthOf(container)) {
        end = context_.number(static_cast<long>(*length), container);
    } else if (!isArray) {
        end = context_.expression("$c.size()", {{"$c", ast::copy(context_.arena, container)}},
                                  container);
        end->type = context_.integerType("std::size_t", {64, false});
    }
    if (!end) return loop;
    if (element->kind == ast::TypeKind::Multiarray)
        return overHandles(loop, container, element, end);
    if (!ast::isNumber(element)) return overStructs(loop, container, element, end);
    const NodePtr name = ast::declaredName(loop->child(ast::RangeFor::declarator));
    return ast::is<ast::Identifier>(name) ? overElements(loop, name, container, element, end)
                                          : loop;
}

NodePtr RangeLoops::counterOf(NodePtr loop, std::string_view name) {
    return context_.variable(context_.names.next(std::string(name) + "_k", counts_),
                             context_.integerType("std::size_t", {64, false}), loop);
}

NodePtr RangeLoops::elementAt(NodePtr container, const ast::Type* element, NodePtr counter,
                              NodePtr place) {
    const NodePtr made = context_.expression(
        "$c[$k]",
        {{"$c", ast::copy(context_.arena, container)}, {"$k", ast::copy(context_.arena, counter)}},
        place);
    made->type = element;
    return made;
}

NodePtr RangeLoops::counted(NodePtr loop, NodePtr counter, NodePtr end, NodePtr body) {
    return context_.statement("for (std::size_t $k = 0; $l < $end; ++$s) $body;",
                              {{"$k", counter},
                               {"$l", ast::copy(context_.arena, counter)},
                               {"$end", end},
                               {"$s", ast::copy(context_.arena, counter)},
                               {"$body", body}},
                              loop);
}

/// `u[i]` of `const auto &u`, or of a copy that is not assigned, is `v[k][i]`.
NodePtr RangeLoops::overHandles(NodePtr loop, NodePtr container, const ast::Type* element,
                                NodePtr end) {
    const NodePtr name = ast::declaredName(loop->child(ast::RangeFor::declarator));
    const NodePtr body = loop->child(ast::RangeFor::body);
    if (!ast::is<ast::Identifier>(name) || !analysis::lengthOf(container) ||
        ast::effectsOf(body).assigned.contains(name->text()) ||
        ast::anywhere(body, [&](NodePtr each) { return givesAnotherName(each, name->symbol); }))
        return loop;
    const NodePtr counter = counterOf(loop, name->text());
    const auto counterpart = [&](NodePtr at) { return elementAt(container, element, counter, at); };
    return counted(loop, counter, end, InPlaceOf(context_.arena, name, counterpart).rewrite(body));
}

/// `o.w` of `const auto &o`, and `w` of `const auto &[di, dj, w]`, are members of the element, or
/// elements of one that is an array; a copy that the body changes or hands on is a variable.
NodePtr RangeLoops::overStructs(NodePtr loop, NodePtr container, const ast::Type* element,
                                NodePtr end) {
    const NodePtr declarator = loop->child(ast::RangeFor::declarator);
    const NodePtr body = loop->child(ast::RangeFor::body);
    const bool isReference = ast::is<ast::PointerDeclarator>(declarator);
    const bool mayGoStale = !element->isConst && !container->type->isConst;  // of a copy
    NodePtr declared = declarator;
    if (isReference) {
        const auto operators = declarator->child(ast::PointerDeclarator::operators)->children();
        const bool isRow = element->kind == ast::TypeKind::CArray;  // `const int *row`
        if (operators.size() != 1 || !(ast::is<ast::Reference>(operators[0]) || isRow)) return loop;
        declared = declarator->child(ast::PointerDeclarator::declarator);
    }
    const auto isMine = [&](NodePtr name) {
        return ast::is<ast::Identifier>(name) && name->symbol &&
               !surroundings_.macros().mention(name->text());
    };
    if (ast::is<ast::StructuredBinding>(declared)) {
        const auto names = declared->children();
        const auto fields = analysis::fieldsOf(element);
        const NodePtr counter = counterOf(loop, names[0]->text());
        const auto each = [&](NodePtr at) { return elementAt(container, element, counter, at); };
        const bool isArray = element->kind == ast::TypeKind::CArray;
        const auto count = isArray ? analysis::lengthOf(each(loop)).value_or(0)
                                   : static_cast<long long>(fields.size());
        const bool isKnown = static_cast<long long>(names.size()) == count &&
                             std::ranges::all_of(names, isMine) &&
                             asksForMembers(body, nullptr, !isReference);
        if (!isKnown) return loop;
        NodePtr round = body;
        for (size_t k = 0; k < names.size(); ++k) {
            if (!isReference && !isOnlyRead(body, names[k], mayGoStale)) return loop;
            round = InPlaceOf(context_.arena, names[k], [&](NodePtr place) {
                        return isArray
                                   ? elementAt(each(place), element->element,
                                               context_.number(static_cast<long>(k), place), place)
                                   : memberOf(context_, each(place), *fields[k], place);
                    }).rewrite(round);
        }
        return counted(loop, counter, end, round);
    }
    const ast::Type* type = isMine(declared) ? declared->symbol->type : nullptr;
    if (!type || type->classSymbol != element->classSymbol) return loop;
    const NodePtr counter = counterOf(loop, declared->text());
    const auto counterpart = [&](NodePtr at) { return elementAt(container, element, counter, at); };
    if (asksForMembers(body, declared->symbol, !isReference) &&
        (isReference || isOnlyRead(body, declared, mayGoStale)))
        return counted(loop, counter, end,
                       InPlaceOf(context_.arena, declared, counterpart).rewrite(body));
    if (isReference) return loop;
    const std::string words = ast::print(loop->child(ast::RangeFor::specifiers));
    return counted(
        loop, counter, end,
        context_.behind({context_.statement(words + " $v = $e;",
                                            {{"$v", declared}, {"$e", counterpart(loop)}}, loop)},
                        body, loop));
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
    const NodePtr counter = counterOf(loop, name->text());
    const auto counterpart = [&](NodePtr at) { return elementAt(container, element, counter, at); };
    const std::string words = ast::print(loop->child(ast::RangeFor::specifiers));
    const NodePtr round =
        isNamed
            ? InPlaceOf(context_.arena, name, counterpart).rewrite(body)
            : context_.behind({context_.statement(words + " $v = $e;",
                                                  {{"$v", name}, {"$e", counterpart(loop)}}, loop)},
                              body, loop);
    return counted(loop, counter, end, round);
}

NodePtr RangeLoops::overList(NodePtr loop, NodePtr name) {
    const NodePtr list = ast::withoutParentheses(loop->child(ast::RangeFor::range));
    const auto values = list->children();
    const ast::Type* const type = values.empty() ? nullptr : values[0]->type;
    const bool isOfOne = type && std::ranges::all_of(values, [&](NodePtr value) {
                             return isSameNumber(value->type, type);
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
    if (counting == loop) return loop;
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
