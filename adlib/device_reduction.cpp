// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_reduction.hpp"

#include "compose.hpp"
#include "device/backend.hpp"
#include "device/mirror.hpp"
#include "device/report.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace hpspmd::detail {
namespace {

constexpr std::size_t mostLoops = 3;

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
struct Kernel {
    std::string text;
    std::vector<KernelParameter> parameters;
    KernelText kernel;
};

/// "(Run i_run, Run j_run, IN(double, a), Index a_i, Index a_j, JOINED(double, total)) { .. }"
std::string textOf(const DeviceForm& form, std::size_t loops) {
    const std::string indices = std::string("ijk").substr(0, loops);
    const std::string joined = compose("(", form.type, ", total)");
    std::string parameters, places, factors, nest;
    for (std::size_t loop = 0; loop < loops; ++loop) {
        const char index = indices[loop];
        parameters += compose(loop == 0 ? "(" : ", ", "Run ", index, "_run");
        const std::size_t dimension = loops - 1 - loop;
        const std::string head =
            compose(index, ", ", index, "_run, ");  // the innermost loop is written first
        nest = (dimension == 0   ? compose("COLUMNS(", head, "1) ")
                : dimension == 1 ? compose("EVERY_ROW_OF(", head, "1, 1) ")
                                 : compose("EVERY_ROW_OF(", head, "2, 1) ")) +
               nest;
    }
    for (int k = 0; k < form.arrays; ++k) {
        const char array = "ab"[k];
        parameters += compose(", IN(", form.type, ", ", array, ")");
        std::string place;
        for (const char index : indices) {
            parameters += compose(", Index ", array, "_", index);
            place += compose(place.empty() ? "" : " + ", array, "_", index, " * ", index);
        }
        factors += compose(k == 0 ? "" : " * ", array, "_at[", place, "]");
        places += compose("AT(const ", form.type, ", ", array, ", 0) ");
    }
    const std::string way = form.joins;
    const std::string taken = way == "SUM"   ? compose("total + ", factors)
                              : way == "MAX" ? compose("larger(total, ", factors, ")")
                                             : compose("smaller(total, ", factors, ")");
    return compose(parameters, ", JOINED", joined, ") { ", places, nest, "total = ", taken,
                   "; JOIN_", way, joined, " }");
}

std::vector<KernelParameter> parametersOf(const DeviceForm& form, std::size_t loops) {
    using Kind = KernelParameter::Kind;
    std::vector<KernelParameter> parameters(loops, {Kind::Run, sizeof(kernels::Run)});
    for (int k = 0; k < form.arrays; ++k) {
        parameters.push_back({Kind::Array, form.size});
        parameters.insert(parameters.end(), loops, {Kind::Number, sizeof(Index)});
    }
    parameters.push_back({Kind::Joined, form.size});
    return parameters;
}

/// For a call there: errors name it.
const KernelText& kernelFor(const DeviceForm& form, std::size_t loops, Where where) {
    static auto& all =
        *new std::map<std::tuple<std::string, std::string, int, std::size_t>, Kernel>;
    Kernel& made = all[{form.joins, form.type, form.arrays, loops}];
    if (made.text.empty()) {
        made.text = textOf(form, loops);
        made.parameters = parametersOf(form, loops);
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
    return rows.dims.size() <= mostLoops &&
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

bool launch(Backend& device, const DeviceForm& form, Box3& box, const Operands& operands,
            void* total, Where where) {
    const KernelText& kernel = kernelFor(form, box.runs.size(), where);
    if (!device.prepare(kernel, Strides::Wide).empty()) return false;
    std::array<char*, Row::places> first{};
    std::vector<void*> arguments;
    for (kernels::Run& run : box.runs) arguments.push_back(&run);
    for (std::size_t k = 0; k < static_cast<std::size_t>(form.arrays); ++k) {
        const Operand& operand = operands.list[k];
        first[k] = static_cast<char*>(operand.data) +
                   box.start[k] * static_cast<Index>(operand.elementSize);
        arguments.push_back(static_cast<void*>(&first[k]));
        for (Index& step : box.steps[k]) arguments.push_back(&step);
    }
    arguments.push_back(total);
    return device.launch(kernel, Strides::Wide, arguments.data(), &form.join);
}

}  // namespace

bool reducedOnDevice(const plan::Product<rowPlaces>& rows, const Call& call,
                     const Operands& operands, const Accumulator& accumulator) {
    Backend* const device = accumulator.onDevice != nullptr ? deviceOf(operands) : nullptr;
    if (device == nullptr || !isBox(rows)) return false;
    const Operands there = onDevice(operands);
    Box3 box = boxOf(rows);
    if (box.isEmpty()) return true;
    if (device->isHostMemory())
        forEachOperandRow(rows, there,
                          [&](const Row& row) { accumulator.take(accumulator.state, row); });
    else if (!launch(*device, *accumulator.onDevice, box, there, accumulator.state, call.where))
        return false;
    noteLaunch(call.where, device->name(), call.name);
    return true;
}

}  // namespace hpspmd::detail
