// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/indirect_cost.hpp>
#include <hpspmd/active.hpp>

#include "access_letters.hpp"
#include "cost/delivery.hpp"
#include "cost/pattern.hpp"
#include "plan/remote.hpp"

namespace hpspmd::detail::cost {
namespace {

using Adlib::Access;

/// What processes ask for, as bytes that go out, from each process.
struct Asked {
    std::vector<std::map<int, double>> letters, answers;
    std::vector<std::map<int, double>> old;  ///< values told by fetchAdd, behind the answers
    std::vector<double> own;                 ///< copied by the process itself

    explicit Asked(int processes)
        : letters(static_cast<std::size_t>(processes)),
          answers(letters),
          old(letters),
          own(letters.size()) {}
};

double letterBytes(Access kind, Index rows, double valueBytes) {
    return static_cast<double>(sizeof(AccessHeader)) +
           static_cast<double>(rows) * sizeof(RemoteRow) + (bringsValues(kind) ? valueBytes : 0);
}

/// Calls take(holders, elements in each holder's part of a section).
template <class Take>
void forEachPart(const Adlib::Epoch& epoch, const std::vector<Triplet>& triplets, int process,
                 const Take& take) {
    const Layouts array(epoch.group, epoch.ranges);
    std::vector<Map> maps;
    std::vector<Range> shape;
    for (std::size_t r = 0; r < triplets.size(); ++r) {
        const Map& whole = array.descriptor()[static_cast<int>(r)];
        maps.push_back({whole.range.subrange(triplets[r]), whole.stride});
        shape.push_back(CollapsedRange(maps.back().range.size()));
    }
    const Layouts local(epoch.group, shape);
    const Descriptor section{epoch.group, maps.data(), static_cast<int>(maps.size())};
    for (const plan::RemotePart& part : plan::remoteParts(local.descriptor(), section, process))
        take(part.holders, placeOf(part.elements, plan::From));
}

void ask(Asked& asked, int process, const Adlib::Epoch& epoch, double elementSize) {
    const auto mine = static_cast<std::size_t>(process);
    for (const Adlib::RemoteAccess& access : epoch.accesses(process))
        forEachPart(epoch, access.section, process, [&](const auto& holders, const auto& elements) {
            const double bytes = static_cast<double>(elements.count()) * elementSize;
            const double letter = letterBytes(access.access, plan::rowsOf(elements), bytes);
            const bool isOfOne = !bringsValues(access.access);
            for (const int holder : isOfOne ? std::vector{holders[0]} : holders) {
                if (holder == process) {
                    asked.own[mine] += bytes;
                    continue;
                }
                asked.letters[mine][holder] += letter;
                if (!isAnswered(access.access) || holder != holders[0]) continue;
                auto& answers = isOfOne ? asked.answers : asked.old;
                answers[static_cast<std::size_t>(holder)][process] += bytes;
            }
        });
}

/// Of all processes, or of process 0 if all others do alike.
Adlib::Cost priceOf(const std::vector<Post>& letters, const std::vector<Post>& answers,
                    const std::vector<Post>& old, const std::vector<double>& own,
                    const Adlib::Machine& machine) {
    Adlib::Cost cost;
    cost.processes = apg().size();
    cost.planned = static_cast<Index>(letters.size());
    const Delivery delivery(letters);
    for (std::size_t p = 0; p < letters.size(); ++p) {
        const int process = static_cast<int>(p);
        Work work = delivery.work(process, machine);
        work += exchangeWork(answers[p], process, machine);
        work += exchangeWork(old[p], process, machine);
        work += {0, 0, own[p], own[p] / machine.copyBandwidth};
        include(cost, work, 1.0 / static_cast<double>(cost.planned), p == 0);
    }
    return cost;
}

}  // namespace
}  // namespace hpspmd::detail::cost

namespace hpspmd::Adlib {

using namespace detail::cost;

Cost fenceCost(const Epoch& epoch, std::size_t elementSize, const Machine& machine) {
    Asked asked(apg().size());
    for (int process = 0; process < apg().size(); ++process)
        ask(asked, process, epoch, static_cast<double>(elementSize));
    Cost cost = priceOf(posts(std::move(asked.letters)), posts(std::move(asked.answers)),
                        posts(std::move(asked.old)), asked.own, machine);
    cost.descriptorBytes =
        detail::descriptorBytes(detail::Layouts(epoch.group, epoch.ranges).descriptor());
    return cost;
}

Cost fenceCost(const Pattern& pattern, const RowAccess& access, std::size_t elementSize,
               const Machine& machine) {
    const double bytes = static_cast<double>(pattern.elements) * static_cast<double>(elementSize);
    Post letters, answers;
    for (const int distance : distancesOf(pattern)) {
        const int opposite = apg().size() - distance;
        letters.out[distance] = letters.in[opposite] =
            letterBytes(access.access, access.rows, bytes);
        if (isAnswered(access.access)) answers.out[opposite] = answers.in[distance] = bytes;
    }
    return priceOf({letters}, {answers}, {Post()}, {0}, machine);
}

}  // namespace hpspmd::Adlib
