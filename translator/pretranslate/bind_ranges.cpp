// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pretranslate/bind_ranges.hpp"

#include <algorithm>
#include <optional>

#include "ast/comments.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "pretranslate/members.hpp"

namespace hpcc::pretranslate {
namespace {

using ast::NodePtr;

/// The outermost `overall` of a nest, while its inside is rewritten.
struct Nest {
    NodePtr overall = nullptr;
    std::optional<ast::Effects> effects = {};  // of it, once asked for
    bool holdsDirective = false;               // then, too: parts of it may not be there
    std::vector<NodePtr> constants = {};       // declared at its entry
    ast::FreshNames::Given names = {};
};

class RangeBinder : public ast::Rewriter {
public:
    RangeBinder(ast::Arena& arena, ast::Quoter& quote, const ast::FreshNames& names)
        : Rewriter(arena, ast::extension), quote_(quote), names_(names) {}

    NodePtr rewriteOverall(NodePtr overall) override {
        if (nest_ == nullptr) return outermost(overall);
        const NodePtr list = overall->child(ast::Overall::headers);
        const NodePtr header = list->child(0);
        const NodePtr range = header->child(ast::OverallHeader::range);
        if (!mustBind(range, overall->child(ast::Overall::body))) return rewriteChildren(overall);
        if (!mayHoist(range)) return ownNest(overall);
        return withRange(overall, bind(header->child(ast::OverallHeader::index), rewrite(range)));
    }

    NodePtr rewriteAt(NodePtr at) override {
        const NodePtr location = at->child(ast::At::location);
        const NodePtr range = location->child(ast::Subscript::base);
        const bool known = location->is<ast::Subscript>() && range;
        Scope scope(*this, false);
        if (!known || !mustBind(range, at->child(ast::At::body))) return rewriteChildren(at);
        Nest own;
        nest_ = &own;
        const NodePtr name = bind(at->child(ast::At::index), rewrite(range));
        nest_ = nullptr;
        const NodePtr parts[] = {
            at->child(ast::At::index),
            ast::withChild(arena(), rewrite(location), ast::Subscript::base, name),
            rewrite(at->child(ast::At::body))};
        return declared(own, ast::rebuild(arena(), at, parts));
    }

    // Whatever runs zero times, several times, later, or for some processes only ends the nest for
    // the purpose of hoisting: constructs inside are outermost again.
    NodePtr rewriteIf(NodePtr node) override { return apart(node); }
    NodePtr rewriteWhile(NodePtr node) override { return apart(node); }
    NodePtr rewriteDoWhile(NodePtr node) override { return apart(node); }
    NodePtr rewriteFor(NodePtr node) override { return apart(node); }
    NodePtr rewriteRangeFor(NodePtr node) override { return apart(node); }
    NodePtr rewriteSwitch(NodePtr node) override { return apart(node); }
    NodePtr rewriteTry(NodePtr node) override { return apart(node); }
    NodePtr rewriteOn(NodePtr node) override { return apart(node); }
    NodePtr rewriteLabel(NodePtr node) override { return apart(node); }
    NodePtr rewriteMacroStatement(NodePtr node) override { return apart(node); }
    NodePtr rewriteLambda(NodePtr node) override { return apart(node); }
    NodePtr rewriteClass(NodePtr node) override { return apart(node); }

    NodePtr rewriteCompound(NodePtr node) override {
        Nest* const nest = nest_;
        std::vector<NodePtr> children;
        for (const NodePtr child : node->children()) {
            children.push_back(rewrite(child));
            if (nest_ != nullptr && ast::effectsOf(child).mayJump) nest_ = nullptr;
        }
        nest_ = nest;
        return ast::rebuild(arena(), node, children);
    }

private:
    /// While it lives, the code rewritten belongs to no nest, or (if kept) to the same as before.
    class Scope {
    public:
        Scope(RangeBinder& binder, bool keep) : binder_(binder), nest_(binder.nest_) {
            if (!keep) binder.nest_ = nullptr;
        }
        ~Scope() { binder_.nest_ = nest_; }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        RangeBinder& binder_;
        Nest* nest_;
    };

    NodePtr apart(NodePtr node) {
        const Scope scope(*this, false);
        return rewriteChildren(node);
    }

    NodePtr outermost(NodePtr overall) {
        Nest nest;
        nest.overall = overall;
        const NodePtr header = overall->child(ast::Overall::headers)->child(0);
        const NodePtr range = header->child(ast::OverallHeader::range);
        std::optional<NodePtr> constant;
        nest_ = &nest;
        if (mustBind(range, overall->child(ast::Overall::body)))
            constant = bind(header->child(ast::OverallHeader::index), rewrite(range));
        const NodePtr result = constant ? withRange(overall, *constant) : rewriteChildren(overall);
        nest_ = nullptr;
        return declared(nest, result);
    }

    /// An inner construct whose range must be computed where the construct stands.
    NodePtr ownNest(NodePtr overall) {
        const Scope scope(*this, false);
        return outermost(overall);
    }

    /// `grid->x`; `this->x` is `x`.
    static bool followsPointer(NodePtr range) {
        if (ast::is<ast::Member>(range)) return followsPointer(range->child(ast::Member::base));
        return ast::is<ast::PointerMember>(range) &&
               range->child(ast::PointerMember::base)->text() != "this";
    }

    bool mustBind(NodePtr range, NodePtr body) const {
        if (!ast::isSimple(range) || followsPointer(range)) return true;
        const bool mayChange = !range->symbol || range->symbol->isReassigned;
        const ast::Effects effects = ast::effectsOf(body);
        if (mayBeAssigned(range, effects)) return true;
        for (const std::string_view name : ast::namesIn(range))
            if (effects.declared.contains(name) || (mayChange && effects.assigned.contains(name)))
                return true;  // also where another variable of this name hides it
        return false;
    }

    /// E[0] of `E[0].rng(1)`; null of others.
    static NodePtr elementAsked(NodePtr range) {
        const bool asks = ast::is<ast::Call>(range) && ast::inquiryOf(range);
        const NodePtr base =
            asks ? range->child(ast::Call::callee)->child(ast::Member::base) : nullptr;
        return ast::is<ast::Subscript>(base) ? base : nullptr;
    }

    /// True if the code does nothing to a container of arrays but to reach their elements and to
    /// ask for their shapes.
    static bool onlyReaches(NodePtr node, const ast::Symbol* container) {
        if (!node) return true;
        const bool isElement =
            ast::is<ast::Subscript>(node) && ast::multiarrayType(node->child(ast::Subscript::base));
        const NodePtr array = isElement ? node->child(ast::Subscript::base) : elementAsked(node);
        if (ast::is<ast::Subscript>(array))
            return onlyReaches(array->child(ast::Subscript::subscripts), container) &&
                   std::ranges::all_of(node->children().subspan(1),
                                       [&](NodePtr each) { return onlyReaches(each, container); });
        if (ast::is<ast::Assign>(node) && ast::multiarrayType(node->child(ast::Assign::target)))
            return false;
        if (ast::is<ast::Identifier>(node)) return node->symbol != container;
        return std::ranges::all_of(node->children(),
                                   [&](NodePtr each) { return onlyReaches(each, container); });
    }

    /// `j = E[0].rng(1)` in a nest that begins with `i = E[0].rng(0)`, of a container of arrays.
    bool isOfSameElement(NodePtr range) const {
        const NodePtr first = elementAsked(
                          nest_->overall->child(ast::Overall::headers)->child(0)->child(1)),
                      own = elementAsked(range);
        const NodePtr base = own ? own->child(ast::Subscript::base) : nullptr;
        return first && ast::is<ast::Identifier>(base) && base->symbol &&
               first->text() == own->text() &&
               std::ranges::all_of(nest_->effects->calls, elementAsked) &&
               std::ranges::all_of(own->child(ast::Subscript::subscripts)->children(),
                                   ast::isPure) &&
               onlyReaches(nest_->overall, base->symbol);
    }

    bool mayHoist(NodePtr range) const {
        if (!nest_->effects) {
            nest_->effects = ast::effectsOf(nest_->overall);
            nest_->holdsDirective = ast::holdsDirective(nest_->overall->text());
        }
        if (!ast::isPure(range) && !isOfSameElement(range)) return false;
        return !nest_->holdsDirective && !ast::anywhere(range, [this](NodePtr each) {
            return ast::is<ast::Identifier>(each) &&
                   (nest_->effects->assigned.contains(each->text()) ||
                    (nest_->effects->declared.contains(each->text()) && !isOutside(each)));
        });
    }

    /// True if what the name means is declared before the nest begins.
    bool isOutside(NodePtr name) const {
        const NodePtr declaration = name->symbol ? name->symbol->declaration : nullptr;
        if (!declaration) return false;
        const source::Span from = declaration->origin()->span(),
                           to = nest_->overall->origin()->span();
        return from.text == to.text && from.end <= to.begin;
    }

    /// Declares a constant for `range` at the entry of the nest; its name.
    NodePtr bind(NodePtr index, NodePtr range) {
        const std::string name = names_.name(std::string(index->text()) + "_range", nest_->names);
        const NodePtr result = ast::identifier(arena(), name, range);
        result->type = range->type;
        nest_->constants.push_back(quote_.statement(
            arena(), "const hpspmd::Range $name = $range;",
            {{"$name", ast::identifier(arena(), name, range)}, {"$range", range}}, range));
        return result;
    }

    NodePtr withRange(NodePtr overall, NodePtr range) {
        const NodePtr list = overall->child(ast::Overall::headers);
        const NodePtr header = list->child(0);
        const NodePtr parts[] = {header->child(ast::OverallHeader::index), range,
                                 rewrite(header->child(ast::OverallHeader::triplet))};
        const NodePtr newHeader = ast::rebuild(arena(), header, parts);
        const NodePtr halves[] = {ast::rebuild(arena(), list, std::span(&newHeader, 1)),
                                  rewrite(overall->child(ast::Overall::body))};
        return ast::rebuild(arena(), overall, halves);
    }

    NodePtr declared(const Nest& nest, NodePtr statement) {
        if (nest.constants.empty()) return statement;
        return quote_.statement(arena(),
                                "{\n"
                                "    $constants;\n"
                                "    $statement;\n"
                                "}",
                                {{"$constants", nest.constants}, {"$statement", statement}},
                                statement);
    }

    ast::Quoter& quote_;
    const ast::FreshNames& names_;
    Nest* nest_ = nullptr;
};

}  // namespace

NodePtr bindRanges(ast::Arena& arena, ast::Quoter& quote, const ast::FreshNames& names,
                   NodePtr root) {
    return RangeBinder(arena, quote, names).rewrite(root);
}

}  // namespace hpcc::pretranslate
