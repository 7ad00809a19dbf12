// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a program should not ask for at run time: each case ends the job by the error that it
/// names. bad_inputs.py runs them.

#include <functional>
#include <hpspmd/plain.hpp>
#include <hpspmd>
#include <string>
#include <vector>

namespace hpspmd::test {

struct BadInput {
    std::string name;   ///< one word
    std::string error;  ///< what docs/language.md, section 7, calls it
    std::function<void()> run;
    int processes = 1;  ///< it is wrong on so many or more
};
using BadInputs = std::vector<BadInput>;

void addGrids(BadInputs& cases);
void addRanges(BadInputs& cases);
void addAccesses(BadInputs& cases);
void addMoves(BadInputs& cases);
void addReductions(BadInputs& cases);
void addOneSided(BadInputs& cases);
void addFiles(BadInputs& cases);

using Plate = Array<double, Dist, Dist>;

/// An 8 x 6 array in blocks over all processes, or one of other extents.
inline Plate plate(Index rows = 8, Index columns = 6) {
    const Procs2 p;
    return create<double>(p, BlockRange(rows, p.dim(0)), BlockRange(columns, p.dim(1)));
}

}  // namespace hpspmd::test
