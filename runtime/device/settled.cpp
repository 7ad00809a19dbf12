// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/settled.hpp"

#include <algorithm>
#include <array>

namespace hpspmd::detail {
namespace {

bool areSame(const Target& a, const Target& b) {
    return a.kind() == b.kind() && a.number() == b.number() && a.isStrict() == b.isStrict();
}
bool areSame(const Site& a, const Site& b) {
    return a.where.file == b.where.file && a.where.line == b.where.line && a.function == b.function;
}

/// The last nest of each few kernels.
SettledNest& placeFor(const KernelText& kernel) {
    thread_local std::array<SettledNest, 32> all;
    return all[reinterpret_cast<std::uintptr_t>(&kernel) / alignof(KernelText) % all.size()];
}

}  // namespace

const SettledNest* settledNest(const KernelText& kernel, const Site& site, const Taken* begin,
                               const Taken* end) {
    const SettledNest& nest = placeFor(kernel);
    const bool isKnown =
        nest.kernel == &kernel && nest.moves == Mirror::moves() &&
        areSame(nest.target, activeTarget) && areSame(nest.site, site) &&
        std::equal(begin, end, nest.mirrors.begin(), nest.mirrors.end(),
                   [](const Taken& taken, const Mirror* mirror) {
                       return taken.storage != nullptr && taken.storage->mirror == mirror;
                   });
    return isKnown && Mirror::takenAgain(nest.moves, nest.mirrors, kernel, site.where) ? &nest
                                                                                       : nullptr;
}

void noteSettled(const KernelText& kernel, const Site& site, Backend& device, Strides strides,
                 std::uint64_t moves, const Taken* begin, const Taken* end) {
    if (moves != Mirror::moves()) return;
    SettledNest& nest = placeFor(kernel);
    nest = {&kernel, site, activeTarget, &device, strides, moves, {}};
    for (const Taken* each = begin; each != end; ++each)
        nest.mirrors.push_back(each->storage->mirror);
    const bool isAnySplit = std::any_of(nest.mirrors.begin(), nest.mirrors.end(),
                                        [](const Mirror* each) { return each->isSplit(); });
    if (isAnySplit) nest.kernel = nullptr;
}

}  // namespace hpspmd::detail
