# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs whose loops are marked, on processes, beside the same text by a C++ compiler, which ignores the attributes.

Usage: measure.py <hpcc> <C++ compiler> [runs]

Prints the best times in seconds; ends with 1 if an answer is wrong."""
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc, compiler = sys.argv[1:3]
runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
source = pathlib.Path(__file__).with_name("marked.hpcpp")
exact = ["-O3", "-march=native", "-ffp-contract=off"]

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([compiler, "-std=c++17", *exact, "-Wno-attributes", "-x", "c++", source, "-o", f"{folder}/sequential"], check=True)
    subprocess.run([hpcc, *exact, "-Wno-HP2912", source, "-o", f"{folder}/marked"], check=True)
    forms = [[f"{folder}/sequential"]] + [[hpcc, "run", "-n", str(n), f"{folder}/marked"] for n in (1, 2)]
    print("program        sequential  processes: 1         2")
    for program in "edge", "matmul", "nest", "black_scholes", "sfe":
        best = [float("inf")] * len(forms)
        wanted = None
        for _ in range(runs):
            for k, form in enumerate(forms):
                job = subprocess.run([*form, program], capture_output=True, text=True, timeout=300, check=True)
                wanted = wanted or job.stdout
                if set(job.stdout.splitlines()) != set(wanted.splitlines()):
                    sys.exit(f"{form} {program}: {job.stdout} for {wanted}")
                best[k] = min(best[k], max(float(each) for each in re.findall(r"took (\S+) s", job.stderr)))
        print(f"{program:15s}" + "".join(f"{each:11.4f}" for each in best), flush=True)
