// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/marked.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "ast/search.hpp"
#include "regions/decision.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;

// The variable is a term of it: i * n + j, but not t[i].
bool holds(NodePtr subscript, const Symbol* variable) {
    if (ast::isAny<ast::Subscript, ast::Call>(subscript)) return false;
    if (ast::is<ast::Identifier>(subscript)) return subscript->symbol == variable;
    return std::ranges::any_of(subscript->children(),
                               [variable](NodePtr each) { return each && holds(each, variable); });
}

class Collector {
public:
    Collector(NodePtr loop, const Symbol* variable, NodePtr unit)
        : loop_(loop), variable_(variable), unit_(unit) {}

    Arrays arrays;

    // a[i][j], of which a[i] is a part, or an element that is changed.
    void take(NodePtr element, bool isChanged) {
        std::vector<NodePtr> subscripts;
        NodePtr root = element;
        for (; ast::is<ast::Subscript>(root); root = bare(root->child(ast::Subscript::base))) {
            const auto own = root->child(ast::Subscript::subscripts)->children();
            subscripts.insert(subscripts.begin(), own.begin(), own.end());
        }
        const Symbol* symbol = ast::is<ast::Identifier>(root) ? root->symbol : nullptr;
        if (!symbol || !isOutside(*symbol) || arrays.contains(symbol)) return;
        const auto counted = std::ranges::find_if(subscripts, [&](NodePtr each) {
            return isChanged ? holds(each, variable_) : shiftOf(each, variable_).has_value();
        });
        if (counted == subscripts.end()) return;
        const auto dimension = static_cast<int>(counted - subscripts.begin());
        if (const auto array = arrayToDivide(*symbol, dimension, unit_))
            arrays.emplace(symbol, *array);
    }

private:
    bool isOutside(const Symbol& symbol) const {
        const bool isObject = symbol.kind == ast::SymbolKind::Variable ||
                              symbol.kind == ast::SymbolKind::Parameter ||
                              symbol.kind == ast::SymbolKind::Field;
        return isObject && symbol.declaration &&
               !loop_->span().contains(symbol.declaration->span());
    }

    NodePtr loop_;
    const Symbol* variable_;
    NodePtr unit_;
};

}  // namespace

Arrays arraysOfLoop(NodePtr loop, NodePtr unit) {
    const auto counting = analysis::countingAhead(loop);
    if (!counting || !counting->name->symbol) return {};
    Collector collector(loop, counting->name->symbol, unit);
    ast::anywhere(loop, [&](NodePtr each) {
        NodePtr target = ast::changedOperand(each);
        if (target) target = bare(target);
        while (ast::is<ast::Member>(target)) target = bare(target->child(ast::Member::base));
        if (ast::is<ast::Subscript>(target)) collector.take(target, true);
        return false;
    });
    for (const NodePtr each : ast::allOf<ast::Subscript>(loop)) collector.take(each, false);
    return std::move(collector.arrays);
}

}  // namespace hpcc::regions
