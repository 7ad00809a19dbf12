// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/apart.hpp"

#include <algorithm>
#include <map>

#include "analysis/constant.hpp"
#include "analysis/numbers.hpp"
#include "ast/effects.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "ast/visitor.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// Variables of the user that statements mention and that are no handles, by name.
class Variables : public ast::Visitor {
public:
    std::map<std::string, const ast::Symbol*> found;
    bool mayRaise = false;

    void visitIdentifier(NodePtr node) override {
        const ast::Symbol* symbol = node->symbol;
        if (!symbol || !symbol->declaration) return;
        const bool isVariable = symbol->kind == ast::SymbolKind::Variable ||
                                symbol->kind == ast::SymbolKind::Parameter ||
                                symbol->kind == ast::SymbolKind::Field;
        if (isVariable && !isHandle(symbol->type) && !isConstant(node))
            found.emplace(node->text(), symbol);
    }
    /// `Cfg::scale` is no variable `scale` known round the nest, and a template argument must stay
    /// the constant that it is.
    void visitQualifiedName(NodePtr node) override {
        for (const NodePtr part : node->children())
            if (ast::is<ast::TemplateName>(part) || ast::is<ast::QualifiedName>(part)) visit(part);
    }
    void visitTemplateName(NodePtr node) override {
        visit(node->child(ast::TemplateName::arguments));
    }
    void visitTemplateArguments(NodePtr node) override { ofTemplates_.merge(ast::namesIn(node)); }
    /// It names its own members, and no variables round it but constant and static ones.
    void visitClass(NodePtr) override {}
    void visitMember(NodePtr node) override { visit(node->child(ast::Member::base)); }
    void visitPointerMember(NodePtr node) override { visit(node->child(ast::PointerMember::base)); }
    void visitCall(NodePtr node) override {
        const NodePtr callee = node->child(ast::Call::callee);
        mayRaise |=
            callee->text() == "hpspmd::detail::bounded" ||
            (ast::is<ast::Member>(callee) && callee->child(ast::Member::name)->text() == "part");
        visitChildren(node);
    }

    /// The function knows its value, and loops and divisions by it are those of a constant.
    static bool isConstant(NodePtr name) {
        const ast::Symbol& symbol = *name->symbol;
        return symbol.kind == ast::SymbolKind::Variable && symbol.type && symbol.type->isConst &&
               !symbol.type->isReference && symbol.type->kind == ast::TypeKind::Integer &&
               analysis::constantValue(name);
    }

    bool isOfTemplate(std::string_view name) const { return ofTemplates_.contains(name); }

private:
    static bool isHandle(const ast::Type* type) {
        if (!type) return false;
        switch (type->kind) {
        case ast::TypeKind::Unknown:
        case ast::TypeKind::Bool:
        case ast::TypeKind::Integer:
        case ast::TypeKind::Floating:
        case ast::TypeKind::Pointer:
            return false;
        default:
            return true;
        }
    }
    Names ofTemplates_;
};

}  // namespace

bool assignsNumbersOnly(const Nest& nest) {
    Variables variables;
    variables.visit(nest.loops.front().statement);
    return std::ranges::all_of(lastingIn(nest), [&](std::string_view name) {
        const auto found = variables.found.find(std::string(name));
        return found != variables.found.end() && analysis::isNumber(found->second->type);
    });
}

NodePtr apart(Context& context, const Nest& nest, std::vector<NodePtr> statements,
              const std::vector<std::string>& runs, NodePtr origin, const ThreadCall* threads) {
    Variables variables;
    for (const NodePtr statement : statements) variables.visit(statement);
    std::vector<std::string> parameters, values = runs, results;
    for (const std::string& run : runs) parameters.push_back("const auto &" + run);
    for (const auto& [name, symbol] : variables.found) {
        if (nest.declared.contains(name) || nest.loopNamed(name) ||
            nest.changeable.contains(name) || variables.isOfTemplate(name))
            continue;
        // `const double &first = v[0]`, where the nest changes elements of v
        const bool isReference = symbol->type && symbol->type->isReference;
        if (isReference && nest.loops.front().touchesShared) continue;
        const bool assigned = nest.assigned.contains(name);
        parameters.push_back((assigned ? "auto " : "const auto &") + name);
        values.push_back(threads ? threads->argument(name) : name);
        if (assigned) results.push_back(name);
    }
    const bool mayEnd = variables.mayRaise || nest.callsForeign;
    const bool mayReach = nest.loops.front().touchesForeign && !lastingIn(nest).empty();
    if (!threads && (!assignsNumbersOnly(nest) || (mayEnd && !lastingIn(nest).empty()) || mayReach))
        return context.statement(
            "{\n"
            "    $statements;\n"
            "}",
            {{"$statements", statements}}, origin);
    std::string schema;
    if (results.size() == 1) schema = results.front() + " = ";
    if (results.size() > 1) schema = "std::tie(" + listed(results) + ") = ";
    schema += (threads ? threads->start : "hpspmd::detail::apart(") + "[&](" + listed(parameters) +
              ") {\n    $statements;\n";
    if (results.size() == 1) schema += "    return " + results.front() + ";\n";
    if (results.size() > 1) schema += "    return std::make_tuple(" + listed(results) + ");\n";
    schema += "}, " + listed(values) + ");";
    return context.statement(schema, {{"$statements", statements}}, origin);
}

}  // namespace hpcc::nests
