// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/element_references.hpp"

#include <algorithm>

#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "nests/nest_rewriter.hpp"
#include "nests/normalize/fixed_handles.hpp"
#include "nests/normalize/in_place_of.hpp"
#include "nests/normalize/same_words.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// `double &total = y[i]`
struct Reference {
    NodePtr name = nullptr;
    NodePtr element = nullptr;
};

/// Null if it is none.
NodePtr initialElement(NodePtr initializer) {
    if (!ast::is<ast::EqualInitializer>(initializer)) return nullptr;
    const NodePtr e = ast::withoutParentheses(initializer->child(0));
    const bool isElement = ast::is<ast::Subscript>(e) &&
                           ast::multiarrayType(e->child(ast::Subscript::base)) &&
                           ast::isDirectAccess(e) && isPlainBase(e->child(ast::Subscript::base));
    const bool isPure =
        isElement && std::ranges::all_of(e->child(ast::Subscript::subscripts)->children(),
                                         [](NodePtr subscript) { return ast::isPure(subscript); });
    return isPure ? e : nullptr;
}

/// The references that a statement declares, if it declares nothing else.
std::vector<Reference> referencesOf(NodePtr statement) {
    if (!ast::is<ast::Declaration>(statement)) return {};
    const NodePtr specifiers = statement->child(ast::Declaration::specifiers);
    const NodePtr declarators = statement->child(ast::Declaration::declarators);
    if (!ast::is<ast::Specifiers>(specifiers) || !declarators) return {};
    const NodePtr before = specifiers->child(ast::Specifiers::before);
    if (before && before->text() != "const") return {};
    const bool isDeduced = specifiers->child(ast::Specifiers::core)->text() == "auto";
    std::vector<Reference> result;
    for (const NodePtr each : declarators->children()) {
        const NodePtr declarator = each->child(ast::InitDeclarator::declarator);
        const NodePtr element = initialElement(each->child(ast::InitDeclarator::initializer));
        if (!element || !ast::is<ast::PointerDeclarator>(declarator)) return {};
        const auto operators = declarator->child(ast::PointerDeclarator::operators)->children();
        const NodePtr name = declarator->child(ast::PointerDeclarator::declarator);
        if (operators.size() != 1 || !ast::is<ast::Reference>(operators[0]) ||
            !ast::is<ast::Identifier>(name) || !name->symbol)
            return {};
        const ast::Type* array = ast::multiarrayType(element->child(ast::Subscript::base));
        if (!isDeduced && !isSameNumber(name->symbol->type, array->element)) return {};
        result.push_back({name, element});
    }
    return result;
}

/// True if the variable is surely used where `node` is evaluated.
bool surelyUses(NodePtr node, const ast::Symbol* symbol) {
    if (!node) return false;
    if (ast::is<ast::Identifier>(node)) return node->symbol == symbol;
    if (ast::is<ast::If>(node)) return surelyUses(node->child(ast::If::condition), symbol);
    if (ast::is<ast::Conditional>(node))
        return surelyUses(node->child(ast::Conditional::condition), symbol);
    if (ast::is<ast::Binary>(node) && ast::isShortCircuit(node))
        return surelyUses(node->child(ast::Binary::left), symbol);
    const bool isAlways = ast::is<ast::Compound>(node) || ast::is<ast::Declaration>(node) ||
                          ast::is<ast::ExpressionStatement>(node) || !ast::isStatement(node);
    return isAlways && !ast::is<ast::Lambda>(node) && !ast::is<ast::Sizeof>(node) &&
           !ast::is<ast::DecltypeType>(node) &&
           std::ranges::any_of(node->children(),
                               [&](NodePtr part) { return surelyUses(part, symbol); });
}

/// Its access raises its error, if any, also where the name is gone.
bool isSurelyUsed(std::span<const NodePtr> statements, const ast::Symbol* symbol) {
    for (const NodePtr statement : statements) {
        if (surelyUses(statement, symbol)) return true;
        if (holdsJump(statement)) return false;
    }
    return false;
}

class ElementReferences : public NestRewriter {
public:
    ElementReferences(Context& context, ast::Unit& unit)
        : NestRewriter(context, unit, ast::extension | ast::subscript) {}

    NodePtr rewriteOverall(NodePtr overall) override {
        ++depth_;
        const NodePtr result = rewriteChildren(overall);
        --depth_;
        return result;
    }
    NodePtr rewriteLambda(NodePtr lambda) override {
        const int depth = std::exchange(depth_, 0);
        const NodePtr result = NestRewriter::rewriteLambda(lambda);
        depth_ = depth;
        return result;
    }

    NodePtr rewriteCompound(NodePtr block) override {
        if (depth_ == 0) return rewriteChildren(block);
        std::vector<NodePtr> statements(block->children().begin(), block->children().end());
        for (size_t k = 0; k < statements.size();) {
            const auto references = referencesOf(statements[k]);
            const bool isReplaced =
                !references.empty() && areReplaceable(block, references, statements, k + 1);
            if (!isReplaced) {
                ++k;
                continue;
            }
            statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(k));
            for (const Reference& each : references) {
                InPlaceOf element(context.arena, each.name,
                                  [&](NodePtr place) { return elementAt(each.element, place); });
                for (size_t m = k; m < statements.size(); ++m)
                    statements[m] = element.rewrite(statements[m]);
            }
        }
        const NodePtr result = statements.size() == block->children().size()
                                   ? block
                                   : context.arena.rebuilt(block, block, statements);
        return rewriteChildren(result);
    }

private:
    /// The element as made text, in the line where it is used.
    NodePtr elementAt(NodePtr element, NodePtr place) {
        const NodePtr made = context.expression(ast::print(element), {}, place);
        return copyAt(context.arena, place, made, element);
    }

    /// Nothing behind the declaration changes which elements they are.
    bool areReplaceable(NodePtr block, const std::vector<Reference>& references,
                        std::span<const NodePtr> statements, size_t next) {
        const auto behind = statements.subspan(next);
        const FixedNames fixed(context.arena.rebuilt(block, block, behind), surroundings());
        return std::ranges::all_of(references, [&](const Reference& each) {
            return !surroundings().macros().mention(each.name->text()) &&
                   fixed.keep(each.element) && isSurelyUsed(behind, each.name->symbol) &&
                   areAlike(context.expression(ast::print(each.element), {}, each.name),
                            each.element);
        });
    }

    int depth_ = 0;  // how many `overall` stand round the place
};

}  // namespace

ast::Unit elementReferences(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<ElementReferences>(std::move(unit), quote);
}

}  // namespace hpcc::nests
