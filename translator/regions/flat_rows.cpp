// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/flat_rows.hpp"

#include <algorithm>
#include <iterator>

#include "ast/effects.hpp"
#include "ast/visitor.hpp"
#include "regions/method.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;

bool isFunctionLocal(const Symbol* symbol, NodePtr function) {
    return symbol->kind == ast::SymbolKind::Variable && symbol->declaration &&
           function->span().contains(symbol->declaration->span());
}

// The statement in which a local variable is declared, if nothing before needs arrays.
NodePtr firstDeclaration(const Symbol* symbol, NodePtr body, const Arrays& arrays) {
    for (const NodePtr each : body->children()) {
        const Mentioned mentioned = mentionedIn(each, arrays);
        const bool isPlain = each->is<ast::Declaration>() && mentioned.elements.empty() &&
                             mentioned.wholes.empty() && !mentioned.callsOthers;
        if (!isPlain) return nullptr;
        if (each->span().contains(symbol->declaration->span())) return each;
    }
    return nullptr;
}

// Collects what multiplies in subscripts.
class Widths : public ast::Visitor {
public:
    Widths(const DividedArray& array, const Arrays& arrays, NodePtr function, NodePtr statement)
        : array_(array), arrays_(arrays), function_(function), statement_(statement) {
        visit(statement);
        if (!width_ || !width_->symbol) return;
        const auto isHidden = [&](const Symbol* symbol) {
            return symbol != width_->symbol && symbol->name == width_->symbol->name;
        };
        isUnfit_ |= std::ranges::any_of(named_, isHidden);
    }

    // Null if there is none, or several, or elements are counted as well.
    NodePtr width() const { return isUnfit_ ? nullptr : width_; }

    void visitSubscript(NodePtr node) override {
        visitChildren(node);
        if (bare(node->child(ast::Subscript::base))->symbol != array_.symbol) return;
        const auto subscripts = node->child(ast::Subscript::subscripts)->children();
        if (subscripts.size() == 1 && !search(subscripts[0], 0)) isUnfit_ |= counts(subscripts[0]);
    }
    void visitIdentifier(NodePtr node) override {
        if (node->symbol) named_.insert(node->symbol);
    }

private:
    // k + c
    static bool counts(NodePtr subscript) {
        subscript = withoutCasts(subscript);
        if (!ast::is<ast::Binary>(subscript))
            return ast::is<ast::Identifier>(subscript) && !analysis::isStable(subscript->symbol);
        const NodePtr left = subscript->child(ast::Binary::left),
                      right = subscript->child(ast::Binary::right);
        return (analysis::constantValue(left) && counts(right)) ||
               (analysis::constantValue(right) && counts(left));
    }

    bool search(NodePtr node, int depth) {
        constexpr int deepest = 8;
        node = withoutCasts(node);
        if (depth > deepest) return false;
        if (ast::is<ast::Identifier>(node) && analysis::isStable(node->symbol) &&
            isFunctionLocal(node->symbol, function_)) {
            const NodePtr value = analysis::singleInitializer(node->symbol->initializer);
            return value && search(value, depth + 1);
        }
        if (!ast::is<ast::Binary>(node)) return false;
        const NodePtr left = node->child(ast::Binary::left),
                      right = node->child(ast::Binary::right);
        const std::string_view op = node->child(ast::Binary::op)->text();
        if (op == "*") return note(withoutCasts(left), withoutCasts(right));
        if (op != "+" && op != "-") return false;
        const bool isLeft = search(left, depth + 1);
        return search(right, depth + 1) || isLeft;
    }

    bool note(NodePtr left, NodePtr right) {
        const bool isLeft = isWidth(left), isRight = isWidth(right);
        if (isLeft == isRight) return false;
        const NodePtr found = isLeft ? left : right;
        if (!width_) width_ = found;
        isUnfit_ |= found->symbol != width_->symbol || found->text() != width_->text();
        return true;
    }

    bool isWidth(NodePtr node) const {
        const auto number = analysis::constantValue(node);
        if (number && !ast::is<ast::Identifier>(node)) return *number > 1;
        if (!ast::is<ast::Identifier>(node) || !analysis::isStable(node->symbol) ||
            !ast::isInteger(node->symbol->type))
            return false;
        const Symbol* symbol = node->symbol;
        if (isFunctionLocal(symbol, function_))
            return statement_->is<ast::Compound>()
                       ? firstDeclaration(symbol, statement_, arrays_) != nullptr
                       : !statement_->span().contains(symbol->declaration->span());
        return !symbol->type->isReference &&
               (symbol->kind == ast::SymbolKind::Parameter || symbol->type->isConst);
    }

    const DividedArray& array_;
    const Arrays& arrays_;
    NodePtr function_, statement_, width_ = nullptr;
    std::set<const Symbol*> named_;
    bool isUnfit_ = false;
};

// k of `k * n`, for the width n.
NodePtr multiplied(NodePtr node, NodePtr width) {
    node = withoutCasts(node);
    if (!ast::is<ast::Binary>(node)) return nullptr;
    const NodePtr left = node->child(ast::Binary::left), right = node->child(ast::Binary::right);
    if (node->child(ast::Binary::op)->text() == "*") {
        if (withoutCasts(right)->text() == width->text()) return left;
        return withoutCasts(left)->text() == width->text() ? right : nullptr;
    }
    const NodePtr found = multiplied(left, width);
    return found ? found : multiplied(right, width);
}

}  // namespace

NodePtr withoutCasts(NodePtr node) {
    node = bare(node);
    while (ast::is<ast::Cast>(node) || ast::is<ast::NamedCast>(node))
        node = bare(node->children().back());
    return node;
}

void findWidths(Arrays& arrays, NodePtr function, NodePtr statement) {
    std::map<const Symbol*, NodePtr> widths;
    for (const auto& [symbol, array] : arrays) {
        const bool isOfOneDimension = array.rank == 1 && !array.isNested;
        const bool isMultiarray = symbol->type && symbol->type->kind == ast::TypeKind::Multiarray;
        if (!isOfOneDimension || isMultiarray) continue;
        widths[symbol] = Widths(array, arrays, function, statement).width();
    }
    for (const auto& [symbol, width] : widths) arrays.at(symbol).width = width;
}

uint32_t behindWidths(const Arrays& arrays, NodePtr body) {
    uint32_t place = body->span().begin + 1;
    for (const auto& [symbol, array] : arrays) {
        const Symbol* width = array.width ? array.width->symbol : nullptr;
        if (!width || !width->declaration || !body->span().contains(width->declaration->span()))
            continue;
        place = std::max(place, firstDeclaration(width, body, arrays)->span().end);
    }
    return place;
}

FlatRows::FlatRows(NodePtr loop, NodePtr function) : loop_(loop) {
    for (NodePtr node = function->child(ast::FunctionDefinition::body); node != loop;) {
        if (node->is<ast::For>()) nests_.insert(nests_.begin(), node);
        const auto inside = std::ranges::find_if(node->children(), [loop](NodePtr child) {
            return child && child->span().contains(loop->span());
        });
        if (inside == node->children().end()) break;
        node = *inside;
    }
    nests_.insert(nests_.begin(), loop);
}

analysis::Dependences& FlatRows::at(std::size_t k, const Access& access) {
    while (known_.size() <= k) known_.emplace_back(std::vector{nests_[known_.size()]});
    analysis::Dependences& found = *std::next(known_.begin(), static_cast<std::ptrdiff_t>(k));
    found.setWidth(access.array->width);
    return found;
}

std::optional<long> FlatRows::shiftOf(const Access& access) {
    for (std::size_t k = 0; k < nests_.size(); ++k) {
        analysis::Dependences& nest = at(k, access);
        const analysis::Loop* loop = nest.space().loopAt(loop_);
        const auto cell = loop ? nest.cellOf(nest.space().access(access.node), 0) : std::nullopt;
        if (!cell) continue;
        const analysis::Sum shift = cell->row - nest.reader().variable(*loop, 0);
        if (shift.isKnown() && shift.isConstant()) return shift.constant();
        return std::nullopt;
    }
    return std::nullopt;
}

NodePtr FlatRows::rowOf(const Access& access) {
    const NodePtr row = multiplied(access.subscript(), access.array->width);
    for (std::size_t k = 0; row && k < nests_.size(); ++k) {
        analysis::Dependences& nest = at(k, access);
        const analysis::Access& place = nest.space().access(access.node);
        const auto cell = nest.cellOf(place, 0);
        if (cell)
            return (cell->row - nest.reader().read(row, {place.loop, 0})).isZero() ? row : nullptr;
    }
    return nullptr;
}

bool FlatRows::mayCountRows(const Symbol* variable, const Access& access) {
    const NodePtr row = multiplied(access.subscript(), access.array->width);
    return ast::namesIn(row ? row : access.subscript()).contains(variable->name);
}

bool FlatRows::areApart(const Access& a, const Access& b) {
    const std::size_t count = a.array->width ? nests_.size() : 1;
    for (std::size_t k = 0; k < count; ++k)
        if (at(k, a)
                .meeting(a.first(), b.first(), loop_, analysis::Outer::One, analysis::Parts::Common)
                .isApart())
            return true;
    return false;
}

}  // namespace hpcc::regions
