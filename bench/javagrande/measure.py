# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Section 2 of JavaGrande: sequential programs, the same with attributes on processes, and threads by hand.

Usage: measure.py <hpcc> <C++ compiler> test|A|B|C [runs [program ..]]

`test` compares the answers of all forms, each on several processes or threads, and what they cost with docs/models.md; a class of sizes measures, and prints the best
times of the kernels in seconds, and below them those of a processor per thread or process. Both end with 1 if an answer is
wrong."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc, compiler, size = sys.argv[1:4]
runs = int(sys.argv[4]) if len(sys.argv) > 4 else 1
here = pathlib.Path(__file__).parent
programs = sys.argv[5:] or sorted(path.stem for path in here.glob("*.hpcpp"))
isTest = size == "test"
exact = ["-O1" if isTest else "-O3", "-march=native", "-ffp-contract=off"]


def build(folder, program):
    """All forms. The sequential one is the file itself, for a compiler that ignores the attributes."""
    plain = ["-std=c++17", *exact, "-Wno-attributes", f"-I{here}", "-pthread", "-x", "c++"]
    subprocess.run([compiler, *plain, here / f"{program}.hpcpp", "-o", f"{folder}/{program}.sequential"], check=True)
    subprocess.run([compiler, *plain, here / f"{program}_threads.cpp", "-o", f"{folder}/{program}.threads"], check=True)
    options = ["-O0"] if isTest else ["-O3"]
    ours = [hpcc, "-ffp-contract=off", *options, here / f"{program}.hpcpp", "-o"]
    subprocess.run([*ours, f"{folder}/{program}.run"], check=True)
    subprocess.run([*ours, f"{folder}/{program}.shared", "-O3", "-fopenmp"], check=True)


def cost(program):
    """Attributes, and lines that a strategy takes."""
    text = (here / f"{program}.hpcpp").read_text()
    lines = 0
    for strategy in set(re.findall(r"dist\((\w+)\{", text)):
        definition = re.search(rf"^struct {strategy} \{{.*?^\}};", text, re.M | re.S)[0]
        lines += sum(1 for line in definition.splitlines() if line.strip())
    return text.count("[[hpspmd::"), lines


def compareCosts():
    """With the table of docs/models.md, which has those of the system that methods come from: at most as much."""
    table = (here.parent.parent / "docs/models.md").read_text()
    for program in programs:
        row = re.search(rf"^\| {program} \| (\d+) \+ (\d+) \| (\d+) \+ (\d+) \|", table, re.M)
        numbers = [int(each) for each in row.groups()]
        if cost(program) != tuple(numbers[2:]) or sum(numbers[2:]) > sum(numbers[:2]):
            sys.exit(f"{program} takes {cost(program)}; the table says {row[0]}")


def run(command, **variables):
    """The answers, one of each process; the longest time that one took, and the longest of a processor."""
    job = subprocess.run(command, capture_output=True, text=True, timeout=600, env={**os.environ, **variables})
    if job.returncode != 0:
        sys.exit(f"{command}: exit code {job.returncode}\n{job.stdout}\n{job.stderr[-2000:]}")
    times = re.findall(r"took (\S+) s, (\S+) s", job.stderr)
    return job.stdout.splitlines(), [max(float(each[k]) for each in times) for k in (0, 1)]


if isTest:
    compareCosts()
with tempfile.TemporaryDirectory() as folder:
    counts = (1, 2, 3) if isTest else (1, 2)
    if not isTest:
        print("program      sequential  threads: 1         2   processes: 1         2     threads: 1         2 of ours")
    for program in programs:
        build(folder, program)
        forms = [([f"{folder}/{program}.sequential", size], {}, 1, 1)]
        forms += [([f"{folder}/{program}.threads", size], {"OMP_NUM_THREADS": str(n)}, 1, n) for n in counts]
        forms += [([hpcc, "run", "-n", str(n), f"{folder}/{program}.run", size], {}, n, 1) for n in counts]
        forms += [([f"{folder}/{program}.shared", size], {"OMP_NUM_THREADS": str(n)}, 1, n) for n in counts]
        best = [[float("inf")] * 2 for _ in forms]
        wanted = None
        for _ in range(runs):
            for k, (command, variables, processes, threads) in enumerate(forms):
                answers, (seconds, busy) = run(command, **variables)
                wanted = wanted or answers[0]
                if answers != [wanted] * processes:
                    sys.exit(f"{command}: {answers} for {wanted}")
                best[k] = [min(best[k][0], seconds), min(best[k][1], busy / threads)]
        if not isTest:
            print(f"{program:12s}" + "".join(f"{each[0]:11.4f}" for each in best))
            print(" " * 12 + "".join(f"{each[1]:11.4f}" for each in best), flush=True)
