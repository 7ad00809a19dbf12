// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/files.hpp>
#include <hpspmd/active.hpp>
#include <hpspmd/error.hpp>

#include "checks/checks.hpp"
#include "files/arrays.hpp"
#include "files/attributes.hpp"
#include "files/passing.hpp"
#include "files/request.hpp"
#include "pictures/picture.hpp"

namespace hpspmd::detail {
namespace files {
namespace {

constexpr Index mostUnforced = 10'000'000;  ///< elements

Handled handledOf(const FileFormat& format) {
    return format.isPlaced() ? Handled::ByAll : Handled::ByFirst;
}

void writeOneArray(const Entered& entered, const std::string& file, const FileFormat& format,
                   const FileOperand& array) {
    FileArray described = arrayOf(array);
    NewFile output(file);
    output.open(
        entered, [&](DiskFile& handle) { format.begin(handle, described); }, format.isPlaced());
    described = told(entered, described);
    std::unique_ptr<Stream> stream;
    if (isFirst() && !format.isPlaced()) stream = format.writer(output.handle(), described);
    Outcome outcome(entered);
    Stretch stretch(format.isPlaced() ? &output.handle() : nullptr, described, array.number,
                    Checked::No);
    passToHandlers(entered, array, handledOf(format),
                   [&](const Rows& elements, const Piece& piece) {
                       outcome.attempt([&] {
                           if (!stream) return stretch.write(elements, piece);
                           for (Index k = 0; piece.count > 0 && k < elements.count; ++k)
                               stream->pass(const_cast<char*>(elements.first) + k * elements.step,
                                            elements.bytes / array.number.bytes);
                       });
                   });
    outcome.require();
    output.commit(entered, [&](DiskFile& handle) {
        if (stream) stream->finish();
        if (format.isPlaced()) format.end(handle, described);
    });
}

FileArray looked(const Entered& entered, const std::string& file, const FileFormat& format,
                 const FileArray* wanted) {
    Outcome outcome(entered);
    FileArray found;
    if (isFirst())
        outcome.attempt([&] {
            DiskFile handle = DiskFile::forReading(file);
            found = format.look(handle, wanted);
        });
    outcome.require();
    return told(entered, found);
}

/// All of the file's array, or a part of it.
void readOneArray(const Entered& entered, const std::string& file, const FileFormat& format,
                  const Part* part, const FileOperand& array) {
    if (part != nullptr && !format.isPlaced())
        throw Failure("parts are read of files .npy, .npz and .h5, whose elements have places");
    const FileArray wanted = arrayOf(array);
    const FileArray whole = looked(entered, file, format, part != nullptr ? nullptr : &wanted);
    FileArray found = part != nullptr ? partOf(whole, *part) : whole;
    requireFitting(found, wanted);
    if (!format.isPlaced()) found.number = array.number;
    Outcome outcome(entered);
    std::optional<DiskFile> handle;
    std::unique_ptr<Stream> stream;
    std::unique_ptr<Elements> elements;
    if (format.isPlaced() || isFirst())
        outcome.attempt([&] {
            handle.emplace(DiskFile::forReading(file));
            if (format.isPlaced())
                elements = placedElements(*handle, whole, part != nullptr ? *part : allOf(whole));
            else
                stream = format.reader(*handle, found);
        });
    outcome.require();
    Stretch stretch(nullptr, found, *found.number, Checked::No);
    // No process goes on with elements that another one could not read.
    passFromHandlers(entered, array, handledOf(format), [&](char* to, const Piece& piece) {
        outcome.attempt([&] {
            if (!stream) return stretch.read(*elements, to, piece, array.number);
            if (piece.count > 0) stream->pass(to, piece.count);
        });
        outcome.require();
    });
}

}  // namespace
}  // namespace files

using namespace files;

void writeFile(const std::string& file, const FileOperand& array,
               const Adlib::Attributes& attributes, Where where, bool isForced) {
    const Call call{"write", where};
    requireContained(call, array.array);
    onFile(call, file, "write", [&] {
        if (const std::optional<Inside> inside = insideOf(file)) {
            const Entered entry = entered(call, file + namesOf(attributes), &array.array.layout);
            NewArrays output(*inside->container, inside->file);
            output.open(entry);
            output.write(entry, inside->name, array, attributes);
            return output.commit(entry);
        }
        if (!attributes.empty()) throw Failure("such files have no attributes; .h5 has");
        if (encoderOf(file) != nullptr) return writePicture(file, array, {}, where);
        const FileFormat& format = formatOf(file);
        const FileArray described = arrayOf(array);
        format.requireWritable(described);
        if (format.isForFew() && !isForced && described.count() > mostUnforced)
            throw Failure("a table of text has at most 10^7 elements, the array has " +
                          std::to_string(described.count()) +
                          "; with Adlib::force as a further argument it is written");
        writeOneArray(entered(call, file, &array.array.layout), file, format, array);
    });
}

void readFile(const FileOperand& array, const std::string& file, Where where) {
    const Call call{"read", where};
    requireContained(call, array.array);
    onFile(call, file, "read", [&] {
        if (const std::optional<Inside> inside = insideOf(file)) {
            const Entered entry = entered(call, file, &array.array.layout);
            return OldArrays(entry, *inside->container, inside->file)
                .read(entry, inside->name, array);
        }
        const FileFormat& format = formatOf(file);
        readOneArray(entered(call, file, &array.array.layout), file, format, nullptr, array);
    });
}

void readPartOfFile(const FileOperand& array, const std::string& file, const Part& part,
                    Where where) {
    const Call call{"read", where};
    requireContained(call, array.array);
    onFile(call, file, "read", [&] {
        std::string all = file;  // what the processes must agree upon
        for (const auto& [first, count] : part)
            all += ' ' + std::to_string(first) + ' ' + std::to_string(count);
        const std::optional<Inside> inside = insideOf(file);
        const FileFormat* format = inside ? nullptr : &formatOf(file);
        const Entered entry = entered(call, all, &array.array.layout);
        if (!inside) return readOneArray(entry, file, *format, &part, array);
        OldArrays(entry, *inside->container, inside->file).read(entry, inside->name, part, array);
    });
}

}  // namespace hpspmd::detail

namespace hpspmd::Adlib {

using namespace detail::files;

FileInfo look(const std::string& file, detail::Where where) {
    const detail::Call call{"look", where};
    return onFile(call, file, "read", [&] {
        const std::optional<Inside> inside = insideOf(file);
        const FileFormat* format = inside ? nullptr : &formatOf(file);
        const detail::Entered entry = entered(call, file, nullptr);
        Entry found;
        if (inside)
            found = OldArrays(entry, *inside->container, inside->file).find(entry, inside->name);
        else
            found.array = looked(entry, file, *format, nullptr);
        return FileInfo{found.array.shape, typeName(found.array), found.attributes};
    });
}

}  // namespace hpspmd::Adlib
