// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/kernel_functions.hpp"

#include <algorithm>
#include <cctype>
#include <span>
#include <utility>

#include "analysis/harmless_calls.hpp"
#include "ast/comments.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "ast/visitor.hpp"
#include "nests/kernel_code.hpp"
#include "nests/kernel_words.hpp"
#include "nests/plan.hpp"
#include "source/text.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// The text of one function.
class FunctionCode : public KernelCode {
public:
    FunctionCode(Context& context, KernelFunctions& functions, NodePtr definition,
                 const ast::Type* result, const ast::Type* ofObject)
        : KernelCode(context, functions), own(definition), given(result) {
        object = ofObject;
        if (object) self = context.fresh("self");
    }

    std::variant<std::string, Obstacle> write(const std::string& name) {
        if (ast::holdsDirective(own->text())) fail(own, "holds a directive of the preprocessor");
        std::vector<std::string> all = written();
        if (object) all.insert(all.begin(), functions.records.classOf(object) + " " + self);
        const std::string body = ast::print(copied(own->children().back()));
        if (obstacle.place) return obstacle;
        for (const Captured& each : captured_)
            all.push_back(localWord(each.word) + " " + named(each.name));
        const std::string word = resultWord(all);
        const std::string parameters = listed(all);
        return "static " + word + " " + name + "(" + (parameters.empty() ? "void" : parameters) +
               ") " + compact(body) + " ";
    }

    const std::vector<Captured>& captured() const { return captured_; }

protected:
    /// Of what it returns; what it gives otherwise goes to further parameters.
    virtual std::string resultWord(std::vector<std::string>&) {
        return functions.records.wordOf(given);
    }

    NodePtr special(NodePtr node) override {
        const NodePtr value =
            ast::is<ast::Return>(node) ? node->child(ast::Return::value) : nullptr;
        return value
                   ? ast::withChild(context.arena, node, ast::Return::value, fitting(value, given))
                   : nullptr;
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
        const ast::Symbol* symbol = node->symbol;
        const std::string word = symbol ? functions.records.wordOf(symbol->type) : "";
        if (!word.empty() && isOwn(symbol->declaration))
            return context.identifier(named(node->text()), node);
        const NodePtr value = word.empty() ? nullptr : constantOf(*symbol);
        const bool isCapture = depth_ == 0 && !word.empty() && isCaptured(*symbol);
        if (value && !numberWord(symbol->type).empty()) {
            const NodePtr written = constant(node, value);
            if (!obstacle.place || !isCapture) return written;
            obstacle = {};
        }
        if (isCapture)
            return context.identifier(captured({symbol->name, numberWord(symbol->type)}), node);
        return fail(node, "uses " + quoted(ast::print(node)) +
                              ", which is neither its own nor a constant of this file");
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

    /// A number that has the same value at the nest: a constant, or one that the lambda refers to.
    virtual bool isCaptured(const ast::Symbol& symbol) const {
        const bool isConstant = symbol.type->isConst && !symbol.type->isReference;
        return isRoundLambda(symbol) && (isConstant || isReferredTo(symbol)) &&
               functions.isKnownAtNest(symbol);
    }

    /// A number outside of a lambda.
    bool isRoundLambda(const ast::Symbol& symbol) const {
        const bool isVariable =
            symbol.kind == ast::SymbolKind::Variable || symbol.kind == ast::SymbolKind::Parameter;
        return ast::is<ast::Lambda>(own) && isVariable && symbol.declaration &&
               !isInside(own, symbol.declaration) && !numberWord(symbol.type).empty();
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

    static constexpr int mostConstants = 8;

    std::vector<Captured> captured_;
    int depth_ = 0;  // of constants in constants
};

/// `std::tuple(a, b)` or `{a, b}`: its parts; else null.
NodePtr partsOfTuple(NodePtr value) {
    if (ast::is<ast::BracedInitializer>(value)) return value;
    const bool isCall = ast::is<ast::Call>(value);
    if (!isCall && !ast::is<ast::FunctionalCast>(value)) return nullptr;
    const std::string name = ast::print(value->child(0));
    return name == "std::tuple" || name == "std::make_tuple" ? value->children().back() : nullptr;
}

/// The function of a pattern: it knows the values of what it captures, and may give a tuple.
class PatternCode : public FunctionCode {
public:
    using FunctionCode::FunctionCode;

    std::vector<std::string> results;  // words of the parts of a tuple

protected:
    std::string resultWord(std::vector<std::string>& parameters) override {
        for (size_t k = 0; k < results.size(); ++k)
            parameters.push_back(results[k] + "* " + result(k));
        return results.empty() ? FunctionCode::resultWord(parameters) : "void";
    }

    NodePtr special(NodePtr node) override {
        if (const NodePtr target = ast::changedOperand(node)) return requireOwn(node, target);
        const NodePtr value =
            ast::is<ast::Return>(node) ? node->child(ast::Return::value) : nullptr;
        if (!value) return nullptr;
        if (!numberWord(given).empty()) return FunctionCode::special(node);
        const NodePtr parts = partsOfTuple(ast::withoutParentheses(value));
        if (parts && !parts->children().empty()) return tuple(node, parts->children());
        return fail(value, "gives " + quoted(compact(ast::print(value))) +
                               ", which is no number nor a tuple of numbers that a kernel knows");
    }

    bool isCaptured(const ast::Symbol& symbol) const override {
        if (!isRoundLambda(symbol) || !functions.isLocal(symbol)) return false;
        const NodePtr captures = own->child(ast::Lambda::captures);
        return captures && std::ranges::any_of(captures->children(), [&](NodePtr each) {
                   return ast::is<ast::DefaultCapture>(each) ||
                          (each->children().size() == 2 && each->child(0) && !each->child(1) &&
                           each->child(0)->text() == symbol.name);
               });
    }

private:
    /// Null if what it changes is its own.
    NodePtr requireOwn(NodePtr node, NodePtr target) {
        target = ast::withoutParentheses(target);
        while (target && ast::isAny<ast::Member, ast::Subscript>(target))
            target = ast::withoutParentheses(target->child(0));
        if (target && target->symbol && isOwn(target->symbol->declaration)) return nullptr;
        return fail(node, "changes " + quoted(target ? compact(ast::print(target)) : "") +
                              ", which is not its own");
    }

    NodePtr tuple(NodePtr node, std::span<const NodePtr> parts) {
        std::vector<std::string> words;
        std::string text;
        for (const NodePtr each : parts) {
            words.push_back(each ? localWord(numberWord(each->type)) : "");
            if (words.back().empty())
                return fail(node, "gives a tuple of what are no numbers that a kernel knows");
        }
        if (!results.empty() && results != words)
            return fail(node, "gives tuples of several types");
        results = words;
        for (size_t k = 0; k < parts.size(); ++k)
            text += "*" + result(k) + " = " + ast::print(copied(parts[k])) + "; ";
        return obstacle.place ? node : context.identifier("{ " + text + "return; }", node);
    }

    std::string result(size_t k) {
        while (names_.size() <= k) names_.push_back(context.fresh("made"));
        return names_[k];
    }

    std::vector<std::string> names_;
};

/// Names of this spelling that mean something else than a variable, or a lambda round the nest,
/// which perhaps has a copy of it.
class OtherMeanings : public ast::Visitor {
public:
    OtherMeanings(const ast::Symbol& variable, NodePtr nest)
        : variable_(variable), nest_(nest->origin()->span()) {}

    bool areFound = false, isMet = false;

    void visitLambda(NodePtr node) override {
        const source::Span span = node->origin()->span();
        if (span.text == nest_.text && span.begin <= nest_.begin && nest_.begin < span.end)
            areFound = true;
        visitChildren(node);
    }

    void visitIdentifier(NodePtr node) override {
        if (node->text() != variable_.name) return;
        (node->symbol == &variable_ ? isMet : areFound) = true;
    }

private:
    const ast::Symbol& variable_;
    const source::Span nest_;
};

/// Is it declared in one of the namespaces, as no member of a class?
bool isInNamespace(const ast::Symbol& function, const ast::Scope& scope,
                   std::set<const ast::Scope*>& seen) {
    if (!seen.insert(&scope).second) return false;
    for (const ast::Symbol* each : scope.symbols())
        if (each == &function || (each->kind == ast::SymbolKind::Namespace && each->members &&
                                  isInNamespace(function, *each->members, seen)))
            return true;
    return std::ranges::any_of(scope.included(), [&](const ast::Scope* other) {
        return other && isInNamespace(function, *other, seen);
    });
}

bool isStatic(NodePtr function) {
    const NodePtr specifiers = function->child(ast::FunctionDefinition::specifiers);
    const NodePtr before =
        ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::before) : nullptr;
    return before && std::ranges::any_of(before->children(),
                                         [](NodePtr each) { return each->text() == "static"; });
}

bool isName(std::string_view text) {
    return std::ranges::all_of(
        text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

}  // namespace

bool KernelFunctions::isMemberOf(const ast::Type* object, const ast::Symbol* function) {
    const bool isKnown = function && ast::is<ast::FunctionDefinition>(function->declaration) &&
                         isName(function->name) && !records.classOf(object).empty();
    return isKnown && !isStatic(function->declaration) && object->classSymbol->members &&
           object->classSymbol->members->findHere(function->name) == function;
}

/// The definition that a call by this name runs: no other one overrides it.
bool KernelFunctions::isOneFunction(NodePtr definition) const {
    if (ast::is<ast::Lambda>(definition) || isStatic(definition)) return true;
    std::set<const ast::Scope*> seen;
    return plans_.scope && isInNamespace(*definition->symbol, *plans_.scope, seen);
}

const std::vector<Captured>& KernelFunctions::capturedBy(NodePtr callee) const {
    return captured_.at(analysis::definitionOf(callee));
}

bool KernelFunctions::isKnownAtNest(const ast::Symbol& variable) const {
    if (!isLocal(variable)) return false;
    OtherMeanings others(variable, nest_);
    others.visit(plans_.root);
    return others.isMet && !others.areFound;
}

bool KernelFunctions::isLocal(const ast::Symbol& variable) const {
    std::set<const ast::Scope*> seen;
    return plans_.scope && !isInNamespace(variable, *plans_.scope, seen);
}

std::variant<PatternFunction, Obstacle> KernelFunctions::ofPattern(NodePtr function) {
    const bool isLambda = ast::is<ast::Lambda>(function);
    const NodePtr definition = isLambda ? function : analysis::definitionOf(function);
    const ast::Type* const type = isLambda           ? function->type
                                  : function->symbol ? function->symbol->type
                                                     : nullptr;
    if (!definition || !isOneFunction(definition))
        return Obstacle{
            function, "calls " + quoted(compact(ast::print(function))) + ", which no kernel knows"};
    names_.emplace(definition, "");  // so that it does not call itself
    PatternFunction result{context_.fresh(kernel_ + "_each"), {}};
    PatternCode code(context_, *this, definition, type ? type->result : nullptr, nullptr);
    auto text = code.write(result.name);
    if (Obstacle* obstacle = std::get_if<Obstacle>(&text)) return std::move(*obstacle);
    text_ += std::get<std::string>(text);
    definitions_.push_back(definition);
    result.captured = code.captured();
    return result;
}

std::variant<std::string, Obstacle> KernelFunctions::called(NodePtr callee,
                                                            const ast::Type* object) {
    const std::string name = ast::print(callee);
    const std::string itself = "calls " + quoted(compact(name)) + ", which ";
    const auto fail = [&](NodePtr place, const std::string& reason) {
        return Obstacle{place, reason.starts_with(itself) ? reason : itself + reason};
    };
    const NodePtr definition = analysis::definitionOf(callee);
    const bool isNamed = ast::is<ast::Identifier>(callee) || ast::is<ast::QualifiedName>(callee);
    if (!definition || !(object || (isNamed && isOneFunction(definition))))
        return fail(callee, "no kernel knows");
    const auto [known, isNew] = names_.emplace(definition, "");
    if (!isNew && known->second.empty()) return fail(callee, "calls itself");
    if (!isNew) return known->second;
    const ast::Type* const type = callee->symbol->type;
    const std::string result = type ? records.wordOf(type->result) : "";
    if (result.empty()) return fail(callee, "gives no number that a kernel knows");
    const std::string given = context_.fresh(kernel_ + "_" + std::string(callee->symbol->name));
    FunctionCode code(context_, *this, definition, type->result, object);
    auto text = code.write(given);
    if (const Obstacle* obstacle = std::get_if<Obstacle>(&text))
        return fail(obstacle->place, obstacle->reason);
    text_ += std::get<std::string>(text);
    definitions_.push_back(definition);
    captured_[definition] = code.captured();
    return known->second = given;
}

}  // namespace hpcc::nests
