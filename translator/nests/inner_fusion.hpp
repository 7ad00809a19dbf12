#pragma once

#include <unordered_set>

#include "nests/contraction.hpp"
#include "nests/nest_rewriter.hpp"

namespace hpcc::nests {

/// Adjacent loops inside of a nest that go over the same values become one, if temporaries between
/// them vanish: of the whole nest there is a second form, as of nests that run together.
///
///     overall (i = x for :) {                          overall (i = x for :)
///         overall (j = y for :) t[i, j] = 2 * a[i, j];     overall (j = y for :) {
///         overall (j = y for :) b[i, j] = t[i, j] + 1; ->      double t_value;
///     }                                                        t_value = 2 * a[i, j];
///                                                              b[i, j] = t_value + 1;
///                                                          }
class InnerFusion : public NestRewriter {
public:
    InnerFusion(Context& context, const ast::Unit& unit);

    ast::NodePtr rewriteCompound(ast::NodePtr block) override;
    ast::NodePtr rewriteOverall(ast::NodePtr overall) override;
    ast::NodePtr rewriteIf(ast::NodePtr choice) override;
    /// What is promised of loops is not promised of the one that they become.
    ast::NodePtr rewriteAttributed(ast::NodePtr statement) override;

private:
    ast::NodePtr joined(ast::NodePtr overall, ast::NodePtr statement);
    bool isFolded(const Nest& nest) const;
    void tell(const std::vector<ast::NodePtr>& loops, const Nest& nest,
              const std::vector<Contraction>& contractions);

    std::unordered_set<std::string> summed_;  // arrays that fast-nests may fold (fold.hpp)
    ast::NodePtr stamped_ = nullptr;          // the block of the nest's stamp and the nest
};

}  // namespace hpcc::nests
