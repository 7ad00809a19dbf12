// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/functions.hpp"

#include "ast/comments.hpp"
#include "ast/rewriter.hpp"

namespace hpcc::optimize {
namespace {

/// Bytes of source. The passes take time and memory that grow with the square of a function, so
/// larger ones (some thousand lines) stay as lowered: a file takes time in proportion to its
/// length.
constexpr size_t longestFunction = 40000;

constexpr std::string_view leftAlone = "this function is left as it is";

class FunctionRewriter : public ast::Rewriter {
public:
    FunctionRewriter(ast::Unit& unit, ast::Quoter& quote, std::string_view pass,
                     const std::function<NodePtr(Function&)>& improve)
        : Rewriter(*unit.arena), unit_(unit), quote_(quote), pass_(pass), improve_(improve) {}

    // What lowering did not touch holds no element access.
    NodePtr rewriteOther(NodePtr node) override {
        return node->isParsed() ? node : rewriteChildren(node);
    }
    NodePtr rewriteFunctionDefinition(NodePtr node) override {
        if (node->isParsed()) return node;
        if (const std::string obstacle = obstacleIn(node->text()); !obstacle.empty()) {
            if (unit_.remarks)
                unit_.remarks->missed(pass_, node, std::string(leftAlone), node, obstacle);
            return node;
        }
        Function function(unit_, quote_, node, pass_);
        return improve_(function);
    }

private:
    /// With #if inside, what stands before a statement may not be there for the next one.
    static std::string obstacleIn(std::string_view text) {
        if (text.size() > longestFunction)
            return "because it has more than " + std::to_string(longestFunction) + " characters";
        return ast::holdsDirective(text) ? "because lines of the preprocessor stand in it" : "";
    }

    ast::Unit& unit_;
    ast::Quoter& quote_;
    std::string_view pass_;
    const std::function<NodePtr(Function&)>& improve_;
};

}  // namespace

Function::Function(ast::Unit& unit, ast::Quoter& quote, NodePtr definition, std::string_view pass)
    : unit_(unit), quote_(quote), definition_(definition), pass_(pass), names_(definition) {}

std::string Function::lineOf(NodePtr loop) const {
    if (!isHeard()) return "";
    return "the loop of line " + std::to_string(loop->origin()->span().position().line);
}

void Function::leave(NodePtr body) const {
    missed(definition_, std::string(leftAlone), body,
           "because here is C++ that is not looked into, asm or a macro that may jump, say");
}

NodePtr Function::identifier(const std::string& name, NodePtr origin, NodePtr like) {
    NodePtr& shape = shapes_[name];
    if (!shape) shape = ast::identifier(arena(), name, origin);
    const NodePtr result = arena().rebuilt(shape, origin, {});
    if (like) {
        result->type = like->type;
        result->symbol = like->symbol;
    }
    return result;
}

ast::Unit improveFunctions(ast::Unit unit, ast::Quoter& quote, std::string_view pass,
                           const std::function<NodePtr(Function&)>& improve) {
    unit.root = FunctionRewriter(unit, quote, pass, improve).rewrite(unit.root);
    return unit;
}

}  // namespace hpcc::optimize
