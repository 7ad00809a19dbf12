// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/kernel_functions.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "analysis/harmless_calls.hpp"
#include "ast/comments.hpp"
#include "ast/declarators.hpp"
#include "ast/print.hpp"
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
        : KernelCode(context, functions), definition_(definition), result_(result) {
        object = ofObject;
        if (object) self = context.fresh("self");
    }

    std::variant<std::string, Obstacle> write(const std::string& head) {
        if (ast::holdsDirective(definition_->text()))
            fail(definition_, "holds a directive of the preprocessor");
        std::vector<std::string> all = written();
        if (object) all.insert(all.begin(), functions.records.classOf(object) + " " + self);
        const std::string body = ast::print(copied(definition_->children().back()));
        if (obstacle.place) return obstacle;
        for (const Captured& each : captured_)
            all.push_back(localWord(each.word) + " " + named(each.name));
        const std::string parameters = listed(all);
        return head + "(" + (parameters.empty() ? "void" : parameters) + ") " + compact(body) + " ";
    }

    const std::vector<Captured>& captured() const { return captured_; }

protected:
    NodePtr special(NodePtr node) override {
        const NodePtr value =
            ast::is<ast::Return>(node) ? node->child(ast::Return::value) : nullptr;
        return value ? ast::withChild(context.arena, node, ast::Return::value,
                                      fitting(value, result_))
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

private:
    bool isOfObject(NodePtr name) const {
        return object && name->symbol && name->symbol->kind == ast::SymbolKind::Field &&
               object->classSymbol->members->findHere(name->text()) == name->symbol;
    }

    NodePtr constant(NodePtr node, NodePtr value) {
        if (++depth_ > mostConstants) return fail(node, "uses many constants of one another");
        const NodePtr written = writtenOut(node, value);
        --depth_;
        return written;
    }

    /// Not so what a capture makes, as `[n = 2 * s]`: the kernel has no object that holds it.
    bool isOwn(NodePtr declaration) const {
        const NodePtr captures =
            ast::is<ast::Lambda>(definition_) ? definition_->child(ast::Lambda::captures) : nullptr;
        return declaration && isInside(definition_, declaration) &&
               !(captures && isInside(captures, declaration));
    }

    /// A number that has the same value at the nest: a constant, or one that the lambda refers to.
    bool isCaptured(const ast::Symbol& symbol) const {
        const bool isVariable =
            symbol.kind == ast::SymbolKind::Variable || symbol.kind == ast::SymbolKind::Parameter;
        if (!ast::is<ast::Lambda>(definition_) || !isVariable || !symbol.declaration ||
            isInside(definition_, symbol.declaration) || numberWord(symbol.type).empty())
            return false;
        const bool isConstant = symbol.type->isConst && !symbol.type->isReference;
        return (isConstant || isReferredTo(symbol)) && functions.isKnownAtNest(symbol);
    }

    bool isReferredTo(const ast::Symbol& symbol) const {
        const NodePtr captures = definition_->child(ast::Lambda::captures);
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
        const NodePtr parameters = ast::parametersOf(definition_);
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

    const NodePtr definition_;
    const ast::Type* const result_;
    std::vector<Captured> captured_;
    int depth_ = 0;  // of constants in constants
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
    std::set<const ast::Scope*> seen;
    if (!plans_.scope || isInNamespace(variable, *plans_.scope, seen)) return false;
    OtherMeanings others(variable, nest_);
    others.visit(plans_.root);
    return others.isMet && !others.areFound;
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
    auto text = code.write("static " + result + " " + given);
    if (const Obstacle* obstacle = std::get_if<Obstacle>(&text))
        return fail(obstacle->place, obstacle->reason);
    text_ += std::get<std::string>(text);
    definitions_.push_back(definition);
    captured_[definition] = code.captured();
    return known->second = given;
}

}  // namespace hpcc::nests
