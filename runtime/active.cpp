// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/active.hpp>

#include "compose.hpp"

#include <hpspmd/error.hpp>

namespace hpspmd::detail {

const GroupRecord* startActive() {
    activeGroup = World::actual().group().record();
    return activeGroup;
}

const GroupRecord* restrictActive(const GroupRecord* active, const DimensionRecord& d,
                                  Where where) {
    if (active == nullptr) active = startActive();
    const Dimension dimension(d);
    if (!hasDimension(Group(active), dimension))
        throw DimensionNotInGroup(
            compose("the active group, the ", describe(Group(active)),
                    d.grid == active->grid ? ", is already restricted in dimension "
                                           : ", has nothing to do with dimension ",
                    d.axis, " of the ", describe(Group(d.grid->whole)),
                    d.grid == active->grid ? " (two at or overall over one process dimension?)"
                                           : " (an `on` is missing?)"),
            where);
    return restrict(Group(active), dimension, d.crd, where).record();
}

void raiseNotContained(const Group& g, const char* what, Where where) {
    throw GroupNotContained(compose(what, ": the ", describe(g),
                                    " is not contained in the active group, the ", describe(apg())),
                            where);
}

}  // namespace hpspmd::detail
