#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels check subscripts that are checked in each iteration on the host: the program ends with the same message, exit code 82,
and has the same answer where nothing is wrong. Of a number of more than 32 bits the message tells the nearest one.

beyond.py HPCC PROGRAM FOLDER_OF_CUDA CASES [WAITS]
PROGRAM takes the number of the subscript that is wrong, up to CASES, or 0. With 0 the host waits for the pretended GPU WAITS times at most
in each of two processes, though the program has 200 nests with such subscripts."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import drivers

hpcc, source, cuda, cases = sys.argv[1:5]
mostWaits = int(sys.argv[5]) if len(sys.argv) > 5 else None
TARGETS = {
    "check": {"HPSPMD_TARGET": "check!"},
    "cuda": {"HPSPMD_TARGET": "cuda!", **drivers.pretendedCuda(cuda)},
    "shared": {"HPSPMD_TARGET": "devices:50", "HPSPMD_DEVICES": "check,check"},
}


def run(program, wrong, environment):
    """Exit code, output, and the errors without the number of the process."""
    job = subprocess.run([hpcc, "run", "--quiet", "-n", "2", program, str(wrong)], capture_output=True, text=True, timeout=120,
                         env={**os.environ, "HPSPMD_TRANSPORT": "node", **environment})
    errors = {re.sub(r" rank \d+:", "", line) for line in job.stderr.splitlines() if "OutOfBounds" in line}
    return job.returncode, job.stdout, errors


def isSame(expected, found):
    code, output, errors = expected
    # Both processes fail, and perhaps only one of them comes to tell.
    return found[:2] == (code, output) and (not errors or errors & found[2]) and found[2] <= errors


with tempfile.TemporaryDirectory() as folder:
    drivers.keepCaches(folder)
    program = str(pathlib.Path(folder, "beyond"))
    subprocess.run([hpcc, "-O3", "--device", "--backend-O", "0", source, "-o", program], check=True, timeout=300)
    if drivers.isThere(hpcc):
        TARGETS["opencl"] = {"HPSPMD_TARGET": "opencl!"}
    for wrong in range(int(cases) + 1):
        expected = run(program, wrong, {"HPSPMD_TARGET": "sequential"})
        if (expected[0] == 82) != (wrong > 0) or bool(expected[2]) != (wrong > 0):
            sys.exit(f"{wrong}: on the host {expected}")
        far = {re.sub(r"is -?\d{11,},", "is 2147483647,", error) for error in expected[2]}
        for target, environment in TARGETS.items():
            found = run(program, wrong, environment)
            if not isSame((*expected[:2], expected[2] | far), found):
                sys.exit(f"{wrong}: on the host {expected}, but on {target} {found}")
    if mostWaits is not None:
        job = subprocess.run([hpcc, "run", "--quiet", "-n", "2", program, "0"], capture_output=True, text=True, timeout=120,
                             env={**os.environ, "HPSPMD_TRANSPORT": "node", "HPSPMD_LOG": "1", "FAKE_COUNTS": "1", **TARGETS["cuda"]})
        launches = sum(map(int, re.findall(r"(\d+) launches of later_", job.stderr)))
        waits = [int(number) for number in re.findall(r"fake_cuda: (\d+) waits", job.stderr)]
        if launches != 400 or len(waits) != 2 or max(waits) > mostWaits:
            sys.exit(f"{launches} launches in two processes, which have waited {waits} times")
