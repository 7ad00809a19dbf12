// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/arrays.hpp"

#include <algorithm>
#include <hpspmd/active.hpp>

#include "files/passing.hpp"
#include "files/remainder.hpp"
#include "transport/combine.hpp"

namespace hpspmd::detail::files {

void NewArrays::open(const Entered& entered) {
    file_.open(
        entered, [](DiskFile&) {}, true);
}

Entry& NewArrays::add(const Entered& entered, const std::string& name, const FileArray& array) {
    Entry entry;
    entry.name = name;
    entry.array = array;
    Outcome outcome(entered);
    outcome.attempt([&] {
        for (const Entry& each : entries_)
            if (each.name == name) throw Failure("it has two arrays '" + name + "'");
        if (isFirst()) container_.add(file_.handle(), entries_, entry);
    });
    outcome.require();
    transport::broadcast(entered, apg(), 0, &entry.array.offset, sizeof entry.array.offset);
    entries_.push_back(std::move(entry));
    return entries_.back();
}

void NewArrays::write(const Entered& entered, const std::string& name, const FileOperand& array) {
    Entry& entry = add(entered, name, arrayOf(array));
    Outcome outcome(entered);
    Stretch stretch(&file_.handle(), entry.array, array.number, Checked::Yes);
    passToHandlers(entered, array, Handled::ByAll, [&](const char* elements, const Piece& piece) {
        outcome.attempt([&] { stretch.write(elements, piece); });
    });
    outcome.require();
    entry.crc = stretch.crc(entered, entry.headRemainder, entry.headBytes);
}

void NewArrays::write(const Entered& entered, const std::string& name, const FileValue& value) {
    FileArray array;
    array.shape = value.shape;
    array.number = value.number;
    Entry& entry = add(entered, name, array);
    const auto bytes = static_cast<Index>(value.bytes.size());
    Outcome outcome(entered);
    if (isFirst())
        outcome.attempt(
            [&] { file_.handle().write(value.bytes.data(), bytes, entry.array.offset); });
    outcome.require();
    entry.crc = crcOf(remainderOf(value.bytes.data(), bytes) ^ moved(entry.headRemainder, bytes),
                      entry.headBytes + bytes);
}

void NewArrays::commit(const Entered& entered, const std::string& keptAs) {
    file_.commit(
        entered, [&](DiskFile& file) { container_.end(file, entries_); }, keptAs);
}

OldArrays::OldArrays(const Entered& entered, const Container& container, const std::string& path)
    : path_(path) {
    Outcome outcome(entered);
    if (isFirst())
        outcome.attempt([&] {
            DiskFile file = DiskFile::forReading(path);
            entries_ = container.look(file);
        });
    outcome.require();
}

Entry OldArrays::entry(const Entered& entered, const std::string& name) const {
    Entry entry;
    Outcome outcome(entered);
    if (isFirst())
        outcome.attempt([&] {
            entry = entryCalled(name, entries_);
            if (!entry.problem.empty()) throw Failure("'" + name + "': " + entry.problem);
        });
    outcome.require();
    entry.array = told(entered, entry.array);
    return entry;
}

bool OldArrays::has(const Entered& entered, const std::string& name) const {
    bool found = std::ranges::find(entries_, name, &Entry::name) != entries_.end();
    transport::broadcast(entered, apg(), 0, &found, sizeof found);
    return found;
}

FileArray OldArrays::find(const Entered& entered, const std::string& name) const {
    return entry(entered, name).array;
}

void OldArrays::read(const Entered& entered, const std::string& name, const FileOperand& array) {
    const Entry found = entry(entered, name);
    requireFitting(found.array, arrayOf(array));
    Outcome outcome(entered);
    std::optional<DiskFile> file;
    outcome.attempt([&] { file.emplace(DiskFile::forReading(path_)); });
    outcome.require();
    Stretch stretch(&*file, found.array, array.number, Checked::Yes);
    passFromHandlers(entered, array, Handled::ByAll, [&](char* elements, const Piece& piece) {
        outcome.attempt([&] { stretch.read(elements, piece); });
        outcome.require();
    });
    const std::uint32_t crc = stretch.crc(entered, found.headRemainder, found.headBytes);
    if (isFirst() && found.crc && *found.crc != crc)
        outcome.attempt([&] { throw Failure("the checksum of '" + name + "' is wrong"); });
    outcome.require();
}

FileValue OldArrays::read(const Entered& entered, const std::string& name) {
    const Entry found = entry(entered, name);
    FileValue value{found.array.number.value_or(FileNumber{}), found.array.shape, ""};
    Outcome outcome(entered);
    constexpr Index most = Index{1} << 32;
    outcome.attempt([&] {
        if (!found.array.isCountable() || found.array.count() * value.number.bytes > most)
            throw Failure("'" + name + "' is larger than a variable can be");
    });
    outcome.require();
    const Index bytes = found.array.count() * value.number.bytes;
    if (isFirst())
        outcome.attempt([&] {
            DiskFile file = DiskFile::forReading(path_);
            if (found.array.offset + bytes > file.size()) throw Failure("it is truncated");
            value.bytes.resize(static_cast<std::size_t>(bytes));
            file.read(value.bytes.data(), bytes, found.array.offset);
            const std::uint32_t remainder = remainderOf(value.bytes.data(), bytes);
            if (found.crc && *found.crc != crcOf(remainder ^ moved(found.headRemainder, bytes),
                                                 found.headBytes + bytes))
                throw Failure("the checksum of '" + name + "' is wrong");
        });
    outcome.require();
    value.bytes.resize(static_cast<std::size_t>(bytes));
    transport::broadcast(entered, apg(), 0, value.bytes.data(), value.bytes.size());
    return value;
}

}  // namespace hpspmd::detail::files
