// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ast/comments.hpp"
#include "ast/declarators.hpp"
#include "ast/print.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/kernel_code.hpp"
#include "nests/kernel_functions.hpp"
#include "nests/kernel_words.hpp"
#include "source/text.hpp"

namespace hpcc::nests {

/// The text of one function of a kernel.
class FunctionCode : public KernelCode {
public:
    FunctionCode(Context& context, KernelFunctions& functions, NodePtr definition,
                 const ast::Type* result, const ast::Type* ofObject, std::string outer = "")
        : KernelCode(context, functions), own(definition), given(result), outer_(std::move(outer)) {
        if (holdsThis()) outer_ = "this->";
        object = ofObject;
        if (object) self = context.fresh("self");
    }

    std::variant<std::string, Obstacle> write(const std::string& name) {
        if (ast::holdsDirective(own->text())) fail(own, "holds a directive of the preprocessor");
        std::vector<std::string> all = written();
        if (object) all.insert(all.begin(), functions.records.classOf(object) + " " + self);
        std::string body = ast::print(copied(own->children().back()));
        if (body.starts_with("{")) body.insert(1, unused());
        for (const auto& [type, word] : otherNames)
            if (type.find("::") != type.npos)
                fail(own, "converts to " + quoted(type) + ", perhaps of another instance");
        if (obstacle.place) return obstacle;
        for (const Captured& each : captured_) all.push_back(parameterFor(each));
        const std::string word = resultWord(all);
        const std::string parameters = listed(all);
        return "static " + word + " " + name + "(" + (parameters.empty() ? "void" : parameters) +
               ") " + compact(body) + " ";
    }

    const std::vector<Captured>& captured() const { return captured_; }

protected:
    virtual std::string parameterFor(const Captured& each) {
        return localWord(each.word) + " " + named(each.name);
    }

    /// Of what it returns; what it gives otherwise goes to further parameters.
    virtual std::string resultWord(std::vector<std::string>&) {
        return functions.records.wordOf(given);
    }

    NodePtr special(NodePtr node) override {
        const NodePtr value =
            ast::is<ast::Return>(node) ? node->child(ast::Return::value) : nullptr;
        if (value)
            return ast::withChild(context.arena, node, ast::Return::value, fitting(value, given));
        if (!ast::isAny<ast::Member, ast::PointerMember>(node)) return nullptr;
        const std::string name = outerName(node);
        return name.empty() ? nullptr : outerNumber(name, node);
    }

    std::string membersOf(NodePtr on) const override {
        if (!on || outer_.empty()) return outer_;
        const std::string name = outerName(on);
        return name.empty() ? "" : name + ".";
    }

    std::string captured(const Captured& number) override {
        if (std::ranges::find(captured_, number.name, &Captured::name) == captured_.end())
            captured_.push_back(number);
        return named(number.name);
    }

    /// A variable or member of its own, a constant, which is written out, or what a lambda
    /// captures.
    NodePtr identifier(NodePtr node) override {
        if (isOfObject(node)) {
            const std::string name = functions.records.memberOf(object, node->text());
            if (!name.empty()) return context.identifier(self + "." + name, node);
        }
        if (const std::string name = outerName(node); !name.empty()) return outerNumber(name, node);
        const ast::Symbol* symbol = node->symbol;
        const std::string word = symbol ? functions.records.wordOf(typeOfName(node)) : "";
        if (!word.empty() && isOwn(symbol->declaration)) {
            used_.insert(symbol->declaration);
            return context.identifier(named(node->text()), node);
        }
        const NodePtr value = word.empty() ? nullptr : constantOf(*symbol);
        const bool isCapture = depth_ == 0 && !word.empty() &&
                               !functions.records.numberOf(symbol->type).empty() &&
                               isCaptured(*symbol);
        if (value && !functions.records.numberOf(symbol->type).empty()) {
            const NodePtr written = constant(node, value);
            if (!obstacle.place || !isCapture) return written;
            obstacle = {};
        }
        if (isCapture)
            return context.identifier(
                captured({symbol->name, functions.records.numberOf(symbol->type),
                          isReferredTo(*symbol)}),
                node);
        return fail(node, "uses " + quoted(ast::print(node)) +
                              ", which is neither its own nor a constant of this file");
    }

    /// `this->by` of `by` and of `this->by`, which are members of an object outside of the nest; ""
    /// of anything else.
    std::string outerName(NodePtr node) const {
        if (outer_.empty() || object) return "";
        if (ast::is<ast::PointerMember>(node) && node->child(0)->text() == "this")
            return outer_ + std::string(node->child(1)->text());
        if (ast::is<ast::Member>(node)) {
            const std::string base = outerName(node->child(0));
            return base.empty() ? "" : base + "." + std::string(node->child(1)->text());
        }
        const bool isField = ast::is<ast::Identifier>(node) && node->symbol &&
                             node->symbol->kind == ast::SymbolKind::Field;
        return isField ? outer_ + std::string(node->text()) : "";
    }
    NodePtr outerNumber(const std::string& name, NodePtr node) {
        const std::string word = functions.records.numberOf(node->type);
        if (word.empty() || node->type->isReference)
            return fail(node, "uses " + quoted(ast::print(node)) +
                                  ", which is no number that a kernel knows");
        return context.identifier(captured({name, word}), node);
    }
    /// A lambda that has the object round it, not a copy of it.
    bool holdsThis() const {
        if (!ast::is<ast::Lambda>(own)) return false;
        const NodePtr captures = own->child(ast::Lambda::captures);
        return captures && std::ranges::any_of(captures->children(), [](NodePtr each) {
                   return each->text() == "this" || each->text() == "&" || each->text() == "=";
               });
    }

    bool isOfObject(NodePtr name) const {
        return object && name->symbol && name->symbol->kind == ast::SymbolKind::Field &&
               object->classSymbol->members->findHere(name->text()) == name->symbol;
    }

    /// Not so what a capture makes, as `[n = 2 * s]`: the kernel has no object that holds it.
    bool isOwn(NodePtr declaration) const {
        const NodePtr captures =
            ast::is<ast::Lambda>(own) ? own->child(ast::Lambda::captures) : nullptr;
        return declaration && isInside(own, declaration) &&
               !(captures && isInside(captures, declaration));
    }

    /// A variable that has the same value at the nest: a constant, or one that the lambda refers
    /// to.
    virtual bool isCaptured(const ast::Symbol& symbol) const {
        const bool isConstant = symbol.type->isConst && !symbol.type->isReference;
        return isRoundLambda(symbol) && (isConstant || isReferredTo(symbol)) &&
               functions.isKnownAtNest(symbol);
    }

    /// A variable outside of a lambda.
    bool isRoundLambda(const ast::Symbol& symbol) const {
        const bool isVariable =
            symbol.kind == ast::SymbolKind::Variable || symbol.kind == ast::SymbolKind::Parameter;
        return ast::is<ast::Lambda>(own) && isVariable && symbol.type && symbol.declaration &&
               !isInside(own, symbol.declaration);
    }

    bool isReferredTo(const ast::Symbol& symbol) const {
        const NodePtr captures = own->child(ast::Lambda::captures);
        if (!captures) return false;
        bool isFound = false;
        for (const NodePtr each : captures->children()) {
            const bool isNamed = !ast::is<ast::DefaultCapture>(each) && each->child(0) &&
                                 each->child(0)->text() == symbol.name;
            if (isNamed) return ast::is<ast::ReferenceCapture>(each) && !each->child(1);
            if (each->text() == "&") isFound = true;
        }
        return isFound;
    }

    const NodePtr own;
    const ast::Type* const given;

private:
    NodePtr constant(NodePtr node, NodePtr value) {
        if (++depth_ > mostConstants) return fail(node, "uses many constants of one another");
        const NodePtr written = writtenOut(node, value);
        --depth_;
        return written;
    }

    std::vector<std::string> written() {
        std::vector<std::string> all;
        const NodePtr parameters = ast::parametersOf(own);
        if (!parameters) return all;
        for (const NodePtr each : parameters->children()) {
            const NodePtr name = ast::is<ast::Parameter>(each)
                                     ? ast::declaredName(each->child(ast::Parameter::declarator))
                                     : nullptr;
            const std::string word =
                name && name->symbol ? functions.records.wordOf(name->symbol->type) : "";
            if (word.empty() || (name->symbol->type->isReference && !name->symbol->type->isConst))
                fail(each, "takes " + quoted(compact(ast::print(each))) +
                               ", which is no number that a kernel knows");
            else
                all.push_back(word + " " + named(name->text()));
        }
        return all;
    }

    /// `(void)v; ` of a parameter that stands in another branch of an `if constexpr`.
    std::string unused() {
        std::string text;
        const NodePtr parameters = ast::parametersOf(own);
        if (!parameters || ast::allOf<ast::If>(own).empty()) return text;
        for (const NodePtr each : parameters->children())
            if (each->symbol && !used_.contains(each->symbol->declaration))
                text += " (void)" + named(each->symbol->name) + ";";
        return text;
    }

    static constexpr int mostConstants = 8;

    std::string outer_;  // of members of an object outside of the nest; "" if it has none
    std::vector<Captured> captured_;
    std::set<NodePtr> used_;  // declarations of its own variables
    int depth_ = 0;           // of constants in constants
};

}  // namespace hpcc::nests
