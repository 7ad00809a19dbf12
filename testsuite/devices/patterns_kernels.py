#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of patterns as files: made in the first run, read from the cache in the second one; with HPSPMD_KERNELS=keep their texts are there, at most nine of
a function that captures an integer. Without a device the host gives the same answer, or the program ends if the target is strict.

patterns_kernels.py HPCC PROGRAM     Exit code 77: there is no device of OpenCL."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import drivers

hpcc, source = sys.argv[1], pathlib.Path(sys.argv[2])


def run(command, **environment):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, **environment})


def require(condition, text):
    if not condition:
        sys.exit(text)


if not drivers.isThere(hpcc):
    print("there is no device of OpenCL")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    drivers.keepCaches(folder)
    program = f"{folder}/{source.stem}"
    build = run([hpcc, "-O3", "--device", "--backend-O", "1", "-ffp-contract=off", str(source), "-o", program])
    require(build.returncode == 0, build.stderr[-5000:])
    host = run([hpcc, "run", "-n", "1", program])
    made = []
    for _ in range(2):
        job = run([hpcc, "run", "-n", "1", program], HPSPMD_TARGET="opencl", HPSPMD_LOG="1", HPSPMD_KERNELS="keep")
        require(job.returncode == 0 and job.stdout == host.stdout, f"another answer:\n{job.stdout}{job.stderr}")
        made.append([int(number) for number in re.search(r"(\d+) kernels from the cache, (\d+) made", job.stderr).groups()])
    require(made[0][0] == 0 and made[0][1] > 0 and made[1] == [made[0][1], 0], f"from the cache, made: {made}")
    texts = [path.read_text() for path in pathlib.Path(os.environ["XDG_CACHE_HOME"]).glob("hpcpp/kernels/*.txt")]
    require(len(texts) == made[0][1], f"{len(texts)} texts of {made[0][1]} kernels")
    powers = [text for text in texts if "double product" in text]
    constants = [text for text in powers if re.search(r"\(int\)\d+\)", text)]
    require(len(powers) == 9 and len(constants) == 8, f"{len(constants)} of {len(powers)} kernels have constants")
    strided = r"i \+ \(s\) \* \(Index\)HPSPMD_GROUPS\(d\) \* HPSPMD_SIZE\(d\)"
    require(all(re.search(strided, text) and "COLUMNS(i, i_run, 1)" in text for text in powers), "no loop with the stride of the grid")
    require(any(re.search(r"RECORD\(\w+_Prices, double call; double put;", text) for text in texts), "no struct")
    nowhere = {"OCL_ICD_VENDORS": f"{folder}/nowhere", "OCL_ICD_FILENAMES": "", "HPSPMD_LOG": "1"}
    job = run([hpcc, "run", "-n", "1", program], HPSPMD_TARGET="opencl", **nowhere)
    require(job.returncode == 0 and job.stdout == host.stdout, f"without a device:\n{job.stdout}{job.stderr}")
    require(re.search(rf"{source.name}:\d+ in powers: .*opencl", job.stderr), f"the log does not say why the host runs it:\n{job.stderr}")
    job = run([hpcc, "run", "-n", "1", program], HPSPMD_TARGET="opencl!", **nowhere)
    require(job.returncode == 87, f"exit code {job.returncode} instead of 87:\n{job.stderr}")
