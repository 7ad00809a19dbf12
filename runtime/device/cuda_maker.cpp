// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/cuda_maker.hpp"

#include "compose.hpp"
#include "device/cuda_prelude.hpp"
#include "device/kernel_cache.hpp"
#include "device/kernel_macros.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace hpspmd::detail {
namespace {

std::string versionOf(const CudaCompiler& compiler) {
    int major = 0, minor = 0;
    if (compiler.version(&major, &minor) != 0) throw devices::Unusable("nvrtcVersion has failed");
    return compose("NVRTC ", major, ".", minor);
}

std::vector<int> architecturesOf(const CudaCompiler& compiler) {
    int count = 0;
    if (compiler.architectureCount(&count) != 0 || count <= 0)
        throw devices::Unusable("nvrtcGetNumSupportedArchs has failed");
    std::vector<int> known(static_cast<std::size_t>(count));
    if (compiler.architectures(known.data()) != 0)
        throw devices::Unusable("nvrtcGetSupportedArchs has failed");
    return known;
}

/// The options, and the text behind them.
std::string keyOf(const std::vector<std::string>& options, const std::string& text) {
    std::string key;
    for (const std::string& each : options) key += " " + each;
    return key + "\n" + text;
}

}  // namespace

KernelKey CudaSource::key() const {
    const std::string all = keyOf(options, text);
    return {hashOf(all), hashOf(all, secondHash)};
}

CudaSource cudaSourceOf(const KernelText& kernel, const KernelShape& shape) {
    CudaSource source;
    source.text = compose(cudaPrelude, kernelMacros, functionsOf(kernel),
                          "\nextern \"C\" __global__ void __launch_bounds__(HPSPMD_LANES) nest",
                          kernel.text.nest);
    // The same bits as on the host: no contraction of a * b + c.
    source.options = {"--std=c++17", "--device-as-default-execution-space", "--fmad=false"};
    std::string definitions = shape.definitions();
    if (shape.hasLaneForEach) definitions += " -DHPSPMD_ONCE";
    if (shape.changesWhatItReads) definitions += " -DHPSPMD_CHANGING";
    for (std::size_t at = 0; at < definitions.size();) {
        const std::size_t end = std::min(definitions.find(' ', at), definitions.size());
        source.options.push_back(definitions.substr(at, end - at));
        at = end + 1;
    }
    return source;
}

CudaMaker::CudaMaker(const devices::Library& compiler)
    : compiler_(compiler),
      version_(versionOf(compiler_)),
      architectures_(architecturesOf(compiler_)) {}

CudaArchitecture CudaMaker::architectureFor(int capability) const {
    int best = 0;
    for (const int each : architectures_)
        if (each <= capability) best = std::max(best, each);
    if (best == 0)
        throw devices::Unusable(compose("libnvrtc makes no kernels for sm_", capability));
    return {best == capability, best};
}

CudaCode CudaMaker::made(const CudaSource& source, const CudaArchitecture& architecture) const {
    std::vector<std::string> options = source.options;
    options.push_back("--gpu-architecture=" + architecture.name());
    const std::string key = version_ + keyOf(options, source.text);
    CudaCode result;
    if (std::optional<std::string> kept = cachedKernel(key)) {
        result.code = *std::move(kept);
        result.isCached = true;
        return result;
    }
    result.code = compiled(source.text, options, architecture.isCode, result.problem);
    if (result.problem.empty()) keepKernel(key, result.code);
    return result;
}

std::string CudaMaker::compiled(const std::string& text, const std::vector<std::string>& options,
                                bool isCode, std::string& problem) const {
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
        std::size_t size = 0;
        if ((isCode ? compiler_.binarySize : compiler_.textSize)(program, &size) == 0)
            code.resize(size);
        if (code.empty() || (isCode ? compiler_.binary : compiler_.text)(program, code.data()))
            problem = "NVRTC does not give its kernel";
    }
    compiler_.destroy(&program);
    return code;
}

std::string CudaMaker::logOf(CudaCompiler::Program program) const {
    std::size_t size = 0;
    if (compiler_.logSize(program, &size) != 0) return "";
    std::string log(size, 0);
    if (compiler_.log(program, log.data()) != 0) return "";
    return log.c_str();  // without the zero, which counts
}

}  // namespace hpspmd::detail
