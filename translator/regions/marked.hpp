// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "regions/body.hpp"

namespace hpcc::regions {

// `[[hpspmd::overall]] for (..)` outside of methods is a method without a name. Its arrays are
// those that it changes where its variable says, a[i, j], and those of which it reads that, a[i -
// 1, j].
Arrays arraysOfLoop(NodePtr loop, NodePtr unit);

// Such arrays that are members of objects, s.a, p->a, by their texts.
std::map<std::string_view, NodePtr> membersOfLoop(NodePtr loop, NodePtr unit);

}  // namespace hpcc::regions
