// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics as text, in the layout of clang:
//
//     f.hpcpp:4:18: error: unexpected ':', expected 'for' [HP1021]
//         overall (i = x :) a[i] = 0;
//                        ^
#pragma once

#include "diagnostics/engine.hpp"

#include <string>

namespace hpcc::diagnostics {

struct RenderOptions {
    int errorLimit = 20;  // 0: no limit
    bool color = false;
};

std::string render(const Diagnostic& diagnostic, const RenderOptions& options = {});

// All of them, then a line with the counts; stops after the error limit and says so.
std::string render(const Engine& engine, const RenderOptions& options = {});

}  // namespace hpcc::diagnostics
