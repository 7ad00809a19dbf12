// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/shared_columns.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "analysis/constant.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// A number times named ones.
struct Factor {
    double number = 1;
    std::multiset<std::string> names = {};

    Factor operator*(const Factor& other) const {
        Factor result{number * other.number, names};
        result.names.insert(other.names.begin(), other.names.end());
        return result;
    }
};

/// An element: the text of the row's start, and the distance in the row.
using Place = std::pair<std::string, long>;

/// A sum, or what is the least or largest of some elements, whose factors are 1.
struct Shape {
    std::string choice = {};  // `hpspmd::detail::smallerOf`
    std::map<Place, Factor> elements = {};

    std::vector<std::string> rows() const {
        std::set<std::string> all;
        for (const auto& [place, factor] : elements) all.insert(place.first);
        return {all.begin(), all.end()};
    }
};

/// Equal but for some roundings.
bool isNear(double a, double b) {
    return std::fabs(a - b) <= 4 * std::numeric_limits<double>::epsilon() * std::fabs(b);
}

class ShapeReader {
public:
    ShapeReader(const std::map<std::string, NodePtr>& names, const std::string& operands)
        : names_(names), operands_(operands) {}

    std::optional<Shape> of(NodePtr e) {
        constexpr int most = 400;
        if (++steps_ > most) return std::nullopt;
        e = ast::withoutParentheses(e);
        if (ast::is<ast::Identifier>(e)) {
            const auto known = names_.find(std::string(e->text()));
            return known == names_.end() ? std::nullopt : of(known->second);
        }
        if (analysis::decimalValue(e) == 0.0) return Shape();
        if (ast::is<ast::Call>(e)) return call(e);
        if (ast::is<ast::Unary>(e))
            return e->child(ast::Unary::op)->text() == "-"
                       ? times(of(e->child(ast::Unary::operand)), Factor{-1})
                       : std::nullopt;
        return ast::is<ast::Binary>(e) ? binary(e) : std::nullopt;
    }

private:
    std::optional<Shape> call(NodePtr e) {
        const std::string callee = ast::print(e->child(ast::Call::callee));
        const auto given = e->child(ast::Call::arguments)->children();
        if (callee == operands_ + ".at") return element(given);
        if (callee == operands_ + ".of") return of(given[0]);
        const bool isChoice =
            callee == "hpspmd::detail::smallerOf" || callee == "hpspmd::detail::largerOf";
        if (!isChoice || given.size() != 2) return std::nullopt;
        auto left = chosen(of(given[0]), callee), right = chosen(of(given[1]), callee);
        if (!left || !right) return std::nullopt;
        for (const auto& [place, factor] : right->elements) left->elements[place] = factor;
        return left;
    }

    static std::optional<Shape> element(std::span<const NodePtr> given) {
        Shape result;
        const long distance =
            given.size() > 1 ? std::strtol(ast::print(given[1]).c_str(), nullptr, 10) : 0;
        result.elements[{ast::print(given[0]), distance}] = Factor();
        return result;
    }

    /// One element, or what is chosen in the same way from several.
    static std::optional<Shape> chosen(std::optional<Shape> shape, const std::string& choice) {
        const bool isOne = shape && shape->choice.empty() && shape->elements.size() == 1 &&
                           shape->elements.begin()->second.number == 1 &&
                           shape->elements.begin()->second.names.empty();
        if (isOne) shape->choice = choice;
        return shape && shape->choice == choice ? shape : std::nullopt;
    }

    std::optional<Shape> binary(NodePtr e) {
        const std::string_view op = e->child(ast::Binary::op)->text();
        const NodePtr l = e->child(ast::Binary::left), r = e->child(ast::Binary::right);
        if (op == "*") {
            if (const auto factor = factorOf(l)) return times(of(r), *factor);
            const auto factor = factorOf(r);
            return factor ? times(of(l), *factor) : std::nullopt;
        }
        if (op == "/") {
            const auto divisor = analysis::decimalValue(ast::withoutParentheses(r));
            return divisor && *divisor != 0 ? times(of(l), Factor{1 / *divisor}) : std::nullopt;
        }
        if (op != "+" && op != "-") return std::nullopt;
        auto left = of(l);
        const auto right = left ? times(of(r), Factor{op == "-" ? -1.0 : 1.0}) : std::nullopt;
        if (!left || !right || !left->choice.empty() || !right->choice.empty()) return std::nullopt;
        for (const auto& [place, factor] : right->elements) {
            const auto [known, isNew] = left->elements.emplace(place, factor);
            if (isNew) continue;
            if (known->second.names != factor.names) return std::nullopt;
            known->second.number += factor.number;
        }
        return left;
    }

    static std::optional<Shape> times(std::optional<Shape> shape, const Factor& factor) {
        if (!shape || !shape->choice.empty()) return std::nullopt;
        for (auto& [place, own] : shape->elements) own = own * factor;
        return shape;
    }

    /// Of what is the same in all iterations.
    std::optional<Factor> factorOf(NodePtr e) const {
        e = ast::withoutParentheses(e);
        if (const auto number = analysis::decimalValue(e)) return Factor{*number};
        if (ast::is<ast::Unary>(e) && e->child(ast::Unary::op)->text() == "-") {
            const auto inner = factorOf(e->child(ast::Unary::operand));
            return inner ? std::optional(*inner * Factor{-1}) : std::nullopt;
        }
        if (ast::is<ast::Binary>(e) && e->child(ast::Binary::op)->text() == "*") {
            const auto left = factorOf(e->child(ast::Binary::left)),
                       right = factorOf(e->child(ast::Binary::right));
            return left && right ? std::optional(*left * *right) : std::nullopt;
        }
        const std::string text(e->text());
        if (!ast::is<ast::Identifier>(e) || text.find_first_of(" +-*/(") != text.npos)
            return std::nullopt;
        const auto known = names_.find(text);
        return known == names_.end() ? std::optional(Factor{1, {text}}) : factorOf(known->second);
    }

    const std::map<std::string, NodePtr>& names_;
    const std::string& operands_;
    int steps_ = 0;
};

/// The factors of the rows, and those of the distances, in their orders.
struct Product {
    std::vector<Factor> rows;
    std::map<long, Factor> distances;
};

/// What all factors of a column have in common.
std::multiset<std::string> commonNames(const Shape& shape, const std::vector<std::string>& rows,
                                       long distance) {
    std::optional<std::multiset<std::string>> common;
    for (const std::string& row : rows) {
        const auto& own = shape.elements.at({row, distance}).names;
        std::multiset<std::string> both;
        if (common)
            std::ranges::set_intersection(*common, own, std::inserter(both, both.end()));
        else
            both = own;
        common = both;
    }
    return *common;
}

/// The rectangle's factors as products; nothing if it is none.
std::optional<Product> productOf(const Shape& shape, const std::vector<std::string>& rows) {
    std::set<long> distances;
    for (const auto& [place, factor] : shape.elements) {
        distances.insert(place.second);
        if (factor.number == 0 || !std::isfinite(factor.number)) return std::nullopt;
    }
    if (shape.elements.size() != distances.size() * rows.size()) return std::nullopt;
    const auto size = [&](const Place& place) {
        return std::fabs(shape.elements.at(place).number);
    };
    const auto base = std::ranges::min_element(rows, {}, [&](const std::string& row) {
        return size({row, *distances.begin()});
    });
    Product result;
    for (const long distance : distances) {
        const Factor& first = shape.elements.at({*base, distance});
        const auto names = commonNames(shape, rows, distance);
        result.distances[distance] = {first.number, names};
        for (size_t k = 0; k < rows.size(); ++k) {
            const Factor& own = shape.elements.at({rows[k], distance});
            Factor rest{own.number / first.number};
            std::ranges::set_difference(own.names, names,
                                        std::inserter(rest.names, rest.names.end()));
            if (result.rows.size() <= k) result.rows.push_back(rest);
            if (!isNear(rest.number, result.rows[k].number) || rest.names != result.rows[k].names)
                return std::nullopt;
        }
    }
    return result;
}

using Terms = std::vector<std::pair<std::string, Factor>>;

std::string written(double number) {
    const std::string text = fmt::format("{}", number);
    return text.find_first_of(".e") == text.npos ? text + ".0" : text;
}

/// `0.25 * (a + c) + 0.5 * b`
std::string sumOf(const Terms& terms) {
    std::vector<std::pair<Factor, std::string>> groups;
    std::set<std::string> sums;  // of several terms
    for (const auto& [term, factor] : terms) {
        const auto same = std::ranges::find_if(groups, [&own = factor](const auto& each) {
            return each.first.number == own.number && each.first.names == own.names;
        });
        if (same == groups.end())
            groups.emplace_back(factor, term);
        else
            sums.insert(same->second += " + " + term);
    }
    std::string result;
    for (const auto& [factor, sum] : groups) {
        std::string product = factor.number == 1 ? "" : written(factor.number) + " * ";
        for (const std::string& name : factor.names) product += name + " * ";
        result +=
            (result.empty() ? "" : " + ") + product + (sums.contains(sum) ? "(" + sum + ")" : sum);
    }
    return result;
}

std::string chosenOf(const std::string& choice, const Terms& terms) {
    std::string result = terms.front().first;
    for (size_t k = 1; k < terms.size(); ++k)
        result = choice + "(" + terms[k].first + ", " + result + ")";
    return result;
}

}  // namespace

NodePtr overColumns(Context& context, ast::Bindings row, NodePtr value,
                    const std::map<std::string, NodePtr>& names, RowSteps steps) {
    constexpr size_t leastElements = 6;
    const std::string& operands = steps.operands;
    if (context.keepsOrderOfSums) return nullptr;
    const auto shape = ShapeReader(names, operands).of(value);
    if (!shape || shape->elements.size() < leastElements) return nullptr;
    const std::vector<std::string> rows = shape->rows();
    const auto product = productOf(*shape, rows);
    if (!product || rows.size() < 2 || product->distances.size() < 2) return nullptr;
    const long least = product->distances.begin()->first, most = product->distances.rbegin()->first;
    if (most < 1) return nullptr;
    Terms column, across;
    for (size_t k = 0; k < rows.size(); ++k)
        column.emplace_back(operands + ".at(" + rows[k] + ")", product->rows[k]);
    for (const auto& [distance, factor] : product->distances)
        across.emplace_back(operands + ".column(" + std::to_string(distance) + ")", factor);
    const auto made = [&](const auto& terms) {
        return context.identifier(
            shape->choice.empty() ? sumOf(terms) : chosenOf(shape->choice, terms), value);
    };
    row.insert(row.end(), {{"$column", made(column)},
                           {"$across", made(across)},
                           {"$o", context.identifier(operands, value)},
                           {"$o2", context.identifier(operands, value)}});
    return context.statement("hpspmd::detail::eachOfColumns<" + std::to_string(least) + ", " +
                                 std::to_string(most) + (steps.by == 1 ? "" : ", 2") +
                                 ">($row, $first, $last, [&](const auto &$o) {\n"
                                 "    return $column;\n"
                                 "}, [&](const auto &$o2) {\n"
                                 "    return $across;\n"
                                 "});",
                             row, value);
}

}  // namespace hpcc::nests
