// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/regions.hpp"

#include "analysis/directives.hpp"
#include "ast/comments.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"

namespace hpcc::lower {

using ast::NodePtr;

namespace {

/// The text between each two neighbours among the children, and before the first and behind the
/// last.
template <class Use>
void forEachGap(NodePtr node, const Use& use) {
    const source::Span all = node->shape()->span();
    auto at = all.begin;
    for (const NodePtr child : node->children()) {
        source::Span part = child ? child->shape()->span() : source::Span();
        if (child && part.text != all.text) part = child->origin()->span();
        if (part.text != all.text || part.begin < at || part.end > all.end) {
            use(std::string_view());
            continue;
        }
        use(all.text->slice(at, part.begin));
        at = part.end;
    }
    use(all.text->slice(at, all.end));
}

}  // namespace

Regions::Regions(NodePtr block) {
    if (!ast::holdsDirective(block->shape()->text())) return;
    outer_ = open_ = {0};
    forEachGap(block, [&](std::string_view gap) {
        enterLines(gap);
        regions_.push_back(open_.back());
    });
}

void Regions::enterLines(std::string_view gap) {
    analysis::forEachCondition(gap, [this](int opened) {
        if (opened <= 0 && open_.size() > 1) open_.pop_back();
        if (opened < 0) return;
        outer_.push_back(open_.back());
        open_.push_back(outer_.size() - 1);
    });
}

bool Regions::isInside(size_t k, size_t region) const {
    size_t at = of(k);
    while (at != region && at != 0) at = outer_[at];
    return at == region;
}

bool beginsWithDirective(NodePtr block) {
    const NodePtr shape = block->shape();
    if (shape->children().empty()) return false;
    const source::Span all = shape->span();
    const NodePtr first = shape->child(0);
    return first && ast::holdsDirective(all.text->slice(all.begin, first->span().begin));
}

bool isSplitByDirective(NodePtr statement) {
    if (!ast::holdsDirective(statement->shape()->text())) return false;
    if (statement->is<ast::Overall>()) {  // of several headers there are as many, one in the other
        const NodePtr body = statement->child(ast::Overall::body);
        if (body->is<ast::Overall>() && body->origin() == statement->origin())
            return isSplitByDirective(body);
    }
    bool isSplit = false;
    forEachGap(statement, [&](std::string_view gap) { isSplit |= ast::holdsDirective(gap); });
    return isSplit;
}

/// It does if no branch of an #if that holds the declaration ends before the statement.
static bool isDeclaredWith(NodePtr statement, NodePtr declaration) {
    const source::Span from = declaration->origin()->span(), to = statement->origin()->span();
    if (!from.text || from.text != to.text || from.end > to.begin) return false;
    int depth = 0;
    bool isThere = true;
    analysis::forEachCondition(from.text->slice(from.end, to.begin), [&](int opened) {
        isThere &= opened > 0 || depth > 0;
        depth += opened;
    });
    return isThere;
}

bool isThereWith(NodePtr statement, NodePtr expression) {
    return !ast::anywhere(expression, [statement](NodePtr each) {
        const ast::Symbol* symbol = each->symbol;
        return ast::is<ast::Identifier>(each) &&
               !(symbol && symbol->declaration && isDeclaredWith(statement, symbol->declaration));
    });
}

}  // namespace hpcc::lower
