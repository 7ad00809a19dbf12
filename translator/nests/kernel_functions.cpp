// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/kernel_functions.hpp"

#include <algorithm>
#include <utility>

#include "analysis/harmless_calls.hpp"
#include "ast/comments.hpp"
#include "ast/declarators.hpp"
#include "ast/print.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/kernel_code.hpp"
#include "nests/kernel_words.hpp"
#include "source/text.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// The text of one function.
class FunctionCode : public KernelCode {
public:
    FunctionCode(Context& context, KernelFunctions& functions, NodePtr definition,
                 const ast::Type* result)
        : KernelCode(context, functions), definition_(definition), result_(result) {}

    std::variant<std::string, Obstacle> write(const std::string& head) {
        if (ast::holdsDirective(definition_->text()))
            fail(definition_, "holds a directive of the preprocessor");
        const std::string parameters = listed(written());
        const std::string body = ast::print(copied(definition_->children().back()));
        if (obstacle.place) return obstacle;
        return head + "(" + (parameters.empty() ? "void" : parameters) + ") " + compact(body) + " ";
    }

protected:
    NodePtr special(NodePtr node) override {
        const NodePtr value =
            ast::is<ast::Return>(node) ? node->child(ast::Return::value) : nullptr;
        return value ? ast::withChild(context.arena, node, ast::Return::value,
                                      fitting(value, result_))
                     : nullptr;
    }

    /// A variable of its own, or a constant, which is written out.
    NodePtr identifier(NodePtr node) override {
        const ast::Symbol* symbol = node->symbol;
        const std::string word = symbol ? functions.records.wordOf(symbol->type) : "";
        if (!word.empty() && isOwn(symbol->declaration))
            return context.identifier(named(node->text()), node);
        const NodePtr value = word.empty() ? nullptr : constantOf(*symbol);
        if (!value || numberWord(symbol->type).empty())
            return fail(node, "uses " + quoted(ast::print(node)) +
                                  ", which is neither its own nor a constant of this file");
        if (++depth_ > mostConstants) return fail(node, "uses many constants of one another");
        const NodePtr written = writtenOut(node, value);
        --depth_;
        return written;
    }

private:
    /// Not so what a capture makes, as `[n = 2 * s]`: the kernel has no object that holds it.
    bool isOwn(NodePtr declaration) const {
        const NodePtr captures =
            ast::is<ast::Lambda>(definition_) ? definition_->child(ast::Lambda::captures) : nullptr;
        return declaration && isInside(definition_, declaration) &&
               !(captures && isInside(captures, declaration));
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
    int depth_ = 0;  // of constants in constants
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

}  // namespace

/// The definition that a call by this name runs: no other one overrides it.
bool KernelFunctions::isOneFunction(NodePtr definition) const {
    if (ast::is<ast::Lambda>(definition)) return true;
    const NodePtr specifiers = definition->child(ast::FunctionDefinition::specifiers);
    const NodePtr before =
        ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::before) : nullptr;
    const auto isStatic = [](NodePtr each) { return each->text() == "static"; };
    if (before && std::ranges::any_of(before->children(), isStatic)) return true;
    std::set<const ast::Scope*> seen;
    return scope_ && isInNamespace(*definition->symbol, *scope_, seen);
}

std::variant<std::string, Obstacle> KernelFunctions::called(NodePtr callee) {
    const std::string name = ast::print(callee);
    const std::string itself = "calls " + quoted(compact(name)) + ", which ";
    const auto fail = [&](NodePtr place, const std::string& reason) {
        return Obstacle{place, reason.starts_with(itself) ? reason : itself + reason};
    };
    const NodePtr definition = analysis::definitionOf(callee);
    const bool isNamed = ast::is<ast::Identifier>(callee) || ast::is<ast::QualifiedName>(callee);
    if (!definition || !isNamed || !isOneFunction(definition))
        return fail(callee, "no kernel knows");
    const auto [known, isNew] = names_.emplace(definition, "");
    if (!isNew && known->second.empty()) return fail(callee, "calls itself");
    if (!isNew) return known->second;
    const ast::Type* const type = callee->symbol->type;
    const std::string result = type ? records.wordOf(type->result) : "";
    if (result.empty()) return fail(callee, "gives no number that a kernel knows");
    const std::string given = context_.fresh(kernel_ + "_" + std::string(callee->symbol->name));
    auto text = FunctionCode(context_, *this, definition, type->result)
                    .write("static " + result + " " + given);
    if (const Obstacle* obstacle = std::get_if<Obstacle>(&text))
        return fail(obstacle->place, obstacle->reason);
    text_ += std::get<std::string>(text);
    definitions_.push_back(definition);
    return known->second = given;
}

}  // namespace hpcc::nests
