// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Many generated cases in one test. A case that fails is made smaller as long as it still fails,
/// and is reported with one line that runs it alone.

#include <functional>

#include "random.hpp"

namespace hpspmd::test {

/// Makes one case and checks it by EXPECT; what makes cases readable stands in a SCOPED_TRACE.
using Case = std::function<void(Random&)>;

/// Runs `usual` cases, or n times as many if the environment says HPSPMD_TIMES=n, until one fails;
/// the choices of HPSPMD_CASE alone if there are any. An exception is a failure.
void forCases(std::uint64_t usual, const Case& run);

/// The same under MPI: all processes run the same cases, and go on together when one has failed.
void forLiveCases(std::uint64_t usual, const Case& run);

/// Fewer and smaller choices for which `fails` is still true, as far as some hundred attempts lead;
/// fails(choices) leaves in its argument the choices that were really made.
Choices shrink(Choices choices, const std::function<bool(Choices&)>& fails);

}  // namespace hpspmd::test
