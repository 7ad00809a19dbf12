// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hpcc::driver {

/// A place as the C++ compiler names it; line and column count from 1, 0: not given.
struct CompilerPlace {
    std::string file;
    uint32_t line = 0;
    uint32_t column = 0;
};

/// One message of g++ or clang.
struct CompilerMessage {
    enum class Kind { Error, Warning, Note };

    Kind kind;
    CompilerPlace place;
    std::string text;
    std::vector<CompilerPlace> requiredFrom;  ///< of g++: the instantiations around, inner first
    std::vector<CompilerMessage> notes;
};

struct CompilerOutput {
    std::vector<CompilerMessage> messages;
    std::string others;  ///< lines that belong to no message, of the assembler for example
};

/// Reads what g++ or clang wrote about one file. Quoted source lines and carets are left out, they
/// would show the translated text.
CompilerOutput parseMessages(std::string_view output);

}  // namespace hpcc::driver
