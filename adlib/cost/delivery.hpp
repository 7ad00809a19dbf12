// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the processes of the APG send so that all learn who wants what of whom: the price of
/// transport::deliver and transport::combine.

#include <map>

#include "cost/work.hpp"

namespace hpspmd::detail::cost {

/// Bytes for, and from, other processes, by their number. What a process does with itself does not
/// count.
struct Post {
    std::map<int, double> out, in;
};

/// Posts of all processes of the APG from what goes out of each.
std::vector<Post> posts(std::vector<std::map<int, double>> out);

/// One message to, and from, each process in a post.
Work exchangeWork(const Post& post, int process, const Adlib::Machine& machine);

/// The delivery of letters, of which each process knows its own outgoing ones only.
class Delivery {
public:
    /// `posts`: of all processes; or one, of process 0, if all others do alike, each seen from
    /// itself.
    explicit Delivery(const std::vector<Post>& posts);

    Work work(int process, const Adlib::Machine& machine) const;

private:
    void announce(int from, int to);
    Work announcementWork(int process, const Adlib::Machine& machine) const;
    Work envelopeWork(int process, const Adlib::Machine& machine) const;

    const std::vector<Post>& posts_;
    int size_;
    std::vector<std::vector<std::uint64_t>> passed_;  // in each round, by each process of posts_
};

/// The combination of one value of each process, of so many bytes.
Work combineWork(int process, double bytes, const Adlib::Machine& machine);

}  // namespace hpspmd::detail::cost
