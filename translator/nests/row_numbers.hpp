// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nests/context.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {

/// Numbers of type double that one iteration declares and changes before it stores its element, as
/// those of several neighbouring iterations. Each change declares another number, and an `if`
/// chooses between two.
///
///     double v = 2 * a[i, j];           const auto v = 2.0 * row.at(a_row);
///     if (v > most) v = most;           const auto v_2 = hpspmd::detail::chosen(v > most, most,
///     v); b[i, j] = v;                      return v_2;
///
/// Numbers that counting loops change are variables. Such a loop goes the same way in all the
/// iterations, and so do conditions in it that are the same in all of them:
///
///     double s = 0;                     auto s = row.of(0.0);
///     for (int d = -r; d <= r; ++d)     for (int d = -r; d <= r; ++d)
///         s += w[d + r] * a[i, j + d];      s = s + (w[d + r] * row.at(a_row + d));
class RowNumbers {
public:
    /// `operands` names the row in what is written.
    RowNumbers(Context& context, const Nest& nest, Elements& elements, WideValues& values,
               const std::string& operands)
        : context_(context),
          nest_(nest),
          elements_(elements),
          values_(values),
          operands_(operands) {}

    /// What stands in front of the store. False if it does something else. Under a condition that
    /// is not the same in all iterations no element may be read, since it is perhaps not there, and
    /// nothing divided.
    bool take(std::span<const ast::NodePtr> statements);

    /// Declares another number; `isUsed`: surely read, so that no compiler warns.
    void add(const std::string& name, ast::NodePtr value, bool isUsed, ast::NodePtr origin);

    /// The declarations so far.
    const std::vector<ast::NodePtr>& declarations() const { return declarations_; }
    /// The values of those that are constants.
    const std::map<std::string, ast::NodePtr>& values() const { return written_; }

private:
    bool take(ast::NodePtr statement);
    ast::NodePtr block(ast::NodePtr body);
    bool loop(ast::NodePtr statement);
    bool branch(ast::NodePtr statement);
    bool declare(ast::NodePtr specifiers, ast::NodePtr declarator);
    bool change(ast::NodePtr statement);
    bool isWide(ast::NodePtr statement) const;
    ast::NodePtr ownOf(ast::NodePtr name);
    ast::NodePtr after(ast::NodePtr statement, std::string_view name, bool isSure);
    ast::NodePtr extremeAfter(ast::NodePtr branch, ast::NodePtr own);
    ast::NodePtr forEach(ast::NodePtr value, ast::NodePtr written);

    Context& context_;
    const Nest& nest_;
    Elements& elements_;
    WideValues& values_;
    std::string operands_;
    Names variables_;                                 // that loops change
    int depth_ = 0;                                   // of loops
    std::map<std::string_view, ast::NodePtr> names_;  // of numbers, where declared
    std::vector<ast::NodePtr> declarations_;
    std::map<std::string, ast::NodePtr> written_;
};

}  // namespace hpcc::nests
