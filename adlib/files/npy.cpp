// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>
#include <charconv>
#include <cstring>
#include <string_view>

#include "files/npy.hpp"

namespace hpspmd::detail::files {
namespace {

// "\x93NUMPY", major and minor version, the length of a header in 2 (version 1) or 4 bytes, and the
// header, a Python dictionary that ends with a line feed:
//     {'descr': '<f8', 'fortran_order': False, 'shape': (512, 513), }
// (numpy.lib.format)

constexpr std::string_view magic = "\x93NUMPY";
constexpr Index longestHeader = 1 << 16;
static_assert(std::endian::native == std::endian::little);

constexpr char letters[] = {'b', 'i', 'u', 'f', 'c', 'V', 'S'};

std::string typeOf(FileNumber number) {
    const bool hasOrder = number.bytes > 1 && number.kind < FileNumber::Opaque;
    return (hasOrder ? "<" : "|") + std::string(1, letters[number.kind]) +
           std::to_string(number.bytes);
}

/// Of an element; of objects a list of fields and of what lies between them.
std::string typeOf(const FileArray& array) {
    if (array.fields.empty()) return "'" + typeOf(*array.number) + "'";
    std::string text;
    Index at = 0;
    const auto fill = [&](Index to) {
        if (to > at) text += "('', '|V" + std::to_string(to - at) + "'), ";
    };
    for (const FileField& field : array.fields) {
        fill(field.offset);
        text += "('" + field.name + "', '" + typeOf(field.number) + "'";
        at = field.offset + field.number.bytes;
        std::string shape;
        for (const Index extent : field.shape) {
            shape += std::to_string(extent) + ", ";
            at += (at - field.offset) * (extent - 1);
        }
        text += (shape.empty() ? "" : ", (" + shape + ")") + "), ";
    }
    fill(array.number->bytes);
    return "[" + text + "]";
}

std::string headerOf(const FileArray& array) {
    std::string header = "{'descr': " + typeOf(array) + ", 'fortran_order': False, 'shape': (";
    for (const Index extent : array.shape) header += std::to_string(extent) + ", ";
    header += "), }";
    const std::size_t before = magic.size() + 4;
    header.append(63 - (before + header.size()) % 64, ' ');
    return header + '\n';
}

/// Reads a header from left to right.
class HeadReader {
public:
    explicit HeadReader(std::string_view text) : text_(text) {}

    FileArray array() {
        FileArray array;
        bool hasShape = false, hasOrder = false;
        expect("{");
        while (!accept("}")) {
            const std::string_view key = quoted();
            expect(":");
            if (key == "descr") {
                readType(array);
            } else if (key == "shape") {
                array.shape = shape();
                hasShape = true;
            } else if (key == "fortran_order") {
                if (accept("True"))
                    throw Failure("its elements are in column-major order (fortran_order)");
                expect("False");
                hasOrder = true;
            } else {
                damaged();
            }
            if (!accept(",")) {
                expect("}");
                break;
            }
        }
        if (!array.number || !hasShape || !hasOrder) damaged();
        return array;
    }

private:
    [[noreturn]] static void damaged() { throw Failure("its header is no header of a .npy file"); }

    void skipSpace() {
        while (!text_.empty() && text_[0] == ' ') text_.remove_prefix(1);
    }
    bool accept(std::string_view word) {
        skipSpace();
        if (!text_.starts_with(word)) return false;
        text_.remove_prefix(word.size());
        return true;
    }
    void expect(std::string_view word) {
        if (!accept(word)) damaged();
    }

    std::string_view quoted() {
        skipSpace();
        if (text_.empty() || (text_[0] != '\'' && text_[0] != '"')) damaged();
        const std::size_t end = text_.find(text_[0], 1);
        if (end == text_.npos) damaged();
        const std::string_view inside = text_.substr(1, end - 1);
        text_.remove_prefix(end + 1);
        return inside;
    }

    Index number() {
        skipSpace();
        Index value = 0;
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
        if (error != std::errc() || value < 0) damaged();
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        return value;
    }

    std::vector<Index> shape() {
        std::vector<Index> shape;
        expect("(");
        while (!accept(")")) {
            shape.push_back(number());
            if (!accept(",")) {
                expect(")");
                break;
            }
        }
        return shape;
    }

    /// [('x', '<f8'), ('', '|V4'), ('v', '<f4', (3,))]
    void readFields(FileArray& array) {
        Index bytes = 0;
        while (!accept("]")) {
            expect("(");
            FileField field;
            field.name = quoted();
            expect(",");
            FileArray type;
            readNumber(type);
            field.number = *type.number;
            if (accept(",")) field.shape = shape();
            expect(")");
            if (type.isSwapped) throw Failure("its records have big-endian numbers");
            field.offset = bytes;
            type.shape = field.shape;
            if (!type.isCountable()) damaged();
            bytes += type.count() * field.number.bytes;
            if (bytes > longestHeader) throw Failure("its records are too long");
            if (!field.name.empty()) array.fields.push_back(field);
            if (!accept(",")) {
                expect("]");
                break;
            }
        }
        if (bytes == 0) damaged();
        array.number = FileNumber{FileNumber::Opaque, static_cast<std::uint32_t>(bytes)};
    }

    void readType(FileArray& array) {
        if (accept("["))
            readFields(array);
        else
            readNumber(array);
    }

    void readNumber(FileArray& array) {
        const std::string_view type = quoted();
        for (int kind = 0; kind < 5; ++kind)
            for (const std::uint32_t bytes : {1U, 2U, 4U, 8U, 16U}) {
                const std::string name = letters[kind] + std::to_string(bytes);
                if (type.size() != name.size() + 1 || type.substr(1) != name) continue;
                if (std::string_view("<>|=").find(type[0]) == std::string_view::npos) continue;
                array.number = FileNumber{static_cast<FileNumber::Kind>(kind), bytes};
                array.isSwapped = type[0] == '>' && bytes > 1;
                return;
            }
        std::uint32_t bytes = 0;
        const char* const end = type.data() + type.size();
        const bool isText = type.starts_with("|S");
        if ((isText || type.starts_with("|V")) &&
            std::from_chars(type.data() + 2, end, bytes).ptr == end && bytes > 0) {
            array.number = FileNumber{isText ? FileNumber::Text : FileNumber::Opaque, bytes};
            return;
        }
        throw Failure("its elements have the type '" + std::string(type.substr(0, 40)) +
                      "', which is no number");
    }

    std::string_view text_;
};

class Npy final : public FileFormat {
public:
    void begin(DiskFile& file, FileArray& array) const override {
        const std::string start = npyStart(array);
        file.write(start.data(), static_cast<Index>(start.size()), 0);
        array.offset = static_cast<Index>(start.size());
    }

    FileArray look(DiskFile& file, const FileArray*) const override { return npyArray(file, 0); }
};

}  // namespace

std::string npyStart(const FileArray& array) {
    const std::string header = headerOf(array);
    const auto length = static_cast<std::uint16_t>(header.size());
    std::string text(magic);
    text += {'\1', '\0', static_cast<char>(length & 255), static_cast<char>(length >> 8)};
    return text + header;
}

FileArray npyArray(DiskFile& file, Index at) {
    unsigned char start[12] = {};
    file.read(start, 10, at);
    if (std::memcmp(start, magic.data(), magic.size()) != 0 || start[6] < 1 || start[6] > 3)
        throw Failure("it is no .npy file");
    Index length = start[8] | start[9] << 8, before = 10;
    if (start[6] > 1) {
        file.read(start, 12, at);
        length |= static_cast<Index>(start[10]) << 16 | static_cast<Index>(start[11]) << 24;
        before = 12;
    }
    if (length > longestHeader) throw Failure("its header is too long");
    std::string header(static_cast<std::size_t>(length), ' ');
    file.read(header.data(), length, at + before);
    FileArray array = HeadReader(header).array();
    array.offset = at + before + length;
    return array;
}

const FileFormat& npyFormat() {
    static const Npy format;
    return format;
}

}  // namespace hpspmd::detail::files
