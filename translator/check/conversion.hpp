// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which multiarray may stand where which is wanted.
#pragma once

#include "check/rules.hpp"

namespace hpcc::check {

enum class Fit { Fits, NoMultiarray, ScalarWanted, Rank, Element, Slot, Const };

struct Comparison {
    Fit fit = Fit::Fits;
    std::size_t slot = 0;  // of a Slot misfit
};

// Implicit conversion of a value of type `given` to `wanted`: * to -, T to const T. Fits unless
// both types are known and disagree; types that are no multiarrays are the C++ compiler's business.
//
//     double [[-,-]] <- double [[-,*]]      Fits
//     double [[-,*]] <- double [[-,-]]      Slot 1
//     double [[-]]   <- const double [[-]]  Const
Comparison compare(const Type* wanted, const Type* given);

// Whether two element types are certainly not the same type.
bool provablyDifferent(const Type* a, const Type* b);

// Reports the misfit. `what` begins the sentence: "argument 2 of 'f'".
void reportMisfit(const Context& context, const std::string& what, NodePtr value,
                  const Type* wanted, const Comparison& found);

}  // namespace hpcc::check
