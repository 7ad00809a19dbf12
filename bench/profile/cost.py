#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What hpcc run --profile costs: times of an iteration with and without it, alternating; of each the fastest run and the median.
With --paired blocks with and without it alternate within one run, and the median of the pairs is printed, beside that of pairs without it,
and of pairs of which one tells what a profile is told to somebody who does nothing with it.
With --instructions what valgrind counts for an iteration on one process instead, which other work on the machine does not change.

    bench/profile/cost.py build/bin/hpcc [--runs 20] [--processes 1,2] [--run "run --transport=node"] [--instructions | --paired]"""
import argparse
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("hpcc")
parser.add_argument("--runs", type=int, default=20)
parser.add_argument("--processes", default="1,2")
parser.add_argument("--run", default="run --transport=node", help="how hpcc starts it")
parser.add_argument("--instructions", action="store_true")
parser.add_argument("--paired", action="store_true")
options = parser.parse_args()
hpcc = str(pathlib.Path(options.hpcc).resolve())
bench = pathlib.Path(__file__).resolve().parents[1]
programs = [("red_black", 150, 20000), ("red_black", 512, 4000), ("jacobi", 512, 2000), ("diffusion", 64, 1000), ("q3", 2551, 10)]


def microseconds(program, arguments, processes, profile):
    done = subprocess.run([hpcc, *shlex.split(options.run), "--quiet", "-n", str(processes), *profile, program, *map(str, arguments)],
                          check=True, capture_output=True, text=True)
    return float(done.stdout.split()[0])


def instructions(program, extent, iterations, profile):
    environment = dict(os.environ, HPSPMD_TRANSPORT="node", **({"HPSPMD_PROFILE": profile} if profile else {}))
    done = subprocess.run(["valgrind", "--tool=callgrind", "--toggle-collect=main", "--callgrind-out-file=/dev/null", program,
                           str(extent), str(iterations)], check=True, capture_output=True, text=True, env=environment)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def count(program, extent):
    few, many = 200, 600  # all of the first 64 executions of a line are timed
    without, with_it = ((instructions(program, extent, many, profile) - instructions(program, extent, few, profile)) / (many - few)
                        for profile in ("", f"{program}.json"))
    print(f"{program.name:10} {extent:5}  {without:11.0f} instructions, {with_it:11.0f} with the profile: {with_it - without:.0f} more "
          f"({100 * (with_it / without - 1):+.2f} %)", flush=True)


def compare_times(program, arguments, processes, record):
    times = {False: [], True: []}
    for _ in range(options.runs):
        for isOn in times:
            times[isOn].append(microseconds(program, arguments, processes, [f"--profile={record}"] if isOn else []))
    (least, with_it), (middle, middle_with) = ([choose(times[isOn]) for isOn in times] for choose in (min, statistics.median))
    print(f"{program.name:10} {arguments[0]:5}  {processes} processes  {least:9.2f} us, {with_it:9.2f} with the profile "
          f"({100 * (with_it / least - 1):+.2f} %; medians {100 * (middle_with / middle - 1):+.2f} %)", flush=True)


def compare_pairs(program, processes, record):
    for name, extent, block, pairs in (("red_black", 150, 400, 300), ("red_black", 512, 40, 400), ("jacobi", 512, 40, 200), ("diffusion", 64, 20, 300), ("q3", 2551, 4, 100)):
        done = subprocess.run([hpcc, *shlex.split(options.run), "--quiet", "-n", str(processes), program, name, str(extent), str(block), str(pairs)],
                              check=True, capture_output=True, text=True, env=dict(os.environ, HPSPMD_PROFILE=str(record)))
        told = subprocess.run([*done.args, "told"], check=True, capture_output=True, text=True, env=dict(os.environ, HPSPMD_PROFILE=str(record)))
        microseconds_without, added, nothing = map(float, done.stdout.split())
        print(f"{name:10} {extent:5}  {processes} processes  {microseconds_without:9.2f} us, {added:+.2f} % with the profile, "
              f"{float(told.stdout.split()[1]):+.2f} % where nothing is done with what is told, {nothing:+.2f} % with nothing", flush=True)


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    if options.paired:
        subprocess.run([hpcc, "-w", bench / "profile/paired.hpcpp", "-o", folder / "paired"], check=True)
        for processes in map(int, options.processes.split(",")):
            compare_pairs(folder / "paired", processes, folder / "run.json")
        sys.exit()
    for name in sorted({name for name, *_ in programs}):
        machine = ["-march=x86-64-v3"] if options.instructions else []  # valgrind knows no AVX-512
        subprocess.run([hpcc, "-w", *machine, bench / name / f"{name}.hpcpp", "-o", folder / name], check=True)
    for name, *arguments in programs:
        if options.instructions:
            if name != "q3":  # takes many minutes under valgrind
                count(folder / name, arguments[0])
            continue
        for processes in map(int, options.processes.split(",")):
            compare_times(folder / name, arguments, processes, folder / "run.json")
