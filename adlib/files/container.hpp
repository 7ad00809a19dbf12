// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/attributes.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "files/format.hpp"
#include "files/part.hpp"

namespace hpspmd::detail::files {

/// An array in a file of several.
struct Entry {
    std::string name;
    FileArray array;
    Adlib::Attributes attributes;
    Index start = 0;                   ///< bytes before what the file says of it
    std::uint32_t headRemainder = 0;   ///< of what is checked before the elements (remainder.hpp)
    Index headBytes = 0;               ///< so many bytes
    std::optional<std::uint32_t> crc;  ///< of head and elements
    std::string problem;               ///< why its elements cannot be read; "" if they can
};

/// What such a file holds.
struct Contents {
    std::vector<Entry> entries;
    Adlib::Attributes attributes;  ///< of the file
};

/// A format of files with several arrays, each with a name. What fails throws Failure.
class Container {
public:
    virtual ~Container() = default;
    /// True if it has attributes, of arrays and of the file.
    virtual bool hasAttributes() const { return false; }
    virtual bool hasChecksums() const { return true; }

    /// Writes what stands before the elements of one more array, and sets where they go.
    virtual void add(DiskFile& file, const std::vector<Entry>& before, Entry& entry) const = 0;
    /// Writes what is left when all elements are there, with the attributes of the file.
    virtual void end(DiskFile& file, const std::vector<Entry>& entries,
                     const Adlib::Attributes& attributes) const = 0;
    virtual Contents look(DiskFile& file) const = 0;
    /// The elements of an entry, or of a part of it, that look() has found without a problem.
    virtual std::unique_ptr<Elements> elements(DiskFile& file, const Entry& entry,
                                               const Part& part) const {
        return placedElements(file, entry.array, part);
    }
};

/// The name that stands for a file itself, "run.h5:/".
inline const std::string fileItself = "/";

/// "plate.npz:run/t": a file with several arrays, and the name of one.
struct Inside {
    const Container* container;
    std::string file;
    std::string name;  ///< "data" if none is given
};

/// Text of an attribute of XML. Failure if it cannot be one.
std::string inXml(const std::string& text);

/// Nothing if the name is none of a file with several arrays.
std::optional<Inside> insideOf(const std::string& file);

/// The entry with a name; Failure if there is none.
const Entry& entryCalled(const std::string& name, const std::vector<Entry>& entries);

}  // namespace hpspmd::detail::files
