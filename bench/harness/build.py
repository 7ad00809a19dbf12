# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the rivals and hpcc's programs, each once, with the same flags for the C++ compiler."""
import concurrent.futures
import pathlib
import subprocess

from harness import benchmarks

root = pathlib.Path(__file__).resolve().parents[2]
folder = root / "build" / "bench"
hpcc = root / "build" / "bin" / "hpcc"
flags = ["-std=c++17", "-march=native", "-fopenmp-simd", "-falign-loops=32", "-fno-math-errno"]
includes = [f"-I{root}/include/umbrella", f"-I{root}/include"]
libraries = [root / "build" / "lib" / f"libhpspmd_{part}.a" for part in ("adlib", "runtime")]
shared = [root / "bench" / name for name in ("bench.hpp", "latency.hpp", "split.hpp", "tile.hpp")]


def fromCache(name):
    """A setting of the build folder: HPCPP_MPICXX, HPCPP_MPIEXEC."""
    for line in (root / "build" / "CMakeCache.txt").read_text().splitlines():
        if line.startswith(name + ":"):
            return line.split("=", 1)[1]
    raise SystemExit(f"bench/run: {name} is not set in build/CMakeCache.txt; run ./hpc build first")


def isCurrent(program, sources):
    return program.exists() and all(source.stat().st_mtime < program.stat().st_mtime for source in sources)


def make(program, command, sources):
    """Runs the command for the program unless it is newer than its sources."""
    if isCurrent(program, sources):
        return program
    done = subprocess.run([*command, "-o", program], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"bench/run: {' '.join(map(str, command))}\n{done.stderr}")
    return program


def rival(name, form, isSequential, level="3"):
    """A hand-written program; isSequential: for one process, without MPI."""
    source = root / "bench" / name / ("sequential.cpp" if isSequential else "mpi.cpp")
    program = folder / "bin" / f"{name}.{form}{'' if isSequential else '.mpi'}.{level}"
    kernel = source.with_name(form + ".hpp")
    command = [fromCache("HPCPP_MPICXX"), *flags, f"-O{level}", f'-DKERNEL="{kernel.name}"', source]
    return make(program, command, [source, kernel, *shared])


def byHand(source):
    """A hand-written program of its own, with MPI."""
    source = root / "bench" / source
    return make(folder / "bin" / f"{source.stem}.mpi", [fromCache("HPCPP_MPICXX"), *flags, "-O3", source], [source, *shared])


def ours(name, label, source=None, options=None):
    """hpcc's program with these options, or those that a label such as O0 or O3-unchecked stands for."""
    source = root / "bench" / name / (source or f"{name}.hpcpp")
    program = folder / "bin" / f"{source.stem}.ours.{label}"
    command = [hpcc, *(options or benchmarks.options(label)), "-std=c++17", source]
    return make(program, command, [source, hpcc, *source.parent.glob("*.hp[hp]"), *shared, *libraries])


def withLibrary(source, program, *options):
    """A program in plain C++ that uses the library."""
    command = [fromCache("HPCPP_MPICXX"), *flags, "-O3", *includes, *options, source, *libraries]
    return make(folder / "bin" / program, command, [source, *shared, *libraries])


def headers(name, isChecked):
    label, options = ("headers", []) if isChecked else ("headers-unchecked", ["-DHPSPMD_NO_ELEMENT_CHECKS"])
    return withLibrary(root / "bench" / name / "headers.cpp", f"{name}.{label}", *options)


def communication(name):
    return withLibrary(root / "bench" / name / f"{name}.cpp", name)


def everything(benchmark, isFull, tell):
    """Everything that a comparison needs, on the cores that there are."""
    levels = (*benchmarks.levels, *benchmarks.otherLevels) if isFull else benchmarks.levels
    jobs = [(rival, benchmark.name, form, False) for form in benchmarks.forms]
    jobs += [(rival, benchmark.name, form, True) for form in benchmarks.forms if benchmark.isSplit]
    jobs += [(ours, benchmark.name, level) for level in levels]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for number, future in enumerate([pool.submit(*job) for job in jobs], 1):
            future.result()
            tell(f"{benchmark.name}: built {number} of {len(jobs)}")
