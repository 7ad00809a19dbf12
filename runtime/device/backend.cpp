// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/backend.hpp"

#include "device/checked_launches.hpp"

#include <algorithm>
#include <utility>

namespace hpspmd::detail {
namespace {

thread_local bool isAside = false;

}  // namespace

Aside::Aside() : outer_(std::exchange(isAside, true)) {}

Aside::~Aside() { isAside = outer_; }

bool Aside::isHere() { return isAside; }

bool Backend::launch(const KernelText& kernel, Strides strides, void** arguments,
                     const JoinPieces* joins) {
    const auto start = [&] { return startKernel(kernel, strides, arguments, joins); };
    kernels::Checks* const checks = checksOf(kernel, arguments);
    const bool isStarted =
        checks != nullptr ? launchChecked(*this, kernel, *checks, start) : start();
    const bool joinsNumbers = std::any_of(
        kernel.parameters, kernel.parameters + kernel.parameterCount,
        [](const KernelParameter& each) { return each.kind == KernelParameter::Kind::Joined; });
    if (joinsNumbers) requireFitting();
    return isStarted;
}

bool Backend::copyOut(std::byte* home, const std::byte* memory, std::size_t bytes) {
    if (!bringHome(home, memory, bytes)) return false;
    requireFitting();
    return true;
}

bool Backend::copyOut(std::byte* home, const std::byte* memory, const Box& box) {
    if (!bringHome(home, memory, box)) return false;
    requireFitting();
    return true;
}

const double* Backend::multiplyHome(const MatrixProduct& product, Where where) {
    const double* const sums = productHome(product, where);
    if (sums != nullptr) requireFitting();
    return sums;
}

}  // namespace hpspmd::detail
