// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/local_elements.hpp"

#include "plan/pairing.hpp"

namespace hpspmd::detail::plan {

Walk memory(const Descriptor& array) {
    Walk walk{{}, std::vector<Index>(array.rank, 0)};
    for (const Map& map : array) walk.perLocal.push_back(map.stride);
    return walk;
}

Walk memoryWithout(const Descriptor& array, int d) {
    Walk walk = memory(array);
    walk.perLocal.insert(walk.perLocal.begin() + d, 0);
    walk.perGlobal.push_back(0);
    return walk;
}

Walk rowMajorIndex(const Descriptor& array) {
    Walk walk{std::vector<Index>(array.rank, 0), std::vector<Index>(array.rank, 0)};
    Index weight = 1;
    for (int r = array.rank - 1; r >= 0; --r) {
        walk.perGlobal[r] = weight;
        weight *= array[r].range.size();
    }
    return walk;
}

template <int K>
Product<K> localElements(const Descriptor& array, int process, const std::array<Walk, K>& walks) {
    if (position(array.group, process) < 0) return {{}, {Runs<K>{}}};
    Product<K> result;
    for (int r = 0; r < array.rank; ++r) {
        const Range& x = array[r].range;
        Runs<K>& runs = result.dims.emplace_back();
        for (const Block& block : blocksAt(x, coordinate(x.dim(), process))) {
            Run<K>& run = runs.emplace_back();
            run.count = block.count;
            for (int k = 0; k < K; ++k) {
                const Index local = walks[k].perLocal[r], global = walks[k].perGlobal[r];
                run.base[k] = block.localBase * local + block.globalBase * global;
                run.step[k] = block.localStep * local + block.globalStep * global;
            }
        }
    }
    return result;
}

template Product<1> localElements<1>(const Descriptor&, int, const std::array<Walk, 1>&);
template Product<2> localElements<2>(const Descriptor&, int, const std::array<Walk, 2>&);
template Product<3> localElements<3>(const Descriptor&, int, const std::array<Walk, 3>&);
template Product<5> localElements<5>(const Descriptor&, int, const std::array<Walk, 5>&);

}  // namespace hpspmd::detail::plan
