#include "optimize/functions.hpp"

#include "ast/comments.hpp"
#include "ast/rewriter.hpp"

namespace hpcc::optimize {
namespace {

/// Bytes of source. The passes take time and memory that grow with the square of a function, so
/// larger ones (some thousand lines) stay as lowered: a file takes time in proportion to its
/// length.
constexpr size_t longestFunction = 40000;

class FunctionRewriter : public ast::Rewriter {
public:
    FunctionRewriter(ast::Unit& unit, ast::Quoter& quote,
                     const std::function<NodePtr(Function&)>& improve)
        : Rewriter(*unit.arena), unit_(unit), quote_(quote), improve_(improve) {}

    // What lowering did not touch holds no element access.
    NodePtr rewriteOther(NodePtr node) override {
        return node->isParsed() ? node : rewriteChildren(node);
    }
    NodePtr rewriteFunctionDefinition(NodePtr node) override {
        if (node->isParsed() || !isSuited(node->text())) return node;
        Function function(unit_, quote_, node);
        return improve_(function);
    }

private:
    /// With #if inside, what stands before a statement may not be there for the next one.
    static bool isSuited(std::string_view text) {
        return text.size() <= longestFunction && !ast::holdsDirective(text);
    }

    ast::Unit& unit_;
    ast::Quoter& quote_;
    const std::function<NodePtr(Function&)>& improve_;
};

}  // namespace

Function::Function(ast::Unit& unit, ast::Quoter& quote, NodePtr definition)
    : unit_(unit), quote_(quote), definition_(definition), names_(definition) {}

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

ast::Unit improveFunctions(ast::Unit unit, ast::Quoter& quote,
                           const std::function<NodePtr(Function&)>& improve) {
    unit.root = FunctionRewriter(unit, quote, improve).rewrite(unit.root);
    return unit;
}

}  // namespace hpcc::optimize
