#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hpcc::driver {

/// Content of a source file; Failure if it is missing, a folder or unreadable.
std::string readSource(const std::filesystem::path& path);

/// A file under construction: a name beside `target` until commit() renames it, removed if that
/// never happens. So a reader (or a parallel build) sees the old file or the whole new one, nothing
/// between.
class Output {
public:
    explicit Output(std::filesystem::path target);
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    const std::filesystem::path& path() const { return temporary_; }  ///< write here
    void commit();

private:
    std::filesystem::path target_, temporary_;
};

/// Writes `text` through an Output; a character device such as /dev/null is written in place.
void writeFile(const std::filesystem::path& target, std::string_view text);

/// A folder of this run's own under the system's temporary folder, removed at the end.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace hpcc::driver
