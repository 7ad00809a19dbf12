// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/written_out.hpp"

namespace hpcc::nests {

/// A short loop round one that adds up numbers of its own, with its iterations in one loop (unroll
/// and jam). Each sum keeps its order, but none waits for another one:
///
///     for (int k = 0; k < 2; ++k) {                    double d = 0;
///         double d = 0;                                double d_2 = 0;
///         for (int j = 0; j < n; ++j)                  for (int j = 0; j < n; ++j) {
///             d += u[j] * v[k, j];             ->          d += u[j] * v[0, j];
///         if (d > most) most = d;                          d_2 += u[j] * v[1, j];
///     }                                                }
///                                                      if (d > most) most = d;
///                                                      if (d_2 > most) most = d_2;
class UnrollAndJam {
public:
    /// `own`: names that the nest declares.
    UnrollAndJam(Context& context, const Names& own, const analysis::CountingLoop& loop)
        : context_(context), own_(own), loop_(loop) {}

    /// The statements; none if the loop is no such loop, or if its iterations need one another.
    std::vector<ast::NodePtr> run();

private:
    bool findParts(ast::NodePtr body);
    bool isNumbersDeclaration(ast::NodePtr statement);
    bool onlyComputes(ast::NodePtr body) const;
    bool addsOwnNumbers();
    bool isOwnElement(ast::NodePtr target, ast::NodePtr where) const;
    bool leavesInner(ast::NodePtr behind) const;
    bool write(WrittenOut& written, long value);
    std::vector<ast::NodePtr> iteration(WrittenOut& written, ast::NodePtr part, long value);

    Context& context_;
    const Names& own_;
    const analysis::CountingLoop& loop_;
    std::vector<ast::NodePtr> before_, behind_;  // the loop inside
    ast::NodePtr inner_ = nullptr;
    Names numbers_;                                      // that an iteration declares before it
    std::vector<ast::NodePtr> declared_, added_, used_;  // of all iterations
};

}  // namespace hpcc::nests
