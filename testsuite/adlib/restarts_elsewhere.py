# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A job that writes a checkpoint at a random step and is killed goes on with another number of processes and another distribution;
its result is, bit for bit, that of a job that has never been ended.

    restarts_elsewhere.py LAUNCHER PROGRAM [--cases 5] [--seed 0]

LAUNCHER: mpiexec, or "build/bin/hpcc run --quiet --transport=node"."""
import argparse
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("launcher", help="and its options, in one word")
parser.add_argument("program")
parser.add_argument("--cases", type=int, default=5)
parser.add_argument("--seed", type=int, default=0)
options = parser.parse_args()
chance = random.Random(options.seed)
steps, layouts = 60, ("rows", "columns", "grid")


def run(processes, *words):
    return subprocess.run([*shlex.split(options.launcher), "-n", str(processes), options.program, *map(str, words)],
                          capture_output=True, text=True, timeout=120, env=dict(os.environ, HPSPMD_REPRODUCIBLE="1"))


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    run(1, folder / "none.npz", folder / "whole.npy", steps, "rows")
    whole = (folder / "whole.npy").read_bytes()
    for case in range(options.cases):
        state, result = folder / f"state{case}{chance.choice(('.npz', '.h5'))}", folder / f"result{case}.npy"
        at, before, after = chance.randrange(1, steps - 2), chance.choice((1, 2, 3, 4, 6)), chance.choice((1, 2, 3, 4, 6))
        first, second = chance.choice(layouts), chance.choice(layouts)
        what = f"case {case}: step {at}, {before} processes by {first}, then {after} by {second}, {state.name}"
        killed = run(before, state, result, steps, first, at)
        if killed.returncode == 0 or result.exists():
            sys.exit(f"{what}: was not killed\n{killed.stdout}{killed.stderr}")
        done = run(after, state, result, steps, second)
        if done.returncode != 0 or f"begins at {at}\n" not in done.stdout:
            sys.exit(f"{what}: code {done.returncode}\n{done.stdout}{done.stderr}")
        if result.read_bytes() != whole:
            sys.exit(f"{what}: another result")
        print(what, flush=True)
print(f"{options.cases} restarts, all with the result of a job that was not ended")
