// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <hpspmd/collective.hpp>
#include <optional>
#include <string>

#include "files/disk_file.hpp"
#include "files/outcome.hpp"

namespace hpspmd::detail::files {

/// Whether a new file is on the disk before it takes the place of the old one.
enum class Durable { No, Yes };

/// A file that all processes of the APG write under another name, until it is whole. All functions
/// but handle() are collective; what fails in one process is a Failure in all.
class NewFile {
public:
    explicit NewFile(std::string path, Durable durable = Durable::No)
        : path_(std::move(path)), isDurable_(durable == Durable::Yes) {}
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    /// Leaves nothing behind, unless it was committed.
    ~NewFile();

    /// The first process makes it and calls `begin`; where `byAll`, the others open it then.
    void open(const Entered& entered, const std::function<void(DiskFile&)>& begin, bool byAll);
    /// Of a process that has opened it.
    DiskFile& handle() { return *handle_; }
    /// The first process calls `end`; then the file gets its name, and the old one that of
    /// `keptAs`, if there is one.
    void commit(const Entered& entered, const std::function<void(DiskFile&)>& end,
                const std::string& keptAs = "");

private:
    std::string path_, name_;
    bool isDurable_;
    std::optional<DiskFile> handle_;
};

bool isFirst();  ///< true if this is the first process of the APG

}  // namespace hpspmd::detail::files
