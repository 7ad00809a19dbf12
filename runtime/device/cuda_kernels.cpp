// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/cuda_kernels.hpp"

#include "compose.hpp"
#include "device/report.hpp"

#include <chrono>

namespace hpspmd::detail {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

CudaKernels::CudaKernels(const CudaDriver& driver, const devices::CudaDevice& device,
                         std::string deviceName)
    : driver_(driver), device_(device), name_(std::move(deviceName)) {
    try {
        openCompiler();
    } catch (const devices::Unusable& reason) {
        if (!areKernelsMadeFor(device.capability)) throw;
        maker_.reset();
        whyNoMaker_ = reason.what();
    }
}

void CudaKernels::openCompiler() {
    maker_.emplace(devices::cudaCompiler());
    architecture_ = maker_->architectureFor(device_.capability);
}

const CudaKernel& CudaKernels::made(const KernelText& kernel, Strides strides) {
    const auto found = kernels_.find({&kernel, strides});
    if (found != kernels_.end()) return found->second;
    return kernels_.emplace(std::pair(&kernel, strides), make(kernel, strides)).first->second;
}

CudaKernel CudaKernels::make(const KernelText& kernel, Strides strides) {
    const auto start = Clock::now();
    CudaKernel result;
    result.shape = shapeOf(kernel, strides);
    const CudaSource source = cudaSourceOf(kernel, result.shape);
    if (takeFromProgram(source, result)) return result;
    if (!maker_) {
        result.problem = compose("its kernel was not made ahead of time for sm_",
                                 device_.capability, "; ", whyNoMaker_);
        return result;
    }
    const CudaCode made = maker_->made(source, architecture_);
    result.problem = made.problem;
    if (!result.problem.empty()) return result;
    result.handle = functionOf(made.code.c_str(), countOf(result.shape.group), result.problem);
    if (result.problem.empty())
        noteKernel(name_.c_str(),
                   compose(device_.name, " (", maker_->version(), ", ", architecture_.name(), ")"),
                   secondsSince(start), made.isCached ? KernelOrigin::Cache : KernelOrigin::Made);
    return result;
}

/// One that the driver does not take is made anew.
bool CudaKernels::takeFromProgram(const CudaSource& source, CudaKernel& result) {
    for (const MadeKernel* const each : madeKernelsFor(source.key(), device_.capability)) {
        std::string problem;
        result.handle = functionOf(reinterpret_cast<const char*>(each->words),
                                   countOf(result.shape.group), problem);
        if (!problem.empty()) continue;
        noteKernel(name_.c_str(), compose(device_.name, " (", each->architecture, ")"), 0,
                   KernelOrigin::Program);
        return true;
    }
    return false;
}

CudaHandle CudaKernels::functionOf(const char* code, std::size_t lanes,
                                   std::string& problem) const {
    CudaHandle module = nullptr, function = nullptr;
    int most = 0;
    if (const int error = driver_.loadModule(&module, code))
        problem = compose("cuModuleLoadData: error ", error);
    else if (const int lost = driver_.functionOf(&function, module, "nest"))
        problem = compose("cuModuleGetFunction: error ", lost);
    else if (driver_.attributeOf(&most, cudaMostThreadsOfGroup, function) != 0 ||
             static_cast<std::size_t>(most) < lanes)
        problem = compose("the device has groups of ", most, " lanes only");
    return function;
}

}  // namespace hpspmd::detail
