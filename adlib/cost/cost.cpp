// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/survey.hpp"

#include <adlib/cost.hpp>
#include <hpspmd/active.hpp>

#include "plan/operations.hpp"

namespace hpspmd {
namespace detail {
double descriptorBytes(const Descriptor& array) {
    const auto rank = static_cast<double>(array.rank);
    const double axes = array.group.record()->grid->rank();
    return rank * (sizeof(Map) + sizeof(RangeRecord)) + sizeof(GroupRecord) + sizeof(GridRecord) +
           axes * (sizeof(DimensionRecord) + sizeof(int));
}

Adlib::Cost haloCost(const Descriptor& array, std::size_t elementSize,
                     const Adlib::Machine& machine) {
    std::vector<plan::HaloWidth> widths;
    for (const Map& map : array)
        widths.push_back({map.range.loExtension(), map.range.hiExtension(), false});
    Adlib::Cost cost = cost::survey(plan::writeHalo(array, widths), true, elementSize, machine);
    cost.descriptorBytes = descriptorBytes(array);
    return cost;
}

Adlib::Cost shiftCost(const Descriptor& array, std::size_t elementSize, const Shifted& shift,
                      const Adlib::Machine& machine) {
    const plan::Operation operation =
        plan::shift(array, array, shift.amount, shift.d, shift.cyclic);
    Adlib::Cost cost = cost::survey(operation, true, elementSize, machine);
    cost.descriptorBytes = descriptorBytes(array);
    return cost;
}

Adlib::Cost remapCost(const Descriptor& to, const Descriptor& from, std::size_t elementSize,
                      const Adlib::Machine& machine) {
    Adlib::Cost cost = cost::survey(plan::remap(to, from), false, elementSize, machine);
    cost.descriptorBytes = descriptorBytes(to) + descriptorBytes(from);
    return cost;
}

}  // namespace detail

namespace Adlib {

struct PretendedProcesses::State {
    explicit State(int count) : world(count, 0), active(world.group()) {}

    detail::World world;
    detail::Activate active;
};

PretendedProcesses::PretendedProcesses(int count) : state_(std::make_unique<State>(count)) {}
PretendedProcesses::~PretendedProcesses() = default;

}  // namespace Adlib
}  // namespace hpspmd
