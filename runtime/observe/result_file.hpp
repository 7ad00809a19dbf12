// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdio>
#include <string>

namespace hpspmd::detail {

/// A file that is written beside its place, and takes that at once. `kind`: what messages call it,
/// "profile (HPSPMD_PROFILE)". IoError.
class ResultFile {
public:
    ResultFile(std::string path, std::string kind);
    ~ResultFile();
    ResultFile(const ResultFile&) = delete;
    ResultFile& operator=(const ResultFile&) = delete;

    void write(const std::string& text);
    void commit();

private:
    [[noreturn]] void fail();

    const std::string path_, kind_, beside_;
    std::FILE* file_;
};

/// Text as JSON has it, with its quotes.
std::string quoted(const std::string& text);

/// The name of the program's file, without its folder.
std::string programName();

}  // namespace hpspmd::detail
