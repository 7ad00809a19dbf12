// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 6: reachability and definite assignment of one function or lambda.
#include "ast/declarators.hpp"
#include "ast/visitor.hpp"
#include "check/flow/assignment.hpp"
#include "check/wording.hpp"

#include <algorithm>

namespace hpcc::check {
namespace {

using flow::Finding;

std::string kindWord(const Type* type) {
    switch (type->kind) {
    case TypeKind::Multiarray:
        return "multiarray";
    case TypeKind::Group:
        return "group";
    case TypeKind::Dimension:
        return "dimension";
    default:
        return "range";
    }
}

std::string exampleValue(const Type* type) {
    switch (type->kind) {
    case TypeKind::Multiarray:
        return "new " + nameOf(type->element) + " [[..]]";
    case TypeKind::Range:
        return "BlockRange(n, p.dim(0))";
    case TypeKind::Group:
        return "apg()";
    case TypeKind::Dimension:
        return "p.dim(0)";
    case TypeKind::Bool:
        return "false";
    case TypeKind::Pointer:
        return "nullptr";
    default:
        return "0";
    }
}

std::string causeText(NodePtr cause) {
    switch (cause->kind()) {
    case ast::Kind::Return:
        return "this 'return' leaves the function";
    case ast::Kind::Break:
        return "this 'break' leaves the statement around it";
    case ast::Kind::Continue:
        return "this 'continue' ends the iteration";
    case ast::Kind::Goto:
        return "this 'goto' leaves the place";
    case ast::Kind::Throw:
        return "this 'throw' leaves the place";
    case ast::Kind::Call:
        return "this call never returns";
    case ast::Kind::While:
    case ast::Kind::DoWhile:
    case ast::Kind::For:
        return "this loop never ends";
    default:
        return "control does not come past this";
    }
}

void reportUnreachable(const Context& context, const Finding& finding) {
    context.engine.report(finding.id, headOf(finding.place))
        .note(headOf(finding.cause), causeText(finding.cause))
        .help("remove it, or jump only under a condition");
}

void reportUnassigned(const Context& context, const Finding& finding) {
    const NodePtr declaration = finding.variable->declaration;
    const Type* type = typeOf(declaration);
    const std::string& name = finding.variable->name;
    const std::string value = exampleValue(type);
    Report report = finding.id == Id::UnassignedHandle
                        ? context.report(finding.id, finding.place, kindWord(type), name)
                        : context.report(finding.id, finding.place, name);
    report.note(declaration->span(), "declared here without a value");
    report.help("assign '" + name +
                "' on every path to this place, or where it is declared: " + name + " = " + value);
}

// ---- missing return ----------------------------------------------------------------------------

struct CoroutineWord : ast::Visitor {
    bool found = false;
    void visitReturn(NodePtr node) override { look(node, "co_return"); }
    void visitThrow(NodePtr node) override { look(node, "co_yield"); }
    void visitUnary(NodePtr node) override { look(node, "co_await"); }
    void visitLambda(NodePtr) override {}
    void look(NodePtr node, std::string_view word) {
        found |= node->text().starts_with(word);
        visitChildren(node);
    }
};

bool isCoroutine(NodePtr body) {
    CoroutineWord word;
    word.visit(body);
    return word.found;
}

// Whether a call has a value for certain; a type out of sight may be another name of void.
bool returnsValue(const Type* function) {
    const Type* result = function ? function->result : nullptr;
    if (!result || result->kind == TypeKind::Void) return false;
    if (!isUnknown(result)) return true;
    return !result->isDependent && result->spelled.starts_with("std::") &&
           result->spelled.find("_t<") == std::string::npos;
}

bool isMain(const Context& context, NodePtr node) {
    const auto isScope = [](NodePtr around) {
        return around->is<ast::Namespace>() || around->is<ast::Class>();
    };
    return node->symbol && node->symbol->name == "main" &&
           std::ranges::none_of(context.path, isScope);
}

void missingReturn(const Context& context, NodePtr node, NodePtr body) {
    if (!returnsValue(node->type) || isMain(context, node) || isCoroutine(body)) return;
    source::Span end = body->span();
    end.begin = end.end - 1;
    const NodePtr name = node->is<ast::FunctionDefinition>()
                             ? ast::declaredName(node->child(ast::FunctionDefinition::declarator))
                             : nullptr;
    const std::string result = nameOf(node->type->result);
    const std::string what = name ? "'" + textOf(name) + "'" : "this lambda";
    Report report = context.engine.report(Id::MissingReturn, end, what);
    report.note(name ? name->span() : headOf(node), "its result is '" + result + "'");
    report.help("return a value on every path that leads here, or throw");
}

bool isInFunction(const Context& context) {
    return std::ranges::any_of(context.path, ast::is<ast::FunctionDefinition>);
}

}  // namespace

void functionFlow(const Context& context, NodePtr node) {
    const bool isLambda = node->is<ast::Lambda>();
    if (isLambda && !isInFunction(context)) return;
    const NodePtr body =
        node->child(isLambda ? +ast::Lambda::body : +ast::FunctionDefinition::body);
    if (!ast::is<ast::Compound>(body) && !ast::is<ast::FunctionTry>(body)) return;
    flow::Assignment assignment(context);
    if (!assignment.run(body)) return;
    std::vector<const Symbol*> told;
    for (const Finding& finding : assignment.findings()) {
        if (finding.id == Id::UnreachableStatement) {
            reportUnreachable(context, finding);
        } else if (std::ranges::find(told, finding.variable) == told.end()) {
            told.push_back(finding.variable);
            reportUnassigned(context, finding);
        }
    }
    if (assignment.end() == flow::Reach::Certain) missingReturn(context, node, body);
}

}  // namespace hpcc::check
