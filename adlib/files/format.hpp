// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/files.hpp>
#include <memory>
#include <optional>

#include "files/disk_file.hpp"

namespace hpspmd::detail::files {

/// An array as a file holds it.
struct FileArray {
    std::vector<Index> shape;
    std::optional<FileNumber> number;  ///< none: text, which any number is made of
    FileFields fields{};               ///< of elements that are objects, of kind Opaque
    Index offset = 0;          ///< bytes before the first element, where they lie in one stretch
    bool isSwapped = false;    ///< big-endian
    bool isByLibrary = false;  ///< only the library of its format reads its elements

    Index count() const;       ///< elements
    bool isCountable() const;  ///< its bytes can be counted in an Index
};

/// Takes or gives all elements in row-major order, some at a time; on one process.
class Stream {
public:
    virtual ~Stream() = default;
    virtual void pass(char* elements, Index count) = 0;
    virtual void finish() {}  ///< after the last element
};

/// A file format. What fails throws Failure.
///
/// Where `isPlaced`, the elements lie in one stretch, row-major, and every process writes and reads
/// its own; else the first process passes all of them through a stream.
class FileFormat {
public:
    virtual ~FileFormat() = default;
    virtual bool isPlaced() const { return true; }

    /// Failure if such an array cannot be written. Depends on it only, so that all processes agree.
    virtual void requireWritable(const FileArray&) const {}
    /// True if it is a bad choice for more than 10^7 elements, which only Adlib::force writes then.
    virtual bool isForFew() const { return false; }
    /// Placed: writes what comes before the elements, and sets the offset.
    virtual void begin(DiskFile&, FileArray&) const {}
    /// Placed: writes what comes behind them.
    virtual void end(DiskFile&, const FileArray&) const {}
    /// The file's array. `wanted` is the one to be read, null if that is not known.
    virtual FileArray look(DiskFile&, const FileArray* wanted) const = 0;

    /// Not placed: streams of the elements of `array`.
    virtual std::unique_ptr<Stream> writer(DiskFile&, const FileArray& array) const;
    virtual std::unique_ptr<Stream> reader(DiskFile&, const FileArray& array) const;
};

/// The format that the end of a name tells.
const FileFormat& formatOf(const std::string& file);

/// "float64", "int32", "uint8", "complex128", "bool".
std::string nameOf(FileNumber number);
/// The same, "{x float64, v float32[3]}" of objects; "" of text.
std::string typeName(const FileArray& array);
/// "512 x 513 float64".
std::string describe(const FileArray& array);

/// The bytes of each number turned round.
void swapBytes(char* elements, Index count, FileNumber number);

}  // namespace hpspmd::detail::files
