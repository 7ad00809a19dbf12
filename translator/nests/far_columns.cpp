// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/far_columns.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "source/name.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// One of the two loops, and the factors that change with its counter.
struct FarLoop {
    NodePtr loop;
    std::string counter;
    std::vector<NodePtr> factors = {};
};

/// What the loops do.
struct FarSum {
    std::string name;             // of the number so far
    NodePtr start;                // its first value, for all iterations
    std::string choice = "void";  // `hpspmd::detail::Smaller`, or "void" for a sum
    FarLoop column, across;       // the loop over rows, and the one over distances
    FarRow row;
};

bool mentions(NodePtr e, const std::string& name) {
    return source::mentionsName(ast::print(e), name);
}

/// The name that a declaration of one gives a first value; null for others.
NodePtr soleDeclarator(NodePtr declaration) {
    if (!ast::is<ast::Declaration>(declaration)) return nullptr;
    const NodePtr list = declaration->child(ast::Declaration::declarators);
    const NodePtr sole = list && list->children().size() == 1 ? list->children()[0] : nullptr;
    const bool isPlain =
        ast::is<ast::InitDeclarator>(sole) &&
        ast::is<ast::Identifier>(sole->child(ast::InitDeclarator::declarator)) &&
        ast::is<ast::EqualInitializer>(sole->child(ast::InitDeclarator::initializer));
    return isPlain ? sole : nullptr;
}

std::optional<FarLoop> farLoop(NodePtr statement) {
    if (!ast::is<ast::For>(statement)) return std::nullopt;
    const NodePtr declarator = soleDeclarator(statement->child(ast::For::initializer));
    if (!declarator) return std::nullopt;
    return FarLoop{statement,
                   std::string(declarator->child(ast::InitDeclarator::declarator)->text())};
}

class FarSumReader {
public:
    FarSumReader(const std::string& operands, const std::map<std::string, FarRow>& far)
        : operands_(operands), far_(far) {}

    std::optional<FarSum> of(const std::vector<NodePtr>& declarations, NodePtr value) {
        const NodePtr first = declarations.size() == 2 ? soleDeclarator(declarations[0]) : nullptr;
        if (!first) return std::nullopt;
        auto outer = farLoop(declarations[1]);
        auto inner =
            outer ? farLoop(behindNames(outer->loop->child(ast::For::body))) : std::nullopt;
        if (!inner || !areApart(*outer, *inner)) return std::nullopt;
        sum_.name = first->child(ast::InitDeclarator::declarator)->text();
        sum_.start =
            first->child(ast::InitDeclarator::initializer)->child(ast::EqualInitializer::value);
        const NodePtr term = termOf(behindNames(inner->loop->child(ast::For::body)));
        if (ast::print(value) != sum_.name || !term || !take(term) || !element_ ||
            !place(*outer, *inner) || !isTheSame(sum_.start))
            return std::nullopt;
        sum_.start = sum_.start->child(ast::Call::arguments)->children()[0];
        return sum_;
    }

private:
    bool areApart(const FarLoop& outer, const FarLoop& inner) const {
        for (const auto part : {ast::For::initializer, ast::For::condition, ast::For::step})
            if (mentions(inner.loop->child(part), outer.counter) ||
                mentionsNames(inner.loop->child(part)))
                return false;
        return outer.counter != inner.counter;
    }

    /// What stands behind names of numbers in a block.
    NodePtr behindNames(NodePtr body) {
        body = soleStatement(body);
        while (ast::is<ast::Compound>(body) && !body->children().empty()) {
            for (const NodePtr each : body->children().first(body->children().size() - 1)) {
                const NodePtr name = soleDeclarator(each);
                if (!name || !names_
                                  .emplace(ast::print(name->child(ast::InitDeclarator::declarator)),
                                           valueOf(name))
                                  .second)
                    return nullptr;
            }
            body = soleStatement(body->children().back());
        }
        return body;
    }
    static NodePtr valueOf(NodePtr declarator) {
        return declarator->child(ast::InitDeclarator::initializer)
            ->child(ast::EqualInitializer::value);
    }

    /// What a name stands for.
    NodePtr named(NodePtr e) const {
        e = ast::withoutParentheses(e);
        const auto known = ast::is<ast::Identifier>(e) ? names_.find(ast::print(e)) : names_.end();
        return known == names_.end() ? e : named(known->second);
    }

    /// What an iteration of the inner loop adds or offers.
    NodePtr termOf(NodePtr statement) {
        const NodePtr assign = statement ? soleAssignment(statement) : nullptr;
        if (!assign || assign->child(ast::Assign::op)->text() != "=" ||
            ast::print(assign->child(ast::Assign::target)) != sum_.name)
            return nullptr;
        const NodePtr given = ast::withoutParentheses(assign->child(ast::Assign::value));
        std::vector<NodePtr> both;
        if (ast::is<ast::Binary>(given) && given->child(ast::Binary::op)->text() == "+")
            both = {given->child(ast::Binary::left), given->child(ast::Binary::right)};
        else if (ast::is<ast::Call>(given))
            both = choice(given);
        if (both.size() != 2) return nullptr;
        const bool isLeft = ast::print(both[0]) == sum_.name;
        const NodePtr own = both[isLeft ? 0 : 1], term = both[isLeft ? 1 : 0];
        return ast::print(own) == sum_.name && !mentions(term, sum_.name) ? term : nullptr;
    }

    /// The smaller or larger one of two; nothing of other calls.
    std::vector<NodePtr> choice(NodePtr call) {
        const std::string callee = ast::print(call->child(ast::Call::callee));
        if (callee == "hpspmd::detail::smallerOf")
            sum_.choice = "hpspmd::detail::Smaller";
        else if (callee == "hpspmd::detail::largerOf")
            sum_.choice = "hpspmd::detail::Larger";
        else
            return {};
        const auto offered = call->child(ast::Call::arguments)->children();
        return {offered.begin(), offered.end()};
    }

    /// True of one element times numbers that are the same in all iterations.
    bool take(NodePtr term) {
        term = named(term);
        if (ast::is<ast::Binary>(term) && term->child(ast::Binary::op)->text() == "*")
            return sum_.choice == "void" && take(term->child(ast::Binary::left)) &&
                   take(term->child(ast::Binary::right));
        if (!mentions(term, operands_)) {
            factors_.push_back(term);
            return true;
        }
        const bool isElement = ast::is<ast::Call>(term) && !element_ &&
                               ast::print(term->child(ast::Call::callee)) == operands_ + ".at" &&
                               term->child(ast::Call::arguments)->children().size() == 1;
        if (isElement) element_ = term->child(ast::Call::arguments)->children()[0];
        return isElement;
    }

    /// Which loop goes over rows; false if factors or subscripts mix the two.
    bool place(FarLoop outer, FarLoop inner) {
        const auto known = far_.find(ast::print(element_));
        if (known == far_.end()) return false;
        sum_.row = known->second;
        const bool isInner = source::mentionsName(sum_.row.distance, inner.counter);
        sum_.across = isInner ? inner : outer;
        sum_.column = isInner ? outer : inner;
        const auto& [across, column] = std::pair(sum_.across.counter, sum_.column.counter);
        if (!source::mentionsName(sum_.row.distance, across) ||
            source::mentionsName(sum_.row.distance, column) ||
            !source::mentionsName(sum_.row.start, column) ||
            source::mentionsName(sum_.row.start, across))
            return false;
        return std::ranges::all_of(factors_, [this](NodePtr factor) { return place(factor); });
    }

    /// To the loop whose counter the factor mentions; false if it mentions both.
    bool place(NodePtr factor) {
        const bool isAcross = mentions(factor, sum_.across.counter);
        if (mentionsNames(factor) || (isAcross && mentions(factor, sum_.column.counter)))
            return false;
        (isAcross ? sum_.across : sum_.column).factors.push_back(factor);
        return true;
    }

    bool mentionsNames(NodePtr e) const {
        return std::ranges::any_of(names_,
                                   [&](const auto& each) { return mentions(e, each.first); });
    }

    /// True of a first value that is the same in all iterations.
    bool isTheSame(NodePtr start) const {
        return ast::is<ast::Call>(start) &&
               ast::print(start->child(ast::Call::callee)) == operands_ + ".of" &&
               !mentions(start->child(ast::Call::arguments), operands_);
    }

    const std::string& operands_;
    const std::map<std::string, FarRow>& far_;
    FarSum sum_;
    std::vector<NodePtr> factors_;
    std::map<std::string, NodePtr> names_;
    NodePtr element_ = nullptr;
};

class FarColumns {
public:
    FarColumns(Context& context, const FarSum& sum) : context_(context), sum_(sum) {}

    NodePtr write(ast::Bindings row) {
        const std::string take = context_.fresh("take");
        const NodePtr origin = sum_.across.loop;
        const NodePtr across = looped(sum_.across, taken(take, sum_.across, distance()));
        row.insert(
            row.end(),
            {{"$choose", made(sum_.choice)},
             {"$start", ast::copy(context_.arena, sum_.start)},
             {"$take", made(take)},
             {"$distances", looped(sum_.column, context_.statement("{\n    $d;\n    break;\n}",
                                                                   {{"$d", across}}, origin))},
             {"$take2", made(take)},
             {"$rows", looped(sum_.column, taken(take, sum_.column, sum_.row.start))}});
        return context_.statement(
            "hpspmd::detail::eachOfFarColumns<$choose>($row, $first, $last, "
            "$start, [&](auto &$take) {\n"
            "    $distances;\n"
            "}, [&](auto &$take2) {\n"
            "    $rows;\n"
            "});",
            row, origin);
    }

private:
    NodePtr made(const std::string& text) { return context_.identifier(text, sum_.across.loop); }

    /// `dj` of `+ dj`
    std::string distance() const {
        return sum_.row.distance.starts_with("+ ") ? sum_.row.distance.substr(2)
                                                   : sum_.row.distance;
    }

    /// The loop with another body.
    NodePtr looped(const FarLoop& of, NodePtr body) {
        std::vector<NodePtr> children;
        for (const NodePtr child : of.loop->children())
            children.push_back(child == of.loop->child(ast::For::body) ? body
                               : child ? ast::copy(context_.arena, child)
                                       : nullptr);
        return context_.arena.rebuilt(of.loop, of.loop, children);
    }

    /// Takes the factors of an iteration, multiplied, and its place.
    NodePtr taken(const std::string& take, const FarLoop& of, const std::string& place) {
        std::string product = of.factors.size() > 1 ? "1.0" : "";
        for (const NodePtr factor : of.factors) {
            const bool isPrimary = !ast::isAny<ast::Binary, ast::Conditional>(factor);
            product += (product.empty() ? "" : " * ") +
                       (isPrimary ? ast::print(factor) : "(" + ast::print(factor) + ")");
        }
        const std::string factor = product.empty() ? "1" : product;
        return context_.statement(
            "$call;", {{"$call", made(take + "(" + factor + ", " + place + ")")}}, of.loop);
    }

    Context& context_;
    const FarSum& sum_;
};

}  // namespace

NodePtr overFarColumns(Context& context, ast::Bindings row,
                       const std::vector<NodePtr>& declarations, NodePtr value,
                       const std::string& operands, const std::map<std::string, FarRow>& far) {
    if (context.keepsOrderOfSums) return nullptr;
    const auto sum = FarSumReader(operands, far).of(declarations, value);
    return sum ? FarColumns(context, *sum).write(std::move(row)) : nullptr;
}

}  // namespace hpcc::nests
