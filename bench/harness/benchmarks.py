# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The benchmarks: extents, programs, and what performance is known to be possible."""
from dataclasses import dataclass, field


@dataclass
class Benchmark:
    name: str
    title: str
    full: list  # extents
    quick: list
    check: int  # iterations after which all rivals must have the same answer
    isSplit: bool = True     # sequential.cpp and mpi.cpp; else mpi.cpp serves for one process, too
    gigabytes: object = None  # what an array of products would need, by extent
    # The rivals' times on one process in microseconds, by extent: a rival slower than these has a fault.
    known: dict = field(default_factory=dict)


forms = ("plain", "rows", "best")
levels = ("O0", "O1", "O2", "O3", "O3-unchecked")
otherLevels = ("O0-unchecked", "O1-unchecked", "O2-unchecked")  # with --full


def options(label):
    """hpcc's options for O0 .. O3, O3-unchecked, O3-threads; the C++ compiler always does its best."""
    level, _, more = label.partition("-")
    return [f"-{level}", "--backend-O=3", *{"": [], "unchecked": ["--no-checks"], "threads": ["-fopenmp"]}[more]]


def productAt(n, gigaflops):
    """Microseconds of a product of n x n matrices at these rates."""
    return {form: 2.0 * n**3 / rate * 1e-3 for form, rate in gigaflops.items()}


benchmarks = [
    Benchmark("matmul_direct", "Direct matrix multiplication", [50, 80, 100, 128, 150, 1024], [50, 150], 1, False,
              known={150: productAt(150, {"plain": 7.0, "rows": 34, "best": 111}),
                     1024: productAt(1024, {"plain": 0.66, "rows": 30, "best": 122})}),
    Benchmark("red_black", "Laplace, red-black relaxation", [150, 512, 4096], [150, 512], 10,
              known={150: {"plain": 3.57, "rows": 3.36, "best": 2.12}, 512: {"plain": 41.4, "rows": 39.4, "best": 26.7},
                     4096: {"plain": 10100, "rows": 6810, "best": 6220}}),
    Benchmark("jacobi", "Laplace, Jacobi relaxation with the largest change", [512, 4096], [512], 10,
              known={512: {"plain": 412, "rows": 48.8, "best": 48.8}, 4096: {"plain": 23750, "rows": 9740, "best": 9740}}),
    Benchmark("diffusion", "Diffusion in three dimensions", [32, 64, 128, 256], [32, 64], 4,
              known={32: {"plain": 11.0, "rows": 8.5, "best": 8.5}, 64: {"plain": 80, "rows": 71, "best": 71},
                     128: {"plain": 1141, "rows": 1070, "best": 1070},
                     256: {"plain": 13620, "rows": 12720, "best": 12720}}),
    Benchmark("q3", "Q3, sums of products of residuals", [2551, 255100], [2551], 1, False,
              gigabytes=lambda n: n * 75 * 75 * 8e-9, known={2551: {"plain": 7132, "rows": 1076, "best": 180}}),
]
# Of the Parallel Research Kernels: (iterations, extent).
kernels = {"stencil": [(100, 1000), (10, 4000)], "transpose": [(10, 4000)], "p2p": [(50, 1000)], "nstream": [(50, 10000000)]}
named = {benchmark.name: benchmark for benchmark in benchmarks}


def storesProducts(benchmark, form):
    """True if this form needs the memory that `gigabytes` says."""
    return benchmark.gigabytes and (form == "plain" or form not in forms)
