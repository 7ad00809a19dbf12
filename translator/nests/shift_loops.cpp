// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/shift_loops.hpp"

#include <string>
#include <vector>

#include "ast/comments.hpp"
#include "ast/copy.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/remarks.hpp"
#include "ast/search.hpp"
#include "nests/nest_rewriter.hpp"
#include "nests/unroll_and_jam.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class ShiftLoops : public ast::Rewriter {
public:
    ShiftLoops(Context& context, const ast::Unit& unit)
        : Rewriter(context.arena), context_(context), remarks_(unit.remarks) {}

    NodePtr rewriteFunctionDefinition(NodePtr function) override {
        gone_.clear();
        return function->contains(ast::extension) ? rewriteChildren(function) : function;
    }

    /// A constant that stood in such a loop only is used, for the C++ compiler's warnings.
    NodePtr rewriteCompound(NodePtr block) override {
        const NodePtr result = rewriteChildren(block);
        if (isInNest_ || result == block) return result;
        std::vector<NodePtr> statements;
        for (const NodePtr each : result->children()) {
            statements.push_back(each);
            for (const NodePtr name : declaredIn(each))
                if (gone_.contains(name->text()) && !isUsed(result, name))
                    statements.push_back(context_.statement(
                        "static_cast<void>($v);", {{"$v", ast::copy(context_.arena, name)}}, each));
        }
        return statements.size() == result->children().size()
                   ? result
                   : context_.arena.rebuilt(result, result, statements);
    }

    NodePtr rewriteOverall(NodePtr overall) override {
        if (isInNest_) return rewriteChildren(overall);
        own_ = ast::effectsOf(overall).declared;
        shifting_ = shiftingNames(overall, own_);
        if (ast::holdsDirective(overall->origin()->text())) return overall;
        isInNest_ = true;
        const NodePtr result = rewriteChildren(overall);
        isInNest_ = false;
        return result;
    }

    NodePtr rewriteFor(NodePtr statement) override {
        const auto loop = isInNest_ ? ownLoop(statement) : std::nullopt;
        if (!loop) return rewriteChildren(statement);
        if (const auto joined = UnrollAndJam(context_, own_, *loop).run(); !joined.empty()) {
            if (remarks_)
                remarks_->fired("shift-loops", statement,
                                "the iterations of this loop run together in the loop inside");
            return replaced(statement, joined);
        }
        if (!shifting_.contains(loop->name->text())) return rewriteChildren(statement);
        const NodePtr body = statement->child(ast::For::body);
        const LoopUse use = useOf(loop->name->text(), body, own_);
        if (use == LoopUse::None) return rewriteChildren(statement);
        WrittenOut written(context_, own_);
        const auto values = written.valuesOf(*loop);
        if (const Obstacle* obstacle = std::get_if<Obstacle>(&values))
            return leave(statement, use, *obstacle);
        const auto& known = std::get<std::vector<long>>(values);
        const std::vector<NodePtr> statements = written.iterations(*loop, known);
        if (written.isTooMuch())
            return leave(statement, use, {statement, "that would be too long"});
        if (remarks_)
            remarks_->fired("shift-loops", statement,
                            described(use) + ", is written out: " + std::to_string(known.size()) +
                                (known.size() == 1 ? " iteration" : " iterations"));
        return replaced(statement, statements);
    }

private:
    /// A loop, by what its iterations have become.
    NodePtr replaced(NodePtr loop, std::vector<NodePtr> statements) {
        const std::vector<NodePtr> comments = ast::commentsInside(context_.arena, loop);
        statements.insert(statements.begin(), comments.begin(), comments.end());
        const NodePtr result = WrittenOut(context_, own_).block(std::move(statements), loop);
        for (const std::string_view name : ast::namesIn(loop))
            if (!mentions(result, name)) gone_.insert(name);
        return result;
    }
    static std::vector<NodePtr> declaredIn(NodePtr statement) {
        std::vector<NodePtr> names;
        const NodePtr list = ast::is<ast::Declaration>(statement)
                                 ? statement->child(ast::Declaration::declarators)
                                 : nullptr;
        if (list)
            for (const NodePtr each : list->children())
                if (const NodePtr name = ast::declaredName(each->child(0))) names.push_back(name);
        return names;
    }
    static bool isUsed(NodePtr block, NodePtr name) {
        return ast::anywhere(block, [&](NodePtr each) {
            return each != name && ast::is<ast::Identifier>(each) && each->text() == name->text();
        });
    }
    static std::string described(LoopUse use) {
        const std::string loop = "this loop, which ";
        if (use == LoopUse::ShiftsIndex) return loop + "shifts an index";
        return loop + (use == LoopUse::ChoosesArray ? "chooses an array"
                                                    : "goes over an array of the iteration");
    }

    /// One over an array of the iteration is fast as it is.
    NodePtr leave(NodePtr loop, LoopUse use, const Obstacle& obstacle) {
        if (remarks_ && use != LoopUse::GoesOverOwn)
            remarks_->missed("shift-loops", loop, described(use) + ", is not written out",
                             obstacle.place, "because " + obstacle.reason);
        return rewriteChildren(loop);
    }

    Context& context_;
    ast::Remarks* remarks_;
    bool isInNest_ = false;
    Names shifting_, own_;  // of the nest
    Names gone_;            // that loops written out do not mention any more
};

}  // namespace

ast::Unit shiftLoops(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<ShiftLoops>(std::move(unit), quote);
}

}  // namespace hpcc::nests
