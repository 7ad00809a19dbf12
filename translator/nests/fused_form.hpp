// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/contraction.hpp"
#include "nests/fusable.hpp"

namespace hpcc::nests {

/// Nests that become one, or a nest in which adjacent loops become one. Only its fast form stands
/// for them, behind the test that nothing in it can fail.
struct Fused {
    std::vector<ast::NodePtr> members = {};  // the nests
    size_t length = 1;                       // statements that they are, with those between them,
    std::vector<ast::NodePtr> moved = {};    // declarations, which can stand before them
    size_t depth = 0;             // loops that the nests have in common; 0 of a single one
    const Nest* whole = nullptr;  // what they compute,
    std::vector<Contraction> contracted = {};  // but for these of its arrays
    ast::NodePtr overall = nullptr;            // as one nest,
    std::vector<ast::NodePtr> stamps = {};     // behind declarations
    std::vector<std::pair<std::string, std::string>> apart =
        {};                                       // arrays that must share no element
    ast::NodePtr condition = nullptr;             // further one of its entry test, perhaps,
    std::vector<ast::NodePtr> declarations = {};  // and what that needs
};

/// True if nothing in it can fail behind the test at its entry, so that it may run in another
/// order. Gives out the names of that test, which stands in the same block as what the condition
/// declares.
bool cannotFail(Context& context, const Nest& nest);

/// Adds what the entry test of `fused.overall` does not ask, `apart` of arrays that are left.
/// `nest` is that without contractions.
void addConditions(Context& context, Fused& fused, const Nest& nest, const NamePairs& apart);

}  // namespace hpcc::nests
