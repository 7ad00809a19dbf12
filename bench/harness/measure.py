# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of rivals, taken in turns in one run."""
import os
import re
import subprocess
import time
from statistics import median

from harness import build

environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def launched(program, processes, threads=None):
    if not processes:
        return [program]
    count = ["env", f"OMP_NUM_THREADS={threads}"] if threads else []
    return [build.fromCache("HPCPP_MPIEXEC"), "-n", str(processes), *count, program]


def availableGigabytes():
    with open("/proc/meminfo") as file:
        return int(re.search(r"MemAvailable: *(\d+)", file.read())[1]) / 2**20


def load():
    return os.getloadavg()[0]


def told(command):
    """What a program prints."""
    words = [*map(str, command)]
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"bench/run: {' '.join(words)}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def once(command, extent, iterations):
    """(microseconds per iteration, answer)"""
    took, answer = told([*command, extent, iterations]).split()
    return float(took), float(answer)


def wholeRun(command, rounds):
    """(best seconds, median seconds, peak megabytes) of the command from its start to its end"""
    seconds, peak = [], 0
    for _ in range(rounds):
        begin = time.time()
        process = subprocess.Popen(list(map(str, command)))
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(f"bench/run: {' '.join(map(str, command))} failed")
        seconds.append(time.time() - begin)
        peak = max(peak, usage.ru_maxrss / 1024)
    return min(seconds), median(seconds), peak


def cacheLine():
    """Microseconds that a cache line takes between two cores at this moment."""
    return float(re.search(r"cache line ([\d.]+)", told([*launched(build.communication("exchange"), 2), 64]))[1])


def medians(times):
    return {name: median(values) for name, values in times.items()}


def compare(rivals, extent, check, rounds, seconds, tell):
    """Microseconds of each round by name. First each computes the same: `check` iterations; then each runs about `seconds`
    per round, in an order that turns."""
    answers, counts = {}, {}
    for name, command in rivals.items():
        tell(f"{name} is checked")
        took, answers[name] = once(command, extent, check)
        took = min(took, once(command, extent, check)[0]) if took < 1e5 else took
        counts[name] = max(1, min(200000, int(seconds * 1e6 / max(took, 0.01))))
    expected = next(iter(answers.values()))
    for name, answer in answers.items():
        if not abs(answer - expected) <= 1e-9 * abs(expected):
            raise SystemExit(f"bench/run: {name} {extent}: the answers {expected} and {answer} differ")
    times = {name: [] for name in rivals}
    names = list(rivals)
    for number in range(rounds):
        tell(f"round {number + 1} of {rounds}")
        turned = names[number % len(names):] + names[:number % len(names)]
        for name in turned:
            times[name].append(once(rivals[name], extent, counts[name])[0])
    return times
