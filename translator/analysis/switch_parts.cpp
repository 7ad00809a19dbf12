// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/switch_parts.hpp"

#include <algorithm>

#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {
namespace {

bool isLabel(NodePtr node) { return ast::isAny<ast::Case, ast::Default>(node); }

class Parts {
public:
    // False if that is none of these forms.
    bool add(NodePtr statement) {
        if (isLabel(statement) && isOpen_ && !all.back().statements.empty()) return false;
        if (isLabel(statement) && !isOpen_) {
            all.emplace_back();
            isOpen_ = true;
        }
        for (; isLabel(statement); statement = statement->children().back())
            if (!addLabel(statement)) return false;
        return isOpen_ && addStatement(statement);
    }

    std::vector<SwitchPart> all;

private:
    bool addLabel(NodePtr label) {
        if (label->is<ast::Default>()) return all.back().isDefault = true;
        all.back().values.push_back(label->child(ast::Case::value));
        return !label->child(ast::Case::last);
    }

    bool addStatement(NodePtr statement) {
        if (!isOpen_) return false;
        if (ast::is<ast::Compound>(statement))
            return std::ranges::all_of(statement->children(),
                                       [this](NodePtr each) { return addStatement(each); });
        isOpen_ = !ast::isAny<ast::Break, ast::Return, ast::Continue>(statement);
        if (ast::is<ast::Break>(statement)) return true;
        all.back().statements.push_back(statement);
        return !ast::anywhere(statement, [](NodePtr each) {
            return ast::isAny<ast::Break, ast::Case, ast::Default>(each);
        });
    }

    bool isOpen_ = false;  // the last part goes on
};

}  // namespace

std::optional<std::vector<SwitchPart>> partsOf(NodePtr switchStatement) {
    const NodePtr body = switchStatement->child(ast::Switch::body);
    if (!ast::is<ast::Compound>(body)) return std::nullopt;
    Parts parts;
    for (const NodePtr each : body->children())
        if (!parts.add(each)) return std::nullopt;
    return parts.all;
}

bool isSwitchable(const ast::Type* type) {
    return ast::isNumber(type) ||
           (type && type->classSymbol && ast::is<ast::Enum>(type->classSymbol->declaration));
}

}  // namespace hpcc::analysis
