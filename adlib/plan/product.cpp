// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/product.hpp"

#include <algorithm>

namespace hpspmd::detail::plan {
namespace {

/// Outer steps over exactly what inner covers, in every place.
template <int K>
bool joins(const Run<K>& outer, const Run<K>& inner) {
    for (int k = 0; k < K; ++k)
        if (outer.step[k] != inner.step[k] * inner.count) return false;
    return true;
}

template <int K>
Index countOf(const Runs<K>& runs) {
    Index count = 0;
    for (const Run<K>& run : runs) count += run.count;
    return count;
}

/// The elements number first .. first + count - 1 of a dimension.
template <int K>
Runs<K> some(const Runs<K>& runs, Index first, Index count) {
    Runs<K> result;
    for (Run<K> run : runs) {
        const Index skipped = std::min(first, run.count);
        for (int k = 0; k < K; ++k) run.base[k] += skipped * run.step[k];
        run.count = std::min(run.count - skipped, count);
        first -= skipped;
        count -= run.count;
        if (run.count > 0) result.push_back(run);
    }
    return result;
}

/// Cuts products into parts: those of the outermost dimension that are whole, with what there is
/// of others before and behind.
template <int K>
class Cut {
public:
    explicit Cut(const Product<K>& whole) : whole_(whole), inside_(whole.dims.size() + 1, 1) {
        for (std::size_t d = whole.dims.size(); d-- > 0;)
            inside_[d] = inside_[d + 1] * countOf(whole.dims[d]);
    }

    std::vector<Product<K>> part(Index first, Index count) {
        if (count > 0) add(0, {}, first, count);
        return std::move(parts_);
    }

private:
    /// `chosen`: single elements of the dimensions before d.
    void add(std::size_t d, const std::vector<Runs<K>>& chosen, Index first, Index count) {
        if (count == inside_[d]) return addWhole(d, chosen);
        const Index each = inside_[d + 1];
        if (const Index before = first % each; before != 0 || count < each) {
            const Index taken = std::min(count, each - before);
            add(d + 1, with(chosen, d, first / each, 1), before, taken);
            first += taken;
            count -= taken;
        }
        if (count >= each) {
            addWhole(d + 1, with(chosen, d, first / each, count / each));
            first += count / each * each;
            count %= each;
        }
        if (count > 0) add(d + 1, with(chosen, d, first / each, 1), 0, count);
    }

    std::vector<Runs<K>> with(std::vector<Runs<K>> chosen, std::size_t d, Index first,
                              Index count) const {
        chosen.push_back(some(whole_.dims[d], first, count));
        return chosen;
    }

    void addWhole(std::size_t d, std::vector<Runs<K>> chosen) {
        chosen.insert(chosen.end(), whole_.dims.begin() + static_cast<std::ptrdiff_t>(d),
                      whole_.dims.end());
        parts_.push_back(simplified(Product<K>{whole_.offset, std::move(chosen)}));
    }

    const Product<K>& whole_;
    std::vector<Index> inside_;  // elements of dimensions d and after, for one of those before
    std::vector<Product<K>> parts_;
};

}  // namespace

template <int K>
std::vector<Product<K>> part(const Product<K>& product, Index first, Index count) {
    return Cut<K>(product).part(first, count);
}

template std::vector<Product<1>> part(const Product<1>&, Index, Index);

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
