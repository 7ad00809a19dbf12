// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>

#include "nests/entry_test.hpp"
#include "nests/fold.hpp"

namespace hpcc::nests {

/// The fast form of element accesses: `a[i - 1, j]` is `a_data[a_s0 * (i - 1) + j]`, where a_data
/// and a_s0 are constants of the nest and i, j local subscripts; `v[k]`, if k is checked, is
/// `v_data[hpspmd::detail::bounded(k, v_n0, 0)]` with the extent v_n0. Elements of a std::vector
/// have a data pointer, too: C++ compilers take that of an object again in each iteration.
class Elements {
public:
    /// `fast` gives the fast form of any expression. What the fold stores are its sums:
    /// `t_sums_data[j]` for `t[k, j]`.
    Elements(Context& context, const Nest& nest, const EntryTest& test, const Fold* fold,
             std::function<ast::NodePtr(ast::NodePtr)> fast);

    /// Names the extents that checked subscripts are compared with. To be called when it is known
    /// which subscripts are checked, before an element is asked for.
    void nameExtents();
    /// The name of the extent that such a subscript is compared with.
    const std::string& extentOf(const Access& access, size_t r) const {
        return names_[access.array].extents.at(r);
    }
    /// That of the least of such extents.
    std::string leastOf(const std::set<std::string>& extents);
    /// Those of which it is known, in what is written next, that they are there; null: none.
    void cover(const Subscripts* covered) { covered_ = covered; }
    bool covers() const { return covered_; }
    /// True if some subscripts of a loop are compared in what is written next.
    bool isCheckedIn(const Loop& loop) const;

    /// The declarations of data pointers, strides and these extents. To be called when all elements
    /// have been asked for.
    std::vector<ast::NodePtr> constants();

    ast::NodePtr element(const Access& access);
    /// `w_data[k]` of `w[k]`, where w is a std::vector or std::span of plain values that the nest
    /// leaves where it is; null of other nodes.
    ast::NodePtr elementOfVector(ast::NodePtr node);
    /// `w_data` of it, or std::data(w) where w is an array.
    ast::NodePtr dataOfContainer(ast::NodePtr node);
    /// How names begin that stand for elements of its array.
    const std::string& nameOf(const Access& access) const { return names_[access.array].base; }

    /// The name of the distance from row to row of an array with at least two dimensions.
    const std::string& pitchOf(size_t array) const { return names_[array].strides.back(); }

    /// The name of the distance between neighbours in dimension r, but the last one.
    const std::string& strideOf(size_t array, size_t r) const { return names_[array].strides[r]; }

    /// The name of the extent of a dimension, which then is one of constants().
    const std::string& nameExtent(size_t array, size_t r);
    /// Where the access's row begins: `a_data + a_s0 * (i - 1)`.
    ast::NodePtr start(const Access& access);

    /// Where the access's element would lie if its last subscript were the loop's index 0:
    /// `a_data + a_s0 * (i - 1) + 1` for `a[i - 1, j + 1]`.
    ast::NodePtr row(const Access& access);

    /// Where it would lie if the subscript of dimension r, which is not the last one, were 0.
    ast::NodePtr column(const Access& access, size_t r);

    ast::NodePtr fast(ast::NodePtr expression) { return fast_(expression); }

private:
    struct Names {
        std::string base, data;
        std::vector<std::string> strides = {};
        std::map<size_t, std::string> extents = {};  // of dimensions whose subscripts are checked
    };

    bool isChecked(const Access& access, size_t r) const;
    ast::NodePtr name(const std::string& text, ast::NodePtr origin) {
        return context_.identifier(text, origin);
    }
    void nameArrays();
    ast::NodePtr inquiry(const std::string& name, size_t array, const char* question, size_t r);
    ast::NodePtr leading(const Access& access, ast::NodePtr sum,
                         std::optional<size_t> leftOut = std::nullopt);
    ast::NodePtr local(const Access& access, size_t r);
    ast::NodePtr distributed(const Slot& slot);
    ast::NodePtr distance(const Slot& slot);
    ast::NodePtr inProduct(ast::NodePtr e);
    ast::NodePtr inSum(ast::NodePtr e);

    Context& context_;
    const Nest& nest_;
    const EntryTest& test_;
    const Fold* fold_;
    std::function<ast::NodePtr(ast::NodePtr)> fast_;
    std::vector<Names> names_;
    std::map<std::set<std::string>, std::string> leasts_;  // by the names of the extents
    std::map<std::string, std::pair<std::string, ast::NodePtr>> vectors_;  // by their texts: names
    const Subscripts* covered_ = nullptr;
};

}  // namespace hpcc::nests
