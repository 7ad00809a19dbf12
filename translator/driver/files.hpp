// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "driver/ending.hpp"

namespace hpcc::driver {

/// Content of a source file, or of another one; Failure if it is missing or no regular file.
std::string readSource(const std::filesystem::path& path);

/// Failure if it cannot be read or is no regular file; nothing is read.
void requireReadable(const std::filesystem::path& path);

/// What exists and is a regular file; false also for a name that means nothing.
bool isRegularFile(const std::filesystem::path& path);

/// All bytes to an open file; 0 or an error number.
int writeAll(int descriptor, std::string_view bytes);

/// Where a file of this name is written: behind all links.
std::filesystem::path destinationOf(const std::filesystem::path& target);

/// A file under construction: a name beside its destination that nobody can guess, until commit()
/// renames it, removed if that never happens. So a reader (or a parallel build) sees the old file
/// or the whole new one, nothing between. What is no regular file (/dev/null, a pipe, what
/// /dev/stdout stands for) is written in place.
class Output {
public:
    explicit Output(std::filesystem::path target);
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    const std::filesystem::path& path() const { return path_; }  ///< a command writes here
    void write(std::string_view text);                           ///< or this does, once
    void commit();

private:
    void openTemporary();
    void closeDescriptor();
    [[noreturn]] void fail(int error) const;

    std::filesystem::path target_, destination_, path_;
    Unfinished temporary_;
    int descriptor_ = -1;
    bool isInPlace_ = false;
};

/// Writes `text` through an Output.
void writeFile(const std::filesystem::path& target, std::string_view text);

/// Makes the folder and those above it; Failure if that is not possible.
void makeFolders(const std::filesystem::path& folder);

/// A folder of this run's own under the system's temporary folder, removed at the end.
class TemporaryFolder {
public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    Unfinished folder_;
};

}  // namespace hpcc::driver
