// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/record_test.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_set>
#include <utility>

#include "analysis/constant.hpp"
#include "analysis/harmless_calls.hpp"
#include "analysis/plain_values.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "nests/extremes.hpp"
#include "nests/long_rows.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// What is asked of a number of the nest: `v < least` is {least, v, Below}.
struct Comparison {
    enum class Way { Below, Above, Equal };
    std::string_view name;
    std::string value;
    Way way;
};

/// Writes the test of one body.
class Test {
public:
    Test(Context& context, const Nest& nest, const Loop& loop, const std::string& found)
        : context_(context),
          nest_(nest),
          loop_(loop),
          found_(found),
          lasting_(lastingIn(loop)),
          hangsOn_(lasting_) {}

    NodePtr of(NodePtr body) {
        const NodePtr test = testOf(body);
        const bool areRecords =
            !changes_.empty() && std::ranges::all_of(changes_, [this](const auto& round) {
                return std::ranges::any_of(round,
                                           [this](const Comparison& c) { return isRecord(c); });
            });
        return isKnown_ && areRecords ? test : nullptr;
    }

private:
    /// Null if nothing of it is left.
    NodePtr testOf(NodePtr statement) {
        if (!isKnown_ || !statement) return nullptr;
        switch (statement->kind()) {
        case ast::Kind::Compound:
            return ofBlock(statement);
        case ast::Kind::Declaration:
            return ofDeclaration(statement);
        case ast::Kind::If:
            return ofIf(statement);
        case ast::Kind::Continue:
            return statement;
        case ast::Kind::EmptyStatement:
            return nullptr;
        case ast::Kind::ExpressionStatement:
            return ofExpression(statement);
        default:
            isKnown_ = false;
            return nullptr;
        }
    }

    NodePtr ofBlock(NodePtr block) {
        const size_t outside = round_.size();
        std::vector<NodePtr> all;
        for (const NodePtr each : block->children()) all.push_back(testOf(each));
        round_.resize(outside);
        return together(std::move(all), block);
    }

    /// What stands behind a change makes no difference, nor do constants that are not asked for.
    NodePtr together(std::vector<NodePtr> all, NodePtr origin) {
        std::erase(all, nullptr);
        const auto changed =
            std::ranges::find_if(all, [this](NodePtr e) { return sets_.contains(e); });
        if (changed != all.end()) all.erase(changed + 1, all.end());
        for (size_t k = all.size(); k-- > 0;)
            if (isUnused(all[k], std::span(all).subspan(k + 1)))
                all.erase(all.begin() + static_cast<long>(k));
        if (all.empty()) return nullptr;
        if (all.size() == 1 && !all[0]->is<ast::Declaration>()) return all[0];
        return context_.statement("{\n    $s;\n}", {{"$s", all}}, origin);
    }

    /// A declaration of what no statement behind it names.
    static bool isUnused(NodePtr statement, std::span<const NodePtr> behind) {
        if (!statement->is<ast::Declaration>()) return false;
        const NodePtr declarators = statement->child(ast::Declaration::declarators);
        return std::ranges::none_of(declarators->children(), [&](NodePtr each) {
            const std::string_view name = nameOf(each);
            return std::ranges::any_of(behind, [&](NodePtr s) { return mentions(s, name); });
        });
    }
    static std::string_view nameOf(NodePtr declarator) {
        return analysis::variableOf(declarator->child(ast::InitDeclarator::declarator))->text();
    }

    NodePtr ofDeclaration(NodePtr declaration) {
        const NodePtr declarators = declaration->child(ast::Declaration::declarators);
        isKnown_ &= declarators != nullptr;  // a class has none
        if (!isKnown_) return nullptr;
        for (const NodePtr each : declarators->children()) {
            const NodePtr initializer = each->child(ast::InitDeclarator::initializer);
            const std::string_view name = nameOf(each);
            if (initializer) ask(initializer);
            if (initializer && !loop_.assigned.contains(name))
                constants_[name] = analysis::singleInitializer(initializer);
            hangOn(name, initializer);
        }
        return declaration;
    }

    NodePtr ofIf(NodePtr node) {
        const NodePtr condition = node->child(ast::If::condition),
                      then = node->child(ast::If::then),
                      otherwise = node->child(ast::If::otherwise);
        if (node->child(ast::If::initializer) || node->text().starts_with("if constexpr"))
            isKnown_ = false;
        ask(condition);
        const bool hung = std::exchange(isHanging_, isHanging_ || hangs(condition));
        const NodePtr yes = under(condition, true, then), no = under(condition, false, otherwise);
        isHanging_ = hung;
        // What stands behind it in its block is reached by the others.
        if (!otherwise && ast::is<ast::Continue>(soleStatement(then))) note(condition, false);
        return choice(condition, yes, no, node);
    }

    NodePtr under(NodePtr condition, bool isTrue, NodePtr statement) {
        const size_t outside = round_.size();
        note(condition, isTrue);
        const NodePtr test = testOf(statement);
        round_.resize(outside);
        return test;
    }

    NodePtr choice(NodePtr condition, NodePtr yes, NodePtr no, NodePtr origin) {
        if (!yes && !no) return nullptr;
        if (!no) return context_.statement("if ($c) $s;", {{"$c", condition}, {"$s", yes}}, origin);
        if (!yes)
            return context_.statement("if (!($c)) $s;", {{"$c", condition}, {"$s", no}}, origin);
        return context_.statement(
            "if ($c) {\n"
            "    $s;\n"
            "} else {\n"
            "    $t;\n"
            "}",
            {{"$c", condition}, {"$s", yes}, {"$t", no}}, origin);
    }

    NodePtr ofExpression(NodePtr statement) {
        return ofExpression(statement->child(ast::ExpressionStatement::expression), statement);
    }
    NodePtr ofExpression(NodePtr e, NodePtr statement) {
        if (ast::is<ast::Comma>(e)) {
            std::vector<NodePtr> all;
            for (const NodePtr part : e->children())
                if (ast::isExpression(part)) all.push_back(ofExpression(part, part));
            return together(std::move(all), statement);
        }
        const NodePtr operand = ast::changedOperand(e),
                      target = operand ? ast::withoutParentheses(operand) : nullptr;
        if (!ast::is<ast::Identifier>(target)) return change(statement);
        if (!lasting_.contains(target->text())) {
            const NodePtr value = ast::is<ast::Assign>(e) ? e->child(ast::Assign::value) : nullptr;
            ask(value);
            hangOn(target->text(), value);
            return ast::isStatement(statement) ? statement
                                               : context_.statement("$e;", {{"$e", e}}, e);
        }
        const bool isPlain = ast::is<ast::Assign>(e) && e->child(ast::Assign::op)->text() == "=";
        return isPlain ? ofAssignment(target->text(), e->child(ast::Assign::value), statement)
                       : change(statement);
    }

    /// name = value;
    NodePtr ofAssignment(std::string_view name, NodePtr value, NodePtr statement) {
        value = ast::withoutParentheses(value);
        if (ast::is<ast::Conditional>(value)) {
            const NodePtr condition = value->child(ast::Conditional::condition),
                          then = value->child(ast::Conditional::then),
                          otherwise = value->child(ast::Conditional::otherwise);
            if (isNamed(otherwise, name)) return ofChoice(name, condition, true, then, statement);
            if (isNamed(then, name)) return ofChoice(name, condition, false, otherwise, statement);
        }
        if (const NodePtr condition = conditionOfExtreme(name, value))
            return ofChoice(name, condition, true, nullptr, statement);
        for (const Comparison& each : round_)
            if (each.name == name && each.value == textOf(value)) records_.push_back(each);
        return change(statement);
    }

    /// `name = value` if the condition is true; or the other way round.
    NodePtr ofChoice(std::string_view name, NodePtr condition, bool isTrue, NodePtr value,
                     NodePtr statement) {
        ask(condition);
        const size_t outside = round_.size();
        note(condition, isTrue);
        for (size_t k = outside; k < round_.size(); ++k)
            if (!value || (round_[k].name == name && round_[k].value == textOf(value)))
                records_.push_back(round_[k]);
        const NodePtr set = change(statement);
        round_.resize(outside);
        return isTrue ? choice(condition, set, nullptr, statement)
                      : choice(condition, nullptr, set, statement);
    }

    /// When `name = std::min(name, e)` and the like change it, or perhaps do.
    NodePtr conditionOfExtreme(std::string_view name, NodePtr call) {
        const std::string_view extreme = extremeOf(call);
        const auto among = extreme.empty() ? std::vector<NodePtr>() : offeredTo(call);
        if (among.size() != 2 || isNamed(among[0], name) == isNamed(among[1], name)) return nullptr;
        const bool isFirst = isNamed(among[0], name), isMin = extreme.ends_with("min");
        const NodePtr e = among[isFirst ? 1 : 0], own = among[isFirst ? 0 : 1];
        if (!e->type || !own->type || e->type->kind != own->type->kind ||
            e->type->spelled != own->type->spelled)
            return nullptr;
        // One of equal numbers, or of a number and none, is perhaps the other one.
        const bool isOther =
            e->type->kind == ast::TypeKind::Floating && (!isFirst || extreme.starts_with('f'));
        const std::string value = isPrimary(e->kind()) ? "$e" : "($e)",
                          op = isMin == !isOther ? " < " : " > ";
        return context_.expression(isOther ? "!(" + value + op + "$x)" : value + op + "$x",
                                   {{"$e", e}, {"$x", own}}, call);
    }

    NodePtr change(NodePtr origin) {
        changes_.push_back(round_);
        const NodePtr set = context_.statement(found_ + " = 1;", {}, origin);
        sets_.insert(set);
        return set;
    }

    void ask(NodePtr e) { isKnown_ &= mayBeAsked(e, isHanging_); }

    /// True if to ask does nothing else, and does not fail where the loop perhaps would not come to
    /// ask it, because its numbers have changed.
    bool mayBeAsked(NodePtr e, bool isHanging) const {
        if (!e) return true;
        const auto areAsked = [&](bool isRestHanging) {
            bool isFirst = true;
            return std::ranges::all_of(e->children(), [&](NodePtr part) {
                return mayBeAsked(part, std::exchange(isFirst, false) ? isHanging : isRestHanging);
            });
        };
        if (ast::changedOperand(e) ||
            ast::isAny<ast::OpaqueExpression, ast::Lambda, ast::PointerMember>(e))
            return false;
        const bool chooses =
            ast::is<ast::Conditional>(e) || (ast::is<ast::Binary>(e) && ast::isShortCircuit(e));
        if (chooses) return areAsked(isHanging || hangs(e->child(0)));
        const bool mayFail = (e->is<ast::Call>() && !isTotal(e)) ||
                             (e->is<ast::Subscript>() && !accessAt(nest_, e)) ||
                             (e->is<ast::Unary>() && e->child(ast::Unary::op)->text() == "*") ||
                             (e->is<ast::Binary>() && divides(e));
        const bool isFixed =
            !e->is<ast::Subscript>() || !hangs(e->child(ast::Subscript::subscripts));
        return isFixed && !(mayFail && (isHanging || hangs(e))) &&
               (!e->is<ast::Call>() || isCheap(e)) && areAsked(isHanging);
    }

    /// Of integers.
    static bool divides(NodePtr binary) {
        const std::string_view op = binary->child(ast::Binary::op)->text();
        const bool isFloating = binary->type && binary->type->kind == ast::TypeKind::Floating;
        return (op == "/" || op == "%") && !isFloating;
    }
    /// A call that the C++ compiler can make for several iterations at once; of any values.
    static bool isTotal(NodePtr call) {
        const NodePtr callee = call->child(ast::Call::callee);
        return isChoice(call) || ast::convertedToNumber(call) || callee->text().ends_with("sqrt");
    }
    static bool isCheap(NodePtr call) {
        const NodePtr callee = call->child(ast::Call::callee);
        return analysis::isHarmlessForNumbers(call) &&
               (isTotal(call) || !extremeOf(call).empty() || ast::is<ast::Member>(callee) ||
                analysis::definitionOf(callee));
    }

    /// True if it hangs on numbers that outlive an iteration.
    bool hangs(NodePtr e) const {
        return ast::anywhere(e, [this](NodePtr each) {
            return each->is<ast::Identifier>() && hangsOn_.contains(each->text());
        });
    }
    void hangOn(std::string_view name, NodePtr value) {
        if (isHanging_ || hangs(value)) hangsOn_.insert(name);
    }

    /// The comparisons of which the condition is made, if it is true, or false.
    void note(NodePtr condition, bool isTrue) {
        condition = known(condition);
        if (ast::is<ast::Unary>(condition) && isNot(condition))
            return note(condition->child(ast::Unary::operand), !isTrue);
        if (!ast::is<ast::Binary>(condition)) return;
        const NodePtr left = condition->child(ast::Binary::left),
                      right = condition->child(ast::Binary::right);
        if (ast::isShortCircuit(condition)) return note(left, isTrue), note(right, isTrue);
        const std::string_view op = condition->child(ast::Binary::op)->text();
        noteSide(left, right, op, isTrue, false);
        noteSide(right, left, op, isTrue, true);
    }
    static bool isNot(NodePtr unary) {
        const std::string_view op = unary->child(ast::Unary::op)->text();
        return op == "!" || op == "not";
    }
    void noteSide(NodePtr own, NodePtr other, std::string_view op, bool isTrue, bool isRight) {
        own = ast::withoutParentheses(own);
        if (!ast::is<ast::Identifier>(own) || !lasting_.contains(own->text())) return;
        const bool isLess = op.starts_with('<'), isEqual = op == (isTrue ? "==" : "!=");
        if (!isEqual && op != "<" && op != ">" && op != "<=" && op != ">=") return;
        // `v < own`: the other one is below; so it is where `own < v` is false.
        const bool isBelow = (isLess == isRight) == isTrue;
        round_.push_back({own->text(), textOf(other),
                          isEqual   ? Comparison::Way::Equal
                          : isBelow ? Comparison::Way::Below
                                    : Comparison::Way::Above});
    }

    bool isRecord(const Comparison& comparison) const {
        return std::ranges::any_of(records_, [&](const Comparison& each) {
            return each.name == comparison.name && each.value == comparison.value &&
                   each.way != Comparison::Way::Equal &&
                   (each.way == comparison.way || comparison.way == Comparison::Way::Equal);
        });
    }

    /// What a constant of the iteration stands for.
    NodePtr known(NodePtr e) const {
        for (e = ast::withoutParentheses(e); ast::is<ast::Identifier>(e);
             e = ast::withoutParentheses(e)) {
            const auto constant = constants_.find(e->text());
            if (constant == constants_.end() || !constant->second) break;
            e = constant->second;
        }
        return e;
    }
    std::string textOf(NodePtr e) const { return ast::compact(known(e)); }

    Context& context_;
    const Nest& nest_;
    const Loop& loop_;
    const std::string& found_;
    const Names lasting_;                            // numbers that outlive an iteration,
    Names hangsOn_;                                  // and those that hang on them
    std::map<std::string_view, NodePtr> constants_;  // of the iteration
    std::vector<Comparison> round_;                  // those that hold for what is looked at
    std::vector<std::vector<Comparison>> changes_;   // those round each change
    std::unordered_set<NodePtr> sets_;               // the statements in their places
    std::vector<Comparison> records_;                // after which the two sides are the same
    bool isHanging_ = false;                         // under a condition that hangs on such numbers
    bool isKnown_ = true;
};

}  // namespace

NodePtr recordTest(Context& context, const Nest& nest, const Loop& loop, const std::string& found) {
    return Test(context, nest, loop, found).of(bodyOf(loop));
}

}  // namespace hpcc::nests
