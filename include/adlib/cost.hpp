// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a collective costs on any number of processes, worked out from its plans, without MPI.

#include <hpspmd/descriptor.hpp>
#include <hpspmd/ranges.hpp>
#include <memory>

namespace hpspmd {
namespace Adlib {

/// A machine: the price of messages between nodes, and within one.
struct Machine {
    double latency = 2e-6;       ///< seconds per message between nodes
    double bandwidth = 12e9;     ///< bytes per second in and out of a node, shared by its cores
    double nodeLatency = 4e-7;   ///< the same between two processes of one node
    double nodeBandwidth = 6e9;  ///< per process
    double copyBandwidth = 6e9;  ///< bytes per second copied within a process
    double coresPerNode = 64;    ///< processes k * coresPerNode .. are on node k
    /// Of messages within a node that go through a buffer; long ones are read where they lie. 0: as
    /// nodeBandwidth.
    double packedBandwidth = 0;
    /// Of copies whose rows are columns on the other side, as in transpose. 0: as copyBandwidth.
    double turnedBandwidth = 0;
    /// Seconds that each element takes more, in a message within a node that goes through a buffer,
    /// if no other element of the message lies in its line of the cache, as in columns.
    double loneLatency = 0;
};

/// Of all processes of the job; those outside the arrays' groups count with 0.
struct Spread {
    double min = 0, mean = 0, max = 0;
};

/// The price of one execution.
struct Cost {
    Index processes = 0;
    Index planned = 0;            ///< processes whose plans were made; if fewer, they stand for all
    bool isExact = true;          ///< every process is like one that was planned; else a sample
    Spread messages;              ///< sent by a process
    Spread bytes;                 ///< sent by a process
    Spread copied;                ///< bytes copied within a process
    double planBytes = 0;         ///< memory of the largest plan
    double descriptorBytes = 0;   ///< of the arrays' descriptors, in each process
    double inspectorSeconds = 0;  ///< to make the longest plan, on this machine, now
    double seconds = 0;           ///< of the slowest process
    Spread inspectorMessages;     ///< sent by a process to make the plan, which mostly needs none
    Spread inspectorBytes;
    double inspectorExchange = 0;  ///< seconds for these, of the slowest process
};

}  // namespace Adlib

namespace detail {

/// A shift by `amount` in dimension d; `cyclic`: cshift.
struct Shifted {
    Index amount;
    int d = 0;
    bool cyclic = false;
};

/// Memory that the descriptor of an array takes in each process.
double descriptorBytes(const Descriptor& array);

Adlib::Cost haloCost(const Descriptor& array, std::size_t elementSize,
                     const Adlib::Machine& machine);
Adlib::Cost shiftCost(const Descriptor& array, std::size_t elementSize, const Shifted& shift,
                      const Adlib::Machine& machine);
Adlib::Cost remapCost(const Descriptor& to, const Descriptor& from, std::size_t elementSize,
                      const Adlib::Machine& machine);

/// The group and ranges of an array that need not exist.
class Layouts {
public:
    Layouts(const Group& group, const std::vector<Range>& ranges) : group_(group) {
        Index stride = 1;
        maps_.resize(ranges.size());
        for (std::size_t r = ranges.size(); r-- > 0; stride *= ranges[r].volume())
            maps_[r] = {ranges[r], stride};
    }
    Descriptor descriptor() const { return {group_, maps_.data(), static_cast<int>(maps_.size())}; }

private:
    Group group_;
    std::vector<Map> maps_;
};

}  // namespace detail

namespace Adlib {

/// A process grid of any size, up to 2^31 - 1 processes, that need not exist: while it lives, it is
/// the APG, and grids, ranges and costs are made for it. Example:
///     PretendedProcesses million(1000000);
///     const Procs2 p(1000, 1000);
///     const ExtBlockRange x(100000, p.dim(0), 1, 1), y(100000, p.dim(1), 1, 1);
///     const Cost cost = writeHaloCost(p, {x, y}, sizeof(double));
class PretendedProcesses {
public:
    explicit PretendedProcesses(int count);
    ~PretendedProcesses();
    PretendedProcesses(const PretendedProcesses&) = delete;
    PretendedProcesses& operator=(const PretendedProcesses&) = delete;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The cost of writeHalo(a) for an array with these ranges.
inline Cost writeHaloCost(const Group& group, const std::vector<Range>& ranges,
                          std::size_t elementSize, const Machine& machine = {}) {
    const detail::Layouts array(group, ranges);
    return detail::haloCost(array.descriptor(), elementSize, machine);
}

/// The cost of shift or cshift between two arrays with these ranges: {amount, d, isCyclic}.
inline Cost shiftCost(const Group& group, const std::vector<Range>& ranges, std::size_t elementSize,
                      const detail::Shifted& shift, const Machine& machine = {}) {
    const detail::Layouts array(group, ranges);
    return detail::shiftCost(array.descriptor(), elementSize, shift, machine);
}

/// The cost of remap from an array with the ranges `from` to one with the ranges `to`, both on the
/// group.
inline Cost remapCost(const Group& group, const std::vector<Range>& to,
                      const std::vector<Range>& from, std::size_t elementSize,
                      const Machine& machine = {}) {
    const detail::Layouts target(group, to), source(group, from);
    return detail::remapCost(target.descriptor(), source.descriptor(), elementSize, machine);
}

}  // namespace Adlib
}  // namespace hpspmd
