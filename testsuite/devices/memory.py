#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nests whose arrays have no room on a device all at once, by HPSPMD_DEVICE_MEMORY: arrays go home for others, a nest that is too
large runs in pieces, or on the host if a row has no room, and says which arrays it wants; the answer stays the same.

memory.py HPCC PROGRAM FOLDER_OF_CUDA"""
import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import drivers

hpcc, source, cuda = sys.argv[1:]
problems = []
IN_OPEN, IN_CLOSE_NOWRITE = 0x20, 0x10


def run(target, memory, processes=1):
    job = subprocess.run([hpcc, "run", "--quiet", "-n", str(processes), program], capture_output=True, text=True, timeout=300,
                         env={**os.environ, "HPSPMD_TARGET": target, "HPSPMD_DEVICE_MEMORY": memory, "HPSPMD_LOG": "1",
                              **(drivers.pretendedCuda(cuda) if target.startswith("cuda") else {})})
    return job.returncode, job.stdout, job.stderr


class Opened:
    """Counts how often a file is read."""

    def __init__(self, file):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.events = self.libc.inotify_init1(os.O_NONBLOCK)
        if self.libc.inotify_add_watch(self.events, str(file).encode(), IN_OPEN | IN_CLOSE_NOWRITE) < 0:
            raise OSError(ctypes.get_errno(), "inotify")

    def count(self):
        try:
            return len(os.read(self.events, 1 << 20)) // 32  # two events, which would be one if they were alike
        except BlockingIOError:
            return 0


def allocations(rounds, **more):
    """How often the driver is asked for memory; the program must have run."""
    job = subprocess.run([program, str(rounds)], capture_output=True, text=True, timeout=300,
                         env={**os.environ, "HPSPMD_TARGET": "cuda!", "FAKE_COUNTS": "1", **drivers.pretendedCuda(cuda), **more})
    found = re.search(r"waits, (\d+) allocations", job.stderr)
    if job.returncode != 0 or not found:
        problems.append(f"{rounds} rounds: exit code {job.returncode}\n{job.stderr}")
    return int(found[1]) if found else 0


def expectMemoryAgain(folder):
    few, many = allocations(5), allocations(50)
    if not 0 < few == many:
        problems.append(f"{few} allocations in 5 rounds, {many} in 50")
    limits = pathlib.Path(folder, "cgroups")
    limits.mkdir()
    for name, text in ("self", "0::/"), ("memory.max", 16 << 30), ("memory.current", 1 << 20), ("memory.stat", "inactive_file 0"):
        limits.joinpath(name).write_text(f"{text}\n")
    opened = Opened(limits / "memory.current")
    allocations(50, HPSPMD_CGROUPS=str(limits))
    if not 0 < (reads := opened.count()) <= 2:
        problems.append(f"what is in use is read {reads} times for 100 arrays")


def expect(what, outcome, *patterns, code=0):
    missing = [pattern for pattern in patterns if not re.search(pattern, outcome[2], re.MULTILINE)]
    if outcome[0] != code or missing or (code == 0 and outcome[1] != answer):
        problems.append(f"{what}: exit code {outcome[0]}, {outcome[1]} instead of {answer}; missing {missing}:\n{outcome[2]}")


with tempfile.TemporaryDirectory() as folder:
    drivers.keepCaches(folder)
    program = str(pathlib.Path(folder) / "memory")
    subprocess.run([hpcc, "-O3", "--device", "--backend-O", "1", source, "-o", program], check=True, timeout=300)
    code, answer, _ = run("sequential", "")
    tooLarge = r"memory.hpcpp:20 in four: .*its arrays need 18\.0 MB there \(a 6\.0, b 6\.0, c 6\.0\), and HPSPMD_DEVICE_MEMORY leaves 16\.0: runs in 2 pieces$"
    for target in "check", "cuda":
        device = rf"on {target}\S*: "
        expect(f"{target}: room for all", run(target, ""), rf"memory.hpcpp:9 {device}12 launches", rf"memory.hpcpp:20 {device}1 launches")
        expect(f"{target}: room for two", run(target, "16M"), rf"memory.hpcpp:9 {device}12 launches", rf"memory.hpcpp:20 {device}2 launches", tooLarge,
               r"home \d+ x, \d+ bytes, last because of memory.hpcpp:")
        if target == "cuda":  # the rest is the same
            continue
        expect(f"{target}: room for none", run(target, "8192K"), r"memory.hpcpp:9 in step: .*its arrays need 12\.0 MB there \(to 6\.0, from 6\.0\), "
               r"and HPSPMD_DEVICE_MEMORY leaves 8\.0: runs in 2 pieces", rf"memory.hpcpp:20 {device}3 launches", rf"memory.hpcpp:9 {device}24 launches")
        expect(f"{target}: strict", run(target + "!", "0"), r"memory.hpcpp:9: .*TargetUnavailable: .*\(to 6\.0, from 6\.0\)", code=87)
    for wrong in "64MB", "much", "-1", "1e300":
        expect(wrong, run("check", wrong), f"TargetUnavailable: HPSPMD_DEVICE_MEMORY is '{wrong}': a size is meant, such as 64M or 2G", code=87)
    expectMemoryAgain(folder)
    answer = run("sequential", "", 2)[1]
    expect("two processes", run("check", "16M", 2), tooLarge)
if problems:
    sys.exit("\n".join(problems))
