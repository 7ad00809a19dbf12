#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of which each call of the driver fails in turn, once or for good: the right answer, by the host, or the documented
error; never another answer, and never a hang. Each fourth run is joined by MPI, all others by shared memory, which starts in a tenth
of the time.

each_fault.py HPCC FOLDER_OF_CUDA check|opencl|cuda|devices[:SHARE][@NAMES] PROGRAM[:PROCESSES[:EVERY]].. : of the calls only each EVERYth is tried.
`devices` are those of NAMES, as check,check, or all GPUs of CUDA that fake_cuda.cpp pretends. How often a device that has been given rows is asked
whether it is done depends on time, so under a schedule a call is another one in each run.
Exit code 77: there is no device of OpenCL."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import drivers

hpcc, cuda = sys.argv[1:3]
target, _, names = sys.argv[3].partition("@")
isCuda = target == "cuda" or (target.startswith("devices") and not names)
TOGETHER = 12  # faults
problems = []


def run(program, processes, **environment):
    base = {**(drivers.pretendedCuda(cuda) if isCuda else {}), **({"HPSPMD_DEVICES": names} if names else {})}
    try:
        return subprocess.run([hpcc, "run", "--quiet", "-n", str(processes), program], capture_output=True, text=True, timeout=120,
                              env={**os.environ, **base, "HPSPMD_LOG": "1", **environment})
    except subprocess.TimeoutExpired:
        problems.append(f"{program}, {environment}: does not end")
        return None


def outcome(program, processes, fault, answer):
    """`over` if there is no such call."""
    transport = "mpi" if sum(map(int, re.findall("[0-9]", fault))) % 4 == 0 else "node"
    job = run(program, processes, HPSPMD_TARGET=target, HPSPMD_FAULT=f"device:{fault}", HPSPMD_TRANSPORT=transport)
    if job is None:
        return "hang"
    isError = job.returncode == 87 and re.search(r"\.hpcpp:\d+: .*(DeviceError|TargetUnavailable): ", job.stderr)
    if not isError and (job.returncode != 0 or job.stdout != answer):
        problems.append(f"{program}, call {fault}: exit code {job.returncode}\n{job.stdout}{job.stderr[-2000:]}")
    if not re.search(r"call \d+ of a driver, \w+, fails", job.stderr):
        return "over"
    return "error" if isError else "answer"


def tryAll(source, processes, every):
    program = str(pathlib.Path(folder, source.stem))
    if not os.path.exists(program):
        subprocess.run([hpcc, "-O3", "--device", "--backend-O", "0", "-ffp-contract=off", str(source), "-o", program], check=True, timeout=300)
    answer = run(program, processes, HPSPMD_TARGET="sequential").stdout
    os.environ.update(drivers.environmentOf(source))
    run(program, processes, HPSPMD_TARGET=target)  # fills the cache of kernels
    counts = {"error": 0, "answer": 0, "over": 0, "hang": 0}
    first = 1
    with concurrent.futures.ThreadPoolExecutor(2) as jobs:
        while counts["over"] == 0 and not problems:
            calls = range(first, first + TOGETHER * every, every)
            faults = [f"{call}" for call in calls] + [f"{call}+" for call in calls[3::8]]
            for kind in jobs.map(lambda fault: outcome(program, processes, fault, answer), faults):
                counts[kind] += 1
            first += TOGETHER * every
    print(source.stem, processes, counts)
    if counts["answer"] < 5 or counts["error"] == 0:
        problems.append(f"{source.stem} on {processes} processes: {counts} of the calls to {target}")


with tempfile.TemporaryDirectory() as folder:
    drivers.keepCaches(folder)
    if target == "opencl" and not drivers.isThere(hpcc):
        print("there is no device of OpenCL")
        sys.exit(77)
    for word in sys.argv[4:]:
        name, processes, every = (word.split(":") + ["1", "1"])[:3] if word.count(":") < 2 else word.split(":")
        tryAll(pathlib.Path(__file__).parent / "programs" / f"{name}.hpcpp", int(processes), int(every))
if problems:
    sys.exit("\n".join(problems))
