# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""examples/kmeans in threads and on devices: it ends because no point moves any more, with the same clusters as the sequential
answer, on 1, 2 and 4 processes of 3 threads, and under targets; all nests and patterns are worth several threads. On one thread
examples.kmeans shows it, and on a device of OpenCL devices.examples.

Usage: patterns_programs.py <hpcc> <folder of the examples>"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc, examples = sys.argv[1], pathlib.Path(sys.argv[2])
problems = []
with tempfile.TemporaryDirectory() as folder:
    program = f"{folder}/kmeans"
    subprocess.run([hpcc, "-fopenmp", "--device", "-ffp-contract=off", "-DHPSPMD_LEAST_WORK(threads)=0", "--backend-O=1",
                    str(examples / "kmeans" / "kmeans.hpcpp"), "-o", program], check=True)
    expected = (examples / "kmeans" / "expected.txt").read_text()
    rounds = int(re.search(r"(\d+) rounds", expected)[1])
    if rounds >= 100:  # where the program gives up
        problems.append(f"it does not converge: {rounds} rounds")
    cases = [(1, 3, "threads"), (2, 3, "threads"), (4, 3, "threads"), (2, 3, "sequential"), (1, 3, "gpu"), (2, 3, "check"), (1, 3, "devices")]
    for processes, threads, target in cases:
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive", "HPSPMD_TARGET": target,
                       "OCL_ICD_VENDORS": folder, "HPSPMD_LOG": "1"}
        if "devices" in target:
            environment["HPSPMD_DEVICES"] = "check,check"
        job = subprocess.run([hpcc, "run", "-n", str(processes), program], capture_output=True, text=True, env=environment,
                             timeout=120)
        isWhereItShould = target not in ("check", "devices") or re.search(r" on check: \d+ launches", job.stderr)
        if job.returncode != 0 or job.stdout != expected or not isWhereItShould:
            problems.append(f"{processes} processes of {threads} threads, target {target}: {job.returncode}\n"
                            f"{job.stdout}{job.stderr}")
if problems:
    sys.exit("\n".join(problems))
