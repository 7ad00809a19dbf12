// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 8: what a statement with a budget surely sends is within it.
#include "analysis/loop.hpp"
#include "ast/budget.hpp"
#include "ast/effects.hpp"
#include "ast/visitor.hpp"
#include "check/alignment/library_calls.hpp"
#include "check/facts.hpp"
#include "check/rules.hpp"
#include "check/shifts.hpp"

#include <charconv>
#include <vector>

namespace hpcc::check {
namespace {

// A dimension of an array over one of a grid that has as many processes as the job allows.
bool isDivided(NodePtr array, std::size_t r) {
    const RangeFacts facts = dimensionFacts(array, r);
    const Symbol* grid = facts.grid;
    return grid && grid->kind == ast::SymbolKind::Variable && !grid->initializer && grid->type &&
           !grid->type->isReference && !facts.format.empty() && facts.format != "CollapsedRange";
}

// The processes to which one in the middle of many sends in a writeHalo; 0 if that is not known.
long long neighbours(NodePtr array) {
    const std::vector<SlotKind>& slots = typeOf(array)->slots;
    long long places = 1;
    for (std::size_t r = 0; r < slots.size(); ++r) {
        if (slots[r] != SlotKind::Distributed) continue;
        const GhostCells ghosts = ghostCells(array, r);
        if (!isDivided(array, r) || !ghosts.below || !ghosts.above) return 0;
        places *= 1 + (*ghosts.below > 0) + (*ghosts.above > 0);
    }
    return places - 1;
}

long long elementBytes(NodePtr array) {
    const Type* element = typeOf(array)->element;
    if (!element) return 1;
    if (element->spelled == "double") return 8;
    if (element->spelled == "float") return 4;
    return element->kind == TypeKind::Integer ? element->number.bits / 8 : 1;
}

// 4 * 8: a product of literals; nothing for anything else.
std::optional<long long> literalProduct(std::string_view text) {
    long long product = 1;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('*', begin), text.size());
        std::string_view factor = text.substr(begin, end - begin);
        factor.remove_prefix(std::min(factor.find_first_not_of(' '), factor.size()));
        factor = factor.substr(0, factor.find_last_not_of(' ') + 1);
        long long value = 0;
        const auto [rest, error] = std::from_chars(factor.begin(), factor.end(), value);
        if (error != std::errc() || rest != factor.end()) return std::nullopt;
        product *= value;
        begin = end + 1;
    }
    return product;
}

// How often the body of a `for` with constant ends runs; 0 if that is not known.
long long roundsOf(NodePtr loop) {
    const auto counting = analysis::countingLoop(loop);
    if (!counting || !counting->isOwn || counting->endsByMeeting()) return 0;
    const auto first = constantValue(counting->first), bound = constantValue(counting->bound);
    const ast::Effects effects = ast::effectsOf(loop->child(ast::For::body));
    if (!first || !bound || effects.mayJump || effects.assigned.contains(counting->name->text()))
        return 0;
    const long long distance =
        (counting->step > 0 ? *bound - *first : *first - *bound) + counting->includesBound();
    const long long step = std::abs(counting->step);
    return distance <= 0 ? 0 : (distance + step - 1) / step;
}

// What a process in the middle of many sends for certain in one execution of a statement.
class Sending : public ast::EvaluationVisitor {
public:
    long long messages = 0, bytes = 0;
    std::vector<std::pair<NodePtr, long long>> calls;  // with the messages of one

    void visitCall(NodePtr node) override {
        visitChildren(node);
        const NodePtr arguments = node->child(ast::Call::arguments);
        const NodePtr array = arguments->children().empty() ? nullptr : arguments->child(0);
        if (!isKind(array, TypeKind::Multiarray)) return;
        const long long sent = messagesOf(node, array);
        if (sent == 0) return;
        messages += sent * rounds_;
        bytes += sent * rounds_ * elementBytes(array);
        calls.emplace_back(node, sent);
    }

    // What may run, or not.
    void visitLambda(NodePtr) override {}
    void visitClass(NodePtr) override {}
    void visitOverallExpression(NodePtr) override {}
    void visitConditional(NodePtr node) override {
        visit(node->child(ast::Conditional::condition));
    }
    void visitBinary(NodePtr node) override {
        const std::string_view op = node->child(ast::Binary::op)->text();
        visit(node->child(ast::Binary::left));
        if (op != "&&" && op != "||") visit(node->child(ast::Binary::right));
    }
    void visitCompound(NodePtr node) override {
        for (const NodePtr each : node->children()) {
            if (hasEnded_) return;
            visit(each);
            hasEnded_ |= each && ast::effectsOf(each).mayJump;
        }
    }
    void visitFor(NodePtr node) override {
        const long long outside = rounds_;
        rounds_ *= roundsOf(node);
        if (rounds_ > 0) visit(node->child(ast::For::body));
        rounds_ = outside;
    }
    void visitIf(NodePtr) override {}
    void visitWhile(NodePtr) override {}
    void visitDoWhile(NodePtr) override {}
    void visitRangeFor(NodePtr) override {}
    void visitSwitch(NodePtr) override {}
    void visitTry(NodePtr) override {}
    void visitLabel(NodePtr) override { hasEnded_ = true; }
    void visitOn(NodePtr) override {}
    void visitAt(NodePtr) override {}
    void visitOverall(NodePtr) override {}

private:
    static long long messagesOf(NodePtr call, NodePtr array) {
        const std::string name = alignment::adlibFunction(call->child(ast::Call::callee)->symbol);
        const bool isAlone = call->child(ast::Call::arguments)->children().size() == 1;
        if (name == "Adlib::writeHalo") return isAlone ? neighbours(array) : 0;
        if (!isAlone || !isOneOf(name, {"Adlib::sum", "Adlib::product", "Adlib::maxval",
                                        "Adlib::minval", "Adlib::any", "Adlib::all", "Adlib::count",
                                        "Adlib::maxloc", "Adlib::minloc"}))
            return 0;
        for (std::size_t r = 0; r < typeOf(array)->slots.size(); ++r)
            if (typeOf(array)->slots[r] == SlotKind::Distributed && isDivided(array, r)) return 1;
        return 0;
    }

    long long rounds_ = 1;
    bool hasEnded_ = false;
};

std::string numbered(long long number, const std::string& unit) {
    return std::to_string(number) + " " + unit + (number == 1 ? "" : "s");
}

void compare(const Context& context, const ast::Budget& budget, const Sending& sending) {
    const auto messages = literalProduct(budget.messages), bytes = literalProduct(budget.bytes);
    const bool isMany = messages && sending.messages > *messages;
    if (!isMany && !(bytes && sending.bytes > *bytes)) return;
    auto report = isMany ? context.report(Id::OverBudget, budget.attribute,
                                          numbered(*messages, "message"), sending.messages)
                         : context.report(Id::OverBudget, budget.attribute,
                                          numbered(*bytes, "byte"), sending.bytes);
    for (const auto& [call, sent] : sending.calls)
        report.note(call->span(), numbered(sent, "message") + " in each execution");
}

}  // namespace

void withinBudget(const Context& context, NodePtr node) {
    const ast::Budget budget = ast::budgetOf(node);
    if (!budget.attribute) return;
    if (!budget.wrong.empty()) {
        context.report(Id::AttributeArgument, budget.attribute, "budget", budget.wrong,
                       "it takes messages = .., bytes = .., or both");
        return;
    }
    NodePtr sender = node->child(ast::Attributed::declaration);
    if (ast::is<ast::FunctionDefinition>(sender))
        sender = sender->child(ast::FunctionDefinition::body);
    const bool isStatement = ast::isStatement(sender) && !ast::is<ast::Declaration>(sender);
    if (!isStatement) {
        context.report(Id::AttributePlace, budget.attribute, "budget", "a declaration",
                       "what sends is a statement, or the body of a function");
        return;
    }
    Sending sending;
    sending.visit(sender);
    compare(context, budget, sending);
}

}  // namespace hpcc::check
