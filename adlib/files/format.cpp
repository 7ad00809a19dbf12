// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/format.hpp"

#include <algorithm>

namespace hpspmd::detail::files {

#define FILE_FORMAT(ending, format) const FileFormat& format();
#include "files/formats.def"

namespace {

struct Row {
    std::string ending;
    const FileFormat& (*format)();
};

const Row rows[] = {
#define FILE_FORMAT(ending, format) {ending, format},
#include "files/formats.def"
};

std::string knownEndings() {
    std::string text;
    for (const Row& row : rows) text += (text.empty() ? "" : ", ") + row.ending;
#define FILE_CONTAINER(ending, container) text += std::string(", ") + ending;
#include "files/containers.def"
    return text;
}

}  // namespace

Index FileArray::count() const {
    Index count = 1;
    for (const Index extent : shape) count *= extent;
    return count;
}

bool FileArray::isCountable() const {
    constexpr Index most = Index{1} << 60;
    Index bytes = number ? number->bytes : 1;
    for (const Index extent : shape) {
        if (extent != 0 && bytes > most / extent) return false;
        bytes *= extent;
    }
    return true;
}

std::unique_ptr<Stream> FileFormat::writer(DiskFile&, const FileArray&) const { return nullptr; }
std::unique_ptr<Stream> FileFormat::reader(DiskFile&, const FileArray&) const { return nullptr; }

const FileFormat& formatOf(const std::string& file) {
    const auto found = std::ranges::find_if(
        rows, [&](const Row& row) { return file.ends_with(row.ending) && file != row.ending; });
    if (found == std::end(rows))
        throw Failure("the end of its name tells no format; known are " + knownEndings());
    return found->format();
}

std::string nameOf(FileNumber number) {
    static const char* const names[] = {"bool", "int", "uint", "float", "complex"};
    if (number.kind == FileNumber::Boolean) return names[number.kind];
    if (number.kind == FileNumber::Text) return "text";
    if (number.kind == FileNumber::Opaque) return std::to_string(number.bytes) + " bytes";
    return names[number.kind] + std::to_string(8 * number.bytes);
}

std::string typeName(const FileArray& array) {
    if (!array.number) return "";
    if (array.fields.empty()) return nameOf(*array.number);
    std::string text;
    for (const FileField& field : array.fields) {
        text += (text.empty() ? "{" : ", ") + field.name + " " + nameOf(field.number);
        for (const Index extent : field.shape) text += "[" + std::to_string(extent) + "]";
    }
    return text + "}";
}

std::string describe(const FileArray& array) {
    std::string text;
    for (const Index extent : array.shape)
        text += (text.empty() ? "" : " x ") + std::to_string(extent);
    if (text.empty()) text = "one";
    return text + " " + (array.number ? typeName(array) : "numbers");
}

void swapBytes(char* elements, Index count, FileNumber number) {
    const int parts = number.kind == FileNumber::Complex ? 2 : 1;
    const Index width = number.bytes / parts;
    for (Index k = 0; k < count * parts; ++k)
        std::reverse(elements + k * width, elements + (k + 1) * width);
}

}  // namespace hpspmd::detail::files
