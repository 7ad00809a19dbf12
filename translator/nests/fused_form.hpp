#pragma once

#include "nests/contraction.hpp"
#include "nests/fusable.hpp"

namespace hpcc::nests {

/// A nest that stands for others, or for one with more loops.
struct FusedForm {
    const Nest& nest;
    const NamePairs& apart;                        // arrays that must share no element
    const std::vector<Contraction>& contractions;  // of its arrays
    std::vector<ast::NodePtr> then = {};           // it, behind declarations
    std::vector<ast::NodePtr> otherwise = {};      // what it stands for
};

/// Can nothing in it fail behind the test at its entry, so that it may run in another order? Gives
/// out the names of that test, which stands in the same block as what the choice declares.
bool cannotFail(Context& context, const Nest& nest);

/// `if (hpspmd::detail::fused(..)) { then } else { otherwise }`, with what the entry test of the
/// nest does not ask.
ast::NodePtr choice(Context& context, const FusedForm& form, ast::NodePtr origin);

/// Is this If such a choice?
bool isFused(ast::NodePtr choice);

}  // namespace hpcc::nests
