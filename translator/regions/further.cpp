// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over blocks of several dimensions.
#include <algorithm>

#include "ast/search.hpp"
#include "regions/decision.hpp"

namespace hpcc::regions {
namespace {

class Further {
public:
    Further(Division& division, const Wanted& wanted) : division_(division), wanted_(wanted) {}

    std::optional<Whole> divide(std::size_t dimensions) {
        for (std::size_t k = 0; k < dimensions; ++k)
            if (auto whole = divideAlong(k)) return whole;
        for (const auto& [array, lines] : division_.lines) division_.whole.insert(array);
        division_.lines.clear();
        for (const Access& access : division_.body.accesses)
            if (isAslant(access)) division_.aslant.insert(access.array);
        return std::nullopt;
    }

private:
    NodePtr headOfLoop() const { return division_.loop; }

    // The only statement in the loop.
    NodePtr inside(bool& isPromised) const {
        NodePtr body = division_.innermost().loop->child(ast::For::body);
        while (ast::is<ast::Compound>(body) || ast::is<ast::Attributed>(body)) {
            if (body->is<ast::Attributed>()) {
                if (!attributeOf(body, "overall")) return nullptr;
                isPromised = true;
                body = attributedNode(body);
            } else if (body->children().size() == 1) {
                body = body->child(0);
            } else {
                return nullptr;
            }
        }
        return ast::is<ast::For>(body) ? body : nullptr;
    }

    std::optional<Whole> divideAlong(std::size_t k) {
        bool isPromised = false;
        const NodePtr loop = inside(isPromised);
        const std::string missing = "there is nothing but a loop over dimension " +
                                    std::to_string(dimension(k)) + " of its arrays to be in it";
        if (!loop) return Whole{headOfLoop(), missing};
        Arrays arrays;
        for (const auto& [symbol, array] : wanted_.arrays)
            arrays.emplace(symbol, array.isInBlocks() ? array.along(k) : array);
        const Wanted wanted{wanted_.function, arrays, wanted_.operations,
                            isPromised,       false,  wanted_.isMarked};
        auto verdict = decide(loop, wanted);
        if (Whole* whole = std::get_if<Whole>(&verdict)) {
            if (!whole->place) return Whole{loop, missing};
            if (whole->array) whole->array = original(whole->array);
            return std::move(*whole);
        }
        return take(std::get<Division>(std::move(verdict)));
    }

    int dimension(std::size_t k) const {
        for (const auto& [symbol, array] : wanted_.arrays)
            if (array.isInBlocks()) return array.further[k];
        return 0;
    }

    std::optional<Whole> take(Division inner) {
        if (inner.isGrouped()) return Whole{inner.loop, "it changes several elements per step"};
        if (!inner.counting.isOwn) return Whole{inner.loop, "it declares no variable of its own"};
        for (const NodePtr bound : {inner.counting.first, inner.counting.bound})
            if (bound->contains(ast::call) && mentions(bound))
                return Whole{bound, quoted(bound->text()) + " is not looked into"};
        for (const auto& [array, lines] : inner.lines) division_.whole.insert(original(array));
        for (const DividedArray* array : inner.whole) division_.whole.insert(original(array));
        for (const DividedArray* array : inner.named) division_.named.insert(original(array));
        for (const DividedArray* array : inner.unproven) division_.unproven.insert(original(array));
        ArrayMap<std::pair<long, long>> views;
        for (const auto& [array, view] : inner.views) views[original(array)] = view;
        inner.views = std::move(views);
        inner.body = {};
        inner.along.clear();
        inner.changed = division_.changed;
        division_.further.push_back(std::move(inner));
        return std::nullopt;
    }

    const DividedArray* original(const DividedArray* array) const {
        return &wanted_.arrays.at(array->symbol);
    }

    // The variable of a loop round it.
    bool mentions(NodePtr node) const {
        const auto is = [node](const Division& each) {
            return ast::anywhere(node, [&](NodePtr part) {
                return part->is<ast::Identifier>() && part->symbol == each.variable();
            });
        };
        return is(division_) || std::ranges::any_of(division_.further, is);
    }

    bool isAslant(const Access& access) const {
        if (division_.named.contains(access.array)) return true;
        int beyond = 0;
        const std::vector<NodePtr> subscripts = access.subscripts();
        const auto look = [&](int dimension, const Division& loop) {
            const auto shift =
                shiftOf(subscripts[static_cast<std::size_t>(dimension)], loop.variable());
            beyond += shift && *shift != loop.anchor;
        };
        for (std::size_t k = 0; k <= division_.further.size(); ++k)
            look(access.array->divided(k), division_.at(k));
        return beyond > 1;
    }

    Division& division_;
    const Wanted& wanted_;
};

}  // namespace

std::optional<Whole> divideFurther(Division& division, const Wanted& wanted,
                                   std::size_t dimensions) {
    return Further(division, wanted).divide(dimensions);
}

}  // namespace hpcc::regions
