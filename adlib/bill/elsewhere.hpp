// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The layouts of a recorded run on another number of processes.

#include <adlib/cost.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace hpspmd::bill {

using Json = nlohmann::json;

/// Why there is no price for this number of processes.
struct NotKnown : std::runtime_error {
    using runtime_error::runtime_error;
};

/// What becomes of extents on more processes: they stay, or grow with the extents of the grid.
enum class Scale { Strong, Weak };

/// Groups and arrays as a profile describes them (runtime/observe/communications.hpp), on the
/// processes of the APG. A grid whose extents were those of Procs<rank>() is divided so again;
/// others stay as they are.
class Elsewhere {
public:
    explicit Elsewhere(Scale scale) : scale_(scale) {}

    Group group(const Json& text) const;
    /// NotKnown for ranges that are made for one number of processes, as IrregRange.
    detail::Layouts array(const Json& text) const;

    /// How many groups like this one there are here; `seen`: so many differed by their fixed
    /// coordinates only. If that was all of them, it is all of them again; NotKnown if all was one.
    double groupsLike(const Json& text, double seen) const;

private:
    Range range(const Json& text, const Json& group, const Group& grid) const;
    Range whole(const Json& text, const Json& group, const Group& grid) const;
    Index extentHere(const Json& text, const Json& group, const Group& grid) const;

    Scale scale_;
};

/// The text with each fixed coordinate 0: the same for groups that differ by these only.
Json withoutCoordinates(const Json& text);

}  // namespace hpspmd::bill
