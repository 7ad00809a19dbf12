// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "files/format.hpp"

namespace hpspmd::detail::files {

/// An array in a file of several.
struct Entry {
    std::string name;
    FileArray array;
    Index start = 0;                   ///< bytes before what the file says of it
    std::uint32_t headRemainder = 0;   ///< of what is checked before the elements (remainder.hpp)
    Index headBytes = 0;               ///< so many bytes
    std::optional<std::uint32_t> crc;  ///< of head and elements
    std::string problem;               ///< why its elements cannot be read; "" if they can
};

/// A format of files with several arrays, each with a name. What fails throws Failure.
class Container {
public:
    virtual ~Container() = default;

    /// Writes what stands before the elements of one more array, and sets where they go.
    virtual void add(DiskFile& file, const std::vector<Entry>& before, Entry& entry) const = 0;
    /// Writes what is left when all elements are there.
    virtual void end(DiskFile& file, const std::vector<Entry>& entries) const = 0;
    /// What a file holds.
    virtual std::vector<Entry> look(DiskFile& file) const = 0;
};

/// "plate.npz:run/t": a file with several arrays, and the name of one.
struct Inside {
    const Container* container;
    std::string file;
    std::string name;  ///< "data" if none is given
};

/// Nothing if the name is none of a file with several arrays.
std::optional<Inside> insideOf(const std::string& file);

/// The entry with a name; Failure if there is none.
const Entry& entryCalled(const std::string& name, const std::vector<Entry>& entries);

}  // namespace hpspmd::detail::files
