#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program with `on` a device which the environment does not name, on the check device, a GPU that fake_cuda.cpp pretends, and
without a GPU: the same answer, and only the nests of `on` on the device.

on_gpu.py HPCC PROGRAM FOLDER_OF_FAKE_LIBRARY"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import drivers

hpcc, source, fake = sys.argv[1:]
lines = pathlib.Path(source).read_text().splitlines()


def lineOf(text):
    return next(number for number, line in enumerate(lines, 1) if text in line)


# The outermost loop of each nest, and how often it runs there, as one launch.
expected = {lineOf("for 1 : n - 2"): 12, lineOf("inner[i, j] =") - 1: 3}


def run(program, processes, *arguments, **environment):
    return subprocess.run([hpcc, "run", "-n", str(processes), program, *arguments], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "HPSPMD_OVERLAP": "never", **environment, "HPSPMD_LOG": "1"})


def launches(job, device):
    """How often nests ran there, by line, of the first process."""
    found = re.findall(rf"0: on_gpu.hpcpp:(\d+) on {device}: (\d+) launches of on_gpu_", job.stderr)
    return {int(line): int(count) for line, count in found}


with tempfile.TemporaryDirectory() as folder:
    drivers.keepCaches(folder)
    program = str(pathlib.Path(folder, "on_gpu"))
    subprocess.run([hpcc, "-O3", "--device", "--backend-O", "0", "-ffp-contract=off", source, "-o", program], check=True, timeout=300)
    for processes in 1, 2:
        host = run(program, processes, OCL_ICD_VENDORS=folder)
        jobs = {"check": run(program, processes, "check"), "cuda:0": run(program, processes, **drivers.pretendedCuda(fake))}
        if host.returncode != 0 or not host.stdout or launches(host, ".*"):
            sys.exit(f"{processes} processes on the host: exit code {host.returncode}\n{host.stderr[-3000:]}")
        for device, job in jobs.items():
            if job.returncode != 0 or job.stdout != host.stdout or launches(job, device) != expected:
                sys.exit(f"{processes} processes on {device}: exit code {job.returncode}, {launches(job, device)}, not {expected}\n"
                         f"{job.stdout}\n{host.stdout}\n{job.stderr[-3000:]}")
