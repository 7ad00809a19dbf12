// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/operation.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>

#include "plan/relay.hpp"

namespace hpspmd::detail::plan {
namespace {

/// One link of one dimension and the partner's coordinate there.
struct Option {
    int coordinate;
    Link link;
};
using Options = std::vector<Option>;
using Choice = std::vector<const Option*>;  // one option per dimension

/// Calls f for each choice of one option per dimension, in lexicographic order.
template <class Function>
void forEachChoice(const std::vector<Options>& options, Choice& choice, const Function& f) {
    if (choice.size() == options.size()) {
        f(choice);
        return;
    }
    for (const Option& option : options[choice.size()]) {
        choice.push_back(&option);
        forEachChoice(options, choice, f);
        choice.pop_back();
    }
}

class Assembly {
public:
    Assembly(const Operation& operation, int process) : op_(operation), process_(process) {}

    Plan plan() {
        if (op_.to.holds(process_)) receive();
        if (op_.from.holds(process_)) send();
        Plan plan{messages(sends_), messages(receives_), std::move(copies_)};
        settle(plan.sends, false);
        settle(plan.receives, true);
        if (op_.copies) plan.relays = relays(*op_.copies, process_);
        plan.origin = op_.origin;
        return plan;
    }

private:
    using ByPeer = std::map<int, Message>;

    void receive() {
        std::vector<Options> options;
        for (const Join& join : op_.joins) {
            const int own = op_.to.coordinate(join.to, process_);
            Options& list = options.emplace_back();
            for (const int source : join.pairing->sources(own))
                for (Link& link : join.pairing->links(own, source))
                    list.push_back({source, std::move(link)});
        }
        Choice choice;
        forEachChoice(options, choice, [&](const Choice& chosen) { receive(chosen); });
    }

    void receive(const Choice& choice) {
        if (isInPlace(choice)) return;
        std::vector<int> coordinates(choice.size());
        for (std::size_t j = 0; j < choice.size(); ++j)
            coordinates[op_.joins[j].from] = choice[j]->coordinate;
        const int source = op_.from.nearest(coordinates, process_);
        if (source == process_)
            copies_.push_back(simplified(product(choice)));
        else
            append(receives_, source, choice, To);
    }

    void send() {
        std::vector<Options> options;
        for (const Join& join : op_.joins) {
            const int own = op_.from.coordinate(join.from, process_);
            Options& list = options.emplace_back();
            for (const int destination : join.pairing->destinations(own))
                for (Link& link : join.pairing->links(destination, own))
                    list.push_back({destination, std::move(link)});
        }
        Choice choice;
        forEachChoice(options, choice, [&](const Choice& chosen) { send(chosen); });
    }

    void send(const Choice& choice) {
        if (isInPlace(choice)) return;
        std::vector<int> coordinates(choice.size());
        for (std::size_t j = 0; j < choice.size(); ++j)
            coordinates[op_.joins[j].to] = choice[j]->coordinate;
        for (const int taker : op_.to.servedBy(process_, op_.from, coordinates))
            if (taker != process_) append(sends_, taker, choice, From);
    }

    bool isInPlace(const Choice& choice) const {
        if (!op_.skipsInPlace) return false;
        for (const Option* option : choice)
            if (!option->link.inPlace) return false;
        return true;
    }

    /// The chosen links as memory offsets in both arrays.
    Product<2> product(const Choice& choice) const {
        Product<2> result;
        for (std::size_t j = 0; j < choice.size(); ++j) {
            const std::array strides = {op_.to.stride(op_.joins[j].to),
                                        op_.from.stride(op_.joins[j].from)};
            Runs<2> runs = choice[j]->link.runs;
            for (Run<2>& run : runs)
                for (int place : {To, From}) {
                    run.base[place] *= strides[place];
                    run.step[place] *= strides[place];
                }
            result.dims.push_back(std::move(runs));
        }
        return result;
    }

    void append(ByPeer& messages, int peer, const Choice& choice, End place) const {
        const Product<2> both = product(choice);
        Message& message = messages[peer];
        message.copies.push_back(both);
        if (message.regions.empty() && !both.dims.empty())
            for (const Run<2>& run : both.dims.back()) message.row += run.count;
        message.peer = peer;
        message.regions.push_back(region(both, place));
    }

    static Region region(const Product<2>& both, End place) {
        Region one{{both.offset[place]}, {}};
        for (const Runs<2>& runs : both.dims) {
            Runs<1>& list = one.dims.emplace_back();
            for (const Run<2>& run : runs)
                list.push_back({run.count, {run.base[place]}, {run.step[place]}});
        }
        return simplified(one);
    }

    static std::vector<Message> messages(ByPeer& byPeer) {
        std::vector<Message> result;
        for (auto& [peer, message] : byPeer) result.push_back(std::move(message));
        return result;
    }

    /// A long message that is much of a stretch of the source, an eighth or more, can be read
    /// there. Where the partners together take the whole stretch, in whole cache lines, a 64th is
    /// enough.
    void settle(std::vector<Message>& messages, bool arrive) const {
        for (Message& message : messages) {
            std::vector<Copy> copies = std::move(message.copies);
            message.copies.clear();
            const Index count = message.count();
            const bool together = op_.redistributes && hasLines(copies);
            if (count < (together ? longMessage / 16 : longMessage)) continue;
            const Stretch source = stretchOf(copies, From);
            if (source.count() > count * (together ? 64 : 8)) continue;
            message.source = source;
            if (!arrive) continue;
            for (const Copy& copy : copies) message.copies.push_back(simplified(copy));
        }
    }

    /// True if eight elements or more lie side by side in the source.
    static bool hasLines(const std::vector<Copy>& copies) {
        for (const Copy& copy : copies)
            for (const Runs<2>& runs : copy.dims)
                for (const Run<2>& run : runs)
                    if (run.count >= 8 && std::abs(run.step[From]) == 1) return true;
        return false;
    }

    static Stretch stretchOf(const std::vector<Copy>& copies, End place) {
        Stretch all{std::numeric_limits<Index>::max(), std::numeric_limits<Index>::min()};
        for (const Copy& copy : copies) {
            Stretch one{copy.offset[place], copy.offset[place]};
            for (const Runs<2>& runs : copy.dims) {
                const Stretch dimension = stretchOf(runs, place);
                one.first += dimension.first;
                one.last += dimension.last;
            }
            all = {std::min(all.first, one.first), std::max(all.last, one.last)};
        }
        return all;
    }

    static Stretch stretchOf(const Runs<2>& runs, End place) {
        Stretch all{std::numeric_limits<Index>::max(), std::numeric_limits<Index>::min()};
        for (const Run<2>& run : runs) {
            const Index end = run.base[place] + (run.count - 1) * run.step[place];
            all.first = std::min({all.first, run.base[place], end});
            all.last = std::max({all.last, run.base[place], end});
        }
        return all;
    }

    const Operation& op_;
    int process_;
    ByPeer sends_, receives_;
    std::vector<Copy> copies_;
};

}  // namespace

Index longMessage = Index{1} << 15;

Plan planFor(const Operation& operation, int process) {
    return Assembly(operation, process).plan();
}

}  // namespace hpspmd::detail::plan
