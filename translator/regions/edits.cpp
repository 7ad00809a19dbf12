// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/edits.hpp"

#include <algorithm>
#include <tuple>

namespace hpcc::regions {

void Edits::replace(source::Span span, std::string text) {
    const auto lost = std::ranges::count(span.str(), '\n') - std::ranges::count(text, '\n');
    text.append(static_cast<std::size_t>(std::max<std::ptrdiff_t>(lost, 0)), '\n');
    edits_.push_back({span.begin, span.end, Order::Instead, std::move(text)});
}

void Edits::before(uint32_t place, std::string text) {
    edits_.push_back({place, place, Order::Before, std::move(text)});
}

void Edits::behind(uint32_t place, std::string text) {
    edits_.push_back({place, place, Order::Behind, std::move(text)});
}

std::string Edits::appliedTo(const source::Text& text) const {
    std::vector<Edit> edits = edits_;
    std::ranges::stable_sort(edits, [](const Edit& a, const Edit& b) {
        return std::tie(a.begin, a.order) < std::tie(b.begin, b.order);
    });
    std::string result;
    uint32_t place = 0;
    for (const Edit& edit : edits) {
        result += text.slice(place, edit.begin);
        result += edit.text;
        place = std::max(place, edit.end);
    }
    return result + std::string(text.slice(place, text.size()));
}

}  // namespace hpcc::regions
