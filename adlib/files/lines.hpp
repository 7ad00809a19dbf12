// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

#include "files/disk_file.hpp"

namespace hpspmd::detail::files {

/// The lines that begin in a part of a file, which is read a block at a time.
class Lines {
public:
    /// From `begin`, where a line begins, to `end`.
    Lines(DiskFile& file, Index begin, Index end)
        : file_(file), size_(file.size()), end_(end), line_(begin), next_(begin), read_(begin) {}

    /// Goes to the next line; false if none begins before the end.
    bool next();
    /// The line, without its end, until the next call of next().
    std::string_view line() const { return text_; }
    Index begin() const { return line_; }      ///< of the line, in the file
    Index nextBegin() const { return next_; }  ///< of the one behind it

private:
    DiskFile& file_;
    Index size_, end_, line_, next_;
    Index read_;  ///< so far the file has been read
    std::string block_, text_;
};

/// The number of the line at a place, from 1.
Index lineNumber(DiskFile& file, Index place);

}  // namespace hpspmd::detail::files
