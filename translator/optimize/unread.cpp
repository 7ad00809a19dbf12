// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/unread.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "ast/print.hpp"
#include "ast/search.hpp"
#include "optimize/edits.hpp"

namespace hpcc::optimize {
namespace {

/// The declarators of constants that the program reads and that nothing names.
std::unordered_set<NodePtr> unreadIn(const Names& names) {
    std::unordered_set<NodePtr> declarators;
    std::vector<NodePtr> written;  // names in the text of the program
    for (int variable = 0; variable < names.size(); ++variable) {
        const Variable& each = names[variable];
        if (!each.isConst || each.isPersistent || !names.usesOf(variable).empty() ||
            !ast::is<ast::InitDeclarator>(each.declaration))
            continue;
        if (written.empty()) written = ast::allOf<ast::Identifier>(names.function()->origin());
        const auto isName = [&](NodePtr word) { return word->text() == each.name; };
        if (std::ranges::count_if(written, isName) > 1) declarators.insert(each.declaration);
    }
    return declarators;
}

NodePtr marked(Function& function) {
    const auto unread = unreadIn(function.names());
    Edits edits(function);
    if (unread.empty()) return edits.apply();
    for (const NodePtr each : ast::allOf<ast::Declaration>(function.definition())) {
        const NodePtr specifiers = each->child(ast::Declaration::specifiers);
        const NodePtr declarators = each->child(ast::Declaration::declarators);
        const bool isUnread =
            declarators && std::ranges::any_of(declarators->children(), [&](NodePtr declarator) {
                return unread.contains(declarator);
            });
        if (!specifiers || !isUnread) continue;
        edits.replace(each, [&function, each, specifiers](const auto& edited) {
            const NodePtr word = function.identifier("[[maybe_unused]] " + ast::print(specifiers),
                                                     specifiers, specifiers);
            return ast::withChild(function.arena(), edited(each), ast::Declaration::specifiers,
                                  word);
        });
    }
    return edits.apply();
}

}  // namespace

ast::Unit markUnread(ast::Unit unit, ast::Quoter& quote) {
    return improveFunctions(std::move(unit), quote, "unread", marked);
}

}  // namespace hpcc::optimize
