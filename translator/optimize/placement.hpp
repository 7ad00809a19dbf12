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

private:
    using Uses = std::span<const Use>;

    bool isValidBefore(int place) const;
    bool mayLeaveLoop(const Site& site, int loop) const;
    void cluster(Uses uses, std::vector<Spot>& spots) const;
    void split(Uses uses, int top, std::vector<Spot>& spots) const;
    int commonPlace(Uses uses) const;
    int childTowards(int place, int outer) const;
    bool isCertainFrom(int place, Uses uses) const;
    bool isCertainIn(int place, Uses uses) const;

    const FlowGraph& graph_;
    const Versions& versions_;
    const Questions& questions_;
    const Key& key_;
    Variables wanted_;  // version of each variable of the key
};

}  // namespace hpcc::optimize
