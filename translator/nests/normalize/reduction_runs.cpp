// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/reduction_runs.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "analysis/numbers.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "nests/normalize/dot_products.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using NameSet = std::unordered_set<std::string_view>;

/// The parts of an expression that are evaluated one after the other.
void collectParts(NodePtr node, std::vector<NodePtr>& parts) {
    node = ast::withoutParentheses(node);
    if (ast::is<ast::Comma>(node)) {
        collectParts(node->child(ast::Comma::left), parts);
        collectParts(node->child(ast::Comma::right), parts);
    } else {
        parts.push_back(node);
    }
}
/// The same of a statement; none of one that holds statements.
std::vector<NodePtr> partsOf(NodePtr statement) {
    std::vector<NodePtr> parts;
    if (ast::is<ast::Declaration>(statement)) {
        const auto declared = ast::declaratorsOf(statement);
        parts.assign(declared.begin(), declared.end());
    } else if (ast::is<ast::ExpressionStatement>(statement)) {
        collectParts(statement->child(0), parts);
    } else if (ast::is<ast::Return>(statement) && statement->child(ast::Return::value)) {
        parts.push_back(statement->child(ast::Return::value));
    }
    return parts;
}

/// A run as far as it is known.
class Growing {
public:
    explicit Growing(const NameSet& own) : own_(own) {}

    /// Adds a statement, if what it reduces can be made in front.
    bool add(NodePtr statement, const std::vector<LoopValue>& values) {
        const size_t before = run_.values.size();
        if (!addParts(statement, values) || run_.values.size() != before + values.size()) {
            run_.values.resize(before);
            return false;
        }
        if (!values.empty()) run_.length = count_ + 1;
        ++count_;
        return true;
    }
    const ReductionRun& run() const { return run_; }

private:
    bool addParts(NodePtr statement, const std::vector<LoopValue>& values) {
        for (const NodePtr part : partsOf(statement)) {
            if (hasEnded_) return false;
            for (const LoopValue& value : values)
                if (isInside(part, value.call) && !add(value)) return false;
            if (!isUnderstood(part, values)) return false;
        }
        return true;
    }
    bool add(const LoopValue& value) {
        if (!isMadeByNests(value) || dependsOnRun(value) || !fits(value)) return false;
        run_.values.push_back(value);
        if (value.common.empty()) run_.ranges = value.ranges;
        return true;
    }

    /// A nest, or a value of this process.
    static bool isMadeByNests(const LoopValue& value) {
        return ast::is<ast::Overall>(value.made) == !value.ranges.empty();
    }

    /// True if what makes a value may read what the run has changed.
    bool dependsOnRun(const LoopValue& value) const {
        const auto isChanged = [&](std::string_view name) { return changed_.contains(name); };
        if (std::ranges::any_of(ast::namesIn(value.made), isChanged)) return true;
        for (const NodePtr call : ast::allOf<ast::Call>(value.made))
            for (const analysis::ReadVariable& each : analysis::readByFunctions(call))
                if (assigns_ && (each.isMemory || isChanged(each.name))) return true;
        return assigns_ && mayReadByOtherNames(value.made);
    }
    static bool mayReadByOtherNames(NodePtr made) {
        return ast::anywhere(made, [](NodePtr each) {
            const bool isReference = ast::is<ast::Identifier>(each) && each->symbol &&
                                     each->symbol->type && each->symbol->type->isReference;
            const bool isPointed =
                ast::is<ast::PointerMember>(each) ||
                (ast::is<ast::Unary>(each) && each->child(ast::Unary::op)->text() == "*");
            return isReference || isPointed;
        });
    }

    /// True if it is a value of the same processes as those before it.
    bool fits(const LoopValue& value) const {
        if (run_.values.empty()) return std::ranges::all_of(value.ranges, ast::isSimple);
        const LoopValue& first = run_.values.front();
        if (first.ranges.size() != value.ranges.size()) return false;
        if (!value.common.empty() || run_.ranges.empty())
            return std::ranges::all_of(value.ranges, ast::isSimple);
        return std::ranges::equal(run_.ranges, value.ranges, [](NodePtr one, NodePtr other) {
            return ast::print(one) == ast::print(other);
        });
    }

    /// True if a part does nothing but compute before it changes something. What may be anything
    /// else than a number of the function ends the run.
    bool isUnderstood(NodePtr part, const std::vector<LoopValue>& values) {
        if (ast::is<ast::InitDeclarator>(part)) {
            const NodePtr name = part->child(ast::InitDeclarator::declarator);
            if (!isNumberOfFunction(name)) return false;
            changed_.insert(name->text());
            const NodePtr value = part->child(ast::InitDeclarator::initializer);
            return !value || onlyComputes(value, values);
        }
        if (ast::is<ast::Call>(part) && !analysis::isHarmlessCall(part)) {
            hasEnded_ = true;
            return std::ranges::all_of(part->children(),
                                       [&](NodePtr each) { return onlyComputes(each, values); });
        }
        if (!ast::is<ast::Assign>(part)) return onlyComputes(part, values);
        const NodePtr target = part->child(ast::Assign::target);
        NodePtr object = target;
        while (ast::is<ast::Member>(object)) object = object->child(ast::Member::base);
        hasEnded_ = !ast::isNumber(target->type) || !isNumberOfFunction(object, target->type) ||
                    !own_.contains(object->text());
        if (!hasEnded_) changed_.insert(object->text());
        assigns_ = true;
        return onlyComputes(target, values) &&
               onlyComputes(part->child(ast::Assign::value), values);
    }
    /// True of a variable that is a number, or an object of which it is a part.
    static bool isNumberOfFunction(NodePtr name, const ast::Type* part = nullptr) {
        const ast::Type* type =
            ast::is<ast::Identifier>(name) && name->symbol ? name->symbol->type : nullptr;
        return type && !type->isReference && (part || ast::isNumber(type));
    }
    static bool onlyComputes(NodePtr node, const std::vector<LoopValue>& values) {
        if (!node || std::ranges::find(values, node, &LoopValue::call) != values.end()) return true;
        if (ast::isAny<ast::Lambda, ast::OpaqueExpression>(node) || ast::changedOperand(node))
            return false;
        if (ast::is<ast::Call>(node) && !analysis::isHarmlessCall(node)) return false;
        return std::ranges::all_of(node->children(),
                                   [&](NodePtr each) { return onlyComputes(each, values); });
    }

    const NameSet& own_;
    ReductionRun run_;
    size_t count_ = 0;
    NameSet changed_;
    bool assigns_ = false;   // also variables that were there before
    bool hasEnded_ = false;  // nothing may follow
};

bool isWorthWhile(const ReductionRun& run) {
    return run.values.size() > 1 ||
           (run.values.size() == 1 && isDotProduct(run.values.front().call));
}

}  // namespace

ReductionRuns::ReductionRuns(Context& context, const ast::MacroNames& macros, NodePtr function,
                             std::span<const NodePtr> statements)
    : statements_(statements) {
    for (const NodePtr statement : statements)
        values_.push_back(statement->contains(ast::call)
                              ? valuesIn(context, macros, std::span(&statement, 1))
                              : std::vector<LoopValue>());
    if (function && std::ranges::any_of(values_, [](const auto& each) { return !each.empty(); }))
        own_ = ast::effectsOf(function).declared;
}

ReductionRun ReductionRuns::at(size_t k) const {
    Growing run(own_);
    if (values_[k].empty()) return {};
    for (; k < statements_.size(); ++k) {
        const NodePtr statement = statements_[k];
        const bool isKnown = !values_[k].empty() || analysis::declaresPlainNumbers(statement);
        if (!isKnown || !run.add(statement, values_[k])) break;
        if (ast::is<ast::Return>(statement)) break;
    }
    return isWorthWhile(run.run()) ? run.run() : ReductionRun();
}

}  // namespace hpcc::nests
