// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/assert_independence.hpp"

#include <map>
#include <unordered_set>

#include "ast/comments.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/independent.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/subscripts.hpp"
#include "ast/visitor.hpp"
#include "ast/writer.hpp"
#include "lower/writes.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

/// The arrays that a nest accesses, by simple expressions whose value it does not change.
class ArrayCollector : public ast::Visitor {
public:
    explicit ArrayCollector(NodePtr nest) : effects_(ast::effectsOf(nest)) { visit(nest); }

    std::vector<NodePtr> arrays;

    void visitSubscript(NodePtr node) override {
        const NodePtr base = node->child(ast::Subscript::base);
        if (elementAccess(node) == node && ast::isSimple(base) &&
            !effects_.touches(ast::namesIn(base)) && texts_.insert(ast::print(base)).second)
            arrays.push_back(base);
        visitChildren(node);
    }

private:
    const ast::Effects effects_;
    std::unordered_set<std::string> texts_;
};

/// Makes of a nest one that tells what it accesses.
class Observer : public ast::Rewriter {
public:
    Observer(ast::Writer& writer, std::string name)
        : Rewriter(writer.arena), writer_(writer), name_(std::move(name)) {}

    NodePtr rewriteOverall(NodePtr overall) override {
        const NodePtr header = overall->child(ast::Overall::headers)->child(0);
        const NodePtr index = header->child(ast::OverallHeader::index);
        const std::string variable(index->text());
        const std::string loop = writer_.names.name(variable + "_loop");
        const NodePtr rewritten = rewriteChildren(overall);
        const NodePtr body = writer_.statement(
            "{\n"
            "    $loop.at($i);\n"
            "    $body;\n"
            "}",
            {{"$loop", named(loop, index)},
             {"$i", valueOf(header)},
             {"$body", rewritten->child(ast::Overall::body)}},
            rewritten->child(ast::Overall::body));
        return writer_.statement(
            "{\n"
            "    hpspmd::detail::Independence::Loop $loop($nest, $name);\n"
            "    $overall;\n"
            "}",
            {{"$loop", named(loop, index)},
             {"$nest", named(name_, index)},
             {"$name", named(ast::stringLiteral(variable), index)},
             {"$overall", ast::withChild(arena(), rewritten, ast::Overall::body, body)}},
            overall);
    }

    NodePtr rewriteAssign(NodePtr node) override { return writing(node); }
    NodePtr rewritePostfix(NodePtr node) override { return writing(node); }
    NodePtr rewriteUnary(NodePtr node) override { return writing(node); }
    NodePtr rewriteCall(NodePtr node) override {
        const NodePtr callee = node->child(ast::Call::callee);
        if (callee->text() == "std::swap")
            for (const NodePtr argument : node->child(ast::Call::arguments)->children())
                reach(argument).writes = true;
        // The function is no part of the element.
        if (callee->is<ast::Member>()) reach(callee->child(ast::Member::base));
        return rewriteChildren(node);
    }
    NodePtr rewriteMember(NodePtr node) override {
        reach(node);
        return rewriteChildren(node);
    }
    NodePtr rewriteSubscript(NodePtr node) override {
        if (!elementAccess(node)) return rewriteChildren(node);
        const Reach reached = reach(node);
        const NodePtr element = withoutObserving(node);
        const NodePtr base = elementAccess(node)->child(ast::Subscript::base);
        std::vector<NodePtr> arguments{element, named(ast::stringLiteral(ast::print(base)), node)};
        if (!reached.part.empty())
            arguments.push_back(named(ast::stringLiteral(reached.part), node));
        return writer_.expression(
            reached.writes ? "$nest.write($arguments)" : "$nest.read($arguments)",
            {{"$nest", named(name_, node)}, {"$arguments", arguments}}, node);
    }

    NodePtr rewriteLabel(NodePtr node) override { return renamed(node, ast::Label::name); }
    NodePtr rewriteGoto(NodePtr node) override { return renamed(node, ast::Goto::target); }

    // What is not evaluated here.
    NodePtr rewriteLambda(NodePtr node) override { return node; }
    NodePtr rewriteClass(NodePtr node) override { return node; }
    NodePtr rewriteSizeof(NodePtr node) override { return node; }
    NodePtr rewriteNoexcept(NodePtr node) override { return node; }
    NodePtr rewriteDecltypeType(NodePtr node) override { return node; }
    NodePtr rewriteOverallExpression(NodePtr node) override { return node; }

private:
    /// What is done to an element, or to the object inside of it that a subscript names.
    struct Reach {
        bool isKnown = false;
        bool writes = false;
        std::string part;  // the members behind: `pos.x` of a[i].pos.x
    };

    /// Of an expression `a[i].u[k].v`: that of `a[i].u[k]`.
    Reach& reach(NodePtr expression) {
        std::string part;
        expression = ast::withoutParentheses(expression);
        while (ast::is<ast::Member>(expression)) {
            const std::string name(expression->child(ast::Member::name)->text());
            part = part.empty() ? name : name + "." + part;
            expression = ast::withoutParentheses(expression->child(ast::Member::base));
        }
        Reach& result = reached_[expression];
        if (!result.isKnown) result.part = part;
        result.isKnown = true;
        return result;
    }

    NodePtr writing(NodePtr node) {
        if (const NodePtr target = ast::changedOperand(node)) reach(target).writes = true;
        return rewriteChildren(node);
    }

    /// `a[i].u[k]` with only the subscripts rewritten.
    NodePtr withoutObserving(NodePtr node) {
        if (node->is<ast::Subscript>()) {
            const NodePtr parts[] = {withoutObserving(node->child(ast::Subscript::base)),
                                     rewrite(node->child(ast::Subscript::subscripts))};
            return ast::rebuild(arena(), node, parts);
        }
        const bool isPart = node->is<ast::Member>() || node->is<ast::Parenthesized>();
        if (!isPart || !elementAccess(node)) return rewrite(node);
        return ast::withChild(arena(), node, 0, withoutObserving(node->child(0)));
    }

    /// Of two forms of a nest in one function only one keeps its labels.
    NodePtr renamed(NodePtr node, uint32_t slot) {
        const NodePtr rewritten = rewriteChildren(node);
        const NodePtr label = rewritten->child(slot);
        if (!label->is<ast::Identifier>()) return rewritten;
        const std::string name = writer_.names.name(std::string(label->text()) + "_asserted");
        return ast::withChild(arena(), rewritten, slot, named(name, label));
    }

    /// The index, with the type by which later stages see that it is used as a value.
    NodePtr valueOf(NodePtr header) {
        const NodePtr index = header->child(ast::OverallHeader::index);
        const NodePtr value = named(std::string(index->text()), index);
        value->symbol = header->symbol;
        if (header->symbol) value->type = header->symbol->type;
        return value;
    }

    NodePtr named(const std::string& name, NodePtr origin) {
        return ast::identifier(arena(), name, origin);
    }

    ast::Writer& writer_;
    const std::string name_;
    std::map<NodePtr, Reach> reached_;
};

class Asserter : public ast::Rewriter {
public:
    explicit Asserter(ast::Writer writer)
        : Rewriter(writer.arena, ast::extension), writer_(writer) {}

    NodePtr rewriteAttributed(NodePtr node) override {
        isAsserted_ = ast::isAssertedIndependent(node);
        const NodePtr rewritten = rewriteChildren(node);
        isAsserted_ = false;
        return rewritten;
    }
    NodePtr rewriteOverall(NodePtr overall) override {
        const bool isAsserted = std::exchange(isAsserted_, false);
        if (isAsserted && !ast::holdsDirective(overall->text())) return checked(overall);
        return rewriteChildren(overall);
    }

private:
    NodePtr checked(NodePtr overall) {
        const NodePtr header = overall->child(ast::Overall::headers)->child(0);
        const NodePtr index = header->child(ast::OverallHeader::index);
        const std::string name = writer_.names.name(std::string(index->text()) + "_asserted");
        const auto named = [&](std::string text) {
            return ast::identifier(arena(), std::move(text), index);
        };
        std::vector<NodePtr> arguments{
            writer_.expression("hpspmd::detail::Where::here()", {}, index)};
        for (const NodePtr array : ArrayCollector(overall).arrays)
            arguments.push_back(named(ast::print(array)));
        const NodePtr nest = Observer(writer_, name).rewrite(ast::copy(arena(), overall));
        return writer_.statement(
            "if (hpspmd::detail::checksIndependence()) {\n"
            "    hpspmd::detail::Independence $name($arguments);\n"
            "    $nest;\n"
            "    $name2.compare();\n"
            "} else $plain;",
            {{"$name", named(name)},
             {"$arguments", arguments},
             {"$nest", nest},
             {"$name2", named(name)},
             {"$plain", overall}},
            overall);
    }

    ast::Writer writer_;
    bool isAsserted_ = false;
};

}  // namespace

NodePtr assertedElement(NodePtr call) {
    if (!ast::is<ast::Call>(call)) return nullptr;
    const NodePtr callee = call->child(ast::Call::callee);
    if (!ast::is<ast::Member>(callee)) return nullptr;
    const NodePtr base = callee->child(ast::Member::base);
    if (!ast::is<ast::Identifier>(base) || !base->text().ends_with("_asserted")) return nullptr;
    return call->child(ast::Call::arguments)->child(0);
}

ast::Unit assertIndependence(ast::Unit unit, ast::Quoter& quote) {
    if (!unit.hasExtensions) return unit;
    unit.root =
        Asserter({*unit.arena, quote, ast::FreshNames(unit.identifiers)}).rewrite(unit.root);
    return unit;
}

}  // namespace hpcc::lower
