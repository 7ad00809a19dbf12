// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/views.hpp"

#include <algorithm>
#include <vector>

#include "regions/attributes.hpp"

namespace hpcc::regions {
namespace {

// At most 6 digits.
std::optional<long> numberOf(std::string_view text) {
    constexpr std::size_t most = 6;
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (text.empty() || text.size() > most || !std::ranges::all_of(text, isDigit))
        return std::nullopt;
    return std::stol(std::string(text));
}

// 1, {1, 0}
std::optional<View> viewOfDimension(std::string_view part) {
    if (const auto both = numberOf(part)) return View{*both, *both, false, ""};
    if (!part.starts_with('{') || !part.ends_with('}')) return std::nullopt;
    const auto sides = parts(part.substr(1, part.size() - 2));
    if (sides.size() != 2) return std::nullopt;
    const auto below = numberOf(sides[0]), above = numberOf(sides[1]);
    return below && above ? std::optional(View{*below, *above, false, ""}) : std::nullopt;
}

}  // namespace

std::optional<View> viewOf(std::string_view arguments, int rank, int dimension) {
    const std::string text = "view(" + std::string(arguments) + ")";
    if (arguments == ":") return View{0, 0, true, text};
    const auto all = parts(arguments);
    if (all.size() != 1 && all.size() != static_cast<std::size_t>(rank)) return std::nullopt;
    std::optional<View> view;
    for (std::size_t r = 0; r < all.size(); ++r) {
        const auto one = viewOfDimension(all[r]);
        if (!one) return std::nullopt;
        if (all.size() == 1 || r == static_cast<std::size_t>(dimension)) view = one;
    }
    view->text = text;
    return view;
}

}  // namespace hpcc::regions
