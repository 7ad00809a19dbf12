// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/arrays.hpp"

#include <algorithm>
#include <hpspmd/active.hpp>

#include "files/attributes.hpp"
#include "files/remainder.hpp"
#include "transport/combine.hpp"

namespace hpspmd::detail::files {

void NewArrays::open(const Entered& entered) {
    file_.open(
        entered, [](DiskFile&) {}, true);
}

void NewArrays::requireAttributes(const Adlib::Attributes& attributes) const {
    if (!attributes.empty() && !container_.hasAttributes())
        throw Failure("such files have no attributes; .h5 has");
    requireGood(attributes);
}

Entry& NewArrays::add(const Entered& entered, const std::string& name, const FileArray& array,
                      const Adlib::Attributes& attributes) {
    Entry entry;
    entry.name = name;
    entry.array = array;
    entry.attributes = attributes;
    Outcome outcome(entered);
    outcome.attempt([&] {
        if (name == fileItself) throw Failure("behind the colon stands the name of an array");
        requireAttributes(attributes);
        for (const Entry& each : entries_)
            if (each.name == name) throw Failure("it has two arrays '" + name + "'");
        if (isFirst()) container_.add(file_.handle(), entries_, entry);
    });
    outcome.require();
    transport::broadcast(entered, apg(), 0, &entry.array.offset, sizeof entry.array.offset);
    entries_.push_back(std::move(entry));
    return entries_.back();
}

void NewArrays::write(const Entered& entered, const std::string& name, const FileOperand& array,
                      const Adlib::Attributes& attributes) {
    Entry& entry = add(entered, name, arrayOf(array), attributes);
    Outcome outcome(entered);
    const Checked checked = container_.hasChecksums() ? Checked::Yes : Checked::No;
    Stretch stretch(&file_.handle(), entry.array, array.number, checked);
    passToHandlers(entered, array, Handled::ByAll, [&](const Rows& elements, const Piece& piece) {
        outcome.attempt([&] { stretch.write(elements, piece); });
    });
    outcome.require();
    if (checked == Checked::Yes)
        entry.crc = stretch.crc(entered, entry.headRemainder, entry.headBytes);
}

void NewArrays::write(const Entered& entered, const std::string& name, const FileValue& value) {
    FileArray array;
    array.shape = value.shape;
    array.number = value.number;
    Entry& entry = add(entered, name, array, {});
    const auto bytes = static_cast<Index>(value.bytes.size());
    Outcome outcome(entered);
    if (isFirst())
        outcome.attempt(
            [&] { file_.handle().write(value.bytes.data(), bytes, entry.array.offset); });
    outcome.require();
    entry.crc = crcOf(remainderOf(value.bytes.data(), bytes) ^ moved(entry.headRemainder, bytes),
                      entry.headBytes + bytes);
}

void NewArrays::attribute(const Entered& entered, const std::string& name,
                          const Adlib::Attribute& value) {
    Outcome outcome(entered);
    outcome.attempt([&] {
        if (attributes_.has(name)) throw Failure("it has two attributes '" + name + "'");
        requireAttributes({{name, value}});
    });
    outcome.require();
    attributes_.set(name, value);
}

void NewArrays::commit(const Entered& entered, const std::string& keptAs) {
    file_.commit(
        entered, [&](DiskFile& file) { container_.end(file, entries_, attributes_); }, keptAs);
}

OldArrays::OldArrays(const Entered& entered, const Container& container, const std::string& path)
    : container_(container), path_(path) {
    Outcome outcome(entered);
    if (isFirst())
        outcome.attempt([&] {
            DiskFile file = DiskFile::forReading(path);
            contents_ = container.look(file);
        });
    outcome.require();
}

Entry OldArrays::entry(const Entered& entered, const std::string& name) const {
    Entry entry;
    Outcome outcome(entered);
    if (isFirst())
        outcome.attempt([&] {
            entry = entryCalled(name, contents_.entries);
            if (!entry.problem.empty()) throw Failure("'" + name + "': " + entry.problem);
        });
    outcome.require();
    entry.name = name;
    entry.array = told(entered, entry.array);
    return entry;
}

bool OldArrays::has(const Entered& entered, const std::string& name) const {
    bool found =
        std::ranges::find(contents_.entries, name, &Entry::name) != contents_.entries.end();
    transport::broadcast(entered, apg(), 0, &found, sizeof found);
    return found;
}

Entry OldArrays::find(const Entered& entered, const std::string& name) const {
    const bool isOfArray = name != fileItself;
    Entry found;
    if (isOfArray) found = entry(entered, name);
    found.attributes = told(entered, isOfArray ? found.attributes : contents_.attributes);
    return found;
}

void OldArrays::passTo(const Entered& entered, const Entry& found, const Part& part,
                       const FileOperand& array, Stretch& stretch) const {
    Outcome outcome(entered);
    std::optional<DiskFile> file;
    std::unique_ptr<Elements> elements;
    outcome.attempt([&] {
        file.emplace(DiskFile::forReading(path_));
        elements = container_.elements(*file, found, part);
    });
    outcome.require();
    passFromHandlers(entered, array, Handled::ByAll, [&](char* to, const Piece& piece) {
        outcome.attempt([&] { stretch.read(*elements, to, piece, array.number); });
        outcome.require();
    });
}

void OldArrays::read(const Entered& entered, const std::string& name, const FileOperand& array) {
    const Entry found = entry(entered, name);
    requireFitting(found.array, arrayOf(array));
    Stretch stretch(nullptr, found.array, *found.array.number, Checked::Yes);
    passTo(entered, found, allOf(found.array), array, stretch);
    Outcome outcome(entered);
    const std::uint32_t crc = stretch.crc(entered, found.headRemainder, found.headBytes);
    if (isFirst() && found.crc && *found.crc != crc)
        outcome.attempt([&] { throw Failure("the checksum of '" + name + "' is wrong"); });
    outcome.require();
}

void OldArrays::read(const Entered& entered, const std::string& name, const Part& part,
                     const FileOperand& array) {
    const Entry found = entry(entered, name);
    const FileArray wanted = partOf(found.array, part);
    requireFitting(wanted, arrayOf(array));
    Stretch stretch(nullptr, wanted, *wanted.number, Checked::No);
    passTo(entered, found, part, array, stretch);
}

FileValue OldArrays::read(const Entered& entered, const std::string& name) {
    const Entry found = entry(entered, name);
    FileValue value{found.array.number.value_or(FileNumber{}), found.array.shape, ""};
    Outcome outcome(entered);
    const Index most = Index{1} << (found.array.isByLibrary ? 28 : 32);
    outcome.attempt([&] {
        if (!found.array.isCountable() || found.array.count() * value.number.bytes > most)
            throw Failure("'" + name + "' is larger than a variable can be");
    });
    outcome.require();
    const Index bytes = found.array.count() * value.number.bytes;
    if (isFirst())
        outcome.attempt([&] {
            DiskFile file = DiskFile::forReading(path_);
            const bool isThere =
                found.array.isByLibrary || found.array.offset + bytes <= file.size();
            if (!isThere) throw Failure("it is truncated");
            value.bytes.resize(static_cast<std::size_t>(bytes));
            container_.elements(file, found, allOf(found.array))
                ->read(value.bytes.data(), 0, found.array.count());
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
