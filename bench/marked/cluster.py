# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs whose loops are marked, on processes with devices each, beside the sequential program: 1 and 2 processes x 1 and 2 devices.

Usage: cluster.py <hpcc> <C++ compiler> [--kind check|cuda|opencl] [--runs N] [--test] [--built FOLDER [--launch "mpiexec -n"]]

--kind: which devices (check). With two devices `devices` is the target, and they are number 0 and 1; with one it is the process's own.
--test: small data; --built: programs `sequential` and `cluster` stand there. Prints the median times in milliseconds, and how many
times as fast as the sequential program each is. Ends with 1 if an answer is wrong, or if a process has run nothing on a device,
or a device of a kind nothing at all."""
import argparse
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("hpcc")
parser.add_argument("compiler")
parser.add_argument("--kind", default="check", choices=["check", "cuda", "opencl"])
parser.add_argument("--runs", type=int, default=1)
parser.add_argument("--test", action="store_true")
parser.add_argument("--built")
parser.add_argument("--launch")
options = parser.parse_args()
here = pathlib.Path(__file__).parent
exact = ["-O1" if options.test else "-O3", "-ffp-contract=off"]
sizes = {"edge": 200, "matmul": 60, "nest": 50, "black_scholes": 500, "sfe": 100}
forms = [(processes, devices) for processes in (1, 2) for devices in (1, 2)]


class Wrong(Exception):
    pass


def build(folder):
    subprocess.run([options.compiler, "-std=c++17", *exact, "-march=native", "-Wno-attributes", "-x", "c++", here / "marked.hpcpp", "-o",
                    f"{folder}/sequential"], check=True)
    subprocess.run([options.hpcc, "-O3", "--device", "-fopenmp", "-ffp-contract=off", "--backend-O", exact[0][2:], "-Wno-HP2912",
                    "-I", here.parent / "devices", here / "cluster.hpcpp", "-o", f"{folder}/cluster"], check=True)


def environment(devices):
    if devices == 1:
        return {"HPSPMD_TARGET": f"{options.kind}!"}
    names = ["check", "check"] if options.kind == "check" else [f"{options.kind}:{k}" for k in range(devices)]
    if options.kind == "opencl":
        names = ["opencl:0.0"] * devices
    return {"HPSPMD_TARGET": "devices!", "HPSPMD_DEVICES": ",".join(names)}


def run(command, **variables):
    """What it prints, all of stderr, and the longest time of a process in milliseconds."""
    job = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, **variables})
    if job.returncode != 0:
        raise Wrong(f"{command}, {variables}: exit code {job.returncode}\n{job.stdout}{job.stderr[-3000:]}")
    return job.stdout.splitlines(), job.stderr, 1000 * max(map(float, re.findall(r"took (\S+) s", job.stderr)))


def isNear(answer, wanted):
    """Functions such as `erfc` may differ in the last digits on a device."""
    (name, value), (_, exactly) = answer.split(), wanted.split()
    return abs(float(value) - float(exactly)) <= 1e-12 * abs(float(exactly))


def measure(folder, program):
    size = [str(sizes[program])] if options.test else []
    launch = shlex.split(options.launch) if options.launch else [options.hpcc, "run", "--quiet", "-n"]
    times = {form: [] for form in [None, *forms]}
    for _ in range(options.runs):
        wanted, _, time = run([f"{folder}/sequential", program, *size])
        times[None].append(time)
        for processes, devices in forms:
            command = [*launch, str(processes), f"{folder}/cluster", program, *size]
            answers, log, time = run(command, HPSPMD_LOG="1", **environment(devices))
            times[processes, devices].append(time)
            if len(answers) != processes or not all(isNear(each, wanted[0]) for each in answers):
                raise Wrong(f"{command} on {devices} devices: {answers} for {wanted}")
            used = [set(re.findall(rf"process {process}: .* on (\S+): \d+ launches of ", log)) for process in range(processes)]
            # A product of matrices is one call of a library, and a layer of gates may lie on one device.
            if not all(used) or len(set.union(*used)) < (1 if program == "matmul" else devices):
                raise Wrong(f"{command} on {devices} devices: nests have run on {used}:\n{log}")
    return {form: statistics.median(each) for form, each in times.items()}


with tempfile.TemporaryDirectory() as temporary:
    place = options.built or temporary
    if not options.built:
        build(place)
    heads = [f"{processes} x {devices}" for processes, devices in forms]
    print("| program | sequential | " + " | ".join(f"{head}, ms" for head in heads) + " | " + " | ".join(heads) + " |")
    print("|---" * (2 + 2 * len(forms)) + "|")
    problems = []
    for each in sizes:
        try:
            medians = measure(place, each)
        except Wrong as problem:
            problems.append(str(problem))
            continue
        cells = [f"{time:.2f}" for time in medians.values()] + [f"{medians[None] / medians[form]:.2f}" for form in forms]
        print(f"| {each} | " + " | ".join(cells) + " |", flush=True)
if problems:
    sys.exit("\n".join(problems))
