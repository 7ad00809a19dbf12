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

/// What a pass has left to the next one, as long as no other node is made in between: the names of
/// functions, by what the pass has made of these.
struct Known {
    std::weak_ptr<ast::Arena> arena;
    size_t nodeCount = 0;
    std::unordered_map<NodePtr, Names> names;

    bool isOf(const ast::Unit& unit) const {
        return arena.lock() == unit.arena && nodeCount == unit.arena->nodeCount();
    }
};

/// By the memory of what the pass has changed.
thread_local std::unordered_map<const ast::Arena*, Known> knownOf;

class FunctionRewriter : public ast::Rewriter {
public:
    FunctionRewriter(ast::Unit& unit, ast::Quoter& quote, std::string_view pass,
                     const std::function<NodePtr(Function&)>& improve)
        : Rewriter(*unit.arena), unit_(unit), quote_(quote), pass_(pass), improve_(improve) {
        const auto known = knownOf.extract(unit.arena.get());
        if (known && known.mapped().isOf(unit)) before_ = std::move(known.mapped().names);
    }

    /// Leaves what is known to the next pass.
    void leave() {
        knownOf[unit_.arena.get()] = {unit_.arena, unit_.arena->nodeCount(), std::move(behind_)};
    }

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
        Function function(unit_, quote_, namesOf(node), pass_);
        const NodePtr result = improve_(function);
        behind_.emplace(result, function.takeNames());
        return result;
    }

private:
    Names namesOf(NodePtr function) {
        const auto found = before_.find(function);
        if (found == before_.end()) return Names(function);
        const bool isSame = found->second.function() == function;
        return isSame ? std::move(found->second) : Names(function, &found->second);
    }

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
    std::unordered_map<NodePtr, Names> before_, behind_;
};

}  // namespace

Function::Function(ast::Unit& unit, ast::Quoter& quote, Names names, std::string_view pass)
    : unit_(unit), quote_(quote), pass_(pass), names_(std::move(names)) {}

std::string Function::lineOf(NodePtr loop) const {
    if (!isHeard()) return "";
    return "the loop of line " + std::to_string(loop->origin()->span().position().line);
}

void Function::leave(NodePtr body) const {
    missed(definition(), std::string(leftAlone), body,
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
    FunctionRewriter rewriter(unit, quote, pass, improve);
    unit.root = rewriter.rewrite(unit.root);
    rewriter.leave();
    return unit;
}

}  // namespace hpcc::optimize
