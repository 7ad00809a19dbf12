#include "plan/product.hpp"

namespace hpspmd::detail::plan {
namespace {

/// Outer steps over exactly what inner covers, in every place.
template <int K>
bool joins(const Run<K>& outer, const Run<K>& inner) {
    for (int k = 0; k < K; ++k)
        if (outer.step[k] != inner.step[k] * inner.count) return false;
    return true;
}

}  // namespace

template <int K>
Product<K> simplified(const Product<K>& product) {
    if (product.count() == 0) return {product.offset, {Runs<K>{}}};
    Product<K> result{product.offset, {}};
    for (const Runs<K>& runs : product.dims) {
        if (runs.size() > 1) {
            result.dims.push_back(runs);
            continue;
        }
        Run<K> run = runs.front();
        for (int k = 0; k < K; ++k) result.offset[k] += run.base[k];
        run.base = {};
        if (run.count == 1) continue;
        if (!result.dims.empty() && result.dims.back().size() == 1 &&
            joins(result.dims.back().front(), run)) {
            run.count *= result.dims.back().front().count;
            result.dims.back().front() = run;
        } else {
            result.dims.push_back({run});
        }
    }
    return result;
}

template Product<1> simplified(const Product<1>&);
template Product<2> simplified(const Product<2>&);
template Product<3> simplified(const Product<3>&);
template Product<5> simplified(const Product<5>&);

bool isContiguous(const Region& region) {
    if (region.dims.empty()) return true;
    return region.dims.size() == 1 && region.dims[0].size() == 1 && region.dims[0][0].step[0] == 1;
}

}  // namespace hpspmd::detail::plan
