// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/observe.hpp>

#include <utility>

namespace hpspmd::detail {

bool Tally::counts(const char* name, Where where) {
    if (!isOwn()) return false;
    SiteCount& site = *next;
    Telling::all();
    if (!site.is(name, where) || site.isDue()) return false;
    count(site);
    return true;
}

void Telling::endsTold() {
    all();
    observer->collectiveEnds();
}

void Telling::communicatesAnew(const Communication& communication) {
    all();
    observer->communicates(communication);
}

void Telling::repeatsAnew(const Communication& communication) {
    SiteCount& site = *tally.next;
    findsSchedule();
    communicates(communication);
    if (tally.now == Tally::Now::Counts) site.same = &communication;
}

void Telling::findsOther() {
    all();
    observer->findsSchedule();
}

void Telling::sendsAnew(int process, std::size_t bytes) {
    all();
    observer->sends(process, bytes);
}

void Telling::tellAll() {
    const Tally::Now was = std::exchange(tally.now, Tally::Now::Tells);
    const SiteCount& site = *tally.next;
    observer->collectiveBegins(site.what, site.where);
    if (tally.hasFound) observer->findsSchedule();
    if (was == Tally::Now::Waits) return;
    observer->communicates(site.usual->communication);
    for (std::uint64_t k = 0; k < site.usual->messages; ++k)
        observer->sends(-1, k == 0 ? site.usual->bytes : 0);
}

}  // namespace hpspmd::detail
