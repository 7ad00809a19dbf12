"""The benchmarks: extents, programs, and what performance is known to be possible."""
from dataclasses import dataclass, field


@dataclass
class Benchmark:
    name: str
    title: str
    full: list           # extents
    quick: list
    check: object        # iterations after which all rivals must have the same answer, by extent
    isSplit: bool = True  # sequential.cpp and mpi.cpp; else mpi.cpp serves for one process, too
    operations: object = None  # floating-point operations of an iteration, if rates are told
    gigabytes: object = None   # what an array of products would need, by extent
    # The rivals' times on one process in microseconds, by extent: a rival slower than these has a fault.
    known: dict = field(default_factory=dict)


forms = ("plain", "rows", "best")
levels = ("O0", "O1", "O2", "O3", "O3-unchecked")


def options(level):
    """hpcc's options; the C++ compiler always does its best."""
    return [f"-{level[:2]}", "--backend-O=3"] + (["--no-checks"] if level.endswith("unchecked") else [])


def microseconds(gigaflops, operations):
    return operations / gigaflops * 1e-3


def product(n):
    return 2.0 * n**3


benchmarks = [
    Benchmark("matmul_direct", "Direct matrix multiplication", [50, 75, 100, 125, 150, 1024], [50, 150], lambda n: 1, False,
              product, known={150: {"plain": microseconds(7.0, product(150)), "rows": microseconds(34, product(150)),
                                    "best": microseconds(111, product(150))},
                              1024: {"plain": microseconds(0.66, product(1024)), "rows": microseconds(30, product(1024)),
                                     "best": microseconds(122, product(1024))}}),
    Benchmark("red_black", "Laplace, red-black relaxation", [150, 512, 4096], [150, 512], lambda n: 10,
              known={150: {"plain": 3.57, "rows": 3.36, "best": 2.12}, 512: {"plain": 41.4, "rows": 39.4, "best": 26.7},
                     4096: {"plain": 10100, "rows": 6810, "best": 6220}}),
    Benchmark("jacobi", "Laplace, Jacobi relaxation with the largest change", [512, 4096], [512], lambda n: 10,
              known={512: {"plain": 412, "rows": 48.8, "best": 48.8}, 4096: {"plain": 23750, "rows": 9740, "best": 9740}}),
    Benchmark("diffusion", "Diffusion in three dimensions", [32, 64, 128, 256], [32, 64], lambda n: 4,
              known={32: {"plain": 11.0, "rows": 8.5, "best": 8.5}, 64: {"plain": 80, "rows": 71, "best": 71},
                     128: {"plain": 1141, "rows": 1070, "best": 1070},
                     256: {"plain": 13620, "rows": 12720, "best": 12720}}),
    Benchmark("q3", "Q3, sums of products of residuals", [2551, 255100], [2551], lambda n: 1, False,
              gigabytes=lambda n: n * 75 * 75 * 8e-9, known={2551: {"plain": 7132, "rows": 1076, "best": 180}}),
]


def storesProducts(benchmark, form):
    """Does this form need the memory that `gigabytes` says?"""
    return benchmark.gigabytes and (form == "plain" or form in levels)
