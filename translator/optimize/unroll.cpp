// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/unroll.hpp"

#include <algorithm>

#include "ast/copy.hpp"
#include "ast/copyable.hpp"
#include "ast/declarators.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "ast/visitor.hpp"
#include "optimize/bodies.hpp"
#include "optimize/counters.hpp"

namespace hpcc::optimize {
namespace {

constexpr long mostIterations = 4;
constexpr const char* notPairs = "this loop takes its iterations one by one";
constexpr const char* notTwice =
    "because this is too long, or holds a jump, a switch, a lambda or C++ that is not looked into";

/// `i.global` of one index, as an operand of sums.
bool isGlobalOf(NodePtr node, std::string_view index) {
    node = ast::withoutParentheses(node);
    return ast::is<ast::Member>(node) && node->child(ast::Member::name)->text() == "global" &&
           ast::is<ast::Identifier>(node->child(ast::Member::base)) &&
           node->child(ast::Member::base)->text() == index;
}

/// `(i.global + e) % 2`, `(e + i.global) % 2`, `i.global % 2` in the arguments of localBlocks.
struct ParityFinder : ast::Visitor {
    explicit ParityFinder(std::string_view index) : index(index) {}
    std::string_view index;
    std::vector<NodePtr> globals;  // the i.global in each
    std::vector<NodePtr> others;   // the e of each; null if there is none

    void visitOther(NodePtr node) override {
        if (inBlocks_ || node->contains(ast::call)) visitChildren(node);
    }
    void visitCall(NodePtr node) override {
        const NodePtr callee = node->child(ast::Call::callee);
        const bool outer = inBlocks_;
        inBlocks_ |= ast::is<ast::Member>(callee) &&
                     callee->child(ast::Member::name)->text() == "localBlocks";
        visitChildren(node);
        inBlocks_ = outer;
    }
    void visitBinary(NodePtr node) override {
        if (!inBlocks_ || node->child(ast::Binary::op)->text() != "%" ||
            node->child(ast::Binary::right)->text() != "2")
            return visitChildren(node);
        const NodePtr sum = ast::withoutParentheses(node->child(ast::Binary::left));
        if (isGlobalOf(sum, index)) return found(sum, nullptr);
        if (!ast::is<ast::Binary>(sum) || sum->child(ast::Binary::op)->text() != "+") return;
        const NodePtr left = sum->child(ast::Binary::left), right = sum->child(ast::Binary::right);
        if (isGlobalOf(left, index)) found(left, right);
        if (isGlobalOf(right, index)) found(right, left);
    }

private:
    void found(NodePtr global, NodePtr other) {
        globals.push_back(ast::withoutParentheses(global));
        others.push_back(other);
    }
    bool inBlocks_ = false;
};

/// Replaces nodes by copies of others, making a fresh tree.
class Copier {
public:
    explicit Copier(ast::Arena& arena) : arena_(arena) {}
    std::unordered_map<NodePtr, NodePtr> replaced;

    NodePtr copy(NodePtr node) {
        if (!node) return nullptr;
        if (const auto other = replaced.find(node); other != replaced.end())
            return ast::copy(arena_, other->second);
        boost::container::small_vector<NodePtr, 8> children;
        for (const NodePtr child : node->children()) children.push_back(copy(child));
        const NodePtr result = arena_.rebuilt(node, node, {children.data(), children.size()});
        result->type = node->type;
        result->symbol = node->symbol;
        return result;
    }

private:
    ast::Arena& arena_;
};

class Unroller : BodyPass {
public:
    static bool concerns(const Body& body) { return body.hasLoops; }

    using BodyPass::BodyPass;

    void run() {
        for (const FollowingIndex& index : counters_.indices()) unrollByTwo(index);
        for (const Counter& counter : counters_.counters()) unrollWhole(counter);
    }

private:
    // ---- pairs of rows -------------------------------------------------------------------------

    void unrollByTwo(const FollowingIndex& index) {
        const Counter& counter = counters_.counters()[static_cast<size_t>(index.counter)];
        const NodePtr loop = graph.place(counter.loop).statement;
        const NodePtr body = loop->child(ast::For::body);
        const std::string_view name = graph.names()[index.variable - firstVariable].name;
        const std::string_view k = graph.names()[counter.variable - firstVariable].name;
        for (const int other : done_)
            if (graph.isInside(counter.loop, other) || graph.isInside(other, counter.loop)) return;
        if (counter.step != 1 || !isBlockLoop(loop, index)) return;
        ParityFinder finder(name);
        finder.visit(body);
        if (finder.globals.empty()) return;
        const int blocks = graph.place(counter.loop).parent;
        std::vector<NodePtr> asked;  // whether it is negative
        for (const NodePtr other : finder.others) {
            if (!other || keepsParity(other, counter.loop)) continue;
            if (!isWholeBody(counter.loop, blocks) || !isSteady(other, blocks))
                return function.missed(loop, notPairs, other,
                                       "because this may change in the loop");
            const auto same = [&](NodePtr each) { return each->text() == other->text(); };
            if (std::ranges::none_of(asked, same)) asked.push_back(other);
        }
        if (!ast::isCopyable(body, 2000)) return function.missed(loop, notPairs, body, notTwice);
        const NodePtr block = index.block;
        const NodePtr first = iteration(body, index, finder.globals, block, k, false);
        const NodePtr second = iteration(body, index, finder.globals, block, k, true);
        const auto unrolled = [=, this](const auto&) {
            return pairs(loop, block, k, first, second);
        };
        if (asked.empty())
            edits.replace(loop, unrolled);
        else
            edits.replace(graph.place(blocks).statement, [=, this](const auto& edited) {
                return ifNotNegative(asked, blocks, loop, unrolled(edited));
            });
        done_.push_back(counter.loop);
        function.fired(loop,
                       "this loop takes two iterations at a time: an inner one depends on "
                       "whether '" +
                           std::string(name) + "`' is odd");
    }

    /// `for (hpspmd::Index i_k = 0; i_k < i_block.count; ++i_k)`, as lowering writes it.
    bool isBlockLoop(NodePtr loop, const FollowingIndex& index) const {
        const NodePtr condition = loop->child(ast::For::condition);
        if (!ast::is<ast::Binary>(condition) || index.offset != 0) return false;
        const NodePtr count = condition->child(ast::Binary::right);
        return condition->child(ast::Binary::op)->text() == "<" && ast::is<ast::Member>(count) &&
               count->child(ast::Member::name)->text() == "count" &&
               count->child(ast::Member::base)->text() == index.block->text();
    }

    /// One of the two bodies: the parity is that of the first, or the second, row of the block.
    NodePtr iteration(NodePtr body, const FollowingIndex& index,
                      const std::vector<NodePtr>& globals, NodePtr block, std::string_view k,
                      bool isSecond) {
        Copier copier(function.arena());
        for (const NodePtr global : globals)
            copier.replaced[global] = function.expression(
                isSecond ? "($block.globalBase + $block2.globalStep)" : "$block.globalBase",
                {{"$block", name(block->text(), global)}, {"$block2", name(block->text(), global)}},
                global);
        if (isSecond) {
            const NodePtr declarator = ast::declaratorsOf(index.declaration)[0];
            const NodePtr last = declarator->child(ast::InitDeclarator::initializer)->children()[2];
            copier.replaced[last] = function.expression("$k + 1", {{"$k", name(k, last)}}, last);
        }
        return copier.copy(body);
    }

    NodePtr pairs(NodePtr loop, NodePtr block, std::string_view k, NodePtr first, NodePtr second) {
        return function.statement(
            "for (hpspmd::Index $k = 0; $k2 < $block.count; $k3 += 2) {\n"
            "    $first;\n"
            "    if ($k4 + 1 < $block2.count) $second;\n"
            "}",
            {{"$k", name(k, loop)},
             {"$k2", name(k, loop)},
             {"$k3", name(k, loop)},
             {"$k4", name(k, loop)},
             {"$block", name(block->text(), loop)},
             {"$block2", name(block->text(), loop)},
             {"$first", first},
             {"$second", second}},
            loop);
    }

    /// True if the loop is all that the loop over blocks does.
    bool isWholeBody(int loop, int blocks) const {
        return graph.place(loop).edge == Edge::Loop &&
               graph.place(blocks).statement->is<ast::RangeFor>();
    }

    /// The loop over blocks with the unrolled loop, and as it was. The remainder of a negative
    /// number has its sign, so the parity alone does not tell it.
    NodePtr ifNotNegative(const std::vector<NodePtr>& asked, int blocks, NodePtr loop,
                          NodePtr unrolled) {
        const NodePtr statement = graph.place(blocks).statement;
        NodePtr test = nullptr;
        for (const NodePtr each : asked) {
            const NodePtr part =
                function.expression("$e >= 0", {{"$e", ast::copy(function.arena(), each)}}, each);
            test = test ? function.expression("$test && $part", {{"$test", test}, {"$part", part}},
                                              each)
                        : part;
        }
        Copier copier(function.arena());
        copier.replaced[loop] = unrolled;
        return function.statement(
            "if ($test) {\n"
            "    $pairs;\n"
            "} else {\n"
            "    $blocks;\n"
            "}",
            {{"$test", test}, {"$pairs", copier.copy(statement)}, {"$blocks", statement}}, loop);
    }

    NodePtr name(std::string_view text, NodePtr origin) {
        return function.identifier(std::string(text), origin);
    }

    /// Sums and products of signed integers that the loop does not assign.
    bool isSteady(NodePtr e, int loop) const {
        e = ast::withoutParentheses(e);
        long value = 0;
        if (ast::is<ast::NumberLiteral>(e)) return asPlainInteger(e, value);
        if (ast::is<ast::Binary>(e)) {
            const std::string_view op = e->child(ast::Binary::op)->text();
            return (op == "+" || op == "-" || op == "*") &&
                   isSteady(e->child(ast::Binary::left), loop) &&
                   isSteady(e->child(ast::Binary::right), loop);
        }
        if (!ast::is<ast::Identifier>(e)) return keepsParity(e, loop);
        const int variable = graph.variableOf(e);
        if (variable < firstVariable || !graph.isDeclaredBefore(variable, loop)) return false;
        const ast::Type* type = e->type || !e->symbol ? e->type : e->symbol->type;
        return ast::mayRearrange(type) && type->number.isSigned && !isAssignedIn(loop, variable);
    }

    bool isAssignedIn(int loop, int variable) const {
        for (const Block& block : graph.blocks())
            for (const Step& step : block.steps)
                if (graph.isInside(step.place, loop) &&
                    std::ranges::find(step.defs, variable) != step.defs.end())
                    return true;
        return false;
    }

    /// True if it stays the same in the loop, and is surely not negative.
    bool keepsParity(NodePtr e, int loop) const {
        e = ast::withoutParentheses(e);
        long value = 0;
        if (ast::is<ast::NumberLiteral>(e)) return asPlainInteger(e, value);
        if (ast::is<ast::Binary>(e))
            return (e->child(1)->text() == "+" || e->child(1)->text() == "*") &&
                   keepsParity(e->child(0), loop) && keepsParity(e->child(2), loop);
        if (ast::is<ast::Call>(e)) return isSize(e) && isConstantName(e->child(0)->child(0));
        if (!ast::is<ast::Identifier>(e)) return false;
        const int variable = graph.variableOf(e);
        if (variable < firstVariable) return false;
        if (const Counter* counter = counters_.counterOf(variable))
            return counter->step > 0 && asPlainInteger(counter->first, value) &&
                   graph.isInside(loop, counter->loop) && loop != counter->loop;
        const Variable& known = graph.names()[variable - firstVariable];
        const auto isItself = [&](NodePtr each) {
            return each->is<ast::Identifier>() && graph.variableOf(each) == variable;
        };
        if (!known.isConstant() || ast::anywhere(known.initializer, isItself)) return false;
        if (ast::is<ast::EqualInitializer>(known.initializer) &&
            keepsParity(known.initializer->child(0), loop))
            return true;
        return known.specifiers &&
               known.specifiers->text().find("unsigned") != std::string_view::npos;
    }

    /// x.size() is never negative.
    static bool isSize(NodePtr call) {
        return ast::inquiryOf(call) &&
               call->child(ast::Call::callee)->child(ast::Member::name)->text() == "size";
    }
    bool isConstantName(NodePtr node) const {
        const int variable = ast::is<ast::Identifier>(node) ? graph.variableOf(node) : -1;
        return variable >= firstVariable && graph.isConstant(variable);
    }

    // ---- small loops ---------------------------------------------------------------------------

    /// `for (int k = 0; k < 3; ++k) S` with element accesses becomes three blocks.
    void unrollWhole(const Counter& counter) {
        const Place& place = graph.place(counter.loop);
        const NodePtr loop = place.statement;
        const NodePtr body = loop->child(ast::For::body);
        for (const int other : done_)
            if (graph.isInside(counter.loop, other) || graph.isInside(other, counter.loop)) return;
        const auto values = valuesOf(counter, loop);
        if (values.empty() || !place.canPrecede || !accessesElements(body) ||
            definesType(graph.names()[counter.variable - firstVariable]))
            return;
        if (!ast::isCopyable(body, 300))
            return function.missed(loop, "this loop is not written out", body, notTwice);
        std::vector<NodePtr> copies;
        for (const long value : values) copies.push_back(withCounter(counter, loop, body, value));
        edits.replace(loop, [this, copies, loop, inList = place.edge == Edge::List](const auto&) {
            return inList ? ast::sequence(function.arena(), copies, loop)
                          : blockOf(function, copies, nullptr);
        });
        done_.push_back(counter.loop);
        function.fired(loop, "this loop is written out: " + std::to_string(values.size()) +
                                 (values.size() == 1 ? " iteration" : " iterations"));
    }

    std::vector<long> valuesOf(const Counter& counter, NodePtr loop) const {
        const NodePtr condition = loop->child(ast::For::condition);
        long first = 0, end = 0;
        if (!ast::is<ast::Binary>(condition) || counter.step <= 0) return {};
        const std::string_view op = condition->child(ast::Binary::op)->text();
        const NodePtr left = condition->child(ast::Binary::left);
        if ((op != "<" && op != "<=") || !ast::is<ast::Identifier>(left) ||
            graph.variableOf(left) != counter.variable || !asPlainInteger(counter.first, first) ||
            !asPlainInteger(condition->child(ast::Binary::right), end))
            return {};
        std::vector<long> values;
        for (long k = first; op == "<" ? k < end : k <= end; k += counter.step) {
            values.push_back(k);
            if (static_cast<long>(values.size()) > mostIterations) return {};
        }
        return values;
    }

    static bool accessesElements(NodePtr node) {
        return ast::anywhere(node, [](NodePtr each) {
            return each->is<ast::Member>() && each->child(ast::Member::name)->text() == "stride";
        });
    }

    /// `{ const int k = 2; S }`
    NodePtr withCounter(const Counter& counter, NodePtr loop, NodePtr body, long value) {
        const Variable& variable = graph.names()[counter.variable - firstVariable];
        const NodePtr declaration = function.statement(
            "const $T $k = $value;",
            {{"$T", typeOf(variable, loop)},
             {"$k", name(variable.name, loop)},
             {"$value", ast::literal(function.arena(), std::to_string(value), loop)}},
            loop);
        Copier copier(function.arena());
        return function.statement(
            "{\n"
            "    $declaration;\n"
            "    $body;\n"
            "}",
            {{"$declaration", declaration}, {"$body", copier.copy(body)}}, loop);
    }

    /// `struct S { .. } k`
    static bool definesType(const Variable& variable) {
        const NodePtr specifiers = variable.specifiers;
        const NodePtr core = ast::is<ast::Specifiers>(specifiers)
                                 ? specifiers->child(ast::Specifiers::core)
                                 : specifiers;
        return ast::is<ast::Class>(core) || ast::is<ast::Enum>(core);
    }

    /// The type's own words, without const.
    NodePtr typeOf(const Variable& variable, NodePtr loop) {
        const NodePtr core = variable.specifiers->is<ast::Specifiers>()
                                 ? variable.specifiers->child(ast::Specifiers::core)
                                 : nullptr;
        return name(ast::print(core ? core : variable.specifiers), loop);
    }

    Counters counters_{graph};
    std::vector<int> done_;  // loops; one inside another waits for a further pass
};

}  // namespace

ast::Unit unrollLoops(ast::Unit unit, ast::Quoter& quote) {
    return improveBodies<Unroller>(std::move(unit), quote, "unroll");
}

}  // namespace hpcc::optimize
