// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The locations that a write or a read of one function may reach, dimension by dimension.
#pragma once

#include <optional>
#include <vector>

namespace hpcc::check::halo {

// An end of an interval of global indices of a dimension of N locations.
//
//     0 + offset, N - 1 + offset, or a variable of the function + offset
struct Bound {
    enum class Kind { Low, High, Variable, Unknown };

    Kind kind = Kind::Unknown;
    int variable = 0;  // an atom of the function's Reader
    long offset = 0;
};

// first, first + step .. last; exact if each of them is reached, else perhaps only some are.
struct Span {
    Bound first, last;
    long step = 1;  // more than 0
    bool isExact = false;
    std::optional<long> extent = {};         // N, if that is a constant,
    std::optional<int> extentVariable = {};  // or a variable

    static Span whole() { return {{Bound::Kind::Low}, {Bound::Kind::High}, 1, true}; }
};

// One for each dimension of the array.
using Box = std::vector<Span>;

enum class Meeting { Never, Perhaps, Surely };

// Whether two boxes have a location in common, for each N with which both go over two locations at
// least where N decides about that. Never: for none that is not very small.
//
//     0 .. 0          and 0 .. N - 3         Surely
//     0 .. 0          and N - 2 .. N - 2     Never, though it is so for N = 2
//     k .. k          and 1 .. N - 2         Perhaps
//     1 .. N - 2 : 2  and 0 .. N - 2 : 2     Never
//     N - 1 .. N - 1  and -1 .. N - 2        Perhaps: -1 may be N - 1
Meeting meeting(const Box& a, const Box& b);

// True if it goes beyond an end of the array, to what a cyclic `writeHalo` copies there.
bool mayWrap(const Box& box);

// As code out of the function knows it: its variables are not known there.
Box withoutVariables(Box box);

}  // namespace hpcc::check::halo
