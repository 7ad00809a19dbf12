#include "nests/fast_nests.hpp"

#include "ast/remarks.hpp"
#include "ast/rewriter.hpp"
#include "nests/analyse.hpp"
#include "nests/fast_nest.hpp"
#include "nests/reaches.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class FastNests : public ast::Rewriter {
public:
    FastNests(Context& context, const ast::Unit& unit)
        : Rewriter(context.arena),
          context_(context),
          remarks_(unit.remarks),
          surroundings_{unit.whole->macros(), {}} {}

    NodePtr rewriteFunctionDefinition(NodePtr function) override { return inside(function); }
    NodePtr rewriteLambda(NodePtr lambda) override { return inside(lambda); }

    NodePtr rewriteOverall(NodePtr overall) override {
        const auto analysed = analyse(overall, surroundings_);
        const Nest* nest = std::get_if<Nest>(&analysed);
        if (!nest) return leave(overall, std::get<Obstacle>(analysed));
        if (const NodePtr distance = changingDistance(*nest))
            return leave(overall, {distance, "shifts an index by a distance that changes"});
        context_.taken.clear();
        context_.notes.clear();
        context_.ordered.clear();
        const NodePtr result = withFastForm(context_, *nest);
        std::string text = "this nest has a fast form of plain loops, behind a test at its entry";
        for (const std::string& note : context_.notes) text += ", " + note;
        if (remarks_) remarks_->fired("fast-nests", headers(overall), text);
        for (const Loop* loop : context_.ordered)
            if (remarks_)
                remarks_->missed("reductions", loop->statement,
                                 "the iterations of this loop are computed one by one",
                                 loop->statement,
                                 "because it assigns '" + std::string(*loop->assigned.begin()) +
                                     "' other than by adding or keeping the largest or least "
                                     "number");
        return result;
    }

private:
    NodePtr inside(NodePtr function) {
        if (!function->contains(ast::extension)) return function;
        ast::Confined around(function);
        std::swap(around, surroundings_.confined);
        const NodePtr result = rewriteChildren(function);
        std::swap(around, surroundings_.confined);
        return result;
    }

    static NodePtr headers(NodePtr overall) { return overall->child(ast::Overall::headers); }

    NodePtr leave(NodePtr overall, const Obstacle& obstacle) {
        if (remarks_)
            remarks_->missed("fast-nests", headers(overall), "this nest has no fast form",
                             obstacle.place, "because here it " + obstacle.reason);
        return rewriteChildren(overall);
    }

    NodePtr changingDistance(const Nest& nest) const {
        const Reaches reaches(context_, nest);
        for (const Access& access : nest.accesses)
            for (const Slot& slot : access.slots)
                if (!reaches.isFixed(slot.distance)) return slot.distance;
        return nullptr;
    }

    Context& context_;
    ast::Remarks* remarks_;
    Surroundings surroundings_;
};

}  // namespace

ast::Unit fastNests(ast::Unit unit, ast::Quoter& quote) {
    Context context{{*unit.arena, quote, ast::FreshNames(unit.identifiers)}};
    unit.root = FastNests(context, unit).rewrite(unit.root);
    return unit;
}

}  // namespace hpcc::nests
