#pragma once

#include <optional>

#include "ast/pass.hpp"
#include "ast/rewriter.hpp"
#include "nests/analyse.hpp"
#include "nests/context.hpp"
#include "nests/mentions.hpp"

namespace hpcc::nests {

/// A pass on nests: it knows the function or lambda that each stands in.
class NestRewriter : public ast::Rewriter {
public:
    NestRewriter(Context& context, const ast::Unit& unit)
        : Rewriter(context.arena, ast::extension),
          context(context),
          remarks(unit.remarks),
          surroundings_(unit.whole->macros(), nullptr) {}

    ast::NodePtr rewriteFunctionDefinition(ast::NodePtr function) override {
        return inside(function);
    }
    ast::NodePtr rewriteLambda(ast::NodePtr lambda) override { return inside(lambda); }
    ast::NodePtr rewriteAttributed(ast::NodePtr statement) override;

protected:
    /// Of a nest that may have another form.
    std::variant<Nest, Obstacle> analysed(ast::NodePtr overall) const {
        auto result = analysedInGeneral(overall);
        const Nest* nest = std::get_if<Nest>(&result);
        if (nest && nest->general.place) return nest->general;
        return result;
    }
    /// Of any nest.
    std::variant<Nest, Obstacle> analysedInGeneral(ast::NodePtr overall) const {
        auto result = analyse(overall, surroundings_);
        if (Nest* nest = std::get_if<Nest>(&result)) nest->isPromised = isPromised_;
        return result;
    }

    /// Of the function round it.
    const Mentions& mentions();
    const Surroundings& surroundings() const { return surroundings_; }

    Context& context;
    ast::Remarks* remarks;

private:
    ast::NodePtr inside(ast::NodePtr function);

    Surroundings surroundings_;
    ast::NodePtr function_ = nullptr;
    std::optional<Mentions> mentions_;  // once asked for
    bool isPromised_ = false;           // below [[hpspmd::independent]]
};

/// `unit` as a rewriter leaves it.
template <class Pass>
ast::Unit rewritten(ast::Unit unit, ast::Quoter& quote) {
    Context context{{*unit.arena, quote, ast::FreshNames(unit.identifiers)}};
    context.wantsThreads = unit.threads;
    unit.root = Pass(context, unit).rewrite(unit.root);
    return unit;
}

}  // namespace hpcc::nests
