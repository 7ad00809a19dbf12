#include "links/trial.hpp"

#include "node.hpp"

#include <hpspmd/mpi.hpp>

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace hpspmd::detail {
namespace {

constexpr std::size_t bytes = 4096;
using Block = std::array<char, bytes>;

double seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// Other programs may have the partner's core: then this one must not be kept from it, but not so
// soon that the wait is longer than that of MPI, which keeps its core.
template <class Condition>
void await(const Condition& condition) {
    constexpr int spins = 100'000;
    for (int turn = 0; !condition(); ++turn)
        if (turn > spins) sched_yield();
}

void exchangeByLink(Link& link, const Block& out, Block& in) {
    const std::uint64_t sent = link.out.promise(), expected = link.in.expect();
    await([&] { return link.out.isFree(sent); });
    if (std::byte* const room = link.room(sent, bytes)) {
        std::memcpy(room, out.data(), bytes);
        link.out.post(sent, 0, bytes, Link::placeOf(room));
    } else {
        link.out.post(sent, 0, 0, Channel::inSlot);
    }
    await([&] { return link.in.arrived(expected) != nullptr; });
    const Channel::Slot& slot = *link.in.arrived(expected);
    std::memcpy(in.data(), link.in.data(slot), slot.bytes);
    link.in.take(expected);
}

void exchangeByMessage(int partner, const Block& out, Block& in, MPI_Comm node) {
    checkMpi(MPI_Sendrecv(out.data(), bytes, MPI_BYTE, partner, 0, in.data(), bytes, MPI_BYTE,
                          partner, 0, node, MPI_STATUS_IGNORE),
             "MPI_Sendrecv");
}

// The best of some series: a moment without disturbance.
template <class Exchange>
double timeOf(const Exchange& exchange) {
    constexpr int series = 5, length = 20;
    double best = 1;
    for (int k = 0; k < series; ++k) {
        const double start = seconds();
        for (int n = 0; n < length; ++n) exchange();
        best = std::min(best, (seconds() - start) / length);
    }
    return best;
}

}  // namespace

Trial compareWithMessages(std::vector<Link>& links, MPI_Comm node) {
    const int partner = ownPlace() ^ 1;
    if (partner >= static_cast<int>(links.size())) return {};
    Link& link = links[static_cast<std::size_t>(partner)];
    Block out{}, in{};
    Trial trial;
    trial.messages = timeOf([&] { exchangeByMessage(partner, out, in, node); });
    trial.links = timeOf([&] { exchangeByLink(link, out, in); });
    return trial;
}

}  // namespace hpspmd::detail
