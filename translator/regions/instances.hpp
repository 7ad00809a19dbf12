// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instances of templates whose T is no number.
#pragma once

#include <string>

#include "ast/unit.hpp"
#include "regions/edits.hpp"
#include "regions/method.hpp"

namespace hpcc::regions {

// What stands round the nests of a template that takes T for a number: for other types each process
// runs the loops as they were written.
//
//     if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
//         ..
//     } else {
//         for (int i = 0; i < n; ++i) a[i] *= by;
//     }
struct Instances {
    std::string before, behind;  // empty where no type is taken for a number
};
// As it was written, without attributes, the text is what `written` makes of it.
Instances instancesOf(const Method& method, const Edits& written, diagnostics::Engine& engine);

// The same for what cannot stand twice: `static_assert(..); `
std::string assertedNumbers(const Method& method);

// `T`, `T, U`: the types of the template that its loops and arrays are taken to have for numbers.
std::string assumedTypes(const Method& method);

}  // namespace hpcc::regions
