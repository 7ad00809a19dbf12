// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/container_elements.hpp"

#include <algorithm>
#include <map>

#include "analysis/dependence.hpp"
#include "analysis/lengths.hpp"
#include "analysis/loop.hpp"
#include "analysis/plain_values.hpp"
#include "analysis/reader.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "nests/normalize/fixed_handles.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// What a loop does with the elements of vectors.
class ContainerElements {
public:
    explicit ContainerElements(const Nest& nest) : nest_(nest) {}

    void note(NodePtr node) {
        NodePtr changed = ast::changedOperand(node);
        for (; changed; changed = changed->child(0)) {
            changed = ast::withoutParentheses(changed);
            changed_.insert(changed);
            if (!ast::isAny<ast::Member, ast::Subscript>(changed)) break;
        }
        if (ast::is<ast::Call>(node) && ast::asksContainer(node)) return;
        const NodePtr base =
            ast::is<ast::Subscript>(node) ? node->child(ast::Subscript::base) : nullptr;
        if (const NodePtr own = ownContainer(base)) {
            of_[own->symbol].push_back(node);
            for (NodePtr at = node; at != own; at = at->child(ast::Subscript::base))
                note(at->child(ast::Subscript::subscripts));
            return;
        }
        if (base && (analysis::plainElementOf(base->type) || isNamedContainer(base)))
            others_.push_back(node);
        if (base && isNamedContainer(base))
            return note(node->child(ast::Subscript::subscripts));  // of a member
        if (ast::is<ast::Identifier>(node)) isKnown_ &= !ownContainer(node) && !isReference(node);
        for (const NodePtr child : node->children())
            if (child) note(child);
    }

    /// `loop`: in which no element that is changed is touched in several iterations.
    bool areApart(const Loop& loop) const {
        return isKnown_ && !isChanged(others_) && std::ranges::all_of(of_, [&](const auto& each) {
                   return !isChanged(each.second) || (others_.empty() && areOne(each.second) &&
                                                      isOnce(each.second.front(), loop));
               });
    }

private:
    bool isChanged(const std::vector<NodePtr>& elements) const {
        return std::ranges::any_of(elements, [&](NodePtr e) { return changed_.contains(e); });
    }
    static bool areOne(const std::vector<NodePtr>& elements) {
        const std::string first = ast::compact(elements.front());
        return std::ranges::all_of(elements, [&](NodePtr e) { return ast::compact(e) == first; });
    }

    static bool isReference(NodePtr name) {
        return name->symbol && name->symbol->type && name->symbol->type->isReference &&
               ast::isNumber(name->symbol->type);
    }

    /// Its subscript has another value in each iteration.
    bool isOnce(NodePtr element, const Loop& loop) const {
        const auto& space = nest_.dependences().space();
        analysis::Reader reader(space);
        const auto* const own = space.loopAt(headerOf(loop));
        if (!own) return false;
        const NodePtr subscript = element->child(ast::Subscript::subscripts)->child(0);
        analysis::Sum moved = reader.read(subscript, {own, 1}) - reader.read(subscript, {own, 0});
        for (const Loop* outer = loop.outer; outer; outer = outer->outer) {
            const auto* const known = space.loopAt(headerOf(*outer));
            if (!known) return false;
            const auto later = atomOf(reader.variable(*known, 1));
            if (!later) return false;
            moved = moved.with(*later, reader.variable(*known, 0));
        }
        const auto later = atomOf(reader.variable(*own, 1));
        if (!moved.isKnown() || !later) return false;
        const long step = moved.factorOf({*later});
        const analysis::Sum steps =
            analysis::Sum(step) * (reader.variable(*own, 1) - reader.variable(*own, 0));
        return step != 0 && (moved - steps).isZero();
    }
    static std::optional<analysis::Atom> atomOf(const analysis::Sum& variable) {
        const bool isOne = variable.isKnown() && variable.terms().size() == 1 &&
                           variable.terms().begin()->first.size() == 1;
        return isOne ? std::optional(variable.terms().begin()->first.front()) : std::nullopt;
    }

    const Nest& nest_;
    std::map<const ast::Symbol*, std::vector<NodePtr>> of_;
    std::vector<NodePtr> others_;  // of containers that may share theirs
    std::set<NodePtr> changed_;
    bool isKnown_ = true;
};

}  // namespace

/// Of numbers, or of such arrays.
static bool isArrayOfNumbers(const ast::Type* type) {
    const bool isArray = type && !type->isReference &&
                         (type->kind == ast::TypeKind::CArray || ast::isStandardArray(type));
    if (!isArray) return false;
    const ast::Type* const element =
        type->kind == ast::TypeKind::CArray ? type->element : type->arguments.front();
    return isArrayOfNumbers(element) ||
           (ast::isNumber(element) && element->kind != ast::TypeKind::Bool);
}

NodePtr ownContainer(NodePtr e) {
    if (!e || isVector(e)) return e;
    NodePtr root = e;
    while (ast::is<ast::Subscript>(root) &&
           root->child(ast::Subscript::subscripts)->children().size() == 1)
        root = root->child(ast::Subscript::base);
    const ast::Symbol* const symbol = ast::is<ast::Identifier>(root) ? root->symbol : nullptr;
    const bool isVariable = symbol && symbol->kind == ast::SymbolKind::Variable;
    const bool isOwn =
        isVariable && isArrayOfNumbers(symbol->type) && (root == e || isArrayOfNumbers(e->type));
    return isOwn ? root : nullptr;
}

bool isVector(NodePtr e) {
    const ast::Type* type = ast::is<ast::Identifier>(e) && e->symbol ? e->symbol->type : nullptr;
    return analysis::isContainerOfNumbers(type) && !type->isReference &&
           type->classSymbol->name == "vector";
}

bool hasOwnContainerElements(const Nest& nest, const Loop& loop) {
    if (loop.touchesOther || nest.callsForeign) return false;
    ContainerElements elements(nest);
    elements.note(bodyOf(loop));
    return elements.areApart(loop);
}

bool isNamedContainer(NodePtr base) {
    if (!isPlainBase(base)) return false;
    const ast::Type* const type = base->type;
    const bool isArray = type && type->kind == ast::TypeKind::CArray;
    const ast::Type* const element = analysis::plainElementOf(type);
    return element &&
           (!isArray || (element->kind != ast::TypeKind::Bool && analysis::lengthOf(base)));
}

}  // namespace hpcc::nests
