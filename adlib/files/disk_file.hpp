// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/where.hpp>
#include <stdexcept>
#include <string>

namespace hpspmd::detail::files {

/// Why this process cannot read or write a file: the end of a message that names the file.
class Failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Bytes in memory that stand in a file one behind the other: `count` rows of `bytes`, which begin
/// `step` bytes apart.
struct Rows {
    const char* first;
    Index bytes, step, count;
};

/// An open file. What fails throws Failure with the system's words: "No space left on device".
class DiskFile {
public:
    static DiskFile forReading(const std::string& path);
    /// A file that exists, for reading and writing.
    static DiskFile forWriting(const std::string& path);
    /// A new file beside `path`, under a name that nobody has: "plate.npy.tmp.3f29c1".
    static DiskFile beside(const std::string& path);

    DiskFile(DiskFile&& other) noexcept;
    DiskFile& operator=(DiskFile&&) = delete;
    ~DiskFile();

    const std::string& path() const { return path_; }
    Index size() const;
    /// All of the bytes, or an error; reading beyond the end is one: "it is truncated".
    void write(const void* data, Index bytes, Index offset);
    /// Of the rows' bytes those from number `from` on.
    void write(const Rows& rows, Index from, Index bytes, Index offset);
    void read(void* data, Index bytes, Index offset);
    /// What is written from now on is on its way to the disk at once: sync() takes less time.
    void sendAtOnce() { sendsAtOnce_ = true; }
    bool sendsAtOnce() const { return sendsAtOnce_; }
    /// Waits until the disk has all of it.
    void sync();
    /// Closes it; what the system still had to write may fail here.
    void close();

private:
    DiskFile(std::string path, int handle) : path_(std::move(path)), handle_(handle) {}

    std::string path_;
    int handle_ = -1;
    bool sendsAtOnce_ = false;
};

/// Waits until the disk has the names in the folder of this file.
void syncFolderOf(const std::string& path);
/// Gives a file another name, in place of what had it.
void rename(const std::string& from, const std::string& to);
bool exists(const std::string& path);
/// Removes what was left of `path` when a job was killed: "plate.npy.tmp.3f29c1".
void removeUnfinished(const std::string& path);

}  // namespace hpspmd::detail::files
