// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/opencl_kernels.hpp"

#include "compose.hpp"
#include "crash.hpp"
#include "device/kernel_cache.hpp"
#include "device/opencl_prelude.hpp"
#include "device/report.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace hpspmd::detail {
namespace {

using Clock = std::chrono::steady_clock;

/// Neighbouring lanes reach neighbouring elements; a group has 256 lanes whatever the device, so
/// that sums are added up in the same order everywhere.
ClShape groupOf(int mappedLoops) {
    if (mappedLoops == 1) return {256, 1, 1};
    return {64, 4, 1};
}

/// The first line of what the compiler says, for a clause.
std::string firstLine(const std::string& text) {
    const std::size_t first = text.find_first_not_of("\r\n ");
    return first == std::string::npos ? "" : text.substr(first, text.find('\n', first) - first);
}

std::string textOf(const KernelCode& code) {
    const std::string_view functions = code.functions;  // in parentheses
    return compose(openClPrelude, functions.substr(1, functions.size() - 2), "\n__kernel void nest",
                   code.nest);
}

bool joinsNumbers(const KernelText& kernel) {
    return std::any_of(
        kernel.parameters, kernel.parameters + kernel.parameterCount,
        [](const KernelParameter& each) { return each.kind == KernelParameter::Kind::Joined; });
}

}  // namespace

ClKernels::ClKernels(const OpenClDriver& driver, ClHandle context, const devices::ClDevice& device,
                     std::string deviceName)
    : driver_(driver), context_(context), device_(device), name_(std::move(deviceName)) {
    for (const unsigned which : {clDeviceVendor, clDeviceVersion, clDriverVersion})
        version_ += devices::clText(driver.deviceInfo, device.id, which) + "\n";
    version_ += device.platformName + "\n" + device.name + "\n";
    roundsDivision_ =
        (devices::clNumber<std::uint64_t>(driver.deviceInfo, device.id, clDeviceSingleConfig) &
         clRoundedDivision) != 0;
}

const ClKernel& ClKernels::made(const KernelText& kernel) {
    const auto found = kernels_.find(&kernel);
    if (found != kernels_.end()) return found->second;
    return kernels_.emplace(&kernel, make(kernel)).first->second;
}

ClKernel ClKernels::make(const KernelText& kernel) {
    ClKernel result;
    if (kernel.notOpenCl != nullptr) {
        result.problem = compose("its kernel has no form in OpenCL C: it ", kernel.notOpenCl);
        return result;
    }
    const auto start = Clock::now();
    result.group = groupOf(kernel.mappedLoops);
    result.rows =
        std::string_view(kernel.text.nest).find(" ROWS_OF(") == std::string_view::npos ? 1 : 4;
    result.joins = joinsNumbers(kernel);
    const std::string options = compose(
        "-cl-std=CL1.2 -DHPSPMD_WIDTH=", result.group[0], " -DHPSPMD_HEIGHT=", result.group[1],
        " -DHPSPMD_DEPTH=", result.group[2], " -DHPSPMD_ROWS=", result.rows,
        roundsDivision_ ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
    bool isCached = false;
    const ClHandle program = programOf(textOf(kernel.text), options, isCached, result.problem);
    if (program == nullptr) return result;
    int error = 0;
    result.handle = driver_.createKernel(program, "nest", &error);
    std::size_t most = 0;
    if (error != 0 || result.handle == nullptr)
        result.problem = compose("clCreateKernel: error ", error, " of OpenCL");
    else if (driver_.groupInfo(result.handle, device_.id, clKernelGroupSize, sizeof most, &most,
                               nullptr) != 0 ||
             most < result.group[0] * result.group[1] * result.group[2])
        result.problem = compose("the device has groups of ", most, " lanes only");
    else
        noteKernel(name_.c_str(), compose(device_.name, " (", device_.platformName, ")"),
                   std::chrono::duration<double>(Clock::now() - start).count(), isCached);
    return result;
}

/// Null with the reason; releases the program then.
ClHandle ClKernels::builtFrom(ClHandle program, const std::string& options,
                              std::string& problem) const {
    const int error = driver_.build(program, 1, &device_.id, options.c_str(), nullptr, nullptr);
    takeCrashSignals();
    if (error == 0) return program;
    std::size_t length = 0;
    driver_.buildInfo(program, device_.id, clProgramBuildLog, 0, nullptr, &length);
    std::string log(length, 0);
    driver_.buildInfo(program, device_.id, clProgramBuildLog, length, log.data(), nullptr);
    problem = compose("its kernel does not compile (error ", error,
                      " of OpenCL): ", firstLine(log.c_str()));
    driver_.releaseProgram(program);
    return nullptr;
}

ClHandle ClKernels::programOf(const std::string& text, const std::string& options, bool& isCached,
                              std::string& problem) const {
    const std::string key = version_ + options + "\n" + text;
    int error = 0;
    if (const std::optional<std::string> kept = cachedKernel(key)) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(kept->data());
        const std::size_t size = kept->size();
        int status = 0;
        const ClHandle program =
            driver_.programOfBinary(context_, 1, &device_.id, &size, &bytes, &status, &error);
        isCached = program != nullptr && error == 0 && status == 0 &&
                   builtFrom(program, options, problem) != nullptr;
        if (isCached) return program;
        problem.clear();  // made anew
    }
    const char* const source = text.c_str();
    const std::size_t size = text.size();
    const char* sources[] = {source};
    const ClHandle made = driver_.programOfText(context_, 1, sources, &size, &error);
    if (made == nullptr || error != 0) {
        problem = compose("clCreateProgramWithSource: error ", error, " of OpenCL");
        return nullptr;
    }
    const ClHandle program = builtFrom(made, options, problem);
    if (program != nullptr)
        if (const std::string binary = binaryOf(program); !binary.empty()) keepKernel(key, binary);
    return program;
}

/// Empty if the driver does not give it.
std::string ClKernels::binaryOf(ClHandle program) const {
    std::size_t size = 0;
    if (driver_.programInfo(program, clProgramBinarySizes, sizeof size, &size, nullptr) != 0)
        return "";
    std::string binary(size, 0);
    char* const start = binary.data();
    if (driver_.programInfo(program, clProgramBinaries, sizeof start, const_cast<char**>(&start),
                            nullptr) != 0)
        return "";
    return binary;
}

}  // namespace hpspmd::detail
