// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/counter_values.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "analysis/numbers.hpp"
#include "analysis/operators.hpp"
#include "analysis/plain_values.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "nests/normalize/loop_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

constexpr int mostCalls = 4;  // of functions in functions

/// The function or lambda of the program that a call runs; null if it is none.
NodePtr programFunctionOf(NodePtr call) {
    return ast::is<ast::Call>(call) ? analysis::definitionOf(call->child(ast::Call::callee))
                                    : nullptr;
}

/// True for `x / y` of floating-point numbers.
bool isFloatingQuotient(NodePtr e) {
    return ast::is<ast::Binary>(e) && analysis::operatorOf(e) == "/" && e->type &&
           e->type->kind == ast::TypeKind::Floating;
}

/// True if it comes to its end, whatever the numbers are that it is given.
bool comesToItsEnd(NodePtr definition, int calls = 0) {
    if (calls == mostCalls || !ast::isSafe(definition)) return false;
    return !ast::anywhere(definition, [&](NodePtr each) {
        if (ast::is<ast::Call>(each)) {
            if (ast::isMathematicalCall(each) || ast::convertedToNumber(each)) return false;
            const NodePtr inner = programFunctionOf(each);
            return !inner || !comesToItsEnd(inner, calls + 1);
        }
        return ast::isAny<ast::For, ast::RangeFor, ast::While, ast::DoWhile, ast::Goto,
                          ast::Subscript, ast::Throw, ast::OpaqueStatement, ast::MacroStatement>(
            each);
    });
}

/// True if it divides integers, which no processor does for several at once, or calls a function
/// like `exp`.
bool isCostly(NodePtr node, int calls = 0) {
    return ast::anywhere(node, [&](NodePtr each) {
        if (ast::is<ast::Binary>(each)) {
            const std::string_view op = analysis::operatorOf(each);
            return op == "%" || (op == "/" && analysis::isInteger(each));
        }
        if (!ast::is<ast::Call>(each)) return false;
        const NodePtr inner = programFunctionOf(each);
        return ast::hasVectorForm(each) ||
               (inner && calls < mostCalls && isCostly(inner, calls + 1));
    });
}

/// True if it divides floating-point numbers, perhaps in a function.
bool hasQuotient(NodePtr node, int calls = 0) {
    return ast::anywhere(node, [&](NodePtr each) {
        if (isFloatingQuotient(each)) return true;
        const NodePtr inner = programFunctionOf(each);
        return inner && calls < mostCalls && hasQuotient(inner, calls + 1);
    });
}

class ValuesOfCounter {
public:
    ValuesOfCounter(const Nest& nest, const Loop& loop)
        : nest_(nest), loop_(loop), changed_(nest.changed()) {}

    std::vector<NodePtr> found;

    void visit(NodePtr node) {
        if (!node || ast::is<ast::Lambda>(node)) return;
        if (ast::isExpression(node) && isValue(node))
            found.push_back(node);
        else
            for (const NodePtr child : node->children()) visit(child);
    }

private:
    bool isValue(NodePtr e) const {
        return e->type && e->type->kind == ast::TypeKind::Floating && !wordFor(e->type).empty() &&
               !ast::is<ast::Identifier>(e) && mentions(e, loop_.variable) && isFixed(e) &&
               isWorthKeeping(e);
    }
    static bool isWorthKeeping(NodePtr e) {
        const auto isElement = [](NodePtr each) { return ast::is<ast::Subscript>(each); };
        return ast::isSafe(e) && (isCostly(e) || (ast::anywhere(e, isElement) && hasQuotient(e)));
    }

    /// The same in all iterations with one value of the counter.
    bool isFixed(NodePtr e) const {
        e = ast::withoutParentheses(e);
        if (ast::is<ast::NumberLiteral>(e)) return true;
        if (isCounter(e) || isFixedElement(e)) return true;
        if (ast::is<ast::Identifier>(e)) return isFixedNumber(e);
        if (const NodePtr operand = ast::convertedToNumber(e)) return isFixed(operand);
        if (ast::is<ast::Call>(e)) return isFixedCall(e);
        const bool isOperation = ast::is<ast::Conditional>(e) ||
                                 (ast::isAny<ast::Binary, ast::Unary>(e) && isArithmetic(e));
        return isOperation && std::ranges::all_of(e->children(), [&](NodePtr child) {
                   return ast::is<ast::Operator>(child) || isFixed(child);
               });
    }
    static bool isArithmetic(NodePtr e) {
        constexpr std::string_view all[] = {"+",  "-",  "*",  "/",  "%",  "<", ">",
                                            "<=", ">=", "==", "!=", "&&", "||"};
        return std::ranges::find(all, analysis::operatorOf(e)) != std::end(all) &&
               !analysis::operatesOnObjects(e);
    }
    /// `j`, or j` of an `overall`.
    bool isCounter(NodePtr e) const {
        const bool isOverall = loop_.kind == Loop::Kind::Overall;
        if (isOverall && ast::is<ast::GlobalIndex>(e))
            e = e->child(ast::GlobalIndex::operand);
        else if (isOverall)
            return false;
        return isNamed(e, loop_.variable);
    }
    bool isNamedOutside(const Access& access) const {
        const NodePtr base = nest_.arrays[access.array].base;
        return ast::is<ast::Identifier>(base) && !nest_.declared.contains(base->text());
    }
    bool hasNamedRange() const {
        const NodePtr range = nest_.loops.front().range;
        return range && ast::is<ast::Identifier>(range);
    }
    /// `r[j]` of an array that all processes have, and that no iteration of the nest writes by this
    /// name.
    bool isFixedElement(NodePtr e) const {
        const auto found = nest_.accessOf.find(e);
        if (found == nest_.accessOf.end() || loop_.kind != Loop::Kind::Counting ||
            nest_.callsForeign || nest_.loops.front().touchesShared || !hasNamedRange())
            return false;
        const Access& access = nest_.accesses[found->second];
        const NodePtr base = e->child(ast::Subscript::base);
        const ast::Type* const type = ast::multiarrayType(base);
        const auto isOwn = [&](const auto& each) { return nest_.declared.contains(each.first); };
        return isNamedOutside(access) && type && access.slots.size() == 1 &&
               type->slots.front() == ast::SlotKind::Sequential &&
               isNamed(access.slots.front().subscript, loop_.variable) &&
               std::ranges::all_of(nest_.assigned, isOwn) &&
               std::ranges::none_of(nest_.accesses, [&](const Access& each) {
                   return each.writes && (each.array == access.array || !isNamedOutside(each));
               });
    }
    /// No reference, which may be another name of what the nest changes.
    bool isFixedNumber(NodePtr name) const {
        const ast::Symbol* symbol = name->symbol;
        const bool isVariable = symbol && symbol->type &&
                                (symbol->kind == ast::SymbolKind::Variable ||
                                 symbol->kind == ast::SymbolKind::Parameter);
        return isVariable && ast::isNumber(symbol->type) && !symbol->type->isReference &&
               !changed_.contains(name->text()) && !mayChangeIn(nest_.loops.front(), name);
    }
    bool isFixedCall(NodePtr call) const {
        if (!analysis::isHarmlessCall(call) || !analysis::readByFunctions(call).empty())
            return false;
        const NodePtr definition = programFunctionOf(call);
        if (!ast::isMathematicalCall(call) && (!definition || !comesToItsEnd(definition)))
            return false;
        return std::ranges::all_of(call->child(ast::Call::arguments)->children(),
                                   [&](NodePtr each) { return isFixed(each); });
    }

    const Nest& nest_;
    const Loop& loop_;
    Names changed_;
};

}  // namespace

std::vector<NodePtr> costlyValuesOfCounter(const Nest& nest, const Loop& loop) {
    ValuesOfCounter finder(nest, loop);
    finder.visit(bodyOf(loop));
    return std::move(finder.found);
}

}  // namespace hpcc::nests
