# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""examples/kmeans in threads: the same clusters as the sequential answer on 1, 2 and 4 processes of 3 threads, under targets
too; all nests and patterns are worth several threads. On one thread examples.kmeans shows it.

Usage: patterns_programs.py <hpcc> <folder of the examples>"""
import os
import pathlib
import subprocess
import sys
import tempfile

hpcc, examples = sys.argv[1], pathlib.Path(sys.argv[2])
problems = []
with tempfile.TemporaryDirectory() as folder:
    program = f"{folder}/kmeans"
    subprocess.run([hpcc, "-fopenmp", "-DHPSPMD_LEAST_WORK(threads)=0", "--backend-O=1",
                    str(examples / "kmeans" / "kmeans.hpcpp"), "-o", program], check=True)
    expected = (examples / "kmeans" / "expected.txt").read_text()
    cases = [(1, 3, None), (2, 3, None), (4, 3, None), (2, 3, "sequential"), (1, 3, "gpu")]
    for processes, threads, target in cases:
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"}
        if target:
            environment["HPSPMD_TARGET"] = target
        job = subprocess.run([hpcc, "run", "-n", str(processes), program], capture_output=True, text=True, env=environment,
                             timeout=120)
        if job.returncode != 0 or job.stdout != expected:
            problems.append(f"{processes} processes of {threads} threads, target {target}: {job.returncode}\n"
                            f"{job.stdout}{job.stderr}")
if problems:
    sys.exit("\n".join(problems))
