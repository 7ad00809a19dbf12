// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/container.hpp"

namespace hpspmd::detail::files {
namespace {

// VTK's image data: a header in XML, `<AppendedData encoding="raw">_`, of each array the number of
// bytes as 64 bits and the elements, and the ends of the tags. (VTK File Formats, "ImageData".) Its
// first coordinate is the one whose elements are neighbours: the last dimension of the arrays. The
// header is written when all arrays are known, into room that is left for it.

constexpr std::size_t headerBytes = 16384;
const std::string beginning = "  <AppendedData encoding=\"raw\">\n_",
                  closing = "\n  </AppendedData>\n</VTKFile>\n";

std::string vtkType(FileNumber number) {
    const int parts = number.kind == FileNumber::Complex ? 2 : 1;
    const std::string bits = std::to_string(8 * number.bytes / parts);
    switch (number.kind) {
    case FileNumber::Boolean:
    case FileNumber::Unsigned:
        return "UInt" + bits;
    case FileNumber::Signed:
        return "Int" + bits;
    default:
        return "Float" + bits;
    }
}

std::string extentOf(const std::vector<Index>& shape) {
    std::string extent;
    const auto rank = static_cast<int>(shape.size());
    for (int r = 0; r < 3; ++r) {
        const Index size = r < rank ? shape[static_cast<std::size_t>(rank - 1 - r)] : 1;
        extent += (r > 0 ? " 0 " : "0 ") + std::to_string(size - 1);
    }
    return extent;
}

/// Of an array, with the number of them before it.
Index bytesOf(const FileArray& array) {
    return static_cast<Index>(sizeof(std::uint64_t)) + array.count() * array.number->bytes;
}

std::string headerOf(const std::vector<Entry>& entries) {
    const std::string extent = extentOf(entries.front().array.shape);
    std::string text =
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n"
        "  <ImageData WholeExtent=\"" +
        extent + "\" Origin=\"0 0 0\" Spacing=\"1 1 1\">\n    <Piece Extent=\"" + extent +
        "\">\n      <PointData Scalars=\"" + inXml(entries.front().name) + "\">\n";
    Index offset = 0;
    for (const Entry& entry : entries) {
        const FileNumber number = *entry.array.number;
        text += "        <DataArray type=\"" + vtkType(number) + "\" Name=\"" + inXml(entry.name) +
                "\" NumberOfComponents=\"" + (number.kind == FileNumber::Complex ? "2" : "1") +
                "\" format=\"appended\" offset=\"" + std::to_string(offset) + "\"/>\n";
        offset += bytesOf(entry.array);
    }
    text += "      </PointData>\n    </Piece>\n  </ImageData>\n";
    if (text.size() + beginning.size() > headerBytes)
        throw Failure("the names of its arrays need more than " + std::to_string(headerBytes) +
                      " bytes");
    text.append(headerBytes - beginning.size() - text.size() - 1, ' ');
    return text + '\n' + beginning;
}

class Vti final : public Container {
public:
    bool hasChecksums() const override { return false; }

    void add(DiskFile& file, const std::vector<Entry>& before, Entry& entry) const override {
        FileArray& array = entry.array;
        if (array.number->kind >= FileNumber::Opaque) throw Failure("an image of VTK has numbers");
        if (array.shape.empty() || array.shape.size() > 3)
            throw Failure("an image of VTK has 1 to 3 dimensions, the array has " +
                          std::to_string(array.shape.size()));
        if (array.count() == 0) throw Failure("an image of VTK has at least one element");
        if (!before.empty() && before.front().array.shape != array.shape)
            throw Failure("the arrays of an image of VTK have one shape: '" + before.front().name +
                          "' is " + describe(before.front().array) + ", '" + entry.name + "' " +
                          describe(array));
        const std::uint64_t bytes = static_cast<std::uint64_t>(array.count()) * array.number->bytes;
        Index offset = static_cast<Index>(headerBytes);
        for (const Entry& each : before) offset += bytesOf(each.array);
        file.write(&bytes, sizeof bytes, offset);
        array.offset = offset + static_cast<Index>(sizeof bytes);
    }

    void end(DiskFile& file, const std::vector<Entry>& entries,
             const Adlib::Attributes&) const override {
        if (entries.empty()) throw Failure("an image of VTK has at least one array");
        const std::string header = headerOf(entries);
        file.write(header.data(), static_cast<Index>(header.size()), 0);
        const FileArray& last = entries.back().array;
        file.write(closing.data(), static_cast<Index>(closing.size()),
                   last.offset + last.count() * last.number->bytes);
    }

    Contents look(DiskFile&) const override {
        throw Failure("files .vti are for viewers: write and read .npy as well");
    }
};

}  // namespace

std::string inXml(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < ' ')
            throw Failure("the name of an array of VTK has no control characters");
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '"')
            result += "&quot;";
        else
            result += c;
    }
    return result;
}

const Container& vtiContainer() {
    static const Vti container;
    return container;
}

}  // namespace hpspmd::detail::files
