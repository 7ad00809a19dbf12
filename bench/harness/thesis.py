# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables 6.2 and 7.2 to 7.13 of the thesis (HPJava: speedups over sequential Java; Linux PC, Sun SMP with 8 processors, IBM
SP3), and the same of HPspmd C++ over sequential C++ on this machine."""
from dataclasses import dataclass

from harness import benchmarks, build, measure


@dataclass
class Program:
    """Of the thesis's programs: what is run, and the level that stands for the optimization it measures; check: iterations
    after which the answers are compared."""
    name: str
    extent: int
    optimized: str
    source: str = ""
    check: int = 4
    options: tuple = ()

    @property
    def key(self):
        return f"{self.source.removesuffix('.hpcpp') or self.name}.{self.extent}"


matrices = Program("matmul_direct", 150, "-O1", check=1)
laplace = Program("red_black", 512, "-O2")
withoutHalo, small = (Program("red_black", extent, "-O2", "without_halo.hpcpp", options=("--no-ghost-checks", "-w"))
                      for extent in (512, 150))
diffusion = Program("diffusion", 128, "-O2")
q3 = Program("q3", 2551, "-O2", check=1)
programs = [matrices, laplace, withoutHalo, small, diffusion, q3]

# Ratios of the times sequential s, naive n and optimized o on one (1) or all processes.
ratios = {"naive over sequential": ("s1", "n"), "optimized over sequential": ("s1", "o"), "optimized over naive": ("n", "o"),
          "naive over one process": ("n1", "n"), "optimized over one process": ("o1", "o"),
          "naive over sequential; theirs: C": ("s1", "n")}


@dataclass
class Table:
    number: str
    title: str
    program: Program
    processes: list
    rows: dict  # the thesis's numbers


upTo8 = [1, 2, 3, 4, 5, 6, 7, 8]
naive, best, gain, alone, bestAlone, naiveC = ratios
tables = [
    Table("7.2", "direct matrix multiplication, SMP", matrices, upTo8, {
        naive: [0.39, 0.76, 1.15, 1.54, 1.92, 2.31, 2.67, 3.10], best: [0.76, 1.52, 2.29, 3.07, 3.81, 4.59, 5.30, 6.12],
        gain: [1.96, 2.02, 2.00, 2.00, 1.98, 1.99, 1.99, 1.98]}),
    Table("7.3", "direct matrix multiplication, SMP", matrices, upTo8[1:], {
        alone: [1.96, 2.96, 3.96, 4.96, 5.96, 6.88, 8.00], bestAlone: [2.02, 3.02, 4.04, 5.02, 6.04, 6.98, 8.06]}),
    Table("7.4", "Laplace 512 x 512 without writeHalo, SMP", withoutHalo, upTo8, {
        naive: [0.43, 0.86, 1.29, 1.73, 2.25, 2.73, 3.27, 3.60], best: [0.59, 1.15, 1.73, 2.35, 2.95, 3.60, 4.29, 4.87],
        gain: [1.36, 1.34, 1.35, 1.37, 1.31, 1.32, 1.31, 1.35]}),
    Table("7.5", "Laplace 512 x 512 without writeHalo, SMP", withoutHalo, upTo8[1:], {
        alone: [1.97, 2.96, 3.98, 5.17, 6.27, 7.53, 8.28], bestAlone: [1.94, 2.92, 4.00, 4.98, 6.08, 7.24, 8.21]}),
    Table("7.6", "Laplace 512 x 512, SMP", laplace, upTo8, {
        naive: [0.43, 0.79, 1.01, 1.24, 1.38, 1.50, 1.64, 1.71], best: [0.77, 1.14, 1.38, 1.71, 1.89, 2.07, 2.25, 2.36],
        gain: [1.77, 1.45, 1.37, 1.38, 1.37, 1.38, 1.37, 1.38]}),
    Table("7.7", "Laplace 512 x 512, SMP", laplace, upTo8[1:], {
        alone: [1.81, 2.33, 2.86, 3.19, 3.46, 3.77, 3.95], bestAlone: [1.49, 1.80, 2.23, 2.47, 2.69, 2.93, 3.07]}),
    Table("7.8", "Laplace 512 x 512, SP3", laplace, [4, 9, 16, 25, 36], {alone: [4.06, 7.75, 9.47, 12.18, 17.04]}),
    Table("7.9", "3-D diffusion 128 x 128 x 128, SMP", diffusion, upTo8, {
        naive: [0.54, 1.00, 1.35, 1.88, 2.09, 2.73, 2.99, 3.42], best: [1.05, 2.02, 2.66, 3.59, 4.02, 4.32, 5.18, 5.98],
        gain: [1.97, 2.02, 1.97, 1.91, 1.93, 1.58, 1.73, 1.75]}),
    Table("7.10", "3-D diffusion 128 x 128 x 128, SMP", diffusion, upTo8[1:], {
        alone: [1.87, 2.52, 3.52, 3.90, 5.10, 5.58, 6.39], bestAlone: [1.92, 2.52, 3.41, 3.82, 4.10, 4.92, 5.67]}),
    Table("7.11", "3-D diffusion 128 x 128 x 128, SP3", diffusion, [4, 9, 16, 32], {alone: [3.31, 5.76, 9.98, 13.88]}),
    Table("7.12", "Q3, SMP", q3, upTo8, {
        naive: [1.47, 3.85, 7.08, 9.50, 11.53, 13.71, 16.18, 18.02],
        naiveC: [0.84, 2.20, 4.04, 5.42, 6.58, 7.83, 9.23, 10.29],
        best: [1.85, 5.39, 12.23, 16.30, 19.89, 24.81, 27.77, 32.00], gain: [1.26, 1.40, 1.73, 1.72, 1.73, 1.81, 1.72, 1.76]}),
    Table("7.13", "Q3, SMP", q3, upTo8[1:], {
        alone: [2.62, 4.81, 6.46, 7.84, 9.32, 11.00, 12.26], bestAlone: [2.91, 6.61, 8.80, 10.75, 13.40, 15.01, 17.29]}),
]
# Of chapter 6, on one process; Laplace is the experiment in cache, 150 x 150 (6.3.2), without writeHalo.
table62 = {gain: [1.50, 3.61, 2.00, 1.15], best: [1.22, 0.94, 1.61, 1.38]}
programs62 = [matrices, small, diffusion, q3]


def take(program, back, n, options, tell):
    """Times on n processes of the naive translation, of the optimized one and, for n = 1, of sequential C++; the C++
    compiler at -O<back>. At 3 the optimized one is hpcc's best, -O3."""
    optimized = program.optimized if back == "1" else "-O3"
    rivals = {}
    for name, level in ((f"n{n}", "-O0"), (f"o{n}", optimized)):
        switches = [level, f"--backend-O={back}", *program.options]
        built = build.ours(program.name, f"thesis{back}{level}", program.source, switches)
        rivals[name] = measure.launched(built, n)
    if n == 1:
        split = benchmarks.named[program.name].isSplit
        rivals["s1"] = measure.launched(build.rival(program.name, "plain", split, back), 0 if split else 1)
    times = measure.compare(rivals, program.extent, program.check, options.rounds or 5, 0.2,
                            lambda text: tell(f"thesis {program.key} -O{back} on {n}: {text}"))
    return {"group": "thesis", "program": program.key, "back": back, "processes": n, "optimized": optimized,
            "us": measure.medians(times)}


def ratio(times, name, n):
    """A speedup on n processes; nothing if it was not measured."""
    over, under = (key if key[-1] == "1" else f"{key}{n}" for key in ratios[name])
    return times[over] / times[under] if over in times and under in times else None
