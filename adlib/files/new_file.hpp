// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <hpspmd/collective.hpp>
#include <optional>
#include <string>

#include "files/disk_file.hpp"
#include "files/outcome.hpp"

namespace hpspmd::detail::files {

/// How the new file takes the place of the old one.
struct Commit {
    bool isDurable = false;  ///< the disk has it before
    std::string keptAs;      ///< the name that the old one gets, if any
};

/// A file that all processes of the APG write under another name, until it is whole. All functions
/// but handle() are collective; what fails in one process is a Failure in all.
class NewFile {
public:
    explicit NewFile(std::string path) : path_(std::move(path)) {}
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    /// Leaves nothing behind, unless it was committed.
    ~NewFile();

    /// The first process makes it and calls `begin`; where `byAll`, the others open it then.
    void open(const Entered& entered, const std::function<void(DiskFile&)>& begin, bool byAll);
    /// Of a process that has opened it.
    DiskFile& handle() { return *handle_; }
    /// The first process calls `end`; then the file gets its name.
    void commit(const Entered& entered, const std::function<void(DiskFile&)>& end,
                const Commit& commit = {});

private:
    std::string path_, name_;
    std::optional<DiskFile> handle_;
};

bool isFirst();  ///< Is this the first process of the APG?

}  // namespace hpspmd::detail::files
