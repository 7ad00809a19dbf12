// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/pairing.hpp"

namespace hpspmd::detail::plan {
namespace {

class Aligned final : public Pairing {
public:
    explicit Aligned(const Range& x) : x_(x) {}

    std::vector<int> sources(int to) const override { return {to}; }
    std::vector<int> destinations(int from) const override { return {from}; }

    std::vector<Link> links(int to, int from) const override {
        if (to != from) return {};
        Link link{true, {}};
        for (const Block& block : blocksAt(x_, to))
            link.runs.push_back({block.count,
                                 {block.localBase, block.localBase},
                                 {block.localStep, block.localStep}});
        if (link.runs.empty()) return {};
        return {link};
    }

private:
    Range x_;
};

}  // namespace

std::unique_ptr<Pairing> aligned(const Range& x) { return std::make_unique<Aligned>(x); }

}  // namespace hpspmd::detail::plan
