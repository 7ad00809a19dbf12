// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Arrays in files: write, read and look.

#include <adlib/attributes.hpp>
#include <adlib/file_value.hpp>
#include <adlib/operand.hpp>
#include <initializer_list>
#include <string>
#include <vector>

namespace hpspmd {
namespace detail {

/// Of one dimension of an array in a file: `count` elements from `first` on.
struct FileRange {
    Index first, count;
};

struct FileOperand {
    Operand array;
    FileNumber number;
    FileFields fields{};  ///< of elements that are objects
};

template <class T, class... Slots>
FileOperand fileOperand(const Array<T, Slots...>& array, Where where) {
    using Element = std::remove_const_t<T>;
    static_assert(isFileNumber<Element> || hasFields<Element>,
                  "files hold bool, integers, float, double, complex numbers of these, and classes "
                  "with HPSPMD_FIELDS");
    return {operand("array", array, where), anyNumber<Element>(), fieldsOf<Element>()};
}

/// isForced: also what a format takes for too much.
void writeFile(const std::string& file, const FileOperand& array,
               const Adlib::Attributes& attributes, Where where, bool isForced = false);
void readFile(const FileOperand& array, const std::string& file, Where where);
void readPartOfFile(const FileOperand& array, const std::string& file,
                    const std::vector<FileRange>& part, Where where);

}  // namespace detail

namespace Adlib {

/// What a file says about its array. Text and pictures hold numbers without a type: `type` is "".
struct FileInfo {
    std::vector<Index> shape;  ///< extents, the dimension whose elements are furthest apart first
    std::string type;          ///< "float64", "int32", "uint8", "complex128", "bool" ..
    Attributes attributes;     ///< none where the format has none
};

/// Writes an array, or a section of one, of any distribution. The end of the name says how:
///     .npy   NumPy's, `numpy.load` reads it
///     .vti   VTK's image data: ParaView and VisIt read it; 1 to 3 dimensions
///     .raw   the elements alone, in row-major order, little-endian
///     .csv   text, a line for each row; 1 or 2 dimensions, at most 10^7 elements without force
///     .png   a picture, also .gif, .ppm and .pgm: pictures.hpp
///     .npz   NumPy's file of arrays with names; "run.npz:t" is the array t of run.npz
/// The file appears when it is whole: until then, and if writing fails, an old file of that name
/// stays as it was. Each process writes its share; all must see the same folder. Needs 8 MiB per
/// process besides the array. Ghost cells are not written.
/// Example: `Adlib::write("plate.npy", t)`; in Python `plate = numpy.load("plate.npy")`.
/// Errors: IoError with the cause, on all processes alike; AdlibError if the array is not contained
/// in the APG.
template <class T, class... Slots>
void write(const std::string& file, const Array<T, Slots...>& array,
           detail::Where where = detail::Where::here()) {
    detail::writeFile(file, detail::fileOperand(array, where), {}, where);
}

/// The same with attributes, those that the first process has, of formats that have them (.h5):
/// `Adlib::write("run.h5:t", t, {{"unit", "K"}, {"step", step}})`, in Python
/// `h5py.File("run.h5")["t"].attrs["unit"]`. Text, numbers and vectors of numbers.
template <class T, class... Slots>
void write(const std::string& file, const Array<T, Slots...>& array, const Attributes& attributes,
           detail::Where where = detail::Where::here()) {
    detail::writeFile(file, detail::fileOperand(array, where), attributes, where);
}
template <class T, class... Slots>
void write(const std::string& file, const Array<T, Slots...>& array,
           std::initializer_list<Attributes::Named> attributes,
           detail::Where where = detail::Where::here()) {
    detail::writeFile(file, detail::fileOperand(array, where), Attributes(attributes), where);
}

struct Force {};
inline constexpr Force force{};

/// `Adlib::write("large.csv", a, Adlib::force)`: also more than 10^7 elements as .csv, which the
/// first process writes alone, up to 25 bytes for each number. For other formats as without it.
template <class T, class... Slots>
void write(const std::string& file, const Array<T, Slots...>& array, Force,
           detail::Where where = detail::Where::here()) {
    detail::writeFile(file, detail::fileOperand(array, where), {}, where, true);
}

/// array[x, ..] = the file's element [x, ..]; the ends of the name as for write. Shapes must agree.
/// Where the file has a type of elements, the array's is the same, or one that holds all its
/// numbers: int in a file becomes long or double, float double. Of a replicated array all copies
/// are written. Example: `Adlib::read(t, "plate.npy")`, whatever distribution, and number of
/// processes, wrote it. Errors: IoError with the cause, on all processes alike (the array may then
/// hold a part of the file); AdlibError if the array is not contained in the APG.
template <class T, class... Slots>
void read(const Array<T, Slots...>& array, const std::string& file,
          detail::Where where = detail::Where::here()) {
    static_assert(!std::is_const_v<T>, "the elements of this array cannot be changed");
    detail::readFile(detail::fileOperand(array, where), file, where);
}

/// The same of a part of the file's array: of each of its dimensions so many elements from the
/// first one on, which is the shape that `array` must have. Only these are read, so a file may be
/// larger than memory; checksums are not looked at. Of .npy, .npz and .h5 files.
/// Example: `Adlib::read(t, "plate.h5:t", {{100, 20}, {0, 50}})` reads rows 100 to 119 of columns
/// 0 to 49 into an array of 20 x 50.
template <class T, class... Slots>
void read(const Array<T, Slots...>& array, const std::string& file,
          const std::vector<detail::FileRange>& part, detail::Where where = detail::Where::here()) {
    static_assert(!std::is_const_v<T>, "the elements of this array cannot be changed");
    detail::readPartOfFile(detail::fileOperand(array, where), file, part, where);
}

/// Shape, type and attributes of a file's array, to make ranges that fit; the same on all
/// processes. "run.h5:/" tells the attributes of the file itself. IoError. Example: `const auto
/// plate = Adlib::look("plate.npy"); BlockRange x(plate.shape[0], p.dim(0));`,
/// `Adlib::look("run.h5:t").attributes.at("unit").text()`.
FileInfo look(const std::string& file, detail::Where where = detail::Where::here());

}  // namespace Adlib
}  // namespace hpspmd
