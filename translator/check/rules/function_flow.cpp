// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 6: reachability and definite assignment of one function or lambda.
#include "ast/declarators.hpp"
#include "ast/search.hpp"
#include "check/flow/assignment.hpp"
#include "check/wording.hpp"

#include <algorithm>

namespace hpcc::check {
namespace {

// How variables of a kind are called, and a value for one.
struct KindWords {
    TypeKind kind;
    const char *word, *example;
};

KindWords wordsOf(const Type* type) {
    constexpr KindWords words[] = {{TypeKind::Multiarray, "multiarray", ""},
                                   {TypeKind::Range, "range", "BlockRange(n, p.dim(0))"},
                                   {TypeKind::Group, "group", "apg()"},
                                   {TypeKind::Dimension, "dimension", "p.dim(0)"},
                                   {TypeKind::Bool, "", "false"},
                                   {TypeKind::Pointer, "", "nullptr"}};
    const auto found = std::ranges::find(words, type->kind, &KindWords::kind);
    return found == std::end(words) ? KindWords{type->kind, "range", "0"} : *found;
}

std::string exampleValue(const Type* type) {
    const bool isArray = type->kind == TypeKind::Multiarray;
    return isArray ? "new " + nameOf(type->element) + " [[..]]" : wordsOf(type).example;
}

std::string causeText(NodePtr cause) {
    constexpr std::pair<ast::Kind, const char*> texts[] = {
        {ast::Kind::Return, "this 'return' leaves the function"},
        {ast::Kind::Break, "this 'break' leaves the statement around it"},
        {ast::Kind::Continue, "this 'continue' ends the iteration"},
        {ast::Kind::Goto, "this 'goto' leaves the place"},
        {ast::Kind::Throw, "this 'throw' leaves the place"},
        {ast::Kind::Call, "this call never returns"},
    };
    if (ast::isAny<ast::While, ast::DoWhile, ast::For>(cause)) return "this loop never ends";
    for (const auto& [kind, text] : texts)
        if (cause->kind() == kind) return text;
    return "control does not come past this";
}

void reportUnreachable(const Context& context, const flow::Finding& finding) {
    context.engine.report(finding.id, headOf(finding.place))
        .note(headOf(finding.cause), causeText(finding.cause))
        .help("remove it, or jump only under a condition");
}

void reportUnassigned(const Context& context, const flow::Finding& finding) {
    const NodePtr declaration = finding.variable->declaration;
    const Type* type = typeOf(declaration);
    const std::string& name = finding.variable->name;
    const std::string value = exampleValue(type);
    const bool ofHandle =
        finding.id == Id::UnassignedHandle || finding.id == Id::PerhapsUnassignedHandle;
    Report report = ofHandle ? context.report(finding.id, finding.place, wordsOf(type).word, name)
                             : context.report(finding.id, finding.place, name);
    report.note(declaration->span(), "declared here without a value");
    report.help("assign '" + name +
                "' on every path to this place, or where it is declared: " + name + " = " + value);
}

// ---- missing return ----------------------------------------------------------------------------

// A lambda inside is a function of its own.
bool isCoroutine(NodePtr node) {
    if (!node || node->is<ast::Lambda>()) return false;
    const bool mayBegin = ast::isAny<ast::Return, ast::Throw, ast::Unary>(node);
    return (mayBegin && node->text().starts_with("co_")) ||
           std::ranges::any_of(node->children(), isCoroutine);
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

// True if there is another way out than the end. Which one a call takes, its conditions tell.
bool mayLeave(NodePtr node) {
    if (!node || node->is<ast::Lambda>()) return false;
    return ast::isAny<ast::Return, ast::Throw, ast::Goto>(node) ||
           std::ranges::any_of(node->children(), mayLeave);
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
    const Id id = mayLeave(body) ? Id::PerhapsMissingReturn : Id::MissingReturn;
    Report report = context.engine.report(id, end, what);
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
    for (const flow::Finding& finding : assignment.findings()) {
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
