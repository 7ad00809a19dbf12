// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/dot_products.hpp"

#include <algorithm>
#include <optional>

#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "nests/normalize/expression_nests.hpp"
#include "nests/normalize/reduction_nests.hpp"
#include "nests/normalize/same_words.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// An array with a name, or what is left of one.
struct Factor {
    NodePtr array = nullptr;
    const ast::Type* type = nullptr;
    std::vector<NodePtr> slots = {};  // null: a dimension that stays
    std::vector<size_t> dimensions = {};
};

std::optional<Factor> factorOf(NodePtr e) {
    e = ast::withoutParentheses(e);
    const bool isSection = ast::is<ast::Section>(e);
    Factor result;
    result.array = isSection ? e->child(ast::Section::base) : e;
    result.type = ast::multiarrayType(result.array);
    if (!result.type || !ast::isSimple(result.array)) return std::nullopt;
    result.slots.resize(result.type->slots.size());
    if (isSection) {
        const auto slots = e->child(ast::Section::slots)->children();
        if (slots.size() != result.slots.size()) return std::nullopt;
        for (size_t r = 0; r < slots.size(); ++r)
            if (!ast::isWholeTriplet(slots[r])) result.slots[r] = slots[r];
    }
    for (size_t r = 0; r < result.slots.size(); ++r) {
        const bool isKept = !result.slots[r];
        const bool isDistributed = result.type->slots[r] == ast::SlotKind::Distributed;
        const bool isNumber = !isKept && ast::isExpression(result.slots[r]) &&
                              ast::isPure(result.slots[r]) && ast::isInteger(result.slots[r]->type);
        if (isKept ? !isDistributed : isDistributed || !isNumber) return std::nullopt;
        if (isKept) result.dimensions.push_back(r);
    }
    return result;
}

/// Writes the nest of one dot product, or of a reduction of one array.
class ArrayReduction {
public:
    ArrayReduction(Context& context, ast::FreshNames::Given& given, NodePtr call)
        : context_(context), given_(given), call_(call) {}

    /// `other`: the second factor; null if there is none.
    void write(const Factor& one, const Factor* other, LoopValue& value) {
        const Factor& last = other ? *other : one;
        for (size_t d = 0; d < one.dimensions.size(); ++d) {
            const NodePtr index = context_.variable(context_.names.name("at", given_),
                                                    typeOf(ast::TypeKind::Index), call_);
            indices_.push_back(index);
            value.common.push_back({context_.variable(index->symbol->name + "_range",
                                                      typeOf(ast::TypeKind::Range), call_),
                                    one.array, last.array, one.dimensions[d], last.dimensions[d]});
            value.ranges.push_back(value.common.back().name);
        }
        if (other) value.reduction = "sum";
        value.type = value.result = one.type->element;
        const NodePtr number = context_.variable("value", value.type, call_);
        value.number = number->symbol;
        NodePtr e = elementOf(one);
        if (other)
            e = context_.expression("$one * $other", {{"$one", e}, {"$other", elementOf(*other)}},
                                    call_);
        e->type = value.type;
        value.made = reductionStep(context_, value.reduction, number, e);
        for (size_t d = indices_.size(); d-- > 0;)
            value.made = overall(indices_[d], value.common[d].name, value.made);
    }

private:
    const ast::Type* typeOf(ast::TypeKind kind) {
        ast::Type type;
        type.kind = kind;
        return context_.arena.makeType(type);
    }

    NodePtr elementOf(const Factor& factor) {
        const NodePtr shape = context_.expression(
            "$array[$index]",
            {{"$array", ast::copy(context_.arena, factor.array)}, {"$index", indices_.front()}},
            call_);
        const NodePtr list = shape->child(ast::Subscript::subscripts);
        std::vector<NodePtr> subscripts;
        size_t d = 0;
        for (const NodePtr slot : factor.slots)
            subscripts.push_back(ast::copy(context_.arena, slot ? slot : indices_[d++]));
        const NodePtr element = ast::withChild(context_.arena, shape, ast::Subscript::subscripts,
                                               context_.arena.rebuilt(list, list, subscripts));
        element->type = factor.type->element;
        return element;
    }

    NodePtr overall(NodePtr index, NodePtr range, NodePtr body) {
        const NodePtr nest = context_.statement(
            "overall ($index = $range for :) $body;",
            {{"$index", index}, {"$range", ast::copy(context_.arena, range)}, {"$body", body}},
            call_);
        const NodePtr header = nest->child(ast::Overall::headers)->child(0);
        header->symbol = index->symbol;
        return nest;
    }

    Context& context_;
    ast::FreshNames::Given& given_;
    NodePtr call_;
    std::vector<NodePtr> indices_;
};

}  // namespace

bool isDotProduct(NodePtr call) {
    return libraryFunction(call) == "dotProduct" &&
           call->child(ast::Call::arguments)->children().size() == 2;
}

bool readArrayReduction(Context& context, ast::FreshNames::Given& given, NodePtr call,
                        LoopValue& value) {
    const auto arguments = call->child(ast::Call::arguments)->children();
    const bool isExtreme = value.reduction == "maxval" || value.reduction == "minval";
    if (context.keepsOrderOfSums && !isExtreme) return false;  // the library has one of its own
    const auto one = factorOf(arguments.front());
    const auto isUsable = [&](const std::optional<Factor>& factor) {
        return factor && !factor->dimensions.empty() &&
               factor->type->element->kind == ast::TypeKind::Floating &&
               !wordFor(factor->type->element).empty() &&
               factor->dimensions.size() == one->dimensions.size() &&
               isSameNumber(factor->type->element, one->type->element);
    };
    if (!isUsable(one)) return false;
    const auto other = arguments.size() > 1 ? factorOf(arguments[1]) : std::nullopt;
    if (arguments.size() > 1 && !isUsable(other)) return false;
    ArrayReduction(context, given, call).write(*one, other ? &*other : nullptr, value);
    return true;
}

}  // namespace hpcc::nests
