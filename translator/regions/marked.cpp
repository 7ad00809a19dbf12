// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/marked.hpp"

#include <algorithm>
#include <set>

#include "ast/effects.hpp"
#include "ast/search.hpp"
#include "regions/decision.hpp"
#include "regions/members.hpp"
#include "regions/paths.hpp"

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
        : loop_(loop), variable_(variable), unit_(unit) {
        ast::anywhere(loop, [this](NodePtr each) {
            NodePtr target = ast::changedOperand(each);
            if (target) target = bare(target);
            while (ast::is<ast::Member>(target)) target = bare(target->child(ast::Member::base));
            if (ast::is<ast::Subscript>(target)) take(target, true);
            return false;
        });
        for (const NodePtr each : ast::allOf<ast::Subscript>(loop)) take(each, false);
    }

    Arrays arrays;
    std::map<std::string_view, NodePtr> members;

private:
    // a[i][j], of which a[i] is a part, or an element that is changed.
    void take(NodePtr element, bool isChanged) {
        std::vector<NodePtr> subscripts;
        NodePtr root = element;
        for (; ast::is<ast::Subscript>(root); root = bare(root->child(ast::Subscript::base))) {
            const auto own = root->child(ast::Subscript::subscripts)->children();
            subscripts.insert(subscripts.begin(), own.begin(), own.end());
        }
        const bool isName = ast::is<ast::Identifier>(root);
        if (isName && isChanged) changed_.insert(root->symbol);
        if (!(isName || isMember(root)) || !root->symbol || !isOutside(root) ||
            (isName && arrays.contains(root->symbol)))
            return;
        const auto counted = std::ranges::find_if(subscripts, [&](NodePtr each) {
            return isChanged ? holds(each, variable_) : shiftOf(each, variable_).has_value();
        });
        if (counted == subscripts.end()) return;
        const auto dimension = static_cast<int>(counted - subscripts.begin());
        auto array = arrayToDivide(*root->symbol, dimension, unit_);
        if (!array) return;
        // Also where the object that it belongs to is constant.
        if (!changed_.contains(root->symbol)) array->setConst();
        if (isName)
            arrays.emplace(root->symbol, *array);
        else
            members.emplace(root->text(), root);
    }

    bool isOutside(NodePtr root) const {
        const NodePtr object = beginOf(root);
        if (ast::is<ast::KeywordLiteral>(object)) return true;  // this
        if (!ast::is<ast::Identifier>(object) || !object->symbol) return false;
        const Symbol& symbol = *object->symbol;
        const bool isObject = symbol.kind == ast::SymbolKind::Variable ||
                              symbol.kind == ast::SymbolKind::Parameter ||
                              symbol.kind == ast::SymbolKind::Field;
        return isObject && symbol.declaration &&
               !loop_->span().contains(symbol.declaration->span());
    }

    NodePtr loop_;
    const Symbol* variable_;
    NodePtr unit_;
    std::set<const Symbol*> changed_;
};

const Symbol* variableOf(NodePtr loop) {
    const auto counting = analysis::countingAhead(loop);
    return counting ? counting->name->symbol : nullptr;
}

}  // namespace

Arrays arraysOfLoop(NodePtr loop, NodePtr unit) {
    const Symbol* variable = variableOf(loop);
    return variable ? Collector(loop, variable, unit).arrays : Arrays();
}

std::map<std::string_view, NodePtr> membersOfLoop(NodePtr loop, NodePtr unit) {
    const Symbol* variable = variableOf(loop);
    if (!variable) return {};
    return Collector(loop, variable, unit).members;
}

}  // namespace hpcc::regions
