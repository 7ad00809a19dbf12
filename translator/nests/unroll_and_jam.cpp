// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/unroll_and_jam.hpp"

#include <algorithm>
#include <map>

#include "analysis/harmless_calls.hpp"
#include "analysis/plain_values.hpp"
#include "ast/copyable.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/code_of_program.hpp"
#include "nests/normalize/repeatable.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

constexpr int mostNodesJammed = 300;  // of the body of the loop inside

bool isLoop(NodePtr node) {
    return ast::isAny<ast::For, ast::While, ast::DoWhile, ast::RangeFor, ast::Overall>(node);
}

bool areDisjoint(const Names& names, const Names& others) {
    return std::ranges::none_of(names,
                                [&](std::string_view each) { return others.contains(each); });
}

class SymbolRenaming : public ast::Rewriter {
public:
    SymbolRenaming(ast::Arena& arena, const std::map<const ast::Symbol*, NodePtr>& names)
        : Rewriter(arena), names_(names) {}

    NodePtr rewriteIdentifier(NodePtr node) override {
        const auto found = names_.find(node->symbol);
        return node->symbol && found != names_.end() ? ast::copy(arena(), found->second) : node;
    }

private:
    const std::map<const ast::Symbol*, NodePtr>& names_;
};

}  // namespace

std::vector<NodePtr> UnrollAndJam::run() {
    const NodePtr body = loop_.statement->child(ast::For::body);
    if (!findParts(body) || !onlyComputes(body) || !addsOwnNumbers() ||
        !std::ranges::all_of(behind_, [this](NodePtr each) { return leavesInner(each); }))
        return {};
    WrittenOut written(context_, own_);
    const auto values = written.valuesOf(loop_);
    const auto* known = std::get_if<std::vector<long>>(&values);
    if (!known || known->size() < 2 ||
        !std::ranges::all_of(*known, [&](long value) { return write(written, value); }) ||
        written.isTooMuch())
        return {};
    std::vector<NodePtr> parts(inner_->children().begin(), inner_->children().end());
    parts[ast::For::body] = written.block(added_, inner_);
    std::vector<NodePtr> result = declared_;
    result.push_back(context_.arena.rebuilt(inner_, inner_, parts));
    result.insert(result.end(), used_.begin(), used_.end());
    return result;
}

bool UnrollAndJam::findParts(NodePtr body) {
    const auto statements =
        ast::is<ast::Compound>(body)
            ? std::vector<NodePtr>(body->children().begin(), body->children().end())
            : std::vector<NodePtr>{body};
    for (const NodePtr each : statements) {
        if (inner_)
            behind_.push_back(each);
        else if (ast::is<ast::For>(each))
            inner_ = each;
        else if (isNumbersDeclaration(each))
            before_.push_back(each);
        else
            return false;
    }
    return inner_;
}

bool UnrollAndJam::isNumbersDeclaration(NodePtr statement) {
    const NodePtr list = ast::is<ast::Declaration>(statement)
                             ? statement->child(ast::Declaration::declarators)
                             : nullptr;
    return list && std::ranges::all_of(list->children(), [this](NodePtr each) {
               const NodePtr name = each->child(ast::InitDeclarator::declarator);
               const NodePtr initializer = each->child(ast::InitDeclarator::initializer);
               if (!ast::is<ast::Identifier>(name) || !name->symbol || !ast::isNumber(name->type) ||
                   name->type->isReference || !ast::is<ast::EqualInitializer>(initializer) ||
                   !isRepeatable(initializer->child(ast::EqualInitializer::value)))
                   return false;
               return numbers_.insert(name->text()).second;
           });
}

/// Numbers, without code that is not looked into.
bool UnrollAndJam::onlyComputes(NodePtr body) const {
    return !ast::anywhere(body, [](NodePtr each) {
        if (ast::is<ast::Call>(each)) return !analysis::isHarmlessCall(each);
        return ast::isAny<ast::Binary, ast::Unary, ast::Postfix, ast::Assign>(each) &&
               analysis::operatesOnObjects(each);
    });
}

/// True if the loop inside runs alike in each iteration, and changes nothing but the iteration's
/// own numbers, or own elements.
bool UnrollAndJam::addsOwnNumbers() {
    const auto inner = ownLoop(inner_);
    if (!inner || !isRepeatable(inner->first) || !isRepeatable(inner->bound)) return false;
    const NodePtr body = inner_->child(ast::For::body);
    const ast::Effects effects = ast::effectsOf(body);
    if (effects.mayJump || effects.assigned.contains(inner->name->text()) ||
        effects.declared.contains(inner->name->text()) || !ast::isCopyable(body, mostNodesJammed) ||
        ast::anywhere(body, isLoop))
        return false;
    Names changing = numbers_;
    changing.insert(loop_.name->text());
    for (const NodePtr bound : {inner->first, inner->bound})
        if (!areDisjoint(readIn(bound), changing)) return false;
    const auto isOwn = [&](std::string_view name) {
        return numbers_.contains(name) || effects.declared.contains(name);
    };
    bool adds = false;
    const bool isFine =
        std::ranges::all_of(effects.assigned, isOwn) && !ast::anywhere(body, [&](NodePtr each) {
            const NodePtr target = ast::withoutParentheses(ast::changedOperand(each));
            if (!target) return false;
            if (ast::is<ast::Identifier>(target))
                adds |= numbers_.contains(target->text());
            else if (isOwnElement(target, body))
                adds = true;
            else
                return true;
            return false;
        });
    return isFine && adds;
}

/// `sums[k]` of an array of the nest's, of which nothing else is mentioned.
bool UnrollAndJam::isOwnElement(NodePtr target, NodePtr where) const {
    const auto isIt = [this](NodePtr element) {
        const NodePtr subscripts = subscriptsOfOwn(element, own_);
        return subscripts && subscripts->children().size() == 1 &&
               ast::is<ast::Identifier>(subscripts->child(0)) &&
               subscripts->child(0)->text() == loop_.name->text();
    };
    if (!isIt(target)) return false;
    const NodePtr array = target->child(ast::Subscript::base);
    size_t elements = 0, mentions = 0;
    ast::anywhere(loop_.statement, [&](NodePtr each) {
        mentions += ast::is<ast::Identifier>(each) && each->text() == array->text();
        return false;
    });
    ast::anywhere(where, [&](NodePtr each) {
        elements += isIt(each) && each->child(ast::Subscript::base)->text() == array->text();
        return false;
    });
    return elements == mentions;
}

/// True if the loop inside may run before a statement that stands behind it in an iteration before.
bool UnrollAndJam::leavesInner(NodePtr behind) const {
    Names read = readIn(inner_);
    for (const NodePtr each : before_) read.merge(readIn(each));
    for (const std::string_view name : numbers_) read.erase(name);
    return areDisjoint(ast::effectsOf(behind).assigned, read) &&
           !ast::anywhere(behind, [&](NodePtr each) {
               const NodePtr target = ast::withoutParentheses(ast::changedOperand(each));
               if (!target || ast::is<ast::Identifier>(target)) return false;
               return !subscriptsOfOwn(target, own_) ||
                      read.contains(target->child(ast::Subscript::base)->text());
           });
}

bool UnrollAndJam::write(WrittenOut& written, long value) {
    std::map<const ast::Symbol*, NodePtr> names;
    for (const NodePtr each : before_)
        for (const NodePtr declarator : ast::declaratorsOf(each)) {
            const NodePtr name = declarator->child(ast::InitDeclarator::declarator);
            if (!declared_.empty())
                names[name->symbol] =
                    context_.variable(context_.fresh(std::string(name->text())), name->type, name);
        }
    SymbolRenaming renaming(context_.arena, names);
    std::vector<NodePtr> declarations;
    for (const NodePtr each : before_) {
        const std::vector<NodePtr> made = iteration(written, renaming.rewrite(each), value);
        const bool isOne = made.size() == 1 && ast::is<ast::Compound>(made[0]) &&
                           made[0]->children().size() == 1;  // else it mentions the counter
        if (!isOne) return false;
        declarations.push_back(made[0]->child(0));
    }
    declared_.insert(declared_.end(), declarations.begin(), declarations.end());
    const auto add = [&](NodePtr part, std::vector<NodePtr>& to) {
        const std::vector<NodePtr> made = iteration(written, renaming.rewrite(part), value);
        to.insert(to.end(), made.begin(), made.end());
    };
    add(inner_->child(ast::For::body), added_);
    if (!behind_.empty()) add(written.block(behind_, loop_.statement), used_);
    return true;
}

/// A part of the loop's body with this value of its counter.
std::vector<NodePtr> UnrollAndJam::iteration(WrittenOut& written, NodePtr part, long value) {
    analysis::CountingLoop of = loop_;
    std::vector<NodePtr> parts(loop_.statement->children().begin(),
                               loop_.statement->children().end());
    parts[ast::For::body] = part;
    of.statement = context_.arena.rebuilt(loop_.statement, loop_.statement, parts);
    return written.iterations(of, {value});
}

}  // namespace hpcc::nests
