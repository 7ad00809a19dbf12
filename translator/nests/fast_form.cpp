#include "nests/fast_form.hpp"

#include <algorithm>

#include "ast/declarators.hpp"
#include "ast/print.hpp"
#include "nests/threads.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

void noteRuns(NodePtr declaration, std::vector<std::string>& runs) {
    const std::string type = ast::print(declaration->child(ast::Declaration::specifiers));
    if (type != "const hpspmd::detail::Run") return;
    const NodePtr declarator = declaration->child(ast::Declaration::declarators)->child(0);
    runs.push_back(
        ast::print(ast::declaredName(declarator->child(ast::InitDeclarator::declarator))));
}

/// The call that an expression statement, perhaps an assignment, makes.
NodePtr apartCall(NodePtr statement) {
    if (!ast::is<ast::ExpressionStatement>(statement)) return nullptr;
    NodePtr e = statement->child(ast::ExpressionStatement::expression);
    if (ast::is<ast::Assign>(e)) e = e->child(ast::Assign::value);
    if (!ast::is<ast::Call>(e)) return nullptr;
    const std::string callee = ast::print(e->child(ast::Call::callee));
    const bool isApart =
        callee == "hpspmd::detail::apart" || callee.starts_with("hpspmd::detail::inThread");
    return isApart ? e : nullptr;
}

/// The call, and the declarations in front of it.
void noteCall(NodePtr then, FastForm& form) {
    if (ast::is<ast::Compound>(then) && !then->children().empty()) {
        const auto parts = then->children();
        form.before.assign(parts.begin(), parts.end() - 1);
        then = parts.back();
    }
    form.call = apartCall(then);
}

}  // namespace

bool isFastForm(NodePtr choice) {
    FastForm form;
    noteCall(choice->child(ast::If::then), form);
    return form.call;
}

FastForm fastFormIn(NodePtr statement) {
    FastForm form;
    while (ast::is<ast::Compound>(statement) && !statement->children().empty()) {
        const auto parts = statement->children();
        if (!std::all_of(parts.begin(), parts.end() - 1, ast::is<ast::Declaration>)) return {};
        for (const NodePtr declaration : parts.first(parts.size() - 1))
            noteRuns(declaration, form.runs);
        statement = parts.back();
    }
    if (ast::is<ast::If>(statement) && !form.runs.empty()) {
        form.choice = statement;
        noteCall(statement->child(ast::If::then), form);
        statement = statement->child(ast::If::otherwise);
        if (ast::is<ast::Compound>(statement)) {
            for (const NodePtr each : statement->children())
                form.fused.push_back(fastFormIn(each).nest);
            statement = form.fused.empty() ? nullptr : form.fused.front();
        }
    }
    if (isMarkedForThreads(statement)) statement = statement->child(ast::MacroStatement::body);
    if (!ast::is<ast::Overall>(statement)) return {};
    form.nest = statement;
    return form;
}

}  // namespace hpcc::nests
