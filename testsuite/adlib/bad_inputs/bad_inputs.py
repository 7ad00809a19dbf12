#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each bad input ends the job as documented: soon, with a message that names the error and the program's line (of one
process, or of several where each finds it before the processes have met), and with the error's exit code in the table
of docs/language.md.

    bad_inputs.py <program> --launcher mpiexec|"hpcc run --transport=node" [--processes 1,2,3] [--every K]
                  [--only WORD,WORD] [--jobs J]

--every K: only each K-th job, the same ones each time."""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

options = argparse.ArgumentParser(usage=__doc__)
options.add_argument("program", type=pathlib.Path)
options.add_argument("--launcher", required=True)
options.add_argument("--processes", default="1,2,3")
options.add_argument("--every", type=int, default=1)
options.add_argument("--only", default="")
options.add_argument("--jobs", type=int, default=1)
options = options.parse_args()
program = options.program.resolve()
soon = 4  # seconds; a slower job is run again, as the machine may be busy

table = (pathlib.Path(__file__).parents[3] / "docs/language.md").read_text()
codes = {name: int(code) for name, code in re.findall(r"^\| `(\w+)` \| (\d+) \|", table, re.M)}


def job(name, processes):
    """Exit code, output and seconds."""
    with tempfile.TemporaryDirectory() as folder:
        words = shlex.split(options.launcher) + ["-n", str(processes), str(program), name]
        begin = time.monotonic()
        try:
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60, errors="replace",
                                  env={**os.environ, "HWLOC_COMPONENTS": "-pci,-opencl"})
        except subprocess.TimeoutExpired:
            return None, "", 60
        return done.returncode, done.stdout + done.stderr, time.monotonic() - begin


def complaint(case):
    """What is not as documented; empty if nothing."""
    name, error, processes = case
    for _ in range(3):
        code, output, seconds = job(name, processes)
        if code is None or seconds <= soon:
            break
    told = [line for line in output.splitlines() if f": {error}: " in line]
    found = []
    if code != codes[error]:
        found.append(f"exit code {code} instead of {codes[error]}")
    if not 1 <= len(told) <= processes:
        found.append(f"{len(told)} messages with {error}")
    elif not re.match(r".*bad_inputs/\w+\.[ch]pp:\d+: ", told[0]):
        found.append("the message does not name the line")
    if seconds > soon:
        found.append(f"{seconds:.1f} s")
    return f"{name}, {processes} processes: {', '.join(found)}\n    {output.strip()[:600]}" if found else ""


listed = subprocess.run([program, "list"], capture_output=True, text=True).stdout.split("\n")
cases = [(*line.split()[:2], processes)
         for line in listed if line
         for processes in map(int, options.processes.split(","))
         if processes >= int(line.split()[2]) and any(word in line for word in options.only.split(","))]
chosen = cases[::options.every]
with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    complaints = [found for found in pool.map(complaint, chosen) if found]
print("\n".join(complaints))
print(f"{len(chosen)} of {len(cases)} jobs run, {len(chosen) - len(complaints)} as documented")
sys.exit(bool(complaints) or not chosen)
