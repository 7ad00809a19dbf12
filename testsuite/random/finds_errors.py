# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py tells which programs an error of the translator makes different, and cuts one down to what shows the error.

    finds_errors.py <hpcc> <mpiexec>"""
import os
import pathlib
import re
import subprocess
import sys

folder = pathlib.Path(__file__).resolve().parent
environment = {**os.environ, "HPCC": str(pathlib.Path(sys.argv[1]).resolve())}
command = [sys.executable, folder / "run.py", folder / "broken_hpcc.sh", sys.argv[2], "--seed", "5",
           "--configurations", "O0,O3", "--processes", "1", "--backend-O", "0"]


def run(*options):
    return subprocess.run([*command, *options], capture_output=True, text=True, env=environment)


found = run("--programs", "6")
numbers = [int(n) for n in re.findall(r"^program (\d+) of seed 5 at O3 with 1 processes: another answer", found.stdout, re.M)]
if found.returncode != 1 or not numbers or len(numbers) == 6:
    sys.exit(f"the error shows in the programs {numbers} of 6:\n{found.stdout}{found.stderr}")
shrunk = run("--only", str(numbers[0]), "--shrink")
function = shrunk.stdout[shrunk.stdout.index(f"void program{numbers[0]}("):]
body = function[:function.index("\n}\n")].splitlines()
if shrunk.returncode != 1 or not re.search(r" s\d+ = 0;", function) or len(body) > 22:
    sys.exit(f"not shrunk to what shows the error:\n{shrunk.stdout}{shrunk.stderr}")
print("\n".join(body))
