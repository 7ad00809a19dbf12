#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Examples on the device of OpenCL: each prints what is expected, launches kernels, and each kernel that it has runs.

examples.py HPCC FOLDER NAME..       Exit code 77: there is no device of OpenCL."""
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import drivers

hpcc, examples = (pathlib.Path(each).resolve() for each in sys.argv[1:3])


def problemOf(name, here):
    """None if there is none."""
    folder, program = examples / name, str(here / name)
    build = subprocess.run([hpcc, "-O3", "--device", "--backend-O", "0", "-ffp-contract=off", str(folder / f"{name}.hpcpp"), "-o", program],
                           capture_output=True, text=True, timeout=600)
    if build.returncode != 0:
        return f"{name} does not compile:\n{build.stderr[-3000:]}"
    expected = folder / "expected.txt"
    if not expected.exists():
        expected = folder / "expected.1.txt"
    arguments = folder / "args"
    words = shlex.split(arguments.read_text().replace("OUTPUT", program + ".out")) if arguments.exists() else []
    job = subprocess.run([hpcc, "run", "-n", "1", program, *words], cwd=folder, capture_output=True, text=True, timeout=600,
                         env={**os.environ, "HPSPMD_TARGET": "opencl", "HPSPMD_LOG": "1"})
    if job.returncode != 0 or job.stdout != expected.read_text():
        return f"{name}: exit code {job.returncode}, printed\n{job.stdout[-3000:]}{job.stderr[-3000:]}"
    if not re.search(r" on opencl:\d+\.\d+: \d+ launch", job.stderr) or "its kernel" in job.stderr:
        return f"{name} does not run on the device:\n{job.stderr[-3000:]}"
    return None


with tempfile.TemporaryDirectory() as temporary:
    if not drivers.isThere(hpcc):
        print("there is no device of OpenCL")
        sys.exit(77)
    drivers.keepCaches(temporary)
    with concurrent.futures.ThreadPoolExecutor(2) as jobs:
        problems = [each for each in jobs.map(lambda name: problemOf(name, pathlib.Path(temporary)), sys.argv[3:]) if each]
if problems:
    sys.exit("\n".join(problems))
