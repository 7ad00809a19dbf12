// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/places.hpp"

#include <algorithm>
#include <set>

#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "regions/method.hpp"
#include "source/name.hpp"

namespace hpcc::regions {
namespace {

using diagnostics::Id;

bool isNumeral(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

class Places {
public:
    Places(NodePtr unit, Edits& edits, diagnostics::Engine& engine)
        : unit_(unit), edits_(edits), engine_(engine) {}

    bool hasAny = false;

    void visit(NodePtr node) {
        if (!node) return;
        if (node->is<ast::Attributed>()) attributed(node);
        const bool wasMethod = isMethod_, wasInLambda = isInLambda_;
        if (node->is<ast::FunctionDefinition>()) {
            isMethod_ = !dividedParameters(ast::parametersOf(node)).empty();
            isInLambda_ = false;
        }
        if (node->is<ast::Lambda>()) {
            isMethod_ = false;
            isInLambda_ = true;
        }
        for (const NodePtr child : node->children()) visit(child);
        isMethod_ = wasMethod;
        isInLambda_ = wasInLambda;
    }

private:
    void misplaced(const Attribute& attribute, std::string_view what, std::string_view why) {
        engine_.report(Id::AttributePlace, attribute.node->span(), attribute.name, what, why);
    }
    void refused(const Attribute& attribute, std::string_view why) {
        engine_.report(Id::AttributeArgument, attribute.node->span(), attribute.name,
                       attribute.arguments, why);
    }

    void attributed(NodePtr node) {
        const std::vector<Attribute> attributes = methodAttributes(node);
        if (attributes.empty()) return;
        hasAny = true;
        const NodePtr target = attributedNode(node);
        const bool mayBeMarked = !isMethod_ && !isInLambda_ && target->is<ast::For>();
        if (mayBeMarked && attributeOf(node, "overall")) markedLoops_.insert(target);
        for (const Attribute& each : attributes) {
            if (each.name == "dist")
                dist(each, target);
            else if (each.name == "reduce")
                reduce(each, target);
            else
                ofStatement(each, target);
        }
        takeOut(node->child(ast::Attributed::attributes), attributes);
    }

    void dist(const Attribute& dist, NodePtr target) {
        if (target->is<ast::Parameter>()) {
            if (isInLambda_)
                misplaced(dist, "a parameter of a lambda", "only functions are methods");
            return;
        }
        if (!target->is<ast::Declaration>())
            return misplaced(dist, what(target), "it belongs to a parameter or a variable");
        if (!isMethod_)
            misplaced(dist, "a variable outside of a method",
                      "a method has a parameter with [[hpspmd::dist]]");
    }

    void reduce(const Attribute& reduce, NodePtr target) {
        const auto halves = parts(reduce.arguments, ':');
        const bool isOfFunction = target->is<ast::FunctionDefinition>() || declaresFunction(target);
        if (!halves.empty() && !operationOf(halves[0], unit_))
            engine_.report(Id::NoReduceOperation, reduce.node->span(), halves[0])
                .help("functions are defined in this file");
        else if (isOfFunction && halves.size() != 1)
            misplaced(reduce, "a function", "there it takes an operation and no names");
        else if (isOfFunction && target->is<ast::FunctionDefinition>() &&
                 dividedParameters(ast::parametersOf(target)).empty())
            misplaced(reduce, "a function that is no method",
                      "a method has a parameter with [[hpspmd::dist]]");
        else if (!isOfFunction && !isBlock(target))
            misplaced(reduce, what(target), "it belongs to a function, loop or block");
        else if (!isOfFunction && halves.size() != 2)
            misplaced(reduce, "a statement", "there it takes an operation and names, `+ : s`");
        else if (!isOfFunction && !isMethod_ && !markedLoops_.contains(target))
            outside(reduce);
    }

    void ofStatement(const Attribute& attribute, NodePtr target) {
        const bool isOverall = attribute.name == "overall";
        if (isOverall ? !target->is<ast::For>() : !isPlainStatement(target))
            return misplaced(
                attribute, what(target),
                isOverall ? "it belongs to a loop that counts, or over a vector, array or span"
                          : "it belongs to a statement");
        if (!isMethod_ && !(isOverall && markedLoops_.contains(target))) return outside(attribute);
        if (isOverall && !attribute.arguments.empty() && !isNumeral(attribute.arguments))
            return refused(attribute, "it takes the number of loops, `overall(2)`");
        if (attribute.name == "single" && !attribute.arguments.empty() && !lineOf(attribute))
            return refused(attribute, "it takes a line of an array, `single(a[k])`");
        if (attribute.name == "sync" &&
            !std::ranges::all_of(parts(attribute.arguments), source::isName))
            return refused(attribute, "it takes names of arrays, `sync(a, b)`");
        if (attribute.name == "single" && ast::effectsOf(target).mayJump)
            misplaced(attribute, "a statement that jumps", "the other processes would stay");
    }

    void outside(const Attribute& attribute) {
        misplaced(attribute, "a statement outside of a method",
                  attribute.name == "reduce"
                      ? "a method has a parameter with [[hpspmd::dist]], a marked loop "
                        "[[hpspmd::overall]]"
                      : "a method has a parameter with [[hpspmd::dist]]");
    }

    static bool isBlock(NodePtr node) {
        return node->is<ast::For>() || node->is<ast::While>() || node->is<ast::DoWhile>() ||
               node->is<ast::Compound>();
    }
    static bool isPlainStatement(NodePtr node) {
        return node->category() == ast::Category::Statement;
    }
    static bool declaresFunction(NodePtr node) {
        if (!node->is<ast::Declaration>()) return false;
        const NodePtr list = node->child(ast::Declaration::declarators);
        return list && list->children().size() == 1 &&
               ast::functionDeclarator(list->child(0)->child(ast::InitDeclarator::declarator));
    }
    static std::string what(NodePtr node) {
        if (node->is<ast::Parameter>()) return "a parameter";
        if (node->is<ast::FunctionDefinition>() || declaresFunction(node)) return "a function";
        return isPlainStatement(node) ? "a statement" : "a declaration";
    }

    // Of `[[nodiscard, hpspmd::reduce(+)]]` the rest stays.
    void takeOut(NodePtr list, const std::vector<Attribute>& ours) {
        std::string rest;
        for (const NodePtr each : list->children())
            if (std::ranges::find(ours, each, &Attribute::node) == ours.end())
                rest += (rest.empty() ? "" : ", ") + std::string(each->text());
        edits_.replace(list->span(), rest.empty() ? "" : "[[" + rest + "]]");
    }

    NodePtr unit_;
    Edits& edits_;
    diagnostics::Engine& engine_;
    bool isMethod_ = false, isInLambda_ = false;
    std::set<NodePtr> markedLoops_;  // with `overall`, outside of methods
};

}  // namespace

bool checkPlaces(NodePtr root, Edits& edits, diagnostics::Engine& engine) {
    Places places(root, edits, engine);
    places.visit(root);
    return places.hasAny;
}

std::vector<NodePtr> dividedParameters(NodePtr parameters) {
    std::vector<NodePtr> result;
    if (!parameters) return result;
    for (const NodePtr each : parameters->children())
        if (attributeOf(each, "dist")) result.push_back(each);
    return result;
}

}  // namespace hpcc::regions
