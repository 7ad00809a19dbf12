// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/format.hpp"

namespace hpspmd::detail::files {
namespace {

// VTK's image data: a header in XML, `<AppendedData encoding="raw">_`, the number of bytes as 64
// bits, the elements, and the ends of the tags. (VTK File Formats, "ImageData".) Its first
// coordinate is the one whose elements are neighbours: the last dimension of the array.

const std::string closing = "\n  </AppendedData>\n</VTKFile>\n";

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

std::string headerOf(const FileArray& array) {
    std::string extent;
    for (int r = 0; r < 3; ++r) {
        const auto rank = static_cast<int>(array.shape.size());
        const Index size = r < rank ? array.shape[static_cast<std::size_t>(rank - 1 - r)] : 1;
        extent += (r > 0 ? " 0 " : "0 ") + std::to_string(size - 1);
    }
    const bool isComplex = array.number->kind == FileNumber::Complex;
    return "<?xml version=\"1.0\"?>\n"
           "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
           "header_type=\"UInt64\">\n"
           "  <ImageData WholeExtent=\"" +
           extent + "\" Origin=\"0 0 0\" Spacing=\"1 1 1\">\n    <Piece Extent=\"" + extent +
           "\">\n      <PointData Scalars=\"data\">\n        <DataArray type=\"" +
           vtkType(*array.number) + "\" Name=\"data\" NumberOfComponents=\"" +
           (isComplex ? "2" : "1") +
           "\" format=\"appended\" offset=\"0\"/>\n      </PointData>\n    </Piece>\n"
           "  </ImageData>\n  <AppendedData encoding=\"raw\">\n_";
}

class Vti final : public FileFormat {
public:
    void requireWritable(const FileArray& array) const override {
        if (array.shape.empty() || array.shape.size() > 3)
            throw Failure("an image of VTK has 1 to 3 dimensions, the array has " +
                          std::to_string(array.shape.size()));
        if (array.count() == 0) throw Failure("an image of VTK has at least one element");
    }

    void begin(DiskFile& file, FileArray& array) const override {
        const std::string header = headerOf(array);
        const std::uint64_t bytes = static_cast<std::uint64_t>(array.count()) * array.number->bytes;
        file.write(header.data(), static_cast<Index>(header.size()), 0);
        file.write(&bytes, sizeof bytes, static_cast<Index>(header.size()));
        array.offset = static_cast<Index>(header.size() + sizeof bytes);
    }

    void end(DiskFile& file, const FileArray& array) const override {
        file.write(closing.data(), static_cast<Index>(closing.size()),
                   array.offset + array.count() * array.number->bytes);
    }

    FileArray look(DiskFile&, const FileArray*) const override {
        throw Failure("files .vti are for viewers: write and read .npy as well");
    }
};

}  // namespace

const FileFormat& vtiFormat() {
    static const Vti format;
    return format;
}

}  // namespace hpspmd::detail::files
