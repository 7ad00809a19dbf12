#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that are copied often: on the GPU that fake_cuda.cpp pretends they are pinned at home, at the third copy, the copies before go
in pieces by several threads, and every element comes through as it was; also if a call of the driver fails, or that is said.

transfers.py HPCC PROGRAM FOLDER_OF_CUDA"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import drivers

hpcc, source, cuda = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    drivers.keepCaches(folder)
    program = str(pathlib.Path(folder) / "transfers")
    subprocess.run([hpcc, "-O3", "--device", "-fopenmp", "--backend-O", "1", source, "-o", program], check=True, timeout=300)
    for call in 0, *range(30, 150, 10):
        job = subprocess.run([program, "-", "1", "9"], capture_output=True, text=True, timeout=120,
                             env={**os.environ, **drivers.pretendedCuda(cuda), "HPSPMD_TARGET": "cuda", "HPSPMD_LOG": "1", "OMP_NUM_THREADS": "3",
                                  "HPSPMD_FAULT": f"device:{call}"})
        failed = re.findall(r"call \d+ of a driver, (\w+), fails", job.stderr)
        isRight = job.returncode == 0 and "wrong" not in job.stdout and len(job.stdout.splitlines()) == 4
        isTold = bool(failed) and job.returncode == 87 and "DeviceError" in job.stderr
        if not isRight and not isTold:
            sys.exit(f"call {call}, {failed}: exit code {job.returncode}\n{job.stdout}{job.stderr}")
        if not failed and ", pinned" not in job.stderr:
            sys.exit(f"nothing is pinned:\n{job.stderr}")
