# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README's program runs, with one answer on 1 and 4 processes, its translation in docs/translation.md is what hpcc prints, and so is the message
about the one with a mistake. The sequential one prints the same by the C++ compiler and by hpcc.

    readme.py <build folder>"""
import pathlib
import re
import subprocess
import sys
import tempfile

from project import finish, text

hpcc = pathlib.Path(sys.argv[1]).resolve() / "bin" / "hpcc"
if not hpcc.exists():
    sys.exit(77)
readme = text("README.md")
program = re.search(r"^```cpp\n(.*?)^```", readme, re.M | re.S).group(1)
shown = re.search(r"^```c\+\+\n(.*?)^```", text("docs/translation.md"), re.M | re.S).group(1)
scratch = tempfile.TemporaryDirectory()
folder = pathlib.Path(scratch.name)
(folder / "program.hpcpp").write_text(program)
problems = []


def run(*command):
    done = subprocess.run([hpcc, *command], cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        problems.append(f"hpcc {' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


if shown not in run("-O0", "--emit=lowered", "program.hpcpp"):
    problems.append("the translation of README's program in docs/translation.md is not what hpcc -O0 --emit=lowered prints for its program")
run("program.hpcpp", "-o", "program")
sums = [re.search(r"^sum = \S+$", run("run", "-n", n, "./program"), re.M) for n in ("1", "4")]
if not all(sums):
    problems.append("README's program does not print its sum")
elif abs(float(sums[0][0][6:]) - float(sums[1][0][6:])) > 1e-3:
    problems.append(f"README's program prints {sums[0][0]} on one process, {sums[1][0]} on four")

# The program with a mistake, and all that hpcc says of it but the last lines, which count.
wrong, message = re.search(r"<!-- wrong -->\n```cpp\n(.*?)^```\n```\n(.*?)^```", readme, re.M | re.S).groups()
(folder / "wrong.hpcpp").write_text(wrong)
said = subprocess.run([hpcc, "-fsyntax-only", "wrong.hpcpp"], cwd=folder, capture_output=True, text=True, timeout=300)
if said.returncode != 1 or not said.stderr.startswith(message):
    problems.append(f"README shows another message than hpcc's:\n{said.stderr}")
# The sequential program prints the same, whoever has translated it.
sequential = re.search(r"<!-- sequential -->\n```cpp\n(.*?)^```", readme, re.M | re.S).group(1)
(folder / "sequential.hpcpp").write_text(sequential)
subprocess.run(["c++", "-x", "c++", "-O1", "-ffp-contract=off", "sequential.hpcpp", "-o", "sequential"], cwd=folder, check=True,
               capture_output=True)
answers = {subprocess.run([folder / "sequential"], capture_output=True, text=True).stdout}
run("sequential.hpcpp", "-ffp-contract=off", "-o", "divided")
answers |= {run("run", "-n", n, "./divided") for n in ("1", "4")}
if len(answers) != 1:
    problems.append(f"README's sequential program prints {sorted(answers)}")
finish(problems, 4)
