#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ghost cells from device to device, on devices that fake_cuda.cpp pretends: the same answer as on the host where that works, where
devices do not reach each other, where they only seem to, where processes share them (then nothing runs while ghost cells travel), and where calls of the driver fail. Each
second of these is joined by MPI, the others by shared memory, which starts in a tenth of the time.

links.py HPCC PROGRAM FOLDER_OF_FAKE_LIBRARY"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import drivers

hpcc, source, fake = sys.argv[1:]
# Processes, messages from device to device of each process, at least, what is the case, and what the log says.
CASES = [(2, 20, {}, ""), (4, 20, {"FAKE_DEVICES": "4"}, ""), (4, 0, {}, "0 and 1 go by the host: several processes use one device"),
         (2, 0, {"FAKE_DEVICES": "1"}, "0 and 1 go by the host: both use one device"),
         (2, 0, {"FAKE_ISLANDS": "1"}, "0 and 1 go by the host: cuIpcOpenMemHandle: error 2"),
         (2, 0, {"FAKE_ASTRAY": "1"}, "0 and 1 go by the host: what was put there has not come"), (2, 0, {"HPSPMD_NODE_MEMORY": "off"}, "")]
problems = []


def run(program, processes, **environment):
    return subprocess.run([hpcc, "run", "-n", str(processes), program], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})


with tempfile.TemporaryDirectory() as folder:
    drivers.keepCaches(folder)
    program = str(pathlib.Path(folder, "links"))
    subprocess.run([hpcc, "-O3", "--device", "--backend-O", "0", "-ffp-contract=off", source, "-o", program], check=True, timeout=300)
    cuda = {**drivers.pretendedCuda(fake), "HPSPMD_TARGET": "cuda!", "HPSPMD_LOG": "1"}
    expected = {processes: run(program, processes).stdout for processes in (2, 4)}
    for processes, least, case, says in CASES:
        job = run(program, processes, **cuda, **case)
        sent = [int(number) for number in re.findall(r"(\d+) messages from device to device", job.stderr)]
        isRight = len(sent) == processes and min(sent) >= least if least > 0 else not sent
        isRight = isRight and says in job.stderr
        # What waits in the queue of a device keeps other processes from it.
        isRight = isRight and ("while ghost cells travelled" in job.stderr) == ("one device" not in says)
        if job.returncode != 0 or job.stdout != expected[processes] or not isRight:
            problems.append(f"{case}, {processes} processes: exit code {job.returncode}, messages {sent}:\n{job.stdout}{job.stderr[-3000:]}")
    with concurrent.futures.ThreadPoolExecutor(2) as jobs:
        # In both processes; a call alone fails in neither way that hangs.
        faults = list(range(40, 1200, 83))
        for fault, job in zip(faults, jobs.map(lambda fault: run(program, 2, **{**cuda, "HPSPMD_TARGET": "cuda"}, HPSPMD_FAULT=f"device:{fault}",
                                                                    HPSPMD_TRANSPORT=["node", "mpi"][fault % 2]), faults)):
            isError = job.returncode == 87 and re.search("DeviceError|TargetUnavailable", job.stderr)
            if not isError and (job.returncode != 0 or job.stdout != expected[2]):
                problems.append(f"call {fault}: exit code {job.returncode}\n{job.stdout}{job.stderr[-3000:]}")
if problems:
    sys.exit("\n".join(problems))
