// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/shifts_in_place.hpp"

#include <algorithm>
#include <span>

#include "analysis/constant.hpp"
#include "analysis/operators.hpp"
#include "analysis/written_parts.hpp"
#include "ast/copy.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "nests/normalize/in_place_of.hpp"
#include "nests/normalize/repeatable.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// An element of a constant table, a number that is made of one, or an object that is one; null of
/// other variables.
NodePtr constantOf(NodePtr declarator, NodePtr name) {
    const ast::Symbol* const variable = name->symbol;
    const NodePtr value =
        analysis::singleInitializer(declarator->child(ast::InitDeclarator::initializer));
    if (!variable || !variable->type || variable->type->isReference || !value || !value->type)
        return nullptr;
    if (ast::isObject(value->type))
        return analysis::isPartOfConstant(value) &&
                       variable->type->classSymbol == value->type->classSymbol
                   ? value
                   : nullptr;
    const bool isSame =
        analysis::holdsAllOf(analysis::numberOf(variable->type), analysis::numberOf(value));
    const bool isMade = ast::anywhere(value, analysis::isPartOfConstant);
    return isSame && isMade && isRepeatable(value) ? value : nullptr;
}

/// True if the variable stands in it, and not only a member of its name.
bool isIn(NodePtr node, NodePtr name) {
    return ast::anywhere(node, [&](NodePtr each) {
        return ast::is<ast::Identifier>(each) && each->symbol == name->symbol;
    });
}

/// Puts a value in the place of a variable where that shifts an index.
class Shifts : public ast::Rewriter {
public:
    Shifts(Context& context, NodePtr name, NodePtr value)
        : Rewriter(context.arena), context_(context), name_(name), value_(value) {}

    NodePtr rewriteSubscript(NodePtr node) override {
        node = rewriteChildren(node);
        const NodePtr list = node->child(ast::Subscript::subscripts);
        std::vector<NodePtr> changed(list->children().begin(), list->children().end());
        for (NodePtr& each : changed) {
            const auto use = ast::asIndexSubscript(each);
            if (use && use->distance && isIn(use->distance, name_)) each = inPlace(each);
        }
        if (std::ranges::equal(changed, list->children())) return node;
        isFound_ = true;
        return ast::withChild(context_.arena, node, ast::Subscript::subscripts,
                              ast::rebuild(context_.arena, list, changed));
    }

    bool isFound() const { return isFound_; }

private:
    NodePtr inPlace(NodePtr subscript) {
        return InPlaceOf(
                   context_.arena, name_,
                   [&](NodePtr) { return context_.operand(ast::copy(context_.arena, value_)); })
            .rewrite(subscript);
    }

    Context& context_;
    const NodePtr name_, value_;
    bool isFound_ = false;
};

/// True if the statements neither change the variable nor what its value is made of, nor give these
/// names to others.
bool stays(std::span<const NodePtr> statements, NodePtr name, NodePtr value) {
    Names names = ast::namesIn(value);
    names.insert(name->text());
    return std::ranges::none_of(statements, [&](NodePtr each) {
        return ast::effectsOf(each).touches(names) || givesAnotherName(each, name->symbol);
    });
}

/// Null if none is left.
NodePtr withDeclarators(Context& context, NodePtr declaration, const std::vector<NodePtr>& left) {
    if (left.size() == ast::declaratorsOf(declaration).size()) return declaration;
    if (left.empty()) return nullptr;
    const NodePtr list = declaration->child(ast::Declaration::declarators);
    return ast::withChild(context.arena, declaration, ast::Declaration::declarators,
                          ast::rebuild(context.arena, list, left));
}

}  // namespace

NodePtr withShiftsInPlace(Context& context, NodePtr block) {
    std::vector<NodePtr> statements(block->children().begin(), block->children().end());
    bool isChanged = false;
    for (size_t k = 0; k < statements.size(); ++k) {
        if (!ast::is<ast::Declaration>(statements[k])) continue;
        const auto behind = std::span(statements).subspan(k + 1);
        const auto isUsed = [&](NodePtr name) {
            return std::ranges::any_of(behind, [&](NodePtr each) { return isIn(each, name); });
        };
        std::vector<NodePtr> left;
        for (const NodePtr declarator : ast::declaratorsOf(statements[k])) {
            left.push_back(declarator);
            const NodePtr name =
                ast::declaredName(declarator->child(ast::InitDeclarator::declarator));
            const NodePtr value = name && name->symbol ? constantOf(declarator, name) : nullptr;
            if (!value || !isUsed(name) || !stays(behind, name, value)) continue;
            Shifts shifts(context, name, value);
            for (NodePtr& each : behind) each = shifts.rewrite(each);
            isChanged = isChanged || shifts.isFound();
            if (!isUsed(name)) left.pop_back();
        }
        statements[k] = withDeclarators(context, statements[k], left);
    }
    std::erase(statements, nullptr);
    return isChanged ? context.arena.rebuilt(block, block, statements) : block;
}

}  // namespace hpcc::nests
