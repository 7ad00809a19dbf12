# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every random program shares, and its ranges and arrays."""
import cplusplus
import elements

prelude = """// Written by testsuite/random.
#include <hpspmd>
#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>
using namespace hpspmd;
#pragma GCC diagnostic ignored "-Wdangling-else"

std::vector<Index> sizes(Index n, Index parts) {
    std::vector<Index> result;
    for (Index c = 0; c < parts; ++c) result.push_back(n * (c + 1) / parts - n * c / parts);
    return result;
}

Index bits(Index v) { return v; }
Index bits(int v) { return v; }
Index bits(double v) {
    Index result = 0;
    std::memcpy(&result, &v, sizeof v);
    return (result >> 11) % 1000003;
}
""" + elements.declarations + cplusplus.declarations

# One reduction per element and rank: every one that the C++ compiler sees costs it as much as a whole program.
digest = """
Index digest(const %s [[%s]] a) {
    Range %s;
    return Adlib::sum(overall (%s) (bits(a[%s]) %% 997 * (1%s)) %% 1000003);
}
"""


def digestFor(element, rank):
    """Declares the digest of arrays of that element and rank."""
    variables = range(rank)
    return digest % (
        element, ",".join("-" * rank), ", ".join(f"x{r} = a.rng({r})" for r in variables),
        ", ".join(f"i{r} = x{r} for :" for r in variables), ", ".join(f"i{r}" for r in variables),
        "".join(f" + {2 * r + 3} * i{r}`" for r in variables))


main = """
int main(int argc, char **argv) {
    const int only = argc > 1 ? std::stoi(argv[1]) : -1;
    Procs2 p;
%s}
"""


class Range:
    """x or y of a function: its size, its dimension and its ghost cells."""

    def __init__(self, rng, name, dimension):
        self.name, self.size, self.ghosts = name, rng.choice([0, 1, 2, 5, 7, 8, 11, 12, 13]), (0, 0)
        d = f"p.dim({dimension})"
        kind = rng.choice(["Block", "ExtBlock", "ExtBlock", "ExtBlock", "Cyclic", "BlockCyclic", "Irreg", "Collapsed"])
        n, self.isCollapsed = self.size, kind == "Collapsed"
        if kind == "ExtBlock":
            self.ghosts = (rng.randint(1, 2), rng.randint(1, 2))
        arguments = {"Block": f"{n}, {d}", "ExtBlock": f"{n}, {d}, {self.ghosts[0]}, {self.ghosts[1]}",
                     "Cyclic": f"{n}, {d}", "BlockCyclic": f"{n}, {d}, {rng.randint(1, 3)}",
                     "Irreg": f"sizes({n}, {d}.size()), {d}", "Collapsed": f"{n}"}[kind]
        self.declaration = f"Range {name} = {kind}Range({arguments});"


class Array:
    """A multiarray over some of the ranges; an extent that is a number is a sequential dimension."""

    def __init__(self, name, element, extents):
        self.name, self.element, self.extents = name, element, extents

    @property
    def ranges(self):
        return [e for e in self.extents if isinstance(e, Range)]

    @property
    def declaration(self):
        slots = ",".join("-" if isinstance(e, Range) else "*" for e in self.extents)
        extents = ", ".join(e.name if isinstance(e, Range) else str(e) for e in self.extents)
        return f"{self.element} [[{slots}]] {self.name} = new {self.element} [[{extents}]] on p;"


def isEdge(part):
    """The head, the middle or the tail of a statement of several parts: `if (c) {`, `} else {`, `}`, `for (..)`."""
    return isinstance(part, str) and not part.endswith(";")
