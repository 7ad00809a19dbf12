"""Builds the rivals and hpcc's programs, each once, with the same flags for the C++ compiler."""
import concurrent.futures
import pathlib
import subprocess

from harness import benchmarks

root = pathlib.Path(__file__).resolve().parents[2]
folder = root / "build" / "bench"
hpcc = root / "build" / "bin" / "hpcc"
flags = ["-std=c++17", "-march=native", "-fopenmp-simd"]


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
    return make(program, command, [source, kernel, root / "bench" / "bench.hpp", root / "bench" / "tile.hpp"])


def ours(name, label, options, source=None):
    """hpcc's program with these options."""
    source = root / "bench" / name / (source or f"{name}.hpcpp")
    program = folder / "bin" / f"{source.stem}.ours.{label}"
    libraries = list((root / "build" / "lib").glob("libhpspmd_*.a"))
    return make(program, [hpcc, *options, "-std=c++17", source], [source, hpcc, *libraries])


def everything(chosen, tell):
    """Everything that the comparisons need, on the cores that there are."""
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    jobs = []
    for benchmark in chosen:
        for form in benchmarks.forms:
            jobs += [(rival, benchmark.name, form, True)] if benchmark.isSplit else []
            jobs += [(rival, benchmark.name, form, False)]
        jobs += [(ours, benchmark.name, level, benchmarks.options(level)) for level in benchmarks.levels]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for number, future in enumerate([pool.submit(*job) for job in jobs], 1):
            future.result()
            tell(f"built {number} of {len(jobs)}")
