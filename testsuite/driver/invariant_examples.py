# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No example depends on the number of processes: hpcc test agrees. But of those that add up in an order of their own (the ring
of nbody, the parts of a method in rod, the blocks of ScaLAPACK) it says that the last digits do. solve_scalapack is built only
where ScaLAPACK is found. The jobs of every fifth are joined by MPI."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

in_other_order = {"nbody": "execution: the result of sum", "rod": "execution: the nest writes 'x_part'",
                  "solve_scalapack": "execution: the result of maxval"}
hpcc, sources, programs = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
problems, events, tested = [], 0, 0
for k, source in enumerate(sorted(sources.glob("*/*.hpcpp"))):
    name, folder = source.stem, source.parent
    if folder.name != name or not (programs / name).exists() or not list(folder.glob("expected*.txt")):
        continue
    arguments = (folder / "args").read_text().split() if (folder / "args").exists() else []
    # A program that prints its grid says so by its answers.
    options = ["--ignore-output"] if list(folder.glob("expected.[0-9]*.txt")) else []
    needsMpi = (folder / "libraries.cmake").exists()
    transport = "mpi" if needsMpi or k % 5 == 0 else "node"
    with tempfile.TemporaryDirectory() as scratch:
        for file in folder.glob("*.*"):
            shutil.copy(file, scratch)
        run = subprocess.run([hpcc, "test", programs / name, "-n", "1,2,3,4,6", *options, "--", *arguments],
                             cwd=scratch, capture_output=True, text=True,
                             env={**os.environ, "HPSPMD_TRANSPORT": transport})
    if name in in_other_order and run.returncode == 1 and in_other_order[name] in run.stdout:
        # The numbers that differ first, one of which may be an error near 0, and the difference of a whole array.
        first = re.search(r"([\d.e+-]+) on 1 process, ([\d.e+-]+) on", run.stdout)
        one, other = float(first[1]), float(first[2])
        whole = re.search(r"largest relative difference ([\d.e+-]+)", run.stdout)
        if abs(one - other) > 1e-12 * max(1, abs(one)) or whole and float(whole[1]) > 1e-12:
            problems.append(f"{name}: more than the last digits\n{run.stdout}")
        continue
    agreed = re.search(r" agree \((\d+) event", run.stdout)
    if run.returncode != 0 or not agreed:
        problems.append(f"{name}: exit code {run.returncode}\n{run.stdout}{run.stderr}")
        continue
    tested += 1
    events += int(agreed[1])
print(*problems, sep="\n")
print(f"{tested} examples agree, {events} events; {len(problems)} do not")
sys.exit(1 if problems or tested < 15 else 0)
