"""Times of rivals, taken in turns in one run."""
import os
import re
import statistics
import subprocess

from harness import build

environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def launched(program, processes, threads=None):
    if not processes:
        return [program]
    count = ["env", f"OMP_NUM_THREADS={threads}"] if threads else []
    return [build.fromCache("HPCPP_MPIEXEC"), "-n", str(processes), *count, program]


def once(command, extent, iterations):
    """(microseconds per iteration, answer)"""
    words = [*map(str, command), str(extent), str(iterations)]
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"bench/run: {' '.join(words)}: exit status {done.returncode}\n{done.stderr}")
    time, answer = done.stdout.split()
    return float(time), float(answer)


def availableGigabytes():
    with open("/proc/meminfo") as file:
        return int(re.search(r"MemAvailable: *(\d+)", file.read())[1]) / 2**20


def load():
    return os.getloadavg()[0]


def cacheLine():
    """Microseconds that a cache line takes between two cores at this moment."""
    libraries = [build.root / "build" / "lib" / f"libhpspmd_{part}.a" for part in ("adlib", "runtime")]
    include = build.root / "include"
    source = build.root / "bench" / "exchange" / "exchange.cpp"
    program = build.make(build.folder / "bin" / "exchange",
                         [build.fromCache("HPCPP_MPICXX"), *build.flags, "-O3", f"-I{include}/umbrella", f"-I{include}",
                          source, *libraries], [source, *libraries])
    told = subprocess.run([*launched(program, 2), "64"], capture_output=True, text=True, env=environment).stdout
    return float(re.search(r"cache line ([\d.]+)", told)[1])


def compare(rivals, extent, check, rounds, seconds, tell=lambda text: None):
    """Medians by name. First each computes the same: `check` iterations; then each runs about `seconds` per round, in an
    order that turns."""
    answers, counts = {}, {}
    for name, command in rivals.items():
        tell(f"{name} is checked")
        time, answers[name] = once(command, extent, check)
        time = min(time, once(command, extent, check)[0]) if time < 1e5 else time
        counts[name] = max(1, min(200000, int(seconds * 1e6 / max(time, 0.01))))
    expected = next(iter(answers.values()))
    for name, answer in answers.items():
        if abs(answer - expected) > 1e-9 * abs(expected):
            raise SystemExit(f"bench/run: {name} {extent}: the answers {expected} and {answer} differ")
    times = {name: [] for name in rivals}
    names = list(rivals)
    for number in range(rounds):
        tell(f"round {number + 1} of {rounds}")
        turned = names[number % len(names):] + names[:number % len(names)]
        for name in turned:
            times[name].append(once(rivals[name], extent, counts[name])[0])
    return {name: statistics.median(values) for name, values in times.items()}
