// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "nests/lane_values.hpp"

namespace hpcc::nests {

/// Vectors that each of several iterations has for itself, on packs that are made once:
///
///     std::vector<hpspmd::detail::Each<double>> up_packs(up.size());      in front of the lanes
///     .. { hpspmd::detail::VectorInLanes<double> up(up_packs); ..         in each of them
class LaneVectors {
public:
    /// Some are scratch vectors of the loop; the names of these stand at the start of the lanes.
    LaneVectors(Context& context, const Nest& nest, const Loop& loop, const Varying& varying,
                LaneValues& values)
        : context_(context), nest_(nest), loop_(loop), varying_(varying), values_(values) {}

    std::vector<ast::NodePtr> scratch(ast::NodePtr origin);
    /// A C array, a std::array or a vector that an iteration declares; null of others.
    ast::NodePtr array(ast::NodePtr declarator, ast::NodePtr specifiers);

    /// Those asked for are all known.
    bool areKnown() const { return areKnown_; }
    const std::string& packs() const { return packs_; }
    const std::vector<std::string>& lengths() const { return lengths_; }

private:
    std::string word(const ast::Symbol& vector);
    std::string lengthOf(ast::NodePtr specifiers);
    std::string listOf(ast::NodePtr initializer);
    ast::NodePtr declared(ast::NodePtr variable, ast::NodePtr initializer);

    Context& context_;
    const Nest& nest_;
    const Loop& loop_;
    const Varying& varying_;
    LaneValues& values_;
    std::string packs_;
    std::vector<std::string> lengths_;
    bool areKnown_ = true;
};

}  // namespace hpcc::nests
