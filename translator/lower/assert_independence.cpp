// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/assert_independence.hpp"

#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ast/comments.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/independent.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/visitor.hpp"
#include "ast/whole.hpp"
#include "ast/writer.hpp"
#include "lower/observed_functions.hpp"
#include "lower/observer.hpp"
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

class Asserter : public ast::Rewriter {
public:
    Asserter(ast::Writer writer, const ObservedFunctions& functions)
        : Rewriter(writer.arena),
          writer_(std::move(writer)),
          functions_(functions),
          nest_(writer_.names.name("nest_asserted")) {}

    NodePtr rewriteAttributed(NodePtr node) override {
        promises_ = ast::promisesOf(node);
        isAsserted_ = ast::isAssertedIndependent(node) || !promises_.empty();
        const NodePtr rewritten = rewriteChildren(node);
        isAsserted_ = false;
        return rewritten;
    }
    NodePtr rewriteOverall(NodePtr overall) override {
        const bool isAsserted = std::exchange(isAsserted_, false);
        const auto promises = std::exchange(promises_, {});
        if (isAsserted && !ast::holdsDirective(overall->text())) return checked(overall, promises);
        return rewriteChildren(overall);
    }

    // A second form stands behind the first one.
    NodePtr rewriteTranslationUnit(NodePtr node) override { return withForms(node); }
    NodePtr rewriteMembers(NodePtr node) override { return withForms(node); }
    NodePtr rewriteCompound(NodePtr node) override { return withForms(node); }
    NodePtr rewriteTemplate(NodePtr node) override {
        const NodePtr rewritten = rewriteChildren(node);
        if (forms_.empty()) return rewritten;
        const NodePtr form = std::exchange(forms_.back(), ast::copy(arena(), node));
        forms_.back() = ast::withChild(arena(), forms_.back(), ast::Template::declaration, form);
        return rewritten;
    }
    NodePtr rewriteFunctionDefinition(NodePtr node) override {
        const CodePlace outer = std::exchange(place_, functions_.placeOf(node));
        if (node->symbol && functions_.isWanted(node->symbol->declaration))
            forms_.push_back(formOf(node, node->symbol->declaration));
        NodePtr rewritten = rewriteChildren(node);
        if (functions_.unnamed().isMentioned(node)) rewritten = asking(rewritten, node);
        place_ = outer;
        return rewritten;
    }
    NodePtr rewriteLambda(NodePtr node) override {
        const bool before = place_.capturesAll;
        place_.capturesAll = before && capturesAll(node);
        const NodePtr rewritten = rewriteChildren(node);
        place_.capturesAll = before;
        return rewritten;
    }
    NodePtr rewriteDeclaration(NodePtr node) override {
        const NodePtr list = node->child(ast::Declaration::declarators);
        const NodePtr variable = list && !list->children().empty() ? list->child(0) : nullptr;
        if (variable && variable->symbol && functions_.isWanted(variable->symbol->declaration))
            forms_.push_back(formOfLambda(node, variable->symbol->declaration));
        return rewriteChildren(node);
    }

private:
    static NodePtr bodyOf(NodePtr function) { return function->children().back(); }

    NodePtr withForms(NodePtr list) {
        const auto outer = std::exchange(forms_, {});
        std::vector<NodePtr> children;
        for (const NodePtr each : list->children()) {
            children.push_back(rewrite(each));
            children.insert(children.end(), forms_.begin(), forms_.end());
            forms_.clear();
        }
        forms_ = outer;
        return ast::rebuild(arena(), list, children);
    }

    NodePtr formOf(NodePtr definition, NodePtr declaration) {
        const NodePtr copy = ast::copy(arena(), definition);
        const NodePtr specifiers = copy->child(ast::FunctionDefinition::specifiers);
        const NodePtr initializers = copy->child(ast::FunctionDefinition::initializers);
        const NodePtr parts[] = {specifiers ? NotConstant(arena()).rewrite(specifiers) : nullptr,
                                 FormDeclarator(*this, functions_.nameOf(declaration))
                                     .rewrite(copy->child(ast::FunctionDefinition::declarator)),
                                 initializers ? observed(initializers, place_) : nullptr,
                                 observed(bodyOf(copy), place_)};
        return ast::rebuild(arena(), copy, parts);
    }

    /// `auto f = [..] ..;`
    NodePtr formOfLambda(NodePtr statement, NodePtr declaration) {
        const auto with = [this](NodePtr node, uint32_t slot, NodePtr child) {
            return ast::withChild(arena(), node, slot, child);
        };
        const NodePtr copy = ast::copy(arena(), statement);
        const NodePtr list = copy->child(ast::Declaration::declarators), variable = list->child(0),
                      initializer = variable->child(ast::InitDeclarator::initializer),
                      lambda = initializer->child(ast::EqualInitializer::value);
        CodePlace inside = place_;
        inside.capturesAll = inside.capturesAll && capturesAll(lambda);
        const NodePtr parts[] = {
            lambda->child(ast::Lambda::captures), lambda->child(ast::Lambda::templateParameters),
            parameters(lambda->child(ast::Lambda::parameters), lambda),
            lambda->child(ast::Lambda::qualifiers), observed(bodyOf(lambda), inside)};
        const NodePtr named =
            with(variable, ast::InitDeclarator::declarator,
                 ast::identifier(arena(), functions_.nameOf(declaration), variable));
        const NodePtr form = with(
            named, ast::InitDeclarator::initializer,
            with(initializer, ast::EqualInitializer::value, ast::rebuild(arena(), lambda, parts)));
        return with(copy, ast::Declaration::declarators, with(list, 0, form));
    }

    /// Of one that nobody names (UnnamedFunctions).
    NodePtr asking(NodePtr rewritten, NodePtr definition) {
        const NodePtr body = writer_.statement(
            "{\n"
            "    if (hpspmd::detail::checkedNest() != nullptr) {\n"
            "        hpspmd::detail::Independence &$nest = *hpspmd::detail::checkedNest();\n"
            "        (void)$nest2;\n"
            "        $noted;\n"
            "    } else $plain;\n"
            "}",
            {{"$nest", ast::identifier(arena(), nest_, definition)},
             {"$nest2", ast::identifier(arena(), nest_, definition)},
             {"$noted", observed(ast::copy(arena(), bodyOf(definition)), place_)},
             {"$plain", bodyOf(rewritten)}},
            definition);
        return ast::withChild(arena(), rewritten, ast::FunctionDefinition::body, body);
    }

    NodePtr observed(NodePtr body, const CodePlace& place) {
        return Observer(writer_, functions_, place, nest_).rewrite(body);
    }

    /// Those of a function, which may be none, behind that of the nest.
    NodePtr parameters(NodePtr all, NodePtr origin) {
        std::vector<NodePtr> own;
        if (all) own.assign(all->children().begin(), all->children().end());
        const NodePtr function = writer_.quote.declaration(
            arena(), "void f(hpspmd::detail::Independence &$nest, $parameters);",
            {{"$nest", ast::identifier(arena(), nest_, origin)}, {"$parameters", own}}, origin);
        return ast::allOf<ast::Parameters>(function).front();
    }

    /// `f(int i)` as `f_asserted(hpspmd::detail::Independence &nest_asserted, int i)`
    struct FormDeclarator : Rewriter {
        FormDeclarator(Asserter& own, std::string given)
            : Rewriter(own.arena()), asserter(own), name(std::move(given)) {}
        NodePtr rewriteFunctionDeclarator(NodePtr node) override {
            const NodePtr parts[] = {
                ast::identifier(arena(), name, node),
                asserter.parameters(node->child(ast::FunctionDeclarator::parameters), node),
                node->child(ast::FunctionDeclarator::qualifiers)};
            return ast::rebuild(arena(), node, parts);
        }
        Asserter& asserter;
        const std::string name;
    };

    /// What notes accesses is computed when the program runs.
    struct NotConstant : Rewriter {
        using Rewriter::Rewriter;
        NodePtr rewriteSpecifier(NodePtr node) override {
            const bool isConstant = node->text() == "constexpr" || node->text() == "consteval";
            return isConstant ? ast::identifier(arena(), "inline", node) : node;
        }
    };

    NodePtr checked(NodePtr overall, const std::vector<ast::Promise>& promises) {
        const NodePtr header = overall->child(ast::Overall::headers)->child(0);
        const NodePtr index = header->child(ast::OverallHeader::index);
        const std::string name = writer_.names.name(std::string(index->text()) + "_asserted");
        const auto named = [&](std::string text) {
            return ast::identifier(arena(), std::move(text), index);
        };
        std::vector<NodePtr> arguments{
            writer_.expression("hpspmd::detail::Where::here()", {}, index)};
        for (const ast::Promise& each : promises)
            arguments.push_back(named("hpspmd::detail::" + std::string(each.made) + ".as(" +
                                      ast::stringLiteral(std::string(each.array)) + ")"));
        if (promises.empty())
            for (const NodePtr array : ArrayCollector(overall).arrays)
                arguments.push_back(named(ast::print(array)));
        Observer observer(writer_, functions_, place_, name);
        NodePtr nest = observer.with(promises).rewrite(ast::copy(arena(), overall));
        const std::string unseen = functions_.unseenBy(observer.calls);
        if (!unseen.empty())
            nest = writer_.statement(
                "hpspmd::detail::tellUnseen($names);\n$nest;",
                {{"$names", named(ast::stringLiteral(unseen))}, {"$nest", nest}}, overall);
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
    const ObservedFunctions& functions_;
    const std::string nest_;  // of the forms of functions
    CodePlace place_;
    std::vector<NodePtr> forms_;  // to stand behind what is being rewritten
    bool isAsserted_ = false;
    std::vector<ast::Promise> promises_;
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

ast::Unit assertIndependence(ast::Unit unit, ast::Quoter& quote,
                             const ObservedFunctions& functions) {
    if (!unit.hasExtensions) return unit;
    unit.root = Asserter({*unit.arena, quote, ast::FreshNames(unit.identifiers)}, functions)
                    .rewrite(unit.root);
    return unit;
}

}  // namespace hpcc::lower
