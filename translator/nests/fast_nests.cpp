#include "nests/fast_nests.hpp"

#include <algorithm>

#include "ast/rewriter.hpp"
#include "nests/analyse.hpp"
#include "nests/fast_nest.hpp"
#include "nests/reaches.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class FastNests : public ast::Rewriter {
public:
    explicit FastNests(Context& context) : Rewriter(context.arena), context_(context) {}

    NodePtr rewriteOverall(NodePtr overall) override {
        const auto analysed = analyse(overall);
        const Nest* nest = std::get_if<Nest>(&analysed);
        if (!nest || !hasFixedDistances(*nest)) return rewriteChildren(overall);
        context_.taken.clear();
        return withFastForm(context_, *nest);
    }

private:
    bool hasFixedDistances(const Nest& nest) const {
        const Reaches reaches(context_, nest);
        return std::ranges::all_of(nest.accesses, [&](const Access& access) {
            return std::ranges::all_of(
                access.slots, [&](const Slot& slot) { return reaches.isFixed(slot.distance); });
        });
    }

    Context& context_;
};

}  // namespace

ast::Unit fastNests(ast::Unit unit, ast::Quoter& quote) {
    Context context{*unit.arena, quote, ast::FreshNames(unit.identifiers)};
    unit.root = FastNests(context).rewrite(unit.root);
    return unit;
}

}  // namespace hpcc::nests
