// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a communication's messages follow from, as JSON: in the file of a profile.

#include <hpspmd/observe.hpp>

#include <string>

namespace hpspmd::detail {

/// The members of an object: "kind": "combine", "group": {..}, "size": 8, "values": 1.
std::string textOf(const Communication& communication);

/// {"extents": [2, 2], "fixed": [-1, 0], "of": {..}}: the extents of the grid; where a coordinate
/// is fixed, that, if any is; the group that the grid lies in, null for the initial group.
std::string textOf(const GroupRecord& group);

/// {"group": {..}, "ranges": [{"format": "BlockRange", "extent": 10, "axis": 0}]}: of each range
/// what is not as usual: "parameters", "ghosts": [1, 1], "part": [base, stride, extent].
std::string textOf(const Descriptor& array);

/// The only copy of a text, which lives as long as the process.
const std::string* interned(const std::string& text);

}  // namespace hpspmd::detail
