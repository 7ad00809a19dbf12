# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Translates one program at -O0 and at -O3 and compares what it prints on several numbers of processes; nests that may be kernels run
on the check device, too, in three orders of iterations.

Usage: same_answer.py [--unoptimized] <hpcc> <file.hpcpp>. The file may say, in comments:
    // run: 1 2 4           numbers of processes (default 1 2 4 6)
    // exit: 82             exit code of the job; then the error text is compared, too
    // passes: fast-nests   passes that must have changed something
    // environment: A=b     for the programs of -O3
    // threads: 1 2 4       numbers of threads, each of which is to have a part of every nest that may be divided
    // unchecked: yes       without checks, too
    // sums: any            threads add floating-point numbers in another order
    // optimized: --option  further options of -O3, with which numbers may differ behind twelve digits
Programs of -O3 are joined by MPI on one of the numbers of processes, the first that is not 1; all others, which must give the same
answer, by shared memory of one machine, where a job starts in a tenth of the time. Two thirds of the time that a program of -O3 takes
to compile are the C++ compiler's optimizations, so one of them has those of its -O1 and computes several iterations at once (its -O2 hardly
does), and the others, and those of programs that end with an error, and with --unoptimized, have none: what they show is the translator's. The C++ compiler may not contract a * b + c, so that answers are equal to the last
bit; of programs that the pass `reductions` changes, without it. With it, sums may differ by a small part of themselves."""
import functools
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from answers import isNear

*options, hpcc, source = sys.argv[1:]
source = pathlib.Path(source)
text = source.read_text()


unoptimized = "--backend-O=0",
vectorizing = unoptimized if options or source.name.startswith("fail_") else ("--backend-O=1", "-ftree-loop-vectorize")


def words(key, default):
    return " ".join(re.findall(rf"^// {key}: ?(.*)$", text, re.M) or [default]).split()


def build(folder, *options, backend=unoptimized):
    program = f"{folder}/{source.stem}{'.'.join(options)}"
    command = [hpcc, *options, *backend, "-ffp-contract=off", "-Wall", "-Wextra", "-Werror",
               str(source), "-o", program]
    if subprocess.run(command).returncode != 0:
        sys.exit("the program does not compile: " + " ".join(command))
    return program


def hasKernels():
    kernels = subprocess.run([hpcc, "-O3", *optimized, "--device", "--emit=kernels", str(source)], capture_output=True, text=True)
    return not set(kernels.stdout.splitlines()) <= {"no kernels"}


byNode = {"HPSPMD_TRANSPORT": "node"}
onDevice = [{**byNode, "HPSPMD_TARGET": "check", "HPSPMD_CHECK_ORDER": order} for order in ("forwards", "backwards", "shuffled:7")]


def run(program, processes, settings={}):
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive", **settings}
    job = subprocess.run([hpcc, "run", "-n", processes, program], capture_output=True, text=True, timeout=120,
                         env=environment)
    errors = sorted(set(re.sub(r" rank \d+:", "", line) for line in job.stderr.splitlines() if source.name in line))
    return job.returncode, job.stdout, errors if job.returncode else []


@functools.cache
def printed(*options):
    return subprocess.run([hpcc, "-P", "--emit=cpp", *options, str(source)], capture_output=True, text=True).stdout


def tellAlike(left, right):
    """Of several processes that fail, those that still come to tell so before the job ends differ from run to run."""
    return left == right or any(line in right for line in left)


def agree(expected, found, difference=1e-12):
    """The same words, numbers to twelve digits."""
    left, right = expected[1].split(), found[1].split()
    return (expected[0], len(left)) == (found[0], len(right)) and tellAlike(expected[2], found[2]) and all(
        isNear(*words, difference, 1e-12) for words in zip(left, right))


def agreeOnDevice(expected, found):
    return agree((*expected[:2], []), (*found[:2], []), 1e-9)


def compare(processes, expected, found, name, isSame):
    if not isSame(expected, found):
        sys.exit(f"on {processes} processes: -O0 gives\n{expected}\nbut {name} gives\n{found}")


def same(expected, found):
    return expected[:2] == found[:2] and tellAlike(expected[2], found[2])


environment = dict(word.split("=") for word in words("environment", ""))
passes, threads, optimized = words("passes", "fast-nests"), words("threads", ""), words("optimized", "")
if optimized and printed("-O3") == printed("-O3", *optimized):
    sys.exit(f"{optimized} change nothing here")
for name in passes:
    if printed("-O3") == printed("-O3", "--pass=no-" + name):
        sys.exit(f"the pass {name} changes nothing here")
with tempfile.TemporaryDirectory() as folder:
    plain, ordered = build(folder, "-O0"), build(folder, "-O3", "--pass=no-reductions", *optimized, backend=vectorizing)
    device = ["--device"] if hasKernels() else []
    isJoined = printed("-O3") != printed("-O3", "--pass=no-reductions")
    joined = build(folder, "-O3", *optimized, *device) if isJoined or device else None
    if threads and "inThreads" not in printed("-O3", "-fopenmp"):
        sys.exit("no nest is divided among threads")
    divided = build(folder, "-O3", "-fopenmp", "-DHPSPMD_LEAST_WORK(threads)=0", "--pass=no-reductions") if threads else None
    unchecked = {}
    if words("unchecked", ""):
        for level in "-O0", "-O3":
            unchecked[level + " --no-checks"] = build(folder, level, "--no-checks", "--pass=no-reductions")
    numbers = words("run", "1 2 4 6")
    byMpi = next((number for number in numbers if number != "1"), "1")
    for processes, turn in zip(numbers, itertools.cycle(onDevice)):
        expected = run(plain, processes, byNode)
        if expected[0] != int(words("exit", "0")[0]):
            sys.exit(f"on {processes} processes: exit code {expected[0]}\n{expected[1]}{expected[2]}")
        compare(processes, expected, run(ordered, processes, {**environment, **({} if processes == byMpi else byNode)}),
                "-O3 without reductions", agree if optimized else same)
        for name, program in unchecked.items():
            compare(processes, expected, run(program, processes, byNode), name, same)
        if joined:
            compare(processes, expected, run(joined, processes, {**environment, **byNode}), "-O3", agree)
        if device:
            compare(processes, expected, run(joined, processes, {**environment, **turn}), f"-O3 --device, {turn}", agreeOnDevice)
        for number in threads:
            isSame = agree if "sums: any" in text and number != "1" else same
            found = run(divided, processes, {**environment, **byNode, "OMP_NUM_THREADS": number})
            compare(processes, expected, found, f"-O3 in {number} threads", isSame)
