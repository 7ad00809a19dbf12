#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nests that several devices and the host share, or that run in pieces: the output must be that of the host, and ten sweeps more
of the function `relax` copy two rows for each cut and sweep, one in each direction, by the host where devices do not reach each other.

One call of several processes is joined by MPI, all others by shared memory, which starts in a tenth of the time.

shared.py HPCC PROGRAM FOLDER_OF_CUDA check|opencl|cuda. Exit code 77: there is no device of OpenCL."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import drivers

hpcc, source, cuda, kind = sys.argv[1:]
ROW = 104 * 8  # bytes, of which 100 elements
LONG = ["many", "sweeps"]
LONGER = ["very", "many", "sweeps"]
problems = []


def run(processes, *arguments, **environment):
    job = subprocess.run([hpcc, "run", "--quiet", "-n", str(processes), program, *arguments], capture_output=True, text=True, timeout=300,
                         env={**os.environ, **(drivers.pretendedCuda(cuda) if kind == "cuda" else {}), "HPSPMD_LOG": "1",
                              "HPSPMD_TRANSPORT": "node", **environment})
    if job.returncode != 0:
        sys.exit(f"{environment} on {processes} processes: exit code {job.returncode}\n{job.stderr[-3000:]}")
    return job


def rowBytes(log):
    """To devices and home, of the arrays of `relax`."""
    found = re.search(r"process 0: arrays of shared.hpcpp:17: .*in rows to devices (\d+) bytes, home (\d+) bytes", log)
    return [int(number) for number in found.groups()] if found else [0, 0]


def expectTheSame(name, *patterns, processes=(1, 2, 4), arguments=(), **environment):
    for n in processes:
        job = run(n, *arguments, **environment)
        missing = [pattern for pattern in patterns if not re.search(pattern, job.stderr, re.M)]
        if job.stdout != answers[(n, *arguments)] or "its kernel" in job.stderr or (n == 1 and missing):
            problems.append(f"{name} on {n} processes:\n{job.stdout}on the host:\n{answers[(n, *arguments)]}missing {missing} in\n{job.stderr}")


def expectRows(name, toDevices, home, **environment):
    short, long = (rowBytes(run(1, *arguments, **environment).stderr) for arguments in ([], ["more"]))
    rows = [(b - a) / ROW for a, b in zip(short, long)]
    if rows != [10 * toDevices, 10 * home]:
        problems.append(f"{name}: ten sweeps copy {rows} rows to devices and home, not {10 * toDevices} and {10 * home}")


def expectKept(folder, shares, **environment):
    """What another run has measured is there from the first execution on, so that no part is timed; and is not, if its file is damaged."""
    kept = r"shared.hpcpp:18 in relax: 100 rows: .*, as in an earlier run$"
    expectTheSame("kept shares", kept, processes=(1,), arguments=LONG, **environment)
    entries = [entry for entry in pathlib.Path(folder, "xdg_cache_home", "hpcpp", "kernels").iterdir() if b"\nshares\n" in entry.read_bytes()]
    if not entries:
        problems.append("no shares are kept")
    for entry in entries:
        entry.write_bytes(entry.read_bytes()[:-9] + b"0.9 0.9 0")
    job = run(1, *LONG, **environment)
    if job.stdout != answers[(1, *LONG)] or re.search(kept, job.stderr, re.M) or not re.search(rf"{shares}", job.stderr, re.M):
        problems.append(f"shares in a damaged file:\n{job.stderr}")


with tempfile.TemporaryDirectory() as folder:
    drivers.keepCaches(folder)
    if kind == "opencl" and not drivers.isThere(hpcc):
        print("there is no device of OpenCL")
        sys.exit(77)
    program = str(pathlib.Path(folder) / "shared")
    subprocess.run([hpcc, "-O3", "--device", "--backend-O", "1", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off",
                    *(["-fopenmp"] if kind == "check" else []), source, "-o", program], check=True, timeout=300)
    answers = {(n, *arguments): run(n, *arguments, HPSPMD_TARGET="sequential").stdout for n in (1, 2, 4) for arguments in ([], LONG, LONGER)}
    two = "cuda:0,cuda:1" if kind == "cuda" else f"{kind},{kind}"
    second = {"check": "check:1", "opencl": r"opencl:\d+\.\d+ 2", "cuda": "cuda:1"}[kind]
    launched = rf"shared.hpcpp:21 on {second}: 10 launches"
    expectTheSame("two devices", launched, HPSPMD_TARGET="devices", HPSPMD_DEVICES=two, HPSPMD_TRANSPORT="mpi")
    expectRows("two devices", 2, 2 if kind == "opencl" else 0, HPSPMD_TARGET="devices", HPSPMD_DEVICES=two)  # by the host, or directly
    expectRows("a device and the host", 1, 1, HPSPMD_TARGET="devices:60", HPSPMD_DEVICES=kind)
    expectTheSame("a device and the host", HPSPMD_TARGET="devices:60", HPSPMD_DEVICES=kind)
    shares = rf"shared.hpcpp:21 in relax: 100 rows: \d+ % on ({kind}|the host)"
    expectTheSame("measured shares", launched.replace("10", r"\d+"), shares, HPSPMD_TARGET="devices:measured", HPSPMD_DEVICES=two, arguments=LONG,
                  processes=(1, 2))
    expectKept(folder, shares, HPSPMD_TARGET="devices:measured", HPSPMD_DEVICES=two)
    expectTheSame("measured shares of a device and the host", shares, HPSPMD_TARGET="devices:measured", HPSPMD_DEVICES=kind, arguments=LONG, processes=(1,))
    for way in "grow", "shrink":
        expectTheSame(f"sets of devices, {way}", rf"{shares}.*, the fastest of \d sets$", HPSPMD_TARGET=f"devices:{way}", HPSPMD_DEVICES=two,
                      arguments=LONGER, processes=(1,))
    for schedule in "dynamic:16", "dynamic:3", "guided":
        expectTheSame(schedule, r"shared.hpcpp:21 in relax: 98 rows in \d+ chunks$", HPSPMD_TARGET=f"devices:{schedule}", HPSPMD_DEVICES=two)
    expectTheSame("a device and the host, dynamic", HPSPMD_TARGET="devices:dynamic:8", HPSPMD_DEVICES=kind, processes=(1,))
    expectTheSame("fixed", launched, HPSPMD_TARGET="devices:fixed", HPSPMD_DEVICES=two, processes=(1,))
    expectTheSame("pieces", r"shared.hpcpp:21 .*: its arrays need .* MB there \(b 0\.1, a 0\.1\), and HPSPMD_DEVICE_MEMORY leaves 0\.0: runs in \d+ pieces$",
                  HPSPMD_TARGET=kind, HPSPMD_DEVICE_MEMORY="40K", processes=(1, 2))
    expectTheSame("little room on two devices", HPSPMD_TARGET="devices", HPSPMD_DEVICES=two, HPSPMD_DEVICE_MEMORY="150K", processes=(1,))
    if kind == "check":
        for share in 10, 90:
            expectTheSame("two devices and the host", HPSPMD_TARGET=f"devices:{share}!", HPSPMD_DEVICES=two, HPSPMD_CHECK_ORDER="backwards")
        expectTheSame("three devices", HPSPMD_TARGET="devices", HPSPMD_DEVICES="check,check,check", HPSPMD_CHECK_ORDER="shuffled:3")
        expectTheSame("the host", HPSPMD_TARGET="devices:0", HPSPMD_DEVICES="check", processes=(1,))
    if kind == "cuda":
        expectTheSame("all that are there", launched, HPSPMD_TARGET="devices", processes=(1,))
if problems:
    sys.exit("\n".join(problems))
