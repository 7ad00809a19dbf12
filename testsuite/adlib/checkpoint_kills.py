# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Jobs that write checkpoints are killed at random times and started again with another number of processes; no
checkpoint is lost, and what a job begins with is a state that another one has saved.

    checkpoint_kills.py LAUNCHER PROGRAM [--seconds 8] [--kills 0] [--seed 0]

At least so many seconds and kills. LAUNCHER: mpiexec, or "build/bin/hpcc run --quiet --transport=node", with which 400
kills take six minutes."""
import argparse
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("launcher", help="and its options, in one word")
parser.add_argument("program")
parser.add_argument("--seconds", type=float, default=8)
parser.add_argument("--kills", type=int, default=0)
parser.add_argument("--seed", type=int, default=0)
options = parser.parse_args()
chance = random.Random(options.seed)


def childrenOf(process):
    """Of all its threads."""
    found = []
    for thread in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += map(int, thread.read_text().split())
        except OSError:
            pass
    return found


def workersOf(launcher):
    """The processes of the program below the launcher."""
    found, below = [], [launcher]
    while below:
        below = [child for each in below for child in childrenOf(each)]
        for each in below:
            try:
                if os.path.samefile(f"/proc/{each}/exe", options.program):
                    found.append(each)
            except OSError:
                pass
    return found


def run(folder, processes, kill):
    """Starts a job, kills one of its processes where `kill` says so, and returns its output and exit code."""
    job = subprocess.Popen([*shlex.split(options.launcher), "-n", str(processes), options.program, folder + "/state.npz", "100000000"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    workers, end = [], time.time() + 20
    while len(workers) < processes and time.time() < end:
        workers = workersOf(job.pid)
        time.sleep(0.01)
    if kill != signal.SIGKILL:
        job.stdout.readline()  # now there is a checkpoint that waits for requests
    time.sleep(chance.uniform(0.05, 0.6))
    try:
        os.kill(chance.choice(workers), kill)
    except ProcessLookupError:
        pass
    try:
        output, errors = job.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        for each in [*workersOf(job.pid), job.pid]:
            os.kill(each, signal.SIGKILL)
        sys.exit(f"signal {kill}: the job goes on")
    return output, errors, job.returncode


def main():
    kills, saved, begin = 0, 0, time.time()
    with tempfile.TemporaryDirectory() as folder:
        # A busy machine may come to no checkpoint in so little time.
        while time.time() - begin < options.seconds or kills < options.kills or (saved == 0 and time.time() - begin < 60):
            output, errors, code = run(folder, chance.choice((1, 2, 3)), signal.SIGKILL)
            kills += 1
            found = re.search(r"begins at (\d+)", output)
            begins = int(found[1]) if found else 0
            # A number may be saved, but not yet said.
            if code == 1 or "CheckpointError" in errors or "warning" in errors or (found and begins < saved):
                sys.exit(f"kill {kills}: began at {begins} after {saved} was saved, code {code}\n{errors}")
            saved = max([saved, begins, *map(int, re.findall(r"saved (\d+)", output))])
        # A request to stop: the last step is saved, whatever its number.
        output, errors, code = run(folder, 2, signal.SIGUSR1)
        if code != 143 or "written after SIGUSR1" not in errors:
            sys.exit(f"SIGUSR1: code {code}\n{errors}")
        left = [name for name in os.listdir(folder) if not name.startswith("state.npz.tmp")]
        if sorted(left) != ["state.npz", "state.npz.1"] or saved == 0:
            sys.exit(f"left: {os.listdir(folder)}, saved {saved}")
    print(f"{kills} kills, nothing lost, {saved} steps")


main()
