// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What variables of an iteration reach that are assigned.

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analysis/constant.hpp"
#include "analysis/operators.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/reaches.hpp"

namespace hpcc::nests {

using ast::NodePtr;

namespace {

/// The values that a variable is given, and in which loops; nothing if it is changed otherwise.
class GivenValues {
public:
    GivenValues(const Nest& nest, const ast::Symbol* variable) : nest_(nest), variable_(variable) {}

    /// Walks over a part of the nest; false if it changes the variable otherwise.
    bool add(NodePtr node, const Loop* loop) {
        if (const auto own = nest_.loopOf.find(node); own != nest_.loopOf.end()) loop = own->second;
        if (node == variable_->declaration) {
            const NodePtr initializer = node->child(ast::InitDeclarator::initializer);
            if (initializer && !give(analysis::singleInitializer(initializer), loop)) return false;
        }
        const bool isReference =
            ast::is<ast::InitDeclarator>(node) && node->type && node->type->isReference;
        if (isReference && ast::anywhere(node, [&](NodePtr each) { return isIt(each); }))
            return false;
        std::unordered_set<std::string_view> names;
        ast::addAssigned(node, names);
        const bool isPlain = ast::is<ast::Assign>(node) &&
                             node->child(ast::Assign::op)->text() == "=" &&
                             isIt(ast::changedOperand(node));
        if (isPlain && !give(node->child(ast::Assign::value), loop)) return false;
        if (!isPlain && names.contains(variable_->name)) {
            const NodePtr changed = ast::withoutParentheses(ast::changedOperand(node));
            if (!changed || !changed->symbol || changed->symbol == variable_) return false;
        }
        return std::ranges::all_of(node->children(),
                                   [&](NodePtr each) { return !each || add(each, loop); });
    }

    struct Value {
        NodePtr expression;
        const Loop* loop;
    };
    const std::vector<Value>& all() const { return all_; }

private:
    bool isIt(NodePtr e) const {
        e = ast::withoutParentheses(e);
        return ast::is<ast::Identifier>(e) && e->symbol == variable_;
    }
    bool give(NodePtr value, const Loop* loop) {
        all_.push_back({value, loop});
        return value != nullptr;
    }

    const Nest& nest_;
    const ast::Symbol* const variable_;
    std::vector<Value> all_;
};

}  // namespace

NodePtr Reaches::ofDistance(NodePtr distance, const Loop* loop) {
    takesChosen_ = true;
    const NodePtr reach = of(distance, loop);
    takesChosen_ = false;
    return reach;
}

NodePtr Reaches::joined(NodePtr a, NodePtr b) {
    return context_.expression("hpspmd::detail::joinedReach($a, $b)", {{"$a", a}, {"$b", b}},
                               origin());
}

NodePtr Reaches::ofAssigned(NodePtr name) {
    const ast::Symbol* const variable = name->symbol;
    if (inner_ || !variable || !variable->declaration ||
        !ast::is<ast::InitDeclarator>(variable->declaration) || !variable->type ||
        variable->type->isReference || nest_.changeable.contains(variable->name))
        return nullptr;
    if (!underWay_.insert(variable).second) return nullptr;  // it is made of itself
    GivenValues values(nest_, variable);
    NodePtr result = nullptr;
    if (values.add(nest_.loops.front().statement, nullptr))
        for (const auto& [value, loop] : values.all()) {
            const NodePtr reach = as(analysis::numberOf(variable->type), value, loop);
            result = !reach ? nullptr : result ? joined(result, reach) : reach;
            if (!reach) break;
        }
    underWay_.erase(variable);
    return result;
}

}  // namespace hpcc::nests
