// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/indirect_price.hpp"

#include <algorithm>
#include <chrono>
#include <hpspmd/active.hpp>

#include "indirect.hpp"

namespace hpspmd::detail::cost {

IndirectPrice::IndirectPrice(Indirect kind, const std::vector<Requests>& requests,
                             double elementSize, const Adlib::Machine& machine)
    : kind_(kind), requests_(requests), elementSize_(elementSize), machine_(machine) {
    const double each = kind == Indirect::Gather ? sizeof(Index) : sizeof(plan::Arrival);
    for (std::size_t p = 0; p < requests.size(); ++p) {
        Post& post = posts_.emplace_back();
        const auto addTo = [&](std::map<int, double>& letters, const plan::Accesses& accesses) {
            for (const auto& [peer, list] : accesses)
                if (peer != static_cast<int>(p))
                    letters[peer] = each * static_cast<double>(list.size());
        };
        addTo(post.out, requests[p].wanted);
        addTo(post.in, requests[p].asked);
    }
}

Adlib::Cost IndirectPrice::cost() const {
    Adlib::Cost cost;
    cost.processes = apg().size();
    cost.planned = static_cast<Index>(requests_.size());
    const Delivery delivery(posts_);
    Work letters;
    for (int process = 0; process < cost.processes; ++process) {
        if (process < cost.planned) {
            include(cost, planned(process, cost), 1.0 / static_cast<double>(cost.planned),
                    process == 0);
            letters = delivery.work(process, machine_);
        }
        Work inspector = combineWork(process, findingBytes, machine_);
        inspector += letters;
        includeInspector(cost, inspector, 1.0 / static_cast<double>(cost.processes), process == 0);
    }
    return cost;
}

/// Makes the plan and notes what it takes here.
Work IndirectPrice::planned(int process, Adlib::Cost& cost) const {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    plan::Plan plan;
    double stores = 0;
    const Requests& requests = requests_[static_cast<std::size_t>(process)];
    if (kind_ == Indirect::Gather) {
        plan = plan::gatherPlan(process, requests.wanted, plan::placesOf(requests.asked));
    } else {
        plan::ScatterPlan scatter =
            plan::scatterPlan(process, requests.wanted, plan::arrivalsOf(requests.asked));
        plan = std::move(scatter.plan);
        stores = static_cast<double>(scatter.stores.size());
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    cost.inspectorSeconds = std::max(cost.inspectorSeconds, seconds);
    cost.planBytes =
        std::max(cost.planBytes, memoryOf(plan) + stores * sizeof(plan::ScatterPlan::Store));
    Work work = workOf(plan, process, elementSize_, machine_);
    work += {0, 0, stores * elementSize_, stores * elementSize_ / machine_.copyBandwidth};
    return work;
}

}  // namespace hpspmd::detail::cost
