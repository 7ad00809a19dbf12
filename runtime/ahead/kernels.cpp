// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ahead/kernels.hpp"

#include "compose.hpp"
#include "device/plane.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <sstream>
#include <thread>

namespace hpspmd::ahead {
namespace {

using detail::compose, detail::KernelText, detail::Strides;

/// What is to be made, in this order.
struct Task {
    std::string name;
    detail::CudaSource source;
    detail::CudaArchitecture architecture;
    bool isGuess;
};

std::vector<Task> tasksOf(const std::vector<Text>& texts,
                          const std::vector<detail::CudaArchitecture>& architectures) {
    std::vector<Task> tasks;
    const auto add = [&](const KernelText& kernel, Strides strides, bool isGuess = false) {
        const detail::CudaSource source = cudaSourceOf(kernel, shapeOf(kernel, strides));
        for (const detail::CudaArchitecture& each : architectures)
            tasks.push_back({kernel.name, source, each, isGuess});
    };
    for (const Text& text : texts) {
        const KernelText kernel{text.name.c_str(), {text.functions.c_str(), text.nest.c_str()},
                                {"", text.line},   text.mappedLoops,
                                nullptr,           nullptr,
                                nullptr,           0};
        if (!text.isWideOnly) add(kernel, Strides::Narrow, text.isGuess);
        add(kernel, Strides::Wide, text.isGuess);
    }
    for (const KernelText* const kernel : detail::moveKernels()) add(*kernel, Strides::Wide);
    return tasks;
}

/// "{0x7f,0x10};": the bytes as words of the host, with at least one zero behind them.
void writeWords(std::ostream& out, const std::string& bytes) {
    out << '{';
    for (std::size_t at = 0; at <= bytes.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        const std::size_t count = std::min(sizeof word, bytes.size() - at);
        std::memcpy(&word, bytes.data() + at, count);
        out << (at == 0 ? "0x" : ",0x") << word;
    }
    out << "};\n";
}

}  // namespace

std::vector<Made> kernelsOf(const std::vector<Text>& texts,
                            const std::vector<detail::CudaArchitecture>& architectures,
                            const detail::CudaMaker& maker) {
    const std::vector<Task> tasks = tasksOf(texts, architectures);
    std::vector<Made> results(tasks.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t k = next++; k < tasks.size(); k = next++) {
            const Task& task = tasks[k];
            results[k] = {task.name, task.source.key(), task.architecture,
                          maker.made(task.source, task.architecture), task.isGuess};
        }
    };
    std::vector<std::thread> others;
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    for (std::size_t k = 1; k < std::min(cores, tasks.size()); ++k) others.emplace_back(work);
    work();
    for (std::thread& each : others) each.join();
    return results;
}

std::string definitionsOf(const std::vector<Made>& kernels) {
    std::ostringstream arrays, list;
    int number = 0;
    for (const Made& each : kernels) {
        if (!each.code.problem.empty()) continue;
        arrays << "const std::uint64_t hpspmdKernel" << std::dec << number << std::hex << "[] = ";
        writeWords(arrays, each.code.code);
        list << "    {{0x" << std::hex << each.key.first << ", 0x" << each.key.second << "}, \""
             << std::dec << each.architecture.name() << "\", hpspmdKernel" << number << ", "
             << each.code.code.size() << "},\n";
        ++number;
    }
    if (number == 0) return "";
    return compose("#include <hpspmd/device/made_kernel.hpp>\nnamespace {\n", arrays.str(),
                   "const hpspmd::detail::MadeKernel hpspmdKernels[] = {\n", list.str(),
                   "};\n[[maybe_unused]] const bool hpspmdKernelsAreThere = "
                   "hpspmd::detail::addMadeKernels(hpspmdKernels, hpspmdKernels + ",
                   number, ");\n}\n");
}

}  // namespace hpspmd::ahead
