// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// hpspmd-kernels, which `hpcc --device-arch` starts: makes kernels of CUDA, and C++ that holds
/// them.

#include "ahead/kernels.hpp"
#include "compose.hpp"

#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace hpspmd::ahead {
namespace {

constexpr const char* usage =
    "usage: hpspmd-kernels sm_80,compute_90,.. TEXTS RESULT: hpcc --device-arch starts it\n";
constexpr int failed = 1, misused = 2, compilerMissing = 4;  // those of hpcc

/// What cannot be made.
class Impossible : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Those that the compiler knows. Impossible
std::vector<detail::CudaArchitecture> architecturesNamed(const std::string& list,
                                                         const detail::CudaMaker& maker) {
    std::vector<detail::CudaArchitecture> result;
    std::istringstream names(list);
    for (std::string name; std::getline(names, name, ',');) {
        const detail::CudaArchitecture each = detail::architectureNamed(name);
        const std::vector<int>& known = maker.architectures();
        if (std::find(known.begin(), known.end(), each.capability) == known.end()) {
            std::string all;
            for (const int capability : known)
                all += detail::compose(all.empty() ? "sm_" : ", sm_", capability);
            throw Impossible(detail::compose("--device-arch=", name, ": ", maker.version(),
                                             " makes kernels for ", all));
        }
        result.push_back(each);
    }
    return result;
}

std::string contentOf(const char* file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw std::runtime_error(detail::compose("cannot read '", file, "'"));
    return {std::istreambuf_iterator<char>(stream), {}};
}

void make(const std::string& list, const char* texts, const char* result) {
    const detail::CudaMaker maker(devices::cudaCompiler());
    const auto kernels =
        kernelsOf(textsIn(contentOf(texts)), architecturesNamed(list, maker), maker);
    for (const Made& each : kernels)
        if (!each.code.problem.empty() && !each.isGuess)
            std::cerr << "hpcc: warning: the kernel " << each.name << " is not made for "
                      << each.architecture.name() << ": " << each.code.problem << '\n';
    std::ofstream stream(result, std::ios::binary);
    stream << definitionsOf(kernels);
    stream.close();
    if (!stream) throw std::runtime_error(detail::compose("cannot write '", result, "'"));
}

}  // namespace
}  // namespace hpspmd::ahead

/// Errors are told as hpcc does, which adds its name.
int main(int count, char** words) {
    using namespace hpspmd::ahead;
    if (count != 4) {
        std::cerr << usage;
        return misused;
    }
    try {
        make(words[1], words[2], words[3]);
        return 0;
    } catch (const hpspmd::devices::Unusable& reason) {
        std::cerr << "--device-arch: " << reason.what();
        return compilerMissing;
    } catch (const Impossible& reason) {
        std::cerr << reason.what();
        return misused;
    } catch (const std::exception& error) {
        std::cerr << error.what();
        return failed;
    }
}
