// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/edits.hpp"

#include <algorithm>
#include <iterator>
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
    return appliedTo({&text, 0, text.size()});
}

std::string Edits::appliedTo(source::Span span) const {
    std::vector<Edit> edits;
    std::ranges::copy_if(edits_, std::back_inserter(edits), [span](const Edit& each) {
        return span.begin <= each.begin && each.end <= span.end;
    });
    std::ranges::stable_sort(edits, [](const Edit& a, const Edit& b) {
        return std::tie(a.begin, a.order) < std::tie(b.begin, b.order);
    });
    std::string result;
    uint32_t place = span.begin;
    for (const Edit& edit : edits) {
        result += span.text->slice(place, edit.begin);
        result += edit.text;
        place = std::max(place, edit.end);
    }
    return result + std::string(span.text->slice(place, span.end));
}

}  // namespace hpcc::regions
