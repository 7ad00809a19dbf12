// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/opencl_kernels.hpp"

#include "compose.hpp"
#include "crash.hpp"
#include "device/kernel_cache.hpp"
#include "device/kernel_macros.hpp"
#include "device/opencl_prelude.hpp"
#include "device/report.hpp"

#include <chrono>
#include <utility>

namespace hpspmd::detail {
namespace {

using Clock = std::chrono::steady_clock;

std::string textOf(const KernelText& kernel) {
    return compose(openClPrelude, kernelMacros, functionsOf(kernel), "\n__kernel void nest",
                   kernel.text.nest);
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

const ClKernel& ClKernels::made(const KernelText& kernel, Strides strides) {
    const auto found = kernels_.find({&kernel, strides});
    if (found != kernels_.end()) return found->second;
    return kernels_.emplace(std::pair(&kernel, strides), make(kernel, strides)).first->second;
}

ClKernel ClKernels::make(const KernelText& kernel, Strides strides) {
    ClKernel result;
    if (kernel.notOpenCl != nullptr) {
        result.problem = compose("its kernel has no form in OpenCL C: it ", kernel.notOpenCl);
        return result;
    }
    const auto start = Clock::now();
    result.shape = shapeOf(kernel, strides);
    const std::string options =
        compose("-cl-std=CL1.2 ", result.shape.definitions(),
                roundsDivision_ ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
    bool isCached = false;
    const ClHandle program = programOf(textOf(kernel), options, isCached, result.problem);
    if (program == nullptr) return result;
    int error = 0;
    result.handle = driver_.createKernel(program, "nest", &error);
    std::size_t most = 0;
    if (error != 0 || result.handle == nullptr)
        result.problem = compose("clCreateKernel: error ", error, " of OpenCL");
    else if (driver_.groupInfo(result.handle, device_.id, clKernelGroupSize, sizeof most, &most,
                               nullptr) != 0 ||
             most < countOf(result.shape.group))
        result.problem = compose("the device has groups of ", most, " lanes only");
    else
        noteKernel(name_.c_str(), compose(device_.name, " (", device_.platformName, ")"),
                   std::chrono::duration<double>(Clock::now() - start).count(),
                   isCached ? KernelOrigin::Cache : KernelOrigin::Made);
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
