// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "ast/declarators.hpp"
#include "ast/pass.hpp"
#include "ast/rewriter.hpp"
#include "nests/analyse.hpp"
#include "nests/context.hpp"
#include "nests/mentions.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {

/// A pass on nests: it knows the function or lambda that each stands in.
class NestRewriter : public ast::Rewriter {
public:
    /// Looks at what is of the language, or at all.
    NestRewriter(Context& context, ast::Unit& unit, uint8_t about = ast::extension)
        : Rewriter(context.arena, about),
          context(context),
          plans(Plans::of(unit)),
          remarks(unit.remarks),
          policies_(unit.scope),
          surroundings_(unit.whole->macros(), policies_, nullptr) {
        context.usesVectorMath = plans.wantsVectorMath && !plans.wantsDevices;
        context.keepsOrderOfSums = plans.keepsOrderOfSums;
    }

    ast::NodePtr rewriteFunctionDefinition(ast::NodePtr function) override {
        return named(ast::declaredName(function->child(ast::FunctionDefinition::declarator)),
                     function);
    }
    ast::NodePtr rewriteLambda(ast::NodePtr lambda) override { return inside(lambda); }
    ast::NodePtr rewriteNamespace(ast::NodePtr node) override {
        return named(node->child(ast::Namespace::name), node);
    }
    ast::NodePtr rewriteClass(ast::NodePtr node) override {
        return named(node->child(ast::Class::name), node);
    }
    ast::NodePtr rewriteAttributed(ast::NodePtr statement) override;

protected:
    /// What an `overall` computes, if it may have another form; else null.
    const Nest* analysed(ast::NodePtr overall) const {
        const Nest* const nest = std::get_if<Nest>(&analysedInGeneral(overall));
        return nest && !nest->general.place ? nest : nullptr;
    }
    const Plans::Analysed& analysedInGeneral(ast::NodePtr overall) const {
        const auto known = plans.analysed.find(overall);
        if (known != plans.analysed.end()) return known->second;
        auto& result =
            plans.analysed.emplace(overall, analyse(overall, surroundings_)).first->second;
        if (Nest* nest = std::get_if<Nest>(&result)) {
            nest->isPromised = isPromised_;
            nest->method = method_;
            if (ast::is<ast::Lambda>(function_) || scope_.find(':') != scope_.npos)
                nest->function = scope_;
        }
        return result;
    }

    /// Of the function round it.
    const Mentions& mentions();
    const Surroundings& surroundings() const { return surroundings_; }
    ast::NodePtr function() const { return function_; }

    Context& context;
    Plans& plans;
    ast::Remarks* remarks;

private:
    ast::NodePtr inside(ast::NodePtr function);
    /// A namespace, class or function, below which names are qualified by its own.
    ast::NodePtr named(ast::NodePtr name, ast::NodePtr node);

    Policies policies_;
    Surroundings surroundings_;
    std::string scope_;  // "sor::Grid::relax"
    ast::NodePtr function_ = nullptr;
    std::optional<Mentions> mentions_;  // once asked for
    bool isPromised_ = false;           // below [[hpspmd::independent]]
    std::string_view method_;           // below [[hpspmd::divided(..)]]
};

/// `unit` as a rewriter leaves it.
template <class Pass>
ast::Unit rewritten(ast::Unit unit, ast::Quoter& quote) {
    Context context{{*unit.arena, quote, ast::FreshNames(unit.identifiers)}};
    unit.root = Pass(context, unit).rewrite(unit.root);
    return unit;
}

}  // namespace hpcc::nests
