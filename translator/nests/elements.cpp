// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/elements.hpp"

#include <algorithm>
#include <cctype>

#include "analysis/operators.hpp"
#include "analysis/plain_values.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/container_elements.hpp"

namespace hpcc::nests {

using ast::NodePtr;

Elements::Elements(Context& context, const Nest& nest, const EntryTest& test, const Fold* fold,
                   std::function<NodePtr(NodePtr)> fast)
    : context_(context), nest_(nest), test_(test), fold_(fold), fast_(std::move(fast)) {
    nameArrays();
}

namespace {

/// `grid_u` of `this->grid.u`
std::string nameFor(const std::string& text) {
    std::string name = text.starts_with("this->") ? text.substr(6) : text;
    std::ranges::replace_if(
        name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
}

/// True if no statement of the nest can give a container other elements than it has.
bool staysWhereItIs(const Nest& nest, NodePtr container) {
    return !nest.callsForeign &&
           std::ranges::none_of(ast::namesIn(container), [&](std::string_view name) {
               return nest.declared.contains(name) || nest.assigned.contains(name) ||
                      nest.changeable.contains(name) || nest.loopNamed(name);
           });
}

}  // namespace

void Elements::nameArrays() {
    for (const NestArray& array : nest_.arrays) {
        const std::string base = nameFor(array.text);
        const bool isFolded = fold_ && fold_->array == array.text;
        names_.push_back({base, context_.fresh((isFolded ? fold_->sums : base) + "_data")});
    }
    for (const Access& access : nest_.accesses) {
        std::vector<std::string>& strides = names_[access.array].strides;
        for (size_t r = strides.size(); r + 1 < access.slots.size(); ++r)
            strides.push_back(context_.fresh(names_[access.array].base + "_s" + std::to_string(r)));
    }
}

void Elements::nameExtents() {
    for (const Access& access : nest_.accesses)
        for (size_t r = 0; r < access.slots.size(); ++r)
            if (test_.unchecked().contains({access.node, r})) nameExtent(access.array, r);
}

const std::string& Elements::nameExtent(size_t array, size_t r) {
    Names& names = names_[array];
    std::string& extent = names.extents[r];
    if (extent.empty()) extent = context_.fresh(names.base + "_n" + std::to_string(r));
    return extent;
}

NodePtr Elements::inquiry(const std::string& constant, size_t array, const char* question,
                          size_t r) {
    const NodePtr base = nest_.arrays[array].base;
    return context_.statement("const hpspmd::Index $name = $a." + std::string(question) + "($r);",
                              {{"$name", name(constant, base)},
                               {"$a", context_.made(base, base)},
                               {"$r", context_.number(static_cast<long>(r), base)}},
                              base);
}

std::string Elements::leastOf(const std::set<std::string>& extents) {
    if (extents.size() == 1) return *extents.begin();
    std::string& least = leasts_[extents];
    if (least.empty()) least = context_.fresh(*extents.begin() + "_least");
    return least;
}

std::vector<NodePtr> Elements::constants() {
    std::vector<NodePtr> result;
    for (size_t k = 0; k < nest_.arrays.size(); ++k) {
        const NodePtr base = nest_.arrays[k].base;
        for (const auto& [r, extent] : names_[k].extents)
            result.push_back(inquiry(extent, k, "size", r));
        if (fold_ && fold_->write->array == k) {
            result.push_back(context_.statement(
                "auto *const $p = $sums.data();",
                {{"$p", name(names_[k].data, base)}, {"$sums", name(fold_->sums, base)}}, base));
            continue;
        }
        result.push_back(context_.statement(
            "auto *const $p = $a.data();",
            {{"$p", name(names_[k].data, base)}, {"$a", context_.made(base, base)}}, base));
        for (size_t r = 0; r < names_[k].strides.size(); ++r)
            result.push_back(inquiry(names_[k].strides[r], k, "stride", r));
    }
    for (const auto& [extents, least] : leasts_) {
        std::string value;
        for (const std::string& each : extents)
            value = value.empty() ? each : "hpspmd::detail::smaller(" + value + ", " + each + ")";
        result.push_back(context_.statement("const hpspmd::Index " + least + " = " + value + ";",
                                            {}, nest_.loops.front().statement));
    }
    for (const auto& [text, vector] : vectors_)
        result.push_back(context_.statement("auto *const $p = $v.data();",
                                            {{"$p", name(vector.first, vector.second)},
                                             {"$v", context_.made(vector.second, vector.second)}},
                                            vector.second));
    return result;
}

NodePtr Elements::elementOfVector(NodePtr node) {
    const NodePtr base =
        ast::is<ast::Subscript>(node) ? node->child(ast::Subscript::base) : nullptr;
    if (!base || !analysis::plainElementOf(base->type) ||
        base->type->kind == ast::TypeKind::CArray || base->type->classSymbol->name == "array")
        return nullptr;
    const std::string text = ast::print(base);
    const bool isNoted =
        std::ranges::find(nest_.containers, text, &NestArray::text) != nest_.containers.end();
    if (!isNoted || !staysWhereItIs(nest_, base)) return nullptr;
    const auto [place, isNew] = vectors_.try_emplace(text);
    if (isNew) place->second = {context_.fresh(nameFor(text) + "_data"), base};
    return context_.expression("$p[$k]",
                               {{"$p", name(place->second.first, node)},
                                {"$k", fast_(node->child(ast::Subscript::subscripts)->child(0))}},
                               node);
}

NodePtr Elements::dataOfContainer(NodePtr node) {
    if (const NodePtr element = elementOfVector(node)) return element->child(ast::Subscript::base);
    const NodePtr base =
        ast::is<ast::Subscript>(node) ? node->child(ast::Subscript::base) : nullptr;
    if (!base || ownContainer(base) != base || isVector(base) || !staysWhereItIs(nest_, base))
        return nullptr;
    return context_.expression("std::data($a)", {{"$a", context_.made(base, base)}}, node);
}

NodePtr Elements::element(const Access& access) {
    if (fold_ && fold_->write == &access)
        return context_.expression(
            "$p[$j]",
            {{"$p", name(names_[access.array].data, access.node)}, {"$j", local(access, 1)}},
            access.node);
    NodePtr sum = leading(access, nullptr);
    if (!access.slots.empty()) {
        const NodePtr last = local(access, access.slots.size() - 1);
        sum = sum ? context_.expression("$l + $r", {{"$l", sum}, {"$r", inSum(last)}}, access.node)
                  : last;
    }
    if (!sum) sum = context_.number(0, access.node);
    return context_.expression(
        "$p[$sum]", {{"$p", name(names_[access.array].data, access.node)}, {"$sum", sum}},
        access.node);
}

NodePtr Elements::start(const Access& access) {
    return leading(access, name(names_[access.array].data, access.node));
}

NodePtr Elements::row(const Access& access) {
    const NodePtr sum = start(access);
    const Slot& last = access.slots.back();
    if (last.shift == 0 && !last.distance) return sum;
    const bool negative = last.distance ? last.negative : last.shift < 0;
    return context_.expression(negative ? "$l - $r" : "$l + $r",
                               {{"$l", sum}, {"$r", distance(last)}}, access.node);
}

NodePtr Elements::column(const Access& access, size_t r) {
    return context_.expression(
        "$l + $r",
        {{"$l", leading(access, name(names_[access.array].data, access.node), r)},
         {"$r", inSum(local(access, access.slots.size() - 1))}},
        access.node);
}

/// Adds the products of all dimensions but the last, whose stride is 1, and one that is left out.
NodePtr Elements::leading(const Access& access, NodePtr sum, std::optional<size_t> leftOut) {
    for (size_t r = 0; r + 1 < access.slots.size(); ++r) {
        if (r == leftOut) continue;
        const NodePtr term =
            context_.expression("$stride * $s",
                                {{"$stride", name(names_[access.array].strides[r], access.node)},
                                 {"$s", inProduct(local(access, r))}},
                                access.node);
        sum = sum ? context_.expression("$l + $r", {{"$l", sum}, {"$r", term}}, access.node) : term;
    }
    return sum;
}

bool Elements::isChecked(const Access& access, size_t r) const {
    return test_.unchecked().contains({access.node, r}) &&
           !(covered_ && covered_->contains({access.node, r}));
}

bool Elements::isCheckedIn(const Loop& loop) const {
    return std::ranges::any_of(loop.accesses, [&](size_t k) {
        const Access& access = nest_.accesses[k];
        for (size_t r = 0; r < access.slots.size(); ++r)
            if (isChecked(access, r)) return true;
        return false;
    });
}

/// The local subscript of dimension r.
NodePtr Elements::local(const Access& access, size_t r) {
    const Slot& slot = access.slots[r];
    if (slot.index) return distributed(slot);
    const NodePtr subscript = fast_(slot.subscript);
    if (!isChecked(access, r)) return subscript;
    return context_.expression("hpspmd::detail::bounded($e, $n, $r)",
                               {{"$e", subscript},
                                {"$n", name(extentOf(access, r), access.node)},
                                {"$r", context_.number(static_cast<long>(r), access.node)}},
                               access.node);
}

NodePtr Elements::distributed(const Slot& slot) {
    const NodePtr origin = slot.subscript;
    const auto index = [&]() -> NodePtr {
        if (slot.loop) return name(std::string(slot.loop->variable), origin);
        return context_.expression("$i.sub", {{"$i", ast::copy(context_.arena, slot.index)}},
                                   origin);
    };
    if (!slot.distance && slot.shift == 0) return index();
    const bool negative = slot.distance ? slot.negative : slot.shift < 0;
    NodePtr far = distance(slot);
    if (!slot.loop)
        far = context_.expression(
            "$i.shift * $d", {{"$i", ast::copy(context_.arena, slot.index)}, {"$d", far}}, origin);
    return context_.expression(negative ? "$i - $d" : "$i + $d", {{"$i", index()}, {"$d", far}},
                               origin);
}

/// Of a slot that has one, without its sign.
NodePtr Elements::distance(const Slot& slot) {
    if (!slot.distance) return context_.number(std::abs(slot.shift), slot.subscript);
    const NodePtr distance = fast_(slot.distance);
    const ast::NumberType number = analysis::numberOf(slot.distance);
    const bool mayWrap = number.bits > 0 && !number.isSigned;
    return mayWrap ? context_.expression("hpspmd::Index($d)", {{"$d", distance}}, slot.subscript)
                   : inProduct(distance);
}

NodePtr Elements::inProduct(NodePtr e) { return context_.operand(e); }

NodePtr Elements::inSum(NodePtr e) {
    if (!e->is<ast::Binary>()) return inProduct(e);
    const std::string_view op = e->child(ast::Binary::op)->text();
    const bool binds = op == "+" || op == "-" || op == "*" || op == "/" || op == "%";
    return binds ? e : inProduct(e);
}

}  // namespace hpcc::nests
