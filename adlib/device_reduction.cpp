// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_reduction.hpp"

#include "compose.hpp"
#include "device/backend.hpp"
#include "device/mirror.hpp"
#include "device/reduction_text.hpp"
#include "device/report.hpp"
#include "reproducible/extract.hpp"

#include <hpspmd/device/home.hpp>
#include <hpspmd/device/launch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace hpspmd::detail {
namespace {

/// The device on which all of the arrays are, and nowhere else; null if there is none.
Backend* deviceOf(const Operands& operands) {
    Backend* device = nullptr;
    for (int k = 0; k < operands.count; ++k) {
        const Storage* const storage = operands.list[k].storage;
        const Mirror* const mirror = storage != nullptr ? storage->mirror : nullptr;
        if (mirror == nullptr || mirror->state() != State::Device) return nullptr;
        if (k > 0 && mirror->device() != device) return nullptr;
        device = mirror->device();
    }
    return device;
}

/// The operands with their elements on the device.
Operands onDevice(const Operands& operands) {
    Operands result = operands;
    for (int k = 0; k < result.count; ++k) {
        Operand& operand = result.list[k];
        operand.data = operand.storage->mirror->memory() +
                       operand.offset * static_cast<Index>(operand.elementSize);
    }
    return result;
}

/// Text, and what it consists of. It stays: devices keep kernels by its address.
struct ReductionKernel {
    std::string text;
    std::vector<KernelParameter> parameters;
    KernelText kernel;
};

using ParameterKind = KernelParameter::Kind;

/// A kernel with these parameters behind runs and arrays, for a call there: errors name it.
const KernelText& kernelFor(const char* name, const DeviceForm& form, std::size_t loops,
                            Where where, const std::vector<KernelParameter>& behind,
                            std::string (*textFor)(const DeviceForm&, std::size_t loops)) {
    static auto& all =
        *new std::map<std::tuple<std::string, std::string, int, std::size_t>, ReductionKernel>;
    ReductionKernel& made = all[{name, form.type, form.arrays, loops}];
    if (made.text.empty()) {
        made.text = textFor(form, loops);
        made.parameters.assign(loops, {ParameterKind::Run, sizeof(kernels::Run)});
        for (int k = 0; k < form.arrays; ++k) {
            made.parameters.push_back({ParameterKind::Array, form.size});
            made.parameters.insert(made.parameters.end(), loops,
                                   {ParameterKind::Number, sizeof(Index)});
        }
        made.parameters.insert(made.parameters.end(), behind.begin(), behind.end());
    }
    made.kernel = {"reduction",
                   {"()", made.text.c_str()},
                   where,
                   static_cast<int>(loops),
                   nullptr,
                   nullptr,
                   made.parameters.data(),
                   made.parameters.size()};
    return made.kernel;
}

/// What a kernel of one to three loops goes through.
struct Box3 {
    std::vector<kernels::Run> runs;
    std::array<std::vector<Index>, Row::places> steps;
    std::array<Index, Row::places> start{};

    bool isEmpty() const {
        return std::any_of(runs.begin(), runs.end(),
                           [](const kernels::Run& run) { return run.last < run.first; });
    }
};

/// False if it takes more than one kernel.
bool isBox(const plan::Product<rowPlaces>& rows) {
    return rows.dims.size() <= mostReducedLoops &&
           std::all_of(rows.dims.begin(), rows.dims.end(),
                       [](const auto& runs) { return runs.size() <= 1; });
}

Box3 boxOf(const plan::Product<rowPlaces>& rows) {
    Box3 box;
    for (std::size_t k = 0; k < Row::places; ++k) box.start[k] = rows.offset[k];
    const auto add = [&](const plan::Run<rowPlaces>& run) {
        box.runs.push_back({0, run.count - 1, 0, 0, run.count - 1});
        for (std::size_t k = 0; k < Row::places; ++k) {
            box.start[k] += run.base[k];
            box.steps[k].push_back(run.step[k]);
        }
    };
    for (const auto& runs : rows.dims) add(runs.empty() ? plan::Run<rowPlaces>() : runs.front());
    if (rows.dims.empty()) add({1, {}, {}});
    return box;
}

/// The elements on a device that a kernel goes through, and what it has to say.
class DeviceElements {
public:
    DeviceElements(Backend& device, const DeviceForm& form, const plan::Product<rowPlaces>& rows,
                   const Operands& operands)
        : device_(device), box_(boxOf(rows)) {
        for (kernels::Run& run : box_.runs) arguments_.push_back(&run);
        for (std::size_t k = 0; k < static_cast<std::size_t>(form.arrays); ++k) {
            const Operand& operand = operands.list[k];
            first_[k] = static_cast<char*>(operand.data) +
                        box_.start[k] * static_cast<Index>(operand.elementSize);
            arguments_.push_back(static_cast<void*>(&first_[k]));
            for (Index& step : box_.steps[k]) arguments_.push_back(&step);
        }
    }
    DeviceElements(const DeviceElements&) = delete;
    DeviceElements& operator=(const DeviceElements&) = delete;

    bool areNone() const { return box_.isEmpty(); }
    std::size_t loops() const { return box_.runs.size(); }

    /// False if it has not been started. The arguments stand behind those of the elements.
    bool take(const KernelText& kernel, const std::vector<void*>& further,
              const JoinPieces* joins) const {
        if (!device_.prepare(kernel, Strides::Wide).empty()) return false;
        std::vector<void*> arguments = arguments_;
        arguments.insert(arguments.end(), further.begin(), further.end());
        return device_.launch(kernel, Strides::Wide, arguments.data(), joins);
    }

private:
    Backend& device_;
    Box3 box_;
    std::array<char*, Row::places> first_{};
    std::vector<void*> arguments_;
};

bool reduce(const DeviceElements& elements, const DeviceForm& form, void* total, Where where) {
    const KernelText& kernel =
        kernelFor(form.joins, form, elements.loops(), where, {{ParameterKind::Joined, form.size}},
                  [](const DeviceForm& of, std::size_t loops) {
                      return reductionText(of.joins, of.type, of.arrays, loops);
                  });
    return elements.take(kernel, {total}, &form.join);
}

constexpr KernelParameter joinedDouble{ParameterKind::Joined, sizeof(double)},
    joinedLong{ParameterKind::Joined, sizeof(std::int64_t)},
    plainDouble{ParameterKind::Number, sizeof(double)};

/// A sum that does not depend on the order: the largest magnitude tells how numbers are split. What
/// is infinite, NaN, or near the largest and the smallest doubles, is the host's.
bool addUp(const DeviceElements& elements, const DeviceForm& form, Binned& sum, Where where) {
    const KernelText& magnitude =
        kernelFor("magnitude", form, elements.loops(), where, {joinedDouble},
                  [](const DeviceForm& of, std::size_t loops) {
                      return magnitudeText(of.type, of.arrays, loops);
                  });
    double most = 0;
    constexpr JoinPieces larger = joinPieces<ByMax, double>;
    if (!elements.take(magnitude, {&most}, &larger) || !std::isfinite(most)) return false;
    if (most == 0) return true;
    const std::optional<int> top = plainTopFor(most);
    if (!top) return false;

    const KernelText& bins =
        kernelFor("bins", form, elements.loops(), where,
                  {plainDouble, plainDouble, joinedLong, joinedLong, plainDouble, plainDouble,
                   joinedLong, joinedLong, plainDouble, plainDouble, joinedLong, joinedLong},
                  [](const DeviceForm& of, std::size_t loops) {
                      return binsText(of.type, of.arrays, loops, Units::lowBits);
                  });
    std::array<double, Binned::folds> anchors{}, scales{};
    std::array<Units, Binned::folds> units{};
    std::vector<void*> arguments;
    for (std::size_t fold = 0; fold < Binned::folds; ++fold) {
        const int exponent = (*top - static_cast<int>(fold)) * binWidth;
        anchors[fold] = std::ldexp(anchorOfBins, exponent);
        scales[fold] = std::ldexp(1, -exponent);
        arguments.insert(arguments.end(),
                         {&anchors[fold], &scales[fold], &units[fold].high, &units[fold].low});
    }
    const std::vector<JoinPieces> added(2 * Binned::folds, joinPieces<BySum, std::int64_t>);
    if (!elements.take(bins, arguments, added.data())) return false;
    addUnits(sum, *top, units);
    return true;
}

}  // namespace

bool reducedOnDevice(const plan::Product<rowPlaces>& rows, const Call& call,
                     const Operands& operands, const Accumulator& accumulator) {
    Backend* const device = accumulator.onDevice != nullptr ? deviceOf(operands) : nullptr;
    if (device == nullptr || !isBox(rows)) return false;
    const Operands there = onDevice(operands);
    const DeviceForm& form = *accumulator.onDevice;
    const DeviceElements elements(*device, form, rows, there);
    if (elements.areNone()) return true;
    if (device->isHostMemory()) {
        requireFitting();
        forEachOperandRow(rows, there,
                          [&](const Row& row) { accumulator.take(accumulator.state, row); });
    } else {
        const bool isDone =
            form.joins != nullptr
                ? reduce(elements, form, accumulator.state, call.where)
                : addUp(elements, form, *static_cast<Binned*>(accumulator.state), call.where);
        if (!isDone) return false;
    }
    noteLaunch(call.where, device->name(), call.name);
    return true;
}

}  // namespace hpspmd::detail
