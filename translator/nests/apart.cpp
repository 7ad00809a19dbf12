// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/apart.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/compile_time.hpp"
#include "analysis/instance_types.hpp"
#include "analysis/numbers.hpp"
#include "analysis/plain_values.hpp"
#include "analysis/switch_parts.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
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

    /// Plain values that are no numbers, of which the statements mention only members and elements.
    std::map<std::string, const ast::Symbol*> objects() const {
        std::map<std::string, const ast::Symbol*> result = objects_;
        for (const std::string& name : whole_) result.erase(name);
        return result;
    }

    void visitIdentifier(NodePtr node) override {
        const ast::Symbol* symbol = node->symbol;
        if (isVariable(symbol) && !isHandle(symbol->type) && !isConstant(node) &&
            !called_.contains(symbol))
            found.emplace(node->text(), symbol);
        if (isVariable(symbol)) whole_.emplace(node->text());
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
    void visitMember(NodePtr node) override { visitPart(node->child(ast::Member::base)); }
    void visitSubscript(NodePtr node) override {
        for (const NodePtr child : node->children()) {
            if (child == node->child(ast::Subscript::base))
                visitPart(child);
            else
                visit(child);
        }
    }
    void visitPointerMember(NodePtr node) override { visit(node->child(ast::PointerMember::base)); }
    void visitCall(NodePtr node) override {
        const NodePtr callee = node->child(ast::Call::callee);
        mayRaise |=
            callee->text() == "hpspmd::detail::bounded" ||
            (ast::is<ast::Member>(callee) && callee->child(ast::Member::name)->text() == "part");
        if (ast::is<ast::Member>(callee)) visitUnknown(callee->child(ast::Member::base));
        if (ast::is<ast::Identifier>(callee) && isOfParameter(callee->symbol)) {
            called_.insert(callee->symbol);
            found.erase(std::string(callee->text()));
        }
        visitChildren(node);
    }

    /// The function knows its value, and loops and divisions by it are those of a constant.
    static bool isConstant(NodePtr name) {
        const ast::Symbol& symbol = *name->symbol;
        return symbol.kind == ast::SymbolKind::Variable && symbol.type && symbol.type->isConst &&
               !symbol.type->isReference && symbol.type->kind == ast::TypeKind::Integer &&
               analysis::isOfCompileTime(name);
    }

    /// It stays what it is outside, no constant parameter of a function.
    bool staysOutside(std::string_view name) const {
        return ofTemplates_.contains(name) || changing_.contains(name);
    }

private:
    /// An object of which a member or an element is mentioned.
    void visitPart(NodePtr object) {
        const ast::Symbol* symbol = ast::is<ast::Identifier>(object) ? object->symbol : nullptr;
        if (isVariable(symbol) && isHandle(symbol->type) && !symbol->type->isReference &&
            symbol->type->kind != ast::TypeKind::CArray && analysis::isPlainValue(symbol->type))
            objects_.emplace(object->text(), symbol);
        else
            visitUnknown(object);
    }
    /// An object of a class that hpcc has not seen may have only an operator[] that changes it.
    void visitUnknown(NodePtr object) {
        if (ast::is<ast::Identifier>(object) && isVariable(object->symbol) &&
            (!object->symbol->type || object->symbol->type->kind == ast::TypeKind::Unknown))
            changing_.insert(object->text());
        visit(object);
    }
    /// Such an object may change itself when it is called, and perhaps cannot be copied.
    static bool isOfParameter(const ast::Symbol* symbol) {
        return isVariable(symbol) && analysis::typeParameterOf(symbol->type);
    }
    static bool isVariable(const ast::Symbol* symbol) {
        return symbol && symbol->declaration &&
               (symbol->kind == ast::SymbolKind::Variable ||
                symbol->kind == ast::SymbolKind::Parameter ||
                symbol->kind == ast::SymbolKind::Field);
    }
    static bool isHandle(const ast::Type* type) {
        if (!type) return false;
        switch (type->kind) {
        case ast::TypeKind::Unknown:
        case ast::TypeKind::Bool:
        case ast::TypeKind::Integer:
        case ast::TypeKind::Floating:
        case ast::TypeKind::Pointer:
            return false;
        default:  // C++ compilers know the value of a constant enumerator
            return !analysis::isSwitchable(type) || type->isConst;
        }
    }
    std::map<std::string, const ast::Symbol*> objects_;
    std::set<std::string> whole_;          // mentioned not only by a part
    std::set<const ast::Symbol*> called_;  // objects of the class that a template's parameter is
    Names ofTemplates_;
    Names changing_;  // perhaps, as an element or a member of it is mentioned
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

/// True if it has loops over numbers whose iterations are left to the C++ compiler to compute at
/// once. (Elements of class std::complex it takes apart and joins again, which takes twice as long
/// in wider registers; exp and log it calls for one number after the other, which takes a third
/// longer beside them.)
static bool usesWideRegisters(const NestPlan& plan) {
    const auto hasNumbers = [](const Access& access) {
        return analysis::isNumber(
            ast::multiarrayType(access.node->child(ast::Subscript::base))->element);
    };
    return std::ranges::all_of(plan.nest->accesses, hasNumbers) &&
           !ast::anywhere(plan.nest->loops.front().statement, ast::hasVectorForm) &&
           std::ranges::any_of(plan.forms, [](const auto& each) {
               return each.second.kind == Form::Kind::Independent;
           });
}

NodePtr apart(Context& context, const NestPlan& plan, std::vector<NodePtr> statements,
              NodePtr origin, const ThreadCall* threads) {
    const Nest& nest = *plan.nest;
    const std::vector<std::string>& runs = plan.written.runs;
    Variables variables;
    for (const NodePtr statement : statements) variables.visit(statement);
    std::vector<std::string> parameters, values = runs, results;
    for (const std::string& run : runs) parameters.push_back("const auto &" + run);
    const bool touchesShared = nest.loops.front().touchesShared;
    auto given = variables.found;
    if (!touchesShared)
        for (const auto& [name, symbol] : variables.objects())
            if (!nest.assigned.contains(name)) given.emplace(name, symbol);
    for (const auto& [name, symbol] : given) {
        if (nest.declared.contains(name) || nest.loopNamed(name) ||
            nest.changeable.contains(name) || variables.staysOutside(name))
            continue;
        // `const double &first = v[0]`, where the nest changes elements of v
        const bool isReference = symbol->type && symbol->type->isReference;
        if (isReference && touchesShared) continue;
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
    const bool areWide = usesWideRegisters(plan);
    schema += (threads ? threads->start : "hpspmd::detail::apart(") +
              (areWide ? "hpspmd::detail::wide(" : "") + "[&](" + listed(parameters) +
              ") {\n    $statements;\n";
    if (results.size() == 1) schema += "    return " + results.front() + ";\n";
    if (results.size() > 1) schema += "    return std::make_tuple(" + listed(results) + ");\n";
    schema +=
        std::string(areWide ? "})" : "}") + (values.empty() ? "" : ", ") + listed(values) + ");";
    return context.statement(schema, {{"$statements", statements}}, origin);
}

NodePtr callOfApart(NodePtr statement) {
    if (!statement->is<ast::ExpressionStatement>()) return nullptr;
    const NodePtr e = statement->child(ast::ExpressionStatement::expression);
    return e->is<ast::Assign>() ? e->child(ast::Assign::value) : e;
}

bool isFunctionOfApart(NodePtr argument) { return ast::anywhere(argument, ast::is<ast::Lambda>); }

}  // namespace hpcc::nests
