// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over the elements of divided arrays become loops that count.
#include <algorithm>
#include <set>

#include "analysis/loop.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/search.hpp"
#include "regions/arrays.hpp"
#include "regions/edits.hpp"
#include "regions/naming.hpp"
#include "regions/places.hpp"
#include "regions/regions.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;

class Counted {
public:
    explicit Counted(const ast::Unit& unit) : unit_(unit) {}

    Edits edits;

    void visit(NodePtr node) {
        if (!node) return;
        if (node->is<ast::Lambda>()) return;
        const auto outer = arrays_;
        const int outerLoops = loops_;
        if (node->is<ast::FunctionDefinition>())
            for (const NodePtr each : dividedParameters(ast::parametersOf(node))) add(each);
        if (node->is<ast::Attributed>() && !arrays_.empty() && attributeOf(node, "dist")) add(node);
        if (node->is<ast::Attributed>() && attributeOf(node, "overall")) ++loops_;
        if (node->is<ast::RangeFor>() && write(node)) return;  // what is inside, another time
        const bool mayBeDivided = loops_ > 0 || !arrays_.empty();
        if (mayBeDivided && ast::isAny<ast::For, ast::RangeFor>(node)) ++loops_;
        for (const NodePtr child : node->children()) visit(child);
        if (node->is<ast::FunctionDefinition>()) arrays_ = outer;
        loops_ = outerLoops;
    }

private:
    void add(NodePtr attributed) {
        const NodePtr node = attributedNode(attributed);
        NodePtr declarator = nullptr;
        if (node->is<ast::Parameter>())
            declarator = node->child(ast::Parameter::declarator);
        else if (const NodePtr sole = analysis::soleDeclarator(node))
            declarator = sole->child(ast::InitDeclarator::declarator);
        const NodePtr name = ast::declaredName(declarator);
        if (name && name->symbol && isContiguous(name->symbol->type)) arrays_.insert(name->symbol);
    }

    // a, or g[k]; in a loop that may be divided, or that is marked, a is any container
    bool isArray(NodePtr range) const {
        const bool isRow = ast::is<ast::Subscript>(range) && isContiguous(range->type);
        if (isRow) {
            const auto subscripts = range->child(ast::Subscript::subscripts)->children();
            if (subscripts.size() != 1 || !ast::is<ast::Identifier>(bare(subscripts[0])))
                return false;
            range = bare(range->child(ast::Subscript::base));
        }
        return ast::is<ast::Identifier>(range) && range->symbol &&
               (arrays_.contains(range->symbol) ||
                (loops_ > 0 && isContiguous(range->symbol->type)));
    }

    static bool holdsLambda(NodePtr node) {
        return node &&
               (node->is<ast::Lambda>() || std::ranges::any_of(node->children(), holdsLambda));
    }

    // The loop goes over the same elements wherever it names them: nothing hides the array, gives
    // it or its row away, or changes k of g[k].
    static bool keeps(NodePtr range, NodePtr body) {
        NodePtr root = range;
        int levels = 1;
        for (; ast::is<ast::Subscript>(root); ++levels)
            root = bare(root->child(ast::Subscript::base));
        const ast::Effects effects = ast::effectsOf(body);
        const bool isHidden = std::ranges::any_of(
            ast::namesIn(range), [&](const auto& name) { return effects.declared.contains(name); });
        const bool isMoved =
            levels > 1 && effects.touches(ast::namesIn(range->child(ast::Subscript::subscripts)));
        return !isHidden && !isMoved && !isGiven(body, root->symbol, levels);
    }

    bool write(NodePtr loop) {
        const NodePtr range = bare(loop->child(ast::RangeFor::range)),
                      declarator = loop->child(ast::RangeFor::declarator),
                      body = loop->child(ast::RangeFor::body);
        const NodePtr name = ast::declaredName(declarator);
        if (loop->child(ast::RangeFor::initializer) || !isArray(range) || holdsLambda(body) ||
            !keeps(range, body) || !ast::is<ast::Identifier>(name) || !name->symbol)
            return false;
        const bool isReference =
            ast::is<ast::PointerDeclarator>(declarator) &&
            declarator->child(ast::PointerDeclarator::declarator) == name &&
            declarator->child(ast::PointerDeclarator::operators)->text() == "&";
        if (!isReference && declarator != name) return false;
        std::string counter = std::string(name->text()) + "_at";
        while (unit_.identifiers.contains(counter)) counter += '_';
        const std::string array(range->text()), element = array + "[" + counter + "]";
        edits.replace({loop->span().text, loop->span().begin, body->span().begin},
                      "for (std::size_t " + counter + " = 0; " + counter + " < " + array +
                          ".size(); ++" + counter + ") ");
        if (isReference) {
            rename(body, name->symbol, element);
            return true;
        }
        edits.before(body->span().begin,
                     "{ " + std::string(loop->child(ast::RangeFor::specifiers)->text()) + " " +
                         std::string(name->text()) + " = " + element + "; ");
        edits.behind(body->span().end, " }");
        return true;
    }

    void rename(NodePtr node, const Symbol* symbol, const std::string& element) {
        if (!node) return;
        if (node->is<ast::Identifier>() && node->symbol == symbol)
            edits.replace(node->span(), element);
        for (const NodePtr child : node->children()) rename(child, symbol, element);
    }

    const ast::Unit& unit_;
    std::set<const Symbol*> arrays_;
    int loops_ = 0;  // around, that may be divided or are marked
};

}  // namespace

std::optional<std::string> counted(const ast::Unit& unit) {
    Counted counted(unit);
    counted.visit(unit.root);
    if (counted.edits.isEmpty()) return std::nullopt;
    return counted.edits.appliedTo(*unit.text);
}

}  // namespace hpcc::regions
