#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --device costs a program that runs on the host: at most 1 % of the instructions of a sweep, as valgrind counts them.

at_home.py HPCC PROGRAM, which takes an extent and a number of sweeps"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

hpcc, source = sys.argv[1:]
if not shutil.which("valgrind"):
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:

    def sweep(*options):
        """The instructions of one."""
        program = pathlib.Path(folder, "program")
        subprocess.run([hpcc, "-O3", "-march=x86-64-v3", *options, source, "-o", program], check=True, capture_output=True, timeout=300)

        def instructions(sweeps):
            job = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "512", str(sweeps)], check=True,
                                 capture_output=True, text=True, timeout=300, env={"HPSPMD_TRANSPORT": "node", "PATH": "/usr/bin:/bin"})
            return int(re.search(r"Collected : (\d+)", job.stderr)[1])

        counts = [min(instructions(sweeps) for run in range(3)) for sweeps in (10, 30)]  # the library looks at the clock, now and then
        return (counts[1] - counts[0]) / 20

    without, having = sweep(), sweep("--device")
    print(f"{without:.0f} instructions a sweep, {having:.0f} with --device")
    # Fewer than one for two elements are a program that did not run.
    if not 512 * 512 / 2 < without or having > 1.01 * without:
        sys.exit(1)
