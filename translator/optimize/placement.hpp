// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the value of an expression is best computed.
#pragma once

#include <span>

#include "optimize/questions.hpp"
#include "optimize/sites.hpp"

namespace hpcc::optimize {

/// A use of a value: the statement before which it may be computed for that use alone, or -1 if
/// it may be only where it stands (the condition of a loop).
struct Use {
    int site = 0;
    int place = 0;
    bool isHoisted = false;  // out of at least one loop
    bool isConditional = false;
};

/// One temporary: computed before `place`, read by the uses.
struct Spot {
    int place = 0;
    std::vector<int> sites;
};

using Uses = std::span<const Use>;  // in the order of places

/// True if the value is surely computed by one of the uses once control stands behind `place`, or
/// before, or at the end of `goal` if that holds `place`. (In the words of SSAPRE: it is down-safe
/// there.)
bool isCertainBehind(const FlowGraph& graph, int place, Uses uses, int goal = -1);

/// The smallest place that holds both.
int commonPlace(const FlowGraph& graph, int place, int other);
/// The place directly in `outer` that holds `place`.
int childTowards(const FlowGraph& graph, int place, int outer);

/// Decides for one value, an expression with certain versions of its variables. It never puts a
/// computation on a way that had none, landing pads of loops excepted: what stands there has no
/// effect and cannot fail.
class Placement {
public:
    Placement(const Keys& keys, const Versions& versions, const Questions& questions, int key,
              const Site& sample);

    /// The use of the value by a site; place -1 if no temporary can serve it.
    Use useBy(const Site& site, int number) const;
    /// Temporaries that pay: computed once for several uses, or outside of a loop.
    std::vector<Spot> spots(std::vector<Use> uses) const;

    /// True if the expression has this value there.
    bool isValidBefore(int place) const;

private:
    bool mayLeaveLoop(const Site& site, int loop) const;
    void cluster(Uses uses, std::vector<Spot>& spots) const;
    void split(Uses uses, int top, std::vector<Spot>& spots) const;

    const FlowGraph& graph_;
    const Versions& versions_;
    const Questions& questions_;
    const Key& key_;
    Variables wanted_;  // version of each variable of the key
};

}  // namespace hpcc::optimize
