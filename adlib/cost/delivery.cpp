// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/delivery.hpp"

#include <algorithm>
#include <hpspmd/active.hpp>

#include "plan/announcements.hpp"
#include "transport/envelopes.hpp"

namespace hpspmd::detail::cost {
namespace {

using transport::Envelope;

double secondsOf(const std::map<int, double>& bytes, int process, const Adlib::Machine& machine) {
    double seconds = 0;
    for (const auto& [peer, count] : bytes)
        seconds += messageSeconds(process, peer, count, machine);
    return seconds;
}

}  // namespace

std::vector<Post> posts(std::vector<std::map<int, double>> out) {
    std::vector<Post> result(out.size());
    for (std::size_t from = 0; from < out.size(); ++from) {
        out[from].erase(static_cast<int>(from));
        for (const auto& [to, bytes] : out[from])
            result[static_cast<std::size_t>(to)].in[static_cast<int>(from)] = bytes;
        result[from].out = std::move(out[from]);
    }
    return result;
}

Work exchangeWork(const Post& post, int process, const Adlib::Machine& machine) {
    Work work;
    for (const auto& [peer, bytes] : post.out) work.sent += bytes;
    work.messages = static_cast<double>(post.out.size());
    work.seconds =
        std::max(secondsOf(post.out, process, machine), secondsOf(post.in, process, machine));
    return work;
}

Delivery::Delivery(const std::vector<Post>& posts) : posts_(posts), size_(apg().size()) {
    for (int step = 1; step < size_; step *= 2) passed_.emplace_back(posts.size());
    for (std::size_t from = 0; from < posts.size(); ++from)
        for (const auto& [to, bytes] : posts[from].out) announce(static_cast<int>(from), to);
}

// As takePassedOn() does it: each bit of the way is one step.
void Delivery::announce(int from, int to) {
    const int way = (to - from + size_) % size_;
    Index at = from;
    for (std::size_t round = 0; round < passed_.size(); ++round) {
        const int step = 1 << round;
        if ((way & step) == 0) continue;
        ++passed_[round][static_cast<std::size_t>(at % size_) % posts_.size()];
        at += step;
    }
}

Work Delivery::work(int process, const Adlib::Machine& machine) const {
    return size_ <= transport::few ? envelopeWork(process, machine)
                                   : announcementWork(process, machine);
}

Work Delivery::announcementWork(int process, const Adlib::Machine& machine) const {
    const std::size_t place = static_cast<std::size_t>(process) % posts_.size();
    Work work = exchangeWork(posts_[place], process, machine);
    for (std::size_t round = 0; round < passed_.size(); ++round) {
        const int next = static_cast<int>((process + (Index{1} << round)) % size_);
        const auto behind = static_cast<double>(plan::bytesBehind(passed_[round][place]));
        for (const double bytes : {static_cast<double>(sizeof(plan::Packet)), behind}) {
            if (bytes == 0) continue;
            work += {1, bytes, 0, messageSeconds(process, next, bytes, machine)};
        }
    }
    return work;
}

Work Delivery::envelopeWork(int process, const Adlib::Machine& machine) const {
    Post envelopes, longLetters;
    for (int peer = 0; peer < size_; ++peer)
        if (peer != process) envelopes.out[peer] = envelopes.in[peer] = sizeof(Envelope);
    const Post& post = posts_[static_cast<std::size_t>(process) % posts_.size()];
    const auto takeLong = [](const auto& from, auto& to) {
        for (const auto& letter : from)
            if (letter.second > sizeof(Envelope::letter)) to.insert(letter);
    };
    takeLong(post.out, longLetters.out);
    takeLong(post.in, longLetters.in);
    Work work = exchangeWork(envelopes, process, machine);
    work += exchangeWork(longLetters, process, machine);
    return work;
}

// As transport::combine does it: recursive doubling over a power of two; processes beyond that
// leave it to a partner.
Work combineWork(int process, double bytes, const Adlib::Machine& machine) {
    const int size = apg().size();
    int places = 1, rounds = 0;
    for (; places <= size / 2; places *= 2) ++rounds;
    const int pairs = size - places;
    const bool isPaired = process < 2 * pairs;
    const int messages = isPaired && process % 2 == 0 ? 1 : rounds + isPaired;
    const double one = messageSeconds(0, size - 1, bytes, machine);
    return {static_cast<double>(messages), messages * bytes, 0, (rounds + 2 * (pairs > 0)) * one};
}

}  // namespace hpspmd::detail::cost
