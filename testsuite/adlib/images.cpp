// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// images FOLDER: arrays of each type of number that files hold, of 1 to 3 dimensions and of
/// several distributions, as images of VTK. images.py knows their elements and reads them by VTK.

#include <complex>
#include <cstdint>
#include <hpspmd/plain.hpp>
#include <hpspmd>
#include <string>

using namespace hpspmd;

namespace {

/// The element whose number, row by row, is k.
template <class T>
T element(Index k) {
    const double real = static_cast<double>(k) / 7 - 3;
    if constexpr (detail::isComplex<T>)
        return T(static_cast<typename T::value_type>(real),
                 static_cast<typename T::value_type>(-real * real));
    else if constexpr (std::is_same_v<T, bool>)
        return k % 3 == 0;
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(real);
    else
        return static_cast<T>(static_cast<std::uint64_t>(k + 1) * 0x9e3779b97f4a7c15U);
}

template <class T>
class Images {
public:
    explicit Images(const std::string& start) : start_(start) {}

    void line(Index n) const {
        const Procs1 p;
        const detail::On on(p);
        const auto a = create<T>(p, CyclicRange(n, p.dim(0)));
        for (auto i : overall(a.rng(0))) a(i) = element<T>(i.global);
        Adlib::write(start_ + "line" + std::to_string(n) + ".vti", a);
    }

    void plate() const {
        const Procs2 p;
        const detail::On on(p);
        const auto a =
            create<T>(p, ExtBlockRange(9, p.dim(0), 1, 1), BlockCyclicRange(7, p.dim(1), 2));
        for (auto i : overall(a.rng(0)))
            for (auto j : overall(a.rng(1))) a(i, j) = element<T>(7 * i.global + j.global);
        Adlib::write(start_ + "plate.vti", a);
        Adlib::write(start_ + "part.vti", section(a, Triplet(1, 8, 3), Triplet(2, 5)));
    }

    void cube() const {
        const Procs2 p;
        const detail::On on(p);
        const auto a = create<T>(p, BlockRange(5, p.dim(0)), 4, CyclicRange(6, p.dim(1)));
        for (auto i : overall(a.rng(0)))
            for (Index j = 0; j < 4; ++j)
                for (auto k : overall(a.rng(2)))
                    a(i, j, k) = element<T>((4 * i.global + j) * 6 + k.global);
        Adlib::write(start_ + "cube.vti", a);
    }

private:
    std::string start_;
};

template <class T>
void write(const std::string& folder, const std::string& type) {
    const Images<T> images(folder + "/" + type + "-");
    images.line(23);
    images.line(1);
    images.plate();
    images.cube();
}

/// Several arrays in an image, and images at several times, in two runs of which the second begins
/// at time 0.5.
void series(const std::string& folder) {
    const Procs2 p;
    const detail::On on(p);
    const BlockRange x(9, p.dim(0));
    const CyclicRange y(7, p.dim(1));
    auto u = create<double>(p, x, y);
    auto v = create<std::int32_t>(p, x, y);
    for (auto i : overall(x))
        for (auto j : overall(y)) {
            u(i, j) = element<double>(7 * i.global + j.global);
            v(i, j) = element<std::int32_t>(7 * i.global + j.global);
        }
    {
        Adlib::File file(folder + "/two.vti");
        file.write("v", v);
        file.write("a<b>&\"c\"", u);
    }
    for (const double start : {0.0, 0.5}) {
        Adlib::Series flow(folder + "/made/flow.pvd", 2);
        flow("u", u)("v", v);
        for (int k = 0; k < 5; ++k) {
            flow.add(start + 0.125 * k);
            if (k == 3) {  // what it is when an image is made counts
                u = create<double>(p, x, y);
                v = create<std::int32_t>(p, x, y);
            }
        }
    }
}

/// Arrays of three dimensions in HDF5, of which VTK shows those with the shape of the first.
void inHdf5(const std::string& folder) {
    const Procs2 p;
    const detail::On on(p);
    const auto filled = [&](auto number, Index rows) {
        using T = decltype(number);
        const auto a = create<T>(p, BlockRange(rows, p.dim(0)), 4, CyclicRange(6, p.dim(1)));
        for (auto i : overall(a.rng(0)))
            for (Index j = 0; j < 4; ++j)
                for (auto k : overall(a.rng(2)))
                    a(i, j, k) = element<T>((4 * i.global + j) * 6 + k.global);
        return a;
    };
    Adlib::File file(folder + "/cube.h5");
    file.write("flag", filled(bool(), 5));
    file.write("u", filled(double(), 5));
    file.write("run/v", filled(std::int32_t(), 5));
    file.write("w", filled(double(), 3));
    file.write("flat", create<double>(p, 5, 4));
}

}  // namespace

int main(int count, char** words) {
    if (count != 2) return 2;
    series(words[1]);
    inHdf5(words[1]);
    write<bool>(words[1], "bool");
    write<std::int8_t>(words[1], "int8");
    write<std::uint8_t>(words[1], "uint8");
    write<std::int16_t>(words[1], "int16");
    write<std::uint16_t>(words[1], "uint16");
    write<std::int32_t>(words[1], "int32");
    write<std::uint32_t>(words[1], "uint32");
    write<std::int64_t>(words[1], "int64");
    write<std::uint64_t>(words[1], "uint64");
    write<float>(words[1], "float32");
    write<double>(words[1], "float64");
    write<std::complex<float>>(words[1], "complex64");
    write<std::complex<double>>(words[1], "complex128");
}
