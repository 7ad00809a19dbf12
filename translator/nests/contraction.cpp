// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/contraction.hpp"

#include <algorithm>

#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class ContractionSearch {
public:
    ContractionSearch(const Nest& nest, NodePtr body, const std::vector<NodePtr>& group,
                      const Mentions& function)
        : nest_(nest), body_(body), group_(group), function_(function) {}

    bool isTemporary(size_t array) const {
        const std::string& name = nest_.arrays[array].text;
        return function_.isNewArray(name) && isUsedHereOnly(name) && isWrittenFirst(array) &&
               isOfOnePlace(array);
    }

    /// The type of its elements; null if they are no plain numbers.
    const ast::Type* elementOf(size_t array) const {
        const ast::Type* type = ast::multiarrayType(nest_.arrays[array].base);
        const ast::Type* element = type ? type->element : nullptr;
        if (!element || element->isConst || element->spelled.empty()) return nullptr;
        return element->kind == ast::TypeKind::Integer || element->kind == ast::TypeKind::Floating
                   ? element
                   : nullptr;
    }

private:
    /// In its declaration and in the nests.
    bool isUsedHereOnly(const std::string& name) const {
        size_t here = Mentions(function_.declarator(name)).of(name).size();
        for (const NodePtr statement : group_) here += Mentions(statement).of(name).size();
        return here == function_.of(name).size();
    }

    /// The first that each iteration does with it is to write it.
    bool isWrittenFirst(size_t array) const {
        const auto first = std::find_if(nest_.accesses.begin(), nest_.accesses.end(),
                                        [&](const Access& a) { return a.array == array; });
        const NodePtr assign = assignmentTo(first->node);
        if (!assign) return false;
        const NodePtr value = assign->child(ast::Assign::value);
        return std::none_of(nest_.accesses.begin(), nest_.accesses.end(), [&](const Access& a) {
            return a.array == array && isInside(value, a.node);
        });
    }

    /// `target = ..;` directly in the body or in a block in it; null if it stands elsewhere.
    NodePtr assignmentTo(NodePtr target) const {
        for (NodePtr part : body_->children()) {
            if (!isInside(part, target)) continue;
            if (ast::is<ast::Compound>(part))
                for (const NodePtr inner : part->children())
                    if (isInside(inner, target)) part = inner;
            const NodePtr e = soleAssignment(part);
            const bool isPlain = e && e->child(ast::Assign::target) == target &&
                                 e->child(ast::Assign::op)->text() == "=";
            return isPlain ? e : nullptr;
        }
        return nullptr;
    }

    /// All accesses stand in the body, with the same subscripts: variables of loops round it.
    bool isOfOnePlace(size_t array) const {
        const Access* first = nullptr;
        for (const Access& access : nest_.accesses) {
            if (access.array != array) continue;
            if (!first) first = &access;
            if (!isInside(body_, access.node)) return false;
            for (size_t r = 0; r < access.slots.size(); ++r)
                if (!isOuterVariable(access.slots[r]) ||
                    access.slots[r].loop != first->slots[r].loop)
                    return false;
        }
        return true;
    }
    bool isOuterVariable(const Slot& slot) const {
        return slot.loop && isIndex(slot, *slot.loop) &&
               ast::is<ast::Identifier>(ast::withoutParentheses(slot.subscript)) &&
               isInside(slot.loop->statement, body_);
    }

    const Nest& nest_;
    NodePtr body_;
    const std::vector<NodePtr>& group_;
    const Mentions& function_;
};

/// Puts variables in the place of elements.
class Contracting : public ast::Rewriter {
public:
    Contracting(Context& context, const Nest& nest, NodePtr body,
                const std::vector<Contraction>& contractions)
        : Rewriter(context.arena),
          context_(context),
          nest_(nest),
          body_(body),
          contractions_(contractions) {}

    NodePtr rewriteSubscript(NodePtr node) override {
        const auto access = nest_.accessOf.find(node);
        if (access == nest_.accessOf.end()) return rewriteChildren(node);
        for (const Contraction& each : contractions_)
            if (nest_.accesses[access->second].array == each.array) return variable(each, node);
        return rewriteChildren(node);
    }

    NodePtr rewriteCompound(NodePtr block) override {
        const NodePtr rewritten = rewriteChildren(block);
        if (block != body_) return rewritten;
        std::vector<NodePtr> statements;
        for (const Contraction& each : contractions_)
            statements.push_back(context_.statement(each.type + " $v [[maybe_unused]];",
                                                    {{"$v", variable(each, block)}}, block));
        statements.insert(statements.end(), rewritten->children().begin(),
                          rewritten->children().end());
        return context_.arena.rebuilt(rewritten, rewritten, statements);
    }

private:
    NodePtr variable(const Contraction& contraction, NodePtr origin) {
        return context_.variable(contraction.value, contraction.element, origin);
    }

    Context& context_;
    const Nest& nest_;
    NodePtr body_;
    const std::vector<Contraction>& contractions_;
};

}  // namespace

std::vector<Contraction> contractionsOf(Context& context, const Nest& nest, NodePtr body,
                                        const std::vector<NodePtr>& group,
                                        const Mentions& function) {
    const ContractionSearch search(nest, body, group, function);
    std::vector<Contraction> result;
    for (size_t array = 0; array < nest.arrays.size(); ++array) {
        const ast::Type* element = search.elementOf(array);
        if (!element || !search.isTemporary(array)) continue;
        const std::string value = context.fresh(nest.arrays[array].text + "_value");
        result.push_back({array, value, element->spelled, element});
    }
    return result;
}

NodePtr contracted(Context& context, const Nest& nest, NodePtr overall, NodePtr body,
                   const std::vector<Contraction>& contractions) {
    if (contractions.empty()) return overall;
    return Contracting(context, nest, body, contractions).rewrite(overall);
}

}  // namespace hpcc::nests
