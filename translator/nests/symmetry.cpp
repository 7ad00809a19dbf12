// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/symmetry.hpp"

#include <string>

#include "ast/purity.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// Writes expressions so that those of one value look alike.
class SwappedForm {
public:
    SwappedForm(std::string_view one, std::string_view other) : one_(one), other_(other) {}

    std::string of(NodePtr e) const {
        if (!e) return "-";
        e = ast::withoutParentheses(e);
        if (e->is<ast::Identifier>()) return std::string(swapped(e->text()));
        if (e->children().empty()) return std::string(e->text());
        if (e->is<ast::Binary>()) return ofBinary(e);
        std::string text = std::to_string(static_cast<int>(e->kind())) + "(";
        for (const NodePtr child : e->children()) text += of(child) + " ";
        return text + ")";
    }

private:
    std::string_view swapped(std::string_view name) const {
        return name == one_ ? other_ : name == other_ ? one_ : name;
    }

    std::string ofBinary(NodePtr e) const {
        const std::string op(e->child(ast::Binary::op)->text());
        std::string left = of(e->child(ast::Binary::left)),
                    right = of(e->child(ast::Binary::right));
        if ((op == "+" || op == "*") && right < left) std::swap(left, right);
        return "(" + left + " " + op + " " + right + ")";
    }

    std::string_view one_, other_;
};

}  // namespace

bool isSymmetric(NodePtr expression, std::string_view one, std::string_view other) {
    return SwappedForm(one, one).of(expression) == SwappedForm(one, other).of(expression);
}

}  // namespace hpcc::nests
