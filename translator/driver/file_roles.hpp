// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include <sys/types.h>

namespace hpcc::driver {

/// Which files one command reads and which it writes. No file is both, and none is written twice,
/// by whatever names: links, `./a` and `a`. Outputs are added before anything is written, so that
/// an error leaves all files as they were. What is no file of its own (/dev/null, a terminal) may
/// be both.
class FileRoles {
public:
    /// Failure(Usage) if the file is one of the outputs; a file that does not exist is no input.
    void addInput(const std::filesystem::path& path);

    /// Failure(Usage) if the file is one of the inputs or of the outputs.
    void addOutput(const std::filesystem::path& path);

    /// The same for the file that the standard output goes to, if it goes to one.
    void addStandardOutput();

    /// For a file that may be written again: Failure(Usage) as for addOutput, but it is not added.
    void requireFree(const std::filesystem::path& path) const;

    /// Only a file that exists can be an input as well.
    bool anyOutputExists() const { return !existingOutputs_.empty(); }

private:
    using Identity = std::pair<dev_t, ino_t>;
    using Entry = std::pair<Identity, std::string>;  ///< a folder and a name in it

    void add(const std::filesystem::path& path, const std::string& name);
    void requireFree(const std::filesystem::path& path, const std::string& name) const;

    std::map<Identity, std::string> inputs_, existingOutputs_;
    std::map<Entry, std::string> outputs_;
};

}  // namespace hpcc::driver
