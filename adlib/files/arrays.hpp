// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "files/container.hpp"
#include "files/new_file.hpp"
#include "files/passing.hpp"

namespace hpspmd::detail::files {

/// A file of several arrays that is being written. All functions are collective; what fails is a
/// Failure in all processes, and leaves the old file as it was.
class NewArrays {
public:
    NewArrays(const Container& container, const std::string& path, Durable durable = Durable::No)
        : container_(container), file_(path, durable) {}

    void open(const Entered& entered);
    void write(const Entered& entered, const std::string& name, const FileOperand& array,
               const Adlib::Attributes& attributes = {});
    /// What the first process has.
    void write(const Entered& entered, const std::string& name, const FileValue& value);
    /// Of the file, what the first process has.
    void attribute(const Entered& entered, const std::string& name, const Adlib::Attribute& value);
    void commit(const Entered& entered, const std::string& keptAs = "");

private:
    /// Adds an entry, in all processes.
    Entry& add(const Entered& entered, const std::string& name, const FileArray& array,
               const Adlib::Attributes& attributes);
    void requireAttributes(const Adlib::Attributes& attributes) const;

    const Container& container_;
    NewFile file_;
    std::vector<Entry> entries_;  ///< what the first process knows of them
    Adlib::Attributes attributes_;
};

/// A file of several arrays that is being read.
class OldArrays {
public:
    OldArrays(const Entered& entered, const Container& container, const std::string& path);

    bool has(const Entered& entered, const std::string& name) const;
    /// The array with this name and its attributes, in all processes; of fileItself only these.
    Entry find(const Entered& entered, const std::string& name) const;
    /// Failure if it does not fit or its checksum is wrong.
    void read(const Entered& entered, const std::string& name, const FileOperand& array);
    /// Of a part of it, without a checksum.
    void read(const Entered& entered, const std::string& name, const Part& part,
              const FileOperand& array);
    FileValue read(const Entered& entered, const std::string& name);

private:
    Entry entry(const Entered& entered, const std::string& name) const;
    void passTo(const Entered& entered, const Entry& found, const Part& part,
                const FileOperand& array, Stretch& stretch) const;

    const Container& container_;
    std::string path_;
    Contents contents_;  ///< in the first process
};

}  // namespace hpspmd::detail::files
