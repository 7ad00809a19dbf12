// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Series, images of arrays at several times, which ParaView shows as one.

#include <adlib/checkpoint.hpp>
#include <memory>
#include <string>

namespace hpspmd::Adlib {

/// Images of VTK at several times, `flow.000000.vti`, `flow.000001.vti` .., and `flow.pvd`, which
/// lists them with their times: ParaView opens it, also while the program runs.
///     Adlib::Series series("out/flow.pvd", 10);
///     series("u", u)("v", v);                  // by reference; of one shape, 1 to 3 dimensions
///     for (..) series.add(time);               // collective; every 10th call makes an image
/// If the file is there, images of earlier times stay in the list: a run that goes on from a
/// checkpoint continues its series.
class Series {
public:
    /// IoError if the name does not end in .pvd.
    explicit Series(std::string file, Index every = 1, detail::Where where = detail::Where::here());
    Series(Series&&) noexcept;
    Series& operator=(Series&&) noexcept;
    ~Series();

    /// The array belongs to the images. A handle may be assigned later.
    template <class T, class... Slots>
    Series& operator()(std::string name, Array<T, Slots...>& array) {
        static_assert(detail::isFileNumber<std::remove_const_t<T>>, "images hold numbers");
        include(detail::stateVariable(std::move(name), array));
        return *this;
    }

    /// True if it has made an image. `time` is that of the first process. IoError with the cause,
    /// on all processes alike; the list then names only whole images.
    bool add(double time, detail::Where where = detail::Where::here());
    /// Images in the list.
    Index count() const;

private:
    void include(detail::StateVariable array);

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hpspmd::Adlib
