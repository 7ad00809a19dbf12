// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/shifted_values.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "ast/effects.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/normalize/expression_nests.hpp"

namespace hpcc::nests {
namespace {

using analysis::bare;
using ast::NodePtr;

bool isName(NodePtr node, NodePtr name) {
    return ast::is<ast::Identifier>(node) && node->symbol && node->symbol == name->symbol;
}

/// e of `T v = e;`
NodePtr initialOf(const ast::Symbol& variable) {
    const NodePtr initializer = variable.initializer;
    return ast::is<ast::EqualInitializer>(initializer)
               ? initializer->child(ast::EqualInitializer::value)
               : initializer;
}

bool assigns(NodePtr node, std::string_view name) {
    std::unordered_set<std::string_view> names;
    ast::addAssigned(node, names);
    return names.contains(name);
}

/// `a = Adlib::modarray(a, ..)`
bool isModified(NodePtr node, NodePtr array) {
    if (!ast::is<ast::Assign>(node) || !isName(node->child(ast::Assign::target), array))
        return false;
    const NodePtr call = bare(node->child(ast::Assign::value));
    if (!ast::is<ast::Call>(call) || libraryFunction(call) != "modarray") return false;
    const auto arguments = call->child(ast::Call::arguments)->children();
    return !arguments.empty() && isName(bare(arguments[0]), array);
}

}  // namespace

std::optional<IndexPlace> indexPlaceOf(NodePtr subscript) {
    subscript = bare(subscript);
    if (ast::is<ast::Identifier>(subscript)) return IndexPlace{subscript->text(), 0};
    if (!ast::is<ast::Binary>(subscript)) return std::nullopt;
    const NodePtr index = bare(subscript->child(ast::Binary::left));
    const std::string_view op = subscript->child(ast::Binary::op)->text();
    const auto number = analysis::constantValue(subscript->child(ast::Binary::right));
    constexpr long farthest = 1000;
    if ((op != "+" && op != "-") || !number || !ast::is<ast::Identifier>(index) ||
        *number < -farthest || *number > farthest)
        return std::nullopt;
    const long distance = static_cast<long>(*number);
    return IndexPlace{index->text(), op == "+" ? distance : -distance};
}

bool ShiftedValues::isOwn(NodePtr name) const {
    const ast::Symbol* const symbol = ast::is<ast::Identifier>(name) ? name->symbol : nullptr;
    const bool isVariable = symbol && (symbol->kind == ast::SymbolKind::Variable ||
                                       symbol->kind == ast::SymbolKind::Parameter);
    return isVariable && symbol->type && !symbol->type->isReference && symbol->declaration &&
           ast::is<ast::FunctionDefinition>(function_) &&
           function_->span().contains(symbol->declaration->span());
}

bool ShiftedValues::isFixed(NodePtr name) const {
    return isOwn(name) && !ast::effectsOf(function_).assigned.contains(name->text());
}

bool ShiftedValues::isSize(NodePtr e, NodePtr range) const {
    e = bare(e);
    if (ast::is<ast::Call>(e)) {
        const NodePtr callee = e->child(ast::Call::callee);
        return ast::is<ast::Member>(callee) && callee->child(ast::Member::name)->text() == "size" &&
               isName(bare(callee->child(ast::Member::base)), range) &&
               e->child(ast::Call::arguments)->children().empty();
    }
    const ast::Symbol* const symbol = ast::is<ast::Identifier>(e) ? e->symbol : nullptr;
    return symbol && symbol->kind == ast::SymbolKind::Variable && symbol->initializer &&
           ast::isNumber(symbol->type) && isFixed(e) && ast::is<ast::Call>(initialOf(*symbol)) &&
           isSize(initialOf(*symbol), range);
}

bool ShiftedValues::areInside(NodePtr header, long distance) const {
    if (distance == 0) return true;
    const NodePtr range = header->child(ast::OverallHeader::range),
                  triplet = header->child(ast::OverallHeader::triplet);
    if (!isFixed(range) || !triplet) return false;
    const NodePtr step = triplet->child(ast::Triplet::step);
    if (step && analysis::constantValue(step).value_or(0) < 1) return false;
    if (distance < 0) {
        const NodePtr low = triplet->child(ast::Triplet::low);
        return low && analysis::constantValue(low).value_or(0) >= -distance;
    }
    const NodePtr high = bare(triplet->child(ast::Triplet::high));
    if (!ast::is<ast::Binary>(high) || high->child(ast::Binary::op)->text() != "-") return false;
    return isSize(high->child(ast::Binary::left), range) &&
           analysis::constantValue(high->child(ast::Binary::right)).value_or(0) > distance;
}

bool ShiftedValues::isComplete(NodePtr array, std::size_t dimension, NodePtr range) const {
    const ast::Symbol* const symbol = ast::is<ast::Identifier>(array) ? array->symbol : nullptr;
    if (!isOwn(array) || !symbol->type->elementConst || !symbol->initializer || !isFixed(range))
        return false;
    const NodePtr call = bare(initialOf(*symbol));
    if (!ast::is<ast::Call>(call) || libraryFunction(call) != "genarray") return false;
    const auto arguments = call->child(ast::Call::arguments)->children();
    if (arguments.empty() || !ast::is<ast::OverallExpression>(arguments[0])) return false;
    const auto headers = headersOf(arguments[0]);
    const bool isOverRange = dimension < headers.size() &&
                             isName(headers[dimension]->child(ast::OverallHeader::range), range);
    return isOverRange && !ast::anywhere(function_, [&](NodePtr each) {
               return assigns(each, array->text()) && !isModified(each, array);
           });
}

}  // namespace hpcc::nests
