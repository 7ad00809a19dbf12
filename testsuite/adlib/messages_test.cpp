// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which memory MPI's messages are under way into, and that its pages do not become visible then:
/// their contents move, and MPI might write to where they were.

#include "transport/messages.hpp"

#include <gtest/gtest.h>

#include <hpspmd>
#include <vector>

#include "links/links.hpp"
#include "node.hpp"
#include "transport/transport_traffic.hpp"

namespace hpspmd::test {
namespace {

using detail::Entered;
using detail::Link;
using detail::transport::Messages;
using detail::transport::Peer;
using detail::transport::TransportTraffic;

Entered entered() { return detail::enter("test", apg(), 1, detail::Where::here()); }

TEST(TransportTraffic, KnowsTheMemoryThatMessagesComeTo) {
    constexpr std::size_t near = 1 << 16, bytes = 1000;
    std::vector<char> memory(1 << 20);
    char* const out = memory.data();
    char* const in = out + (memory.size() >> 1);
    TransportTraffic traffic;
    const Entered collective = entered();
    EXPECT_FALSE(traffic.isReceiving(in, bytes));
    traffic.receive(collective, 7, in, bytes, detail::ownRank(), {});
    EXPECT_TRUE(traffic.isReceiving(in + 10, 1));
    EXPECT_TRUE(traffic.isReceiving(in - 10, 2 * bytes));
    EXPECT_TRUE(traffic.isReceiving(in - near, 1));  // pages may reach as far
    EXPECT_FALSE(traffic.isReceiving(in - near - 1, 1));
    EXPECT_TRUE(traffic.isReceiving(in + bytes + near - 1, 1));
    EXPECT_FALSE(traffic.isReceiving(in + bytes + near, 1));
    std::fill(out, out + bytes, 'x');
    traffic.send(collective, 7, out, bytes, detail::ownRank());
    EXPECT_FALSE(traffic.isReceiving(out, bytes));
    while (!traffic.advance(collective)) continue;
    EXPECT_EQ(in[bytes - 1], 'x');
    EXPECT_FALSE(traffic.isReceiving(in, bytes));
}

TEST(Messages, PagesThatTheyComeToStayPrivate) {
    const Procs1 p;
    const auto a = create<char>(p, BlockRange(p.size() * (Index{6} << 20), p.dim(0)));
    if (!detail::visiblePagesAreMapped()) return;
    char* const in = a.data() + (3 << 20);
    Peer self;  // without a link: by MPI
    self.process = detail::ownRank();
    const std::vector<char> out(100, 'x');
    Messages messages;
    messages.begin(entered());
    messages.receive(in, out.size(), self);
    Messages::show({in + 1000, 1000});
    EXPECT_FALSE(Link::isVisible(in + 1000, 1000));
    Messages::show({a.data(), 1000});  // far from there
    EXPECT_TRUE(Link::isVisible(a.data(), 1000));
    messages.send(out.data(), out.size(), self);
    messages.wait();
    Messages::show({in + 1000, 1000});
    EXPECT_TRUE(Link::isVisible(in + 1000, 1000));
    EXPECT_EQ(in[99], 'x');
}

}  // namespace
}  // namespace hpspmd::test
