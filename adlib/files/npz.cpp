// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstring>

#include "files/container.hpp"
#include "files/npy.hpp"
#include "files/remainder.hpp"

namespace hpspmd::detail::files {
namespace {

// NumPy's files of several arrays: zip files with a member NAME.npy for each, not compressed, so
// that the elements lie in one stretch. (APPNOTE.TXT of PKWARE; sizes have 64 bits always.)

constexpr std::uint32_t localHeader = 0x04034b50, directoryEntry = 0x02014b50,
                        largeEnd = 0x06064b50, largeEndLocator = 0x07064b50,
                        directoryEnd = 0x06054b50;
constexpr std::uint32_t inExtraField = 0xffffffff;
constexpr std::uint16_t version = 45, sizesField = 1, paddingField = 0xd935, date = 0x21;
constexpr Index alignment = 64, longestDirectory = Index{1} << 26;
const std::string ending = ".npy";

class Bytes {
public:
    template <class T>
    Bytes& operator<<(T value) {
        text_.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    Bytes& operator<<(const std::string& text) {
        text_ += text;
        return *this;
    }
    const std::string& text() const { return text_; }
    Index size() const { return static_cast<Index>(text_.size()); }

private:
    std::string text_;
};

Index bytesOf(const FileArray& array) { return array.count() * array.number->bytes; }
Index endOf(const Entry& entry) { return entry.array.offset + bytesOf(entry.array); }
std::uint64_t memberBytes(const Entry& entry) {
    return static_cast<std::uint64_t>(entry.headBytes + bytesOf(entry.array));
}
std::uint16_t small(std::size_t value) { return static_cast<std::uint16_t>(value); }

// Version, flags (names are UTF-8), method (stored), time, date, checksum, both sizes.
void describeMember(Bytes& out, const Entry& entry) {
    out << version << std::uint16_t{1 << 11} << std::uint16_t{0} << std::uint16_t{0} << date
        << entry.crc.value_or(0) << inExtraField << inExtraField
        << small(entry.name.size() + ending.size());
}

void write(DiskFile& file, const Bytes& bytes, Index offset) {
    file.write(bytes.text().data(), bytes.size(), offset);
}

/// Reads little-endian numbers from a text, which must hold them.
class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    template <class T>
    T next() {
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string_view take(std::size_t count) {
        if (count > text_.size()) throw Failure("its directory is damaged");
        const std::string_view result = text_.substr(0, count);
        text_.remove_prefix(count);
        return result;
    }
    bool isAtEnd() const { return text_.empty(); }

private:
    std::string_view text_;
};

std::string readText(DiskFile& file, Index offset, Index count) {
    if (offset < 0 || count < 0 || count > longestDirectory)
        throw Failure("its directory is damaged");
    std::string text(static_cast<std::size_t>(count), '\0');
    file.read(text.data(), count, offset);
    return text;
}

/// The directory's bytes; a comment may stand behind its end.
std::string directoryOf(DiskFile& file) {
    constexpr Index endBytes = 22, longestComment = 65535, locatorBytes = 20;
    const Index size = file.size(), begin = std::max<Index>(0, size - endBytes - longestComment);
    const std::string tail = readText(file, begin, size - begin);
    Bytes mark;
    mark << directoryEnd;
    const std::size_t at = tail.rfind(mark.text());
    if (at == std::string::npos || tail.size() - at < endBytes)
        throw Failure("it is no .npz file, or is truncated");
    Parser end(std::string_view(tail).substr(at));
    end.take(12);
    Index bytes = end.next<std::uint32_t>(), offset = end.next<std::uint32_t>();
    const Index locator = begin + static_cast<Index>(at) - locatorBytes;
    if (bytes == inExtraField || offset == inExtraField) {
        const std::string found = readText(file, locator, locatorBytes);
        Parser parser(found);
        if (parser.next<std::uint32_t>() != largeEndLocator)
            throw Failure("its directory is damaged");
        parser.take(4);
        const std::string large = readText(file, parser.next<Index>(), 56);
        Parser sizes(large);
        if (sizes.next<std::uint32_t>() != largeEnd) throw Failure("its directory is damaged");
        sizes.take(36);
        bytes = sizes.next<Index>();
        offset = sizes.next<Index>();
    }
    return readText(file, offset, bytes);
}

/// The numbers of an extra field that the header itself has no room for.
void readSizes(std::string_view extra, std::uint64_t& size, std::uint64_t& stored,
               std::uint64_t& start) {
    Parser fields(extra);
    while (!fields.isAtEnd()) {
        const auto kind = fields.next<std::uint16_t>();
        Parser field(fields.take(fields.next<std::uint16_t>()));
        if (kind != sizesField) continue;
        for (std::uint64_t* each : {&size, &stored, &start})
            if (*each == inExtraField) *each = field.next<std::uint64_t>();
    }
}

class Npz final : public Container {
public:
    void add(DiskFile& file, const std::vector<Entry>& before, Entry& entry) const override {
        if (entry.name.empty() || entry.name.size() > 1000)
            throw Failure("the name of an array has 1 to 1000 bytes");
        const std::string head = npyStart(entry.array);
        entry.start = before.empty() ? 0 : endOf(before.back());
        entry.headBytes = static_cast<Index>(head.size());
        entry.headRemainder = remainderOf(head.data(), entry.headBytes);
        Bytes out;
        const std::size_t fixed = 30 + entry.name.size() + ending.size() + 20 + 4;
        const std::size_t padding = static_cast<std::size_t>(
            (alignment - (entry.start + static_cast<Index>(fixed)) % alignment) % alignment);
        out << localHeader;
        describeMember(out, entry);
        out << small(20 + 4 + padding) << entry.name << ending << sizesField << std::uint16_t{16}
            << memberBytes(entry) << memberBytes(entry) << paddingField << small(padding)
            << std::string(padding, '\0') << head;
        write(file, out, entry.start);
        entry.array.offset = entry.start + out.size();
    }

    void end(DiskFile& file, const std::vector<Entry>& entries,
             const Adlib::Attributes&) const override {
        Bytes out;
        const Index offset = entries.empty() ? 0 : endOf(entries.back());
        for (const Entry& entry : entries) {
            file.write(&*entry.crc, sizeof *entry.crc, entry.start + 14);
            out << directoryEntry << version;
            describeMember(out, entry);
            out << std::uint16_t{28} << std::uint16_t{0} << std::uint16_t{0} << std::uint16_t{0}
                << std::uint32_t{0} << inExtraField << entry.name << ending << sizesField
                << std::uint16_t{24} << memberBytes(entry) << memberBytes(entry) << entry.start;
        }
        const Index bytes = out.size(), count = static_cast<Index>(entries.size());
        out << largeEnd << Index{44} << version << version << std::uint32_t{0} << std::uint32_t{0}
            << count << count << bytes << offset;
        out << largeEndLocator << std::uint32_t{0} << offset + bytes << std::uint32_t{1};
        out << directoryEnd << std::uint16_t{0} << std::uint16_t{0} << small(0xffff)
            << small(0xffff) << inExtraField << inExtraField << std::uint16_t{0};
        write(file, out, offset);
    }

    Contents look(DiskFile& file) const override {
        std::vector<Entry> entries;
        const std::string directory = directoryOf(file);
        for (Parser parser(directory); !parser.isAtEnd();) {
            if (parser.next<std::uint32_t>() != directoryEntry)
                throw Failure("its directory is damaged");
            parser.take(6);
            const auto method = parser.next<std::uint16_t>();
            parser.take(4);
            Entry entry;
            entry.crc = parser.next<std::uint32_t>();
            std::uint64_t stored = parser.next<std::uint32_t>(),
                          size = parser.next<std::uint32_t>();
            const auto nameBytes = parser.next<std::uint16_t>();
            const auto extraBytes = parser.next<std::uint16_t>();
            const auto commentBytes = parser.next<std::uint16_t>();
            parser.take(8);
            std::uint64_t start = parser.next<std::uint32_t>();
            entry.name = parser.take(nameBytes);
            readSizes(parser.take(extraBytes), size, stored, start);
            parser.take(commentBytes);
            if (!entry.name.ends_with(ending)) continue;
            entry.name.resize(entry.name.size() - ending.size());
            if (method != 0)
                throw Failure("'" + entry.name + "' is compressed; numpy.savez does not compress");
            entry.start = static_cast<Index>(start);
            findElements(file, entry, static_cast<Index>(size));
            entries.push_back(entry);
        }
        return {entries, {}};
    }

private:
    static void findElements(DiskFile& file, Entry& entry, Index memberSize) {
        const std::string header = readText(file, entry.start, 30);
        Parser parser(header);
        if (parser.next<std::uint32_t>() != localHeader) throw Failure("its directory is damaged");
        parser.take(22);
        const Index name = parser.next<std::uint16_t>(), extra = parser.next<std::uint16_t>();
        const Index start = entry.start + 30 + name + extra;
        entry.array = npyArray(file, start);
        entry.headBytes = entry.array.offset - start;
        const std::string head = readText(file, start, entry.headBytes);
        entry.headRemainder = remainderOf(head.data(), entry.headBytes);
        if (!entry.array.isCountable() || entry.headBytes + bytesOf(entry.array) != memberSize)
            throw Failure("'" + entry.name + "' is damaged");
    }
};

}  // namespace

const Container& npzContainer() {
    static const Npz container;
    return container;
}

}  // namespace hpspmd::detail::files
