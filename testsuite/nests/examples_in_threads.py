# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Examples with every nest divided that may be: several processes of several threads print the expected answer.

Usage: examples_in_threads.py <hpcc> <folder of examples> <name>..."""
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

hpcc, examples, names = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
options = ["-O3", "--backend-O=1", "-fopenmp", "-DHPSPMD_LEAST_WORK(threads)=0"]


def check(name, folder):
    example, program = examples / name, f"{folder}/{name}"
    emitted = subprocess.run([hpcc, *options, "--emit=cpp", example / f"{name}.hpcpp"], capture_output=True, text=True)
    if "inThreads" not in emitted.stdout:
        sys.exit(f"{name}: no nest is divided\n{emitted.stderr}")
    subprocess.run([hpcc, *options, example / f"{name}.hpcpp", "-o", program], check=True)
    arguments = shlex.split((example / "args").read_text()) if (example / "args").exists() else []
    for processes, threads in [(1, 3), (2, 2), (4, 3)]:
        alone = example / "expected.txt"
        expected = (alone if alone.exists() else example / f"expected.{processes}.txt").read_text()
        done = subprocess.run([hpcc, "run", "-n", str(processes), program, *arguments], capture_output=True, text=True,
                              cwd=example, timeout=120,
                              env={**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"})
        if done.returncode != 0 or done.stdout != expected:
            sys.exit(f"{name}, {processes} processes of {threads} threads: exit code {done.returncode}\n"
                     f"{done.stdout}{done.stderr}")


with tempfile.TemporaryDirectory() as scratch:
    for each in names:
        check(each, scratch)
print(f"{len(names)} examples")
