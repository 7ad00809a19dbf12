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

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
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

struct Sent {
    long long messages = 0, bytes = 0;
};

enum class Joined { Element, Byte };
constexpr std::size_t everywhere = 99;

struct Joining {
    std::string_view function;
    std::size_t array, along;
    Joined what;
};

constexpr std::array joinings = {
#define ADLIB_JOINS(function, array, along, what) \
    Joining{"Adlib::" #function, array, along, Joined::what},
#include "check/adlib_arguments.def"
};

// Whether the dimensions along which a call joins elements of the array are divided.
bool joinsProcesses(const Joining& joining, NodePtr array, std::span<const NodePtr> arguments) {
    const std::size_t rank = typeOf(array)->slots.size();
    std::optional<long long> only;
    if (joining.along != everywhere) {
        only = joining.along < arguments.size() ? constantValue(arguments[joining.along]) : 0;
        if (!only) return false;
    }
    for (std::size_t r = 0; r < rank; ++r)
        if ((!only || *only == static_cast<long long>(r)) &&
            typeOf(array)->slots[r] == SlotKind::Distributed && isDivided(array, r))
            return true;
    return false;
}

// What a process in the middle of many sends for certain in one call.
Sent sentBy(NodePtr call) {
    const std::string name = alignment::adlibFunction(call->child(ast::Call::callee)->symbol);
    const auto arguments = call->child(ast::Call::arguments)->children();
    const auto array = [&](std::size_t k) {
        return k < arguments.size() && isKind(arguments[k], TypeKind::Multiarray) ? arguments[k]
                                                                                  : nullptr;
    };
    if (name == "Adlib::writeHalo") {
        const long long sent = arguments.size() == 1 && array(0) ? neighbours(array(0)) : 0;
        return {sent, sent > 0 ? sent * elementBytes(array(0)) : 0};
    }
    const auto joining = std::ranges::find(joinings, name, &Joining::function);
    if (joining == joinings.end()) return {};
    const NodePtr joined = array(joining->array);
    if (!joined || !joinsProcesses(*joining, joined, arguments)) return {};
    return {1, joining->what == Joined::Element ? elementBytes(joined) : 1};
}

// What a process in the middle of many sends for certain in one execution of a statement.
class Sending : public ast::EvaluationVisitor {
public:
    long long messages = 0, bytes = 0;
    std::vector<std::pair<NodePtr, long long>> calls;  // with the messages of one

    void visitCall(NodePtr node) override {
        visitChildren(node);
        const Sent sent = sentBy(node);
        if (sent.messages == 0) return;
        messages += sent.messages * rounds_;
        bytes += sent.bytes * rounds_;
        calls.emplace_back(node, sent.messages);
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
        rounds_ *= analysis::roundsOf(node);
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
    long long rounds_ = 1;
    bool hasEnded_ = false;
};

std::string numbered(long long number, const std::string& unit) {
    return std::to_string(number) + " " + unit + (number == 1 ? "" : "s");
}

void compareWithBudget(const Context& context, const ast::Budget& budget, const Sending& sending) {
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
    compareWithBudget(context, budget, sending);
}

}  // namespace hpcc::check
