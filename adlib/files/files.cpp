// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/files.hpp>
#include <hpspmd/active.hpp>
#include <hpspmd/error.hpp>

#include "checks/checks.hpp"
#include "files/arrays.hpp"
#include "files/part.hpp"
#include "files/passing.hpp"
#include "files/request.hpp"
#include "pictures/picture.hpp"

namespace hpspmd::detail {
namespace files {
namespace {

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
    passToHandlers(entered, array, handledOf(format), [&](char* elements, const Piece& piece) {
        outcome.attempt([&] {
            if (!stream) return stretch.write(elements, piece);
            if (piece.count > 0) stream->pass(elements, piece.count);
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

void readOneArray(const Entered& entered, const std::string& file, const FileFormat& format,
                  const FileOperand& array) {
    const FileArray wanted = arrayOf(array);
    FileArray found = looked(entered, file, format, &wanted);
    requireFitting(found, wanted);
    found.number = array.number;
    Outcome outcome(entered);
    std::optional<DiskFile> handle;
    std::unique_ptr<Stream> stream;
    if (format.isPlaced() || isFirst())
        outcome.attempt([&] {
            handle.emplace(DiskFile::forReading(file));
            if (!format.isPlaced()) stream = format.reader(*handle, found);
        });
    outcome.require();
    Stretch stretch(handle ? &*handle : nullptr, found, array.number, Checked::No);
    // No process goes on with elements that another one could not read.
    passFromHandlers(entered, array, handledOf(format), [&](char* elements, const Piece& piece) {
        outcome.attempt([&] {
            if (!stream) return stretch.read(elements, piece);
            if (piece.count > 0) stream->pass(elements, piece.count);
        });
        outcome.require();
    });
}

FileArray foundForPart(const Entered& entered, const std::string& file) {
    if (const std::optional<Inside> inside = insideOf(file))
        return OldArrays(entered, *inside->container, inside->file).find(entered, inside->name);
    const FileFormat& format = formatOf(file);
    if (!format.isPlaced())
        throw Failure("parts are read of files .npy, .npz and .h5, whose elements have places");
    return looked(entered, file, format, nullptr);
}

void readPartOfArray(const Entered& entered, const std::string& file, const Part& part,
                     const FileOperand& array) {
    const std::optional<Inside> inside = insideOf(file);
    const FileArray whole = foundForPart(entered, file);
    requireFitting(partOf(whole, part), arrayOf(array));
    Outcome outcome(entered);
    std::optional<DiskFile> handle;
    outcome.attempt([&] { handle.emplace(DiskFile::forReading(inside ? inside->file : file)); });
    outcome.require();
    passFromHandlers(entered, array, Handled::ByAll, [&](char* elements, const Piece& piece) {
        outcome.attempt([&] { readPart(*handle, whole, part, piece, elements); });
        outcome.require();
    });
}

}  // namespace
}  // namespace files

using namespace files;

void writeFile(const std::string& file, const FileOperand& array, Where where) {
    const Call call{"write", where};
    requireContained(call, array.array);
    onFile(call, file, "write", [&] {
        if (const std::optional<Inside> inside = insideOf(file)) {
            const Entered entry = entered(call, file, &array.array.layout);
            NewArrays output(*inside->container, inside->file);
            output.open(entry);
            output.write(entry, inside->name, array);
            return output.commit(entry);
        }
        if (encoderOf(file) != nullptr) return writePicture(file, array, {}, where);
        const FileFormat& format = formatOf(file);
        format.requireWritable(arrayOf(array));
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
        readOneArray(entered(call, file, &array.array.layout), file, format, array);
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
        readPartOfArray(entered(call, all, &array.array.layout), file, part, array);
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
        const FileArray found =
            inside ? OldArrays(entry, *inside->container, inside->file).find(entry, inside->name)
                   : looked(entry, file, *format, nullptr);
        return FileInfo{found.shape, found.number ? nameOf(*found.number) : std::string()};
    });
}

}  // namespace hpspmd::Adlib
