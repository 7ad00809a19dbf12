// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Pictures of arrays: .png, .gif, .ppm and .pgm.

#include <adlib/files.hpp>
#include <string>

namespace hpspmd {
namespace Adlib {

/// How numbers become colours: a map, and which numbers its ends stand for.
struct Colours {
    std::string map = "viridis";  ///< viridis, magma, turbo, coolwarm, hot or grey
    double low = 0, high = 0;     ///< equal: the least and the largest number of the picture
};

/// `Adlib::write("a.png", a, Adlib::colours("viridis", 0, 100))`; without the ends they are those
/// of the picture.
inline Colours colours(std::string map, double low = 0, double high = 0) {
    return {std::move(map), low, high};
}

}  // namespace Adlib

namespace detail {

void writePicture(const std::string& file, const FileOperand& array, const Adlib::Colours& colours,
                  Where where);

}  // namespace detail

namespace Adlib {

/// A picture of an array: rows from the top, of .png, .gif, .ppm, in colours, or .pgm, in grey. Of
/// real numbers in two dimensions, or in three, where the last one has extent 3: red, green and
/// blue, 0 to 255, which `colours` does not change. More than 2048 rows or columns are joined to as
/// many by their means. Example: `Adlib::write("t.png", t)`. IoError, as for other files, also if
/// the library of the format is not there.
template <class T, class... Slots>
void write(const std::string& file, const Array<T, Slots...>& array, const Colours& colours,
           detail::Where where = detail::Where::here()) {
    detail::writePicture(file, detail::fileOperand(array, where), colours, where);
}

/// Pictures of an array at several times: `rho.000000.png`, `rho.000001.png` .., the newest as
/// `rho.png`, and `rho.html`, a page that shows the newest and loads itself again each second; a
/// slider on it goes through all of them. Opened from disk: no server is needed.
///     Adlib::Frames frames("out/rho", Adlib::colours("turbo", 0, 1), 10);
///     for (..) frames.add(rho);      // collective; every 10th call makes a picture
class Frames {
public:
    explicit Frames(std::string name, Colours colours = {}, Index every = 1);

    /// True if it has made one. IoError.
    template <class T, class... Slots>
    bool add(const Array<T, Slots...>& array, detail::Where where = detail::Where::here()) {
        if (calls_++ % every_ != 0) return false;
        addNow(detail::fileOperand(array, where), where);
        return true;
    }
    Index count() const { return count_; }

private:
    void addNow(const detail::FileOperand& array, detail::Where where);

    std::string name_;
    Colours colours_;
    Index every_, calls_ = 0, count_ = 0;
};

}  // namespace Adlib
}  // namespace hpspmd
