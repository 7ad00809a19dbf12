// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "ast/remarks.hpp"
#include "diagnostics/levels.hpp"

namespace hpcc::driver {

enum class DiagnosticsFormat { Text, Json, Sarif };
enum class Color { Auto, Always, Never };

/// How diagnostics are shown.
struct DiagnosticOptions {
    DiagnosticsFormat format = DiagnosticsFormat::Text;
    Color color = Color::Auto;
    int errorLimit = 20;  ///< per file; 0: none
    diagnostics::Levels levels;
    ast::WantedRemarks remarks;  ///< -Rpass, -Rpass-missed
};

/// Takes --diagnostics-format, --color or --error-limit; false if the option is none of them.
bool takeDiagnosticOption(DiagnosticOptions& options, const std::string& name,
                          const std::string& value);

/// What a word with one dash says about our diagnostics, in the spellings of g++ and clang.
enum class WordUse {
    BackEndOnly,  ///< nothing
    Both,         ///< something, but it concerns the C++ compiler as well: -Werror
    OursOnly      ///< something, and the C++ compiler need not know: -Wno-HP1040
};
WordUse takeDiagnosticWord(DiagnosticOptions& options, const std::string& word);

/// The diagnostic that is called HP<number>. Failure(Usage) with similar ones if there is none.
diagnostics::Id requireCode(const std::string& code);

}  // namespace hpcc::driver
