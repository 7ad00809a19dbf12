#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench/waits/compare.py: how long collectives take where processes share cores, with one or several builds of the
library, in turns, in one run.

    compare.py mpiexec new=build/waits                  one build
    compare.py mpiexec old=before/waits new=build/waits --processes 4,8 --rounds 5
    compare.py mpiexec spin="env HPSPMD_WAITING=spin build/waits" sleep=build/waits --hpcc build/bin/hpcc --least

A program is bench/waits/waits.cpp, linked with a build of the library:
    mpicxx -O3 -std=c++17 -Iinclude/umbrella -Iinclude bench/waits/waits.cpp build/lib/libhpspmd_{adlib,runtime}.a -o build/waits

Prints rows of a table: medians of the rounds in microseconds (--least: the least, where other programs disturb), by shared
memory and by messages, of jobs of MPI and, with --hpcc, of jobs without it; and the load meanwhile. With --effort, the
processor time of all processes for an exchange, and how often one of them sleeps, instead of the time; with --limit, what
bench/waits/limit.cpp measures meanwhile."""
import argparse
import os
import re
import shlex
import statistics
import subprocess

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("mpiexec")
parser.add_argument("programs", nargs="+", metavar="NAME=PROGRAM")
parser.add_argument("--processes", default="4,8,16,64")
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--seconds", default="0.3", help="for each operation (default 0.3)")
parser.add_argument("--hpcc", help="also measure jobs of hpcc run --transport=node")
parser.add_argument("--least", action="store_true", help="the least of the rounds, not the median")
parser.add_argument("--links", choices=("on", "off"), help="only by shared memory, or only by messages")
parser.add_argument("--effort", action="store_true", help="processor time and sleeps of an exchange, not its time")
parser.add_argument("--limit", metavar="PROGRAM", help="bench/waits/limit.cpp")
options = parser.parse_args()

operations = ("writeHalo", "maxval", "remap", "transpose", "gather")
launchers = {"MPI": [options.mpiexec]}
if options.hpcc:
    launchers["node"] = [options.hpcc, "run", "--quiet", "--transport=node"]
ways = {f"{job}, {way}": (launcher, memory) for job, launcher in launchers.items()
        for way, memory in {"shared memory": "on", "messages": "off"}.items()
        if options.links in (None, memory)}
programs = dict(text.split("=", 1) for text in options.programs)


def take(program, processes, launcher, memory):
    environment = {**os.environ, "HPSPMD_NODE_MEMORY": memory, "HWLOC_COMPONENTS": "-pci,-opencl"}
    command = [*launcher, "-n", str(processes), *shlex.split(program), options.seconds]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    number = r"([\d.]+)"
    cost = rf"{number} us \({number} sleeps, {number} preemptions, {number} us"
    return [tuple(map(float, re.search(f"{operation} {cost}", told).groups())) for operation in operations]


def shown(costs):
    time, sleeps, _, processors = (chosen(each) for each in zip(*costs))
    return f"{processors:.0f} ({sleeps:.1f})" if options.effort else f"{time:.0f}"


chosen = min if options.least else statistics.median
print("| processes | job, links | operation |", " | ".join(programs), "|")
print("|---|---|---|" + "---|" * len(programs))
for processes in options.processes.split(","):
    for way, (launcher, memory) in ways.items():
        times = {name: [] for name in programs}
        for _ in range(options.rounds):
            for name, program in programs.items():
                times[name].append(take(program, processes, launcher, memory))
        for k, operation in enumerate(operations):
            cells = [shown([each[k] for each in times[name]]) for name in programs]
            print("|", processes, "|", way, "|", operation, "|", " | ".join(cells), "|", flush=True)
    if options.limit:
        print(subprocess.run([options.limit, processes], capture_output=True, text=True, check=True).stdout, end="")
print("load:", " ".join(f"{load:.1f}" for load in os.getloadavg()))
