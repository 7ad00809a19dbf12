// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/plan.hpp"

#include <algorithm>
#include <ostream>

namespace hpspmd::detail::plan {
namespace {

/// "7+{2:0+5}{2:1+2}": offset, then per dimension count:base+step of each run.
template <int K>
void print(std::ostream& out, const Product<K>& product, int place) {
    out << product.offset[place] << '+';
    for (const Runs<K>& runs : product.dims) {
        out << '{';
        for (const Run<K>& run : runs)
            out << (&run == &runs.front() ? "" : " ") << run.count << ':' << run.base[place] << '+'
                << run.step[place];
        out << '}';
    }
}

void print(std::ostream& out, const char* verb, const Message& message) {
    out << "  " << verb << ' ' << message.peer << ':';
    for (const Region& region : message.regions) {
        out << ' ';
        print(out, region, 0);
    }
    out << '\n';
}

}  // namespace

Index Message::count() const {
    Index total = 0;
    for (const Region& region : regions) total += region.count();
    return total;
}

std::vector<Region> Message::part(Index first, Index count) const {
    std::vector<Region> result;
    for (const Region& region : regions) {
        const Index all = region.count(), skipped = std::min(first, all);
        const Index taken = std::min(count, all - skipped);
        for (Region& piece : plan::part(region, skipped, taken)) result.push_back(std::move(piece));
        first -= skipped;
        count -= taken;
    }
    return result;
}

Plan without(const std::vector<int>& processes, Plan plan) {
    for (std::vector<Message>* const way : {&plan.sends, &plan.receives})
        std::erase_if(*way, [&](const Message& message) {
            return std::binary_search(processes.begin(), processes.end(), message.peer);
        });
    return plan;
}

std::ostream& operator<<(std::ostream& out, const Plan& plan) {
    for (const Message& message : plan.sends) print(out, "send to", message);
    for (const Message& message : plan.receives) print(out, "receive from", message);
    for (const Copy& copy : plan.copies) {
        out << "  copy ";
        print(out, copy, 1);
        out << " to ";
        print(out, copy, 0);
        out << '\n';
    }
    for (const Plan& relay : plan.relays) out << "  then\n" << relay;
    return out;
}

}  // namespace hpspmd::detail::plan
