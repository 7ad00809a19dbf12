// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/cuda_kernels.hpp"

#include "compose.hpp"
#include "device/cuda_prelude.hpp"
#include "device/kernel_cache.hpp"
#include "device/kernel_macros.hpp"
#include "device/report.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

namespace hpspmd::detail {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view binaryPrefix = "sm_";

std::string textOf(const KernelText& kernel) {
    return compose(cudaPrelude, kernelMacros, functionsOf(kernel),
                   "\nextern \"C\" __global__ void __launch_bounds__(HPSPMD_LANES) nest",
                   kernel.text.nest);
}

/// What the compiler makes for a device: its own code, or else text that the driver translates.
std::string architectureFor(const CudaCompiler& compiler, int capability) {
    int count = 0;
    if (compiler.architectureCount(&count) != 0 || count <= 0)
        throw devices::Unusable("nvrtcGetNumSupportedArchs has failed");
    std::vector<int> known(static_cast<std::size_t>(count));
    if (compiler.architectures(known.data()) != 0)
        throw devices::Unusable("nvrtcGetSupportedArchs has failed");
    int best = 0;
    for (const int each : known)
        if (each <= capability) best = std::max(best, each);
    if (best == 0)
        throw devices::Unusable(compose("libnvrtc makes no kernels for sm_", capability));
    return compose(best == capability ? binaryPrefix : "compute_", best);
}

std::string versionOf(const CudaCompiler& compiler) {
    int major = 0, minor = 0;
    if (compiler.version(&major, &minor) != 0) throw devices::Unusable("nvrtcVersion has failed");
    return compose("NVRTC ", major, ".", minor);
}

}  // namespace

CudaKernels::CudaKernels(const CudaDriver& driver, const devices::Library& compiler,
                         const devices::CudaDevice& device, std::string deviceName)
    : driver_(driver),
      compiler_(compiler),
      device_(device),
      name_(std::move(deviceName)),
      version_(versionOf(compiler_)),
      architecture_(architectureFor(compiler_, device.capability)) {}

const CudaKernel& CudaKernels::made(const KernelText& kernel, Strides strides) {
    const auto found = kernels_.find({&kernel, strides});
    if (found != kernels_.end()) return found->second;
    return kernels_.emplace(std::pair(&kernel, strides), make(kernel, strides)).first->second;
}

CudaKernel CudaKernels::make(const KernelText& kernel, Strides strides) {
    const auto start = Clock::now();
    CudaKernel result;
    result.shape = shapeOf(kernel, strides);
    bool isCached = false;
    const std::string code =
        codeOf(textOf(kernel), result.shape.definitions(), isCached, result.problem);
    if (!result.problem.empty()) return result;
    result.handle = functionOf(code, countOf(result.shape.group), result.problem);
    if (result.problem.empty())
        noteKernel(name_.c_str(), compose(device_.name, " (", version_, ", ", architecture_, ")"),
                   std::chrono::duration<double>(Clock::now() - start).count(), isCached);
    return result;
}

std::string CudaKernels::codeOf(const std::string& text, const std::string& definitions,
                                bool& isCached, std::string& problem) const {
    // The same bits as on the host: no contraction of a * b + c.
    std::vector<std::string> options{"--std=c++17", "--device-as-default-execution-space",
                                     "--fmad=false", "--gpu-architecture=" + architecture_};
    for (std::size_t at = 0; at < definitions.size();) {
        const std::size_t end = std::min(definitions.find(' ', at), definitions.size());
        options.push_back(definitions.substr(at, end - at));
        at = end + 1;
    }
    std::string key = version_;
    for (const std::string& each : options) key += " " + each;
    key += "\n" + text;
    if (std::optional<std::string> kept = cachedKernel(key)) {
        isCached = true;
        return *std::move(kept);
    }
    std::string code = compiled(text, options, problem);
    if (problem.empty()) keepKernel(key, code);
    return code;
}

std::string CudaKernels::compiled(const std::string& text, const std::vector<std::string>& options,
                                  std::string& problem) const {
    CudaCompiler::Program program = nullptr;
    if (const int error =
            compiler_.create(&program, text.c_str(), "nest.cu", 0, nullptr, nullptr)) {
        problem = compose("nvrtcCreateProgram: error ", error);
        return "";
    }
    std::vector<const char*> words;
    for (const std::string& each : options) words.push_back(each.c_str());
    std::string code;
    if (const int error =
            compiler_.compile(program, static_cast<int>(words.size()), words.data())) {
        problem = compose("its kernel does not compile (error ", error,
                          " of NVRTC): ", firstLine(logOf(program)));
    } else {
        const bool isBinary = architecture_.compare(0, binaryPrefix.size(), binaryPrefix) == 0;
        std::size_t size = 0;
        if ((isBinary ? compiler_.binarySize : compiler_.textSize)(program, &size) == 0)
            code.resize(size);
        if (code.empty() || (isBinary ? compiler_.binary : compiler_.text)(program, code.data()))
            problem = "NVRTC does not give its kernel";
    }
    compiler_.destroy(&program);
    return code;
}

std::string CudaKernels::logOf(CudaCompiler::Program program) const {
    std::size_t size = 0;
    if (compiler_.logSize(program, &size) != 0) return "";
    std::string log(size, 0);
    if (compiler_.log(program, log.data()) != 0) return "";
    return log.c_str();  // without the zero, which counts
}

CudaHandle CudaKernels::functionOf(const std::string& code, std::size_t lanes,
                                   std::string& problem) const {
    CudaHandle module = nullptr, function = nullptr;
    int most = 0;
    if (const int error = driver_.loadModule(&module, code.c_str()))
        problem = compose("cuModuleLoadData: error ", error);
    else if (const int lost = driver_.functionOf(&function, module, "nest"))
        problem = compose("cuModuleGetFunction: error ", lost);
    else if (driver_.attributeOf(&most, cudaMostThreadsOfGroup, function) != 0 ||
             static_cast<std::size_t>(most) < lanes)
        problem = compose("the device has groups of ", most, " lanes only");
    return function;
}

}  // namespace hpspmd::detail
