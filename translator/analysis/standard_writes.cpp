// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/standard_writes.hpp"

#include <algorithm>
#include <array>

namespace hpcc::analysis {
namespace {

struct Known {
    std::string_view function;
    std::size_t argument;
    StandardWriting writing;
};

constexpr auto surely = StandardWriting::Surely, perhaps = StandardWriting::Perhaps;
constexpr std::size_t all = 99;

constexpr std::array functions{Known{"swap", 0, surely},
                               Known{"swap", 1, surely},
                               Known{"iter_swap", 0, surely},
                               Known{"iter_swap", 1, surely},
                               Known{"exchange", 0, surely},
                               Known{"modf", 1, surely},
                               Known{"frexp", 1, surely},
                               Known{"remquo", 2, surely},
                               Known{"copy", 2, perhaps},
                               Known{"copy_n", 2, perhaps},
                               Known{"copy_if", 2, perhaps},
                               Known{"fill", 0, perhaps},
                               Known{"fill_n", 0, perhaps},
                               Known{"generate", 0, perhaps},
                               Known{"generate_n", 0, perhaps},
                               Known{"iota", 0, perhaps},
                               Known{"memcpy", 0, perhaps},
                               Known{"memmove", 0, perhaps},
                               Known{"memset", 0, perhaps},
                               Known{"reverse", 0, perhaps},
                               Known{"rotate", 0, perhaps},
                               Known{"sort", 0, perhaps},
                               Known{"stable_sort", 0, perhaps},
                               Known{"swap_ranges", 0, perhaps},
                               Known{"swap_ranges", 2, perhaps},
                               Known{"transform", 2, perhaps},
                               Known{"transform", 3, perhaps},
                               Known{"partial_sum", 2, perhaps},
                               Known{"ref", 0, perhaps},
                               Known{"tie", all, perhaps},
                               Known{"atomic_ref", 0, perhaps},
                               Known{"reference_wrapper", 0, perhaps},
                               Known{"forward_as_tuple", all, perhaps},
                               Known{"from_chars", 2, perhaps},
                               Known{"scanf", all, perhaps},
                               Known{"sscanf", all, perhaps},
                               Known{"fscanf", all, perhaps}};

constexpr auto members = std::to_array<std::string_view>(
    {"append", "assign", "clear", "emplace",  "emplace_back", "emplace_front", "erase",
     "fill",   "insert", "merge", "pop_back", "pop_front",    "push_back",     "push_front",
     "reset",  "resize", "set",   "flip",     "store",        "swap"});

}  // namespace

StandardWriting standardWriting(std::string_view function, std::size_t k) {
    const auto found = std::ranges::find_if(functions, [&](const Known& each) {
        return each.function == function && (each.argument == k || each.argument == all);
    });
    return found == functions.end() ? StandardWriting::No : found->writing;
}

StandardWriting standardMemberWriting(std::string_view member, std::size_t arguments) {
    const bool setsPart = arguments == 1 && (member == "real" || member == "imag");
    return setsPart || std::ranges::find(members, member) != members.end() ? surely
                                                                           : StandardWriting::No;
}

}  // namespace hpcc::analysis
