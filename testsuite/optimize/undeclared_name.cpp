// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "undeclared_name.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "ast/visitor.hpp"
#include "optimize/names.hpp"

namespace hpcc::testing {
namespace {

using ast::NodePtr;

class Verifier : public ast::EvaluationVisitor {
public:
    explicit Verifier(const ast::Unit& unit) : unit_(unit) {}
    NodePtr found = nullptr;

    void visitFunctionDefinition(NodePtr node) override {
        const optimize::Names names(node);
        const auto* const outer = std::exchange(names_, &names);
        visit(node->child(ast::FunctionDefinition::body));
        names_ = outer;
    }
    void visitIdentifier(NodePtr node) override {
        const bool isMade = !node->isParsed() && !unit_.identifiers.contains(node->text());
        if (isMade && isName(node->text()) && names_ && names_->find(node) < 0) found = node;
    }
    // What holds names of other things than variables.
    void visitMember(NodePtr node) override { visit(node->child(ast::Member::base)); }
    void visitPointerMember(NodePtr node) override { visit(node->child(ast::PointerMember::base)); }

private:
    /// One word; made text may also be a number or an expression.
    static bool isName(std::string_view text) {
        if (text == "true" || text == "false" || std::isdigit(static_cast<unsigned char>(text[0])))
            return false;
        return std::ranges::all_of(text,
                                   [](unsigned char c) { return c == '_' || std::isalnum(c); });
    }

    const ast::Unit& unit_;
    const optimize::Names* names_ = nullptr;
};

}  // namespace

NodePtr undeclaredName(const ast::Unit& unit) {
    Verifier verifier(unit);
    verifier.visit(unit.root);
    return verifier.found;
}

}  // namespace hpcc::testing
