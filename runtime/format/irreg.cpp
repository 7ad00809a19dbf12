// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../compose.hpp"

#include <hpspmd/error.hpp>
#include <hpspmd/ranges.hpp>

#include <algorithm>
#include <numeric>

namespace hpspmd {
namespace {

class IrregFormat : public detail::Format {
public:
    explicit IrregFormat(const std::vector<Index>& sizes)
        : Format(std::accumulate(sizes.begin(), sizes.end(), Index{0}),
                 static_cast<int>(sizes.size())),
          sizes_(sizes),
          first_(sizes.size()),
          shell_(*std::max_element(sizes.begin(), sizes.end())) {
        std::exclusive_scan(sizes.begin(), sizes.end(), first_.begin(), Index{0});
    }

    const char* name() const override { return "IrregRange"; }
    std::vector<Index> parameters() const override { return sizes_; }
    Index shell() const override { return shell_; }
    // The last coordinate that starts at or below n: those before it with the same start are empty.
    detail::Place locate(Index n) const override {
        const auto owner = std::upper_bound(first_.begin(), first_.end(), n) - 1;
        return {static_cast<int>(owner - first_.begin()), n - *owner};
    }
    Block block(int crd, Index) const override {
        return {sizes_[std::size_t(crd)], first_[std::size_t(crd)], 1, 0, 1};
    }
    detail::Coordinates holders(const detail::Progression& p) const override {
        return orderedHolders(p);
    }

private:
    std::vector<Index> sizes_, first_;
    Index shell_;
};

std::unique_ptr<detail::Format> make(const std::vector<Index>& sizes, const Dimension& d,
                                     detail::Where where) {
    if (static_cast<Index>(sizes.size()) != d.size(where))
        throw BadExtent(detail::compose("IrregRange with ", sizes.size(),
                                        " sizes over a dimension of ", d.size(), " processes"),
                        where);
    Index sum = 0;
    for (Index size : sizes)
        sum = detail::checkedExtent(sum + detail::checkedExtent(size, "IrregRange", where),
                                    "IrregRange", where);
    return std::make_unique<IrregFormat>(sizes);
}

}  // namespace

IrregRange::IrregRange(std::vector<Index> sizes, const Dimension& d, Index lo, Index hi,
                       detail::Where where)
    : Range(detail::makeRange(make(sizes, d, where), d,
                              detail::checkedExtent(lo, "IrregRange", where),
                              detail::checkedExtent(hi, "IrregRange", where))) {}

}  // namespace hpspmd
