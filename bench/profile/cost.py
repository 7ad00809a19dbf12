#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What hpcc run --profile costs: times of an iteration with and without it, alternating; of each the fastest run and the median.

    bench/profile/cost.py build/bin/hpcc [--runs 20] [--processes 1,2] [--run "run --transport=node"]"""
import argparse
import pathlib
import shlex
import statistics
import subprocess
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("hpcc")
parser.add_argument("--runs", type=int, default=20)
parser.add_argument("--processes", default="1,2")
parser.add_argument("--run", default="run --transport=node", help="how hpcc starts it")
options = parser.parse_args()
hpcc = str(pathlib.Path(options.hpcc).resolve())
bench = pathlib.Path(__file__).resolve().parents[1]
programs = [("red_black", 150, 20000), ("red_black", 512, 4000), ("jacobi", 512, 2000), ("diffusion", 64, 1000), ("q3", 2551, 10)]


def microseconds(program, arguments, processes, profile):
    done = subprocess.run([hpcc, *shlex.split(options.run), "--quiet", "-n", str(processes), *profile, program, *map(str, arguments)],
                          check=True, capture_output=True, text=True)
    return float(done.stdout.split()[0])


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    for name in sorted({name for name, *_ in programs}):
        subprocess.run([hpcc, "-w", bench / name / f"{name}.hpcpp", "-o", folder / name], check=True)
    for name, *arguments in programs:
        for processes in map(int, options.processes.split(",")):
            times = {False: [], True: []}
            for _ in range(options.runs):
                for isOn in times:
                    times[isOn].append(microseconds(folder / name, arguments, processes, [f"--profile={folder}/run.json"] if isOn else []))
            (least, with_it), (middle, middle_with) = ([choose(times[isOn]) for isOn in times] for choose in (min, statistics.median))
            print(f"{name:10} {arguments[0]:5}  {processes} processes  {least:9.2f} us, {with_it:9.2f} with the profile "
                  f"({100 * (with_it / least - 1):+.2f} %; medians {100 * (middle_with / middle - 1):+.2f} %)", flush=True)
