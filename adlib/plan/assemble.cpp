#include "plan/assemble.hpp"

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
        if (op_.copies) plan.relays = relays(*op_.copies, process_);
        return plan;
    }

private:
    using ByPeer = std::map<int, std::vector<Region>>;

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
            receives_[source].push_back(region(choice, To));
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
            if (taker != process_) sends_[taker].push_back(region(choice, From));
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

    Region region(const Choice& choice, Place place) const {
        const Product<2> both = product(choice);
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
        for (auto& [peer, regions] : byPeer) result.push_back({peer, std::move(regions)});
        return result;
    }

    const Operation& op_;
    int process_;
    ByPeer sends_, receives_;
    std::vector<Copy> copies_;
};

}  // namespace

Plan assemble(const Operation& operation, int process) {
    return Assembly(operation, process).plan();
}

}  // namespace hpspmd::detail::plan
