// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/scratch.hpp"

#include <algorithm>

#include "analysis/access.hpp"
#include "analysis/numbers.hpp"
#include "analysis/plain_values.hpp"
#include "ast/known_calls.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "ast/type.hpp"
#include "nests/container_elements.hpp"
#include "nests/names.hpp"
#include "nests/surely_written.hpp"
#include "source/name.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using ast::Symbol;

/// n of `(n)` and `(n, 0.5)`; null of others.
NodePtr lengthGiven(NodePtr initializer) {
    const bool isGiven = ast::is<ast::Arguments>(initializer) && !initializer->children().empty();
    const NodePtr first = isGiven ? initializer->child(0) : nullptr;
    return first && first->type && first->type->kind == ast::TypeKind::Integer ? first : nullptr;
}

/// The same, if that is one number throughout.
NodePtr lastingLengthGiven(NodePtr initializer) {
    const NodePtr length = lengthGiven(initializer);
    return length && analysis::IterationSpace::isStableThroughout(length) ? length : nullptr;
}

/// The vector of numbers that is a variable of the function, declared outside of the nest, and no
/// reference; null of others.
const Symbol* vectorAt(NodePtr e, NodePtr function, NodePtr overall) {
    const Symbol* const symbol = isVector(e) ? e->symbol : nullptr;
    if (!symbol || symbol->kind != ast::SymbolKind::Variable || !symbol->declaration)
        return nullptr;
    const auto place = symbol->declaration->span();
    const bool isOutside = !overall->origin()->span().contains(place);
    return isOutside && function->origin()->span().contains(place) ? symbol : nullptr;
}

/// What a function does with vectors outside of its nests.
class Uses {
public:
    explicit Uses(Lengths vectors) : vectors(std::move(vectors)) {}

    Lengths vectors;             // that it only declares, makes longer or shorter, and asks
    std::vector<NodePtr> nests;  // the outermost ones

    void visit(NodePtr node) {
        if (!node) return;
        switch (node->kind()) {
        case ast::Kind::Overall:
            return nests.push_back(node);
        case ast::Kind::Declaration:
            return declaration(node);
        case ast::Kind::ExpressionStatement:
            if (resizes(node->child(0))) return;
            break;
        case ast::Kind::Call:
            if (ast::asksContainer(node)) return;
            break;
        case ast::Kind::Member:
            return visit(node->child(ast::Member::base));
        case ast::Kind::Identifier:
            std::erase_if(vectors, [&](const auto& each) {
                return each.first == node->symbol ||
                       (!node->symbol && each.first->name == node->text());
            });
            return;
        case ast::Kind::OpaqueStatement:
        case ast::Kind::OpaqueExpression:
        case ast::Kind::OpaqueDeclaration:
        case ast::Kind::MacroStatement:
            std::erase_if(vectors, [&](const auto& each) {
                return source::mentionsName(node->text(), each.first->name);
            });
            return;
        default:
            break;
        }
        for (const NodePtr child : node->children()) visit(child);
    }

private:
    void declaration(NodePtr node) {
        const NodePtr declarators = node->child(ast::Declaration::declarators),
                      specifiers = node->child(ast::Declaration::specifiers);
        visit(specifiers);
        if (!declarators) return;
        for (const NodePtr each : declarators->children()) {
            const NodePtr declared = each->child(ast::InitDeclarator::declarator),
                          initializer = each->child(ast::InitDeclarator::initializer);
            visit(initializer);
            const auto found =
                ast::is<ast::Identifier>(declared) ? vectors.find(declared->symbol) : vectors.end();
            if (found == vectors.end())
                visit(declared);
            else if (ast::isSpecifiedAsStatic(specifiers))
                vectors.erase(found);
            else if (!resized_.contains(found->first))
                found->second = lastingLengthGiven(initializer);
        }
    }

    bool resizes(NodePtr e) {
        const NodePtr callee = ast::is<ast::Call>(e) ? e->child(ast::Call::callee) : nullptr;
        if (!ast::is<ast::Member>(callee)) return false;
        const auto found = vectors.find(callee->child(ast::Member::base)->symbol);
        const std::string_view name = callee->child(ast::Member::name)->text();
        if (found == vectors.end() || (name != "resize" && name != "assign" && name != "reserve"))
            return false;
        found->second = nullptr;
        resized_.insert(found->first);
        visit(e->child(ast::Call::arguments));
        return true;
    }

    std::set<const Symbol*> resized_;
};

}  // namespace

std::set<const Symbol*> scratchOf(NodePtr overall, const Surroundings& surroundings) {
    const NodePtr function = surroundings.function();
    if (!function) return {};
    const std::set<const Symbol*> own = variablesDeclaredIn(overall);  // wherever they come from
    Lengths vectors;
    for (const NodePtr each : ast::allOf<ast::Subscript>(overall))
        if (const Symbol* vector = vectorAt(each->child(ast::Subscript::base), function, overall))
            if (!own.contains(vector) && !surroundings.macros().mention(vector->name))
                vectors.emplace(vector, nullptr);
    if (vectors.empty()) return {};
    Uses uses(std::move(vectors));
    uses.visit(function->child(ast::is<ast::Lambda>(function)
                                   ? uint32_t{ast::Lambda::body}
                                   : uint32_t{ast::FunctionDefinition::body}));
    std::set<const Symbol*> result = surelyWrittenFirst(overall, uses.vectors);
    const auto place = overall->origin()->span();
    for (const NodePtr nest : uses.nests) {
        const auto span = nest->origin()->span();
        if (span.contains(place) && span != place) return {};  // it stands in another one
        if (result.empty()) break;
        const auto first = surelyWrittenFirst(nest, uses.vectors);
        std::erase_if(result, [&](const Symbol* vector) { return !first.contains(vector); });
    }
    return result;
}

void findScratch(Loop& overall, const Surroundings& surroundings) {
    const Loop* outer = overall.outer;
    while (outer && outer->kind != Loop::Kind::Overall) outer = outer->outer;
    if (!outer)
        overall.scratch = scratchOf(overall.statement, surroundings);
    else if (soleStatement(bodyOf(*outer)) == overall.statement)
        overall.scratch = outer->scratch;
}

bool isScratchIn(const Loop* loop, NodePtr vector) {
    if (!ast::is<ast::Identifier>(vector)) return false;
    while (loop && !loop->scratch.contains(vector->symbol)) loop = loop->outer;
    return loop;
}

bool declaresVectors(NodePtr declaration) {
    const NodePtr declarators = declaration->child(ast::Declaration::declarators);
    return declarators &&
           !ast::isSpecifiedAs(declaration->child(ast::Declaration::specifiers), "static") &&
           std::ranges::all_of(declarators->children(), [](NodePtr each) {
               const NodePtr initializer = each->child(ast::InitDeclarator::initializer);
               return isVector(each->child(ast::InitDeclarator::declarator)) &&
                      lengthGiven(initializer) && initializer->children().size() <= 2;
           });
}

bool isArrayOrVector(NodePtr container) {
    return isVector(container) ||
           (ast::is<ast::Identifier>(container) && ast::isStandardArray(container->type) &&
            analysis::isContainerOfNumbers(container->type));
}

}  // namespace hpcc::nests
