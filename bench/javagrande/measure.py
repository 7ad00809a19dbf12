# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Section 2 of JavaGrande: sequential programs, the same with attributes on processes and on threads, and threads by hand.

Usage: measure.py <hpcc> <C++ compiler> test|A|B|C [runs [program ..]] [--counts 1,2,4,8] [--target cuda!] [--build FOLDER | --built FOLDER] [--launch COMMAND]

`test` compares the answers of all forms, each on several processes or threads, and what they cost with docs/models.md; a class of
sizes measures. It prints, of the best times of the kernels, how many times as fast as the sequential program each form is on so
many threads or processes, as figure 10 of the methods' publication does; below, the same of the seconds of a processor, per
thread or process; ours by threads by hand, of the least times and of the medians. Both end with 1 if an answer is wrong.
--target measures a device instead, by a target of `hpcc run`, beside the sequential program and as many threads as --counts says: medians;
the programs are those of gpu/. `test` runs them on one and two processes, with all answers equal but in the last digits.
--build only builds all forms in a folder, --built measures what stands there: on another machine, which needs of all this only
this file, the folder, and hpcc for `hpcc run`, or with --launch "mpiexec -n" that."""
import argparse
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile


def number(text):
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


def numbers(text):
    return [number(word) for word in text.split(",")]


here = pathlib.Path(__file__).parent
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("hpcc")
parser.add_argument("compiler")
parser.add_argument("size", choices=["test", "A", "B", "C"])
parser.add_argument("runs", type=number, nargs="?", default=1)
parser.add_argument("programs", nargs="*")
parser.add_argument("--counts", type=numbers)
parser.add_argument("--target")
parser.add_argument("--launch")
folders = parser.add_mutually_exclusive_group()
folders.add_argument("--build")
folders.add_argument("--built")
options = parser.parse_args()
hpcc, compiler, size = options.hpcc, options.compiler, options.size
forms = "*.device" if options.target else "*.threads"
sources = pathlib.Path(options.built).glob(forms) if options.built else here.glob("*.hpcpp")
programs = options.programs or sorted(path.stem for path in sources)
isTest = size == "test"
launch = shlex.split(options.launch) if options.launch else [hpcc, "run", "-n"]
counts = options.counts or ([1, 2, 3] if isTest else [1, 2])
exact = ["-O1" if isTest else "-O3", "-march=native", "-ffp-contract=off"]


def build(folder, program):
    """All forms. The sequential one is the file itself, for a compiler that ignores the attributes."""
    plain = ["-std=c++17", *exact, "-Wno-attributes", f"-I{here}", "-pthread", "-x", "c++"]
    subprocess.run([compiler, *plain, here / f"{program}.hpcpp", "-o", f"{folder}/{program}.sequential"], check=True)
    if options.target:
        subprocess.run([hpcc, "-ffp-contract=off", "-O3", "--device", "-fopenmp", "-I", here, "-I", here.parent / "devices", "--backend-O", "1" if isTest else "3",
                        here / "gpu" / f"{program}.hpcpp", "-o", f"{folder}/{program}.device"], check=True)
    if options.target and isTest:
        return
    subprocess.run([compiler, *plain, here / f"{program}_threads.cpp", "-o", f"{folder}/{program}.threads"], check=True)
    level = "-O0" if isTest else "-O3"
    ours = [hpcc, "-ffp-contract=off", level, here / f"{program}.hpcpp", "-o"]
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
    """The answers, one of each process; the longest time that one took, and the longest of a processor; all of stderr."""
    job = subprocess.run(command, capture_output=True, text=True, timeout=600, env={**os.environ, **variables})
    if job.returncode != 0:
        sys.exit(f"{command}: exit code {job.returncode}\n{job.stdout}\n{job.stderr[-2000:]}")
    times = re.findall(r"took (\S+) s, (\S+) s", job.stderr)
    return job.stdout.splitlines(), [max(float(each[k]) for each in times) for k in (0, 1)], job.stderr


def measure(folder, program):
    """Of each form: the best seconds, those of a processor, per thread or process, and the median: {(form, number): (seconds, busy, median)}."""
    forms = {("sequential", 1): ([f"{folder}/{program}.sequential", size], {})}
    for n in counts:
        inThreads = {"OMP_NUM_THREADS": str(n)}
        forms["by hand", n] = ([f"{folder}/{program}.threads", size], inThreads)
        forms["threads", n] = ([f"{folder}/{program}.shared", size], inThreads)
        forms["processes", n] = ([*launch, str(n), f"{folder}/{program}.run", size], {})
    times = {form: [] for form in forms}
    wanted = None
    for _ in range(options.runs):
        for (form, n), (command, variables) in forms.items():
            answers, (seconds, busy), _ = run(command, **variables)
            wanted = wanted or answers[0]
            if answers != [wanted] * (n if form == "processes" else 1):
                sys.exit(f"{command}: {answers} for {wanted}")
            ofOne = busy if form == "processes" else busy / n
            times[form, n].append((seconds, ofOne))
    return {form: (*map(min, zip(*each)), statistics.median(seconds for seconds, _ in each)) for form, each in times.items()}


def nearlyEqual(answers, wanted):
    """Functions such as `pow` may differ in the last digits on a device."""
    numbers = [float(each.split()[1]) for each in [*answers, wanted]]
    return all(abs(each - numbers[-1]) <= 1e-9 * abs(numbers[-1]) for each in numbers)


def measureDevice(folder, program):
    """The median seconds of each form: {name: seconds}; what the device is said to have launched."""
    forms = {"sequential": ([f"{folder}/{program}.sequential", size], {})}
    for n in counts if not isTest else []:
        forms[f"by hand {n}"] = [f"{folder}/{program}.threads", size], {"OMP_NUM_THREADS": str(n)}
        forms[f"threads {n}"] = [f"{folder}/{program}.shared", size], {"OMP_NUM_THREADS": str(n)}
    onDevice = {"HPSPMD_TARGET": options.target, "HPSPMD_LOG": "1"}
    forms["device"] = [f"{folder}/{program}.device", size], onDevice
    if isTest:
        forms["2 processes"] = [hpcc, "run", "--quiet", "-n", "2", f"{folder}/{program}.device", size], onDevice
    seconds = {form: [] for form in forms}
    wanted = launches = None
    for _ in range(options.runs):
        for form, (command, variables) in forms.items():
            answers, (took, _), log = run(command, **variables)
            wanted = wanted or answers[0]
            if not nearlyEqual(answers, wanted):
                sys.exit(f"{command}: {answers} for {wanted}")
            seconds[form].append(took)
            if form.startswith("device"):
                launches = re.findall(r"process 0: .* on \S+: (\d+) launches of", log)
                if not launches:  # on several processes columns that are dealt out stay on the host
                    sys.exit(f"{command}: no nest has run there:\n{log}")
    return {form: statistics.median(each) for form, each in seconds.items()}, sum(map(int, launches))


def rowOfDevice(program, medians, launches):
    alone = medians["sequential"]
    times = " | ".join(f"{each * 1000:.2f}" for each in medians.values())
    rest = list(medians.values())[1:]
    print(f"| {program} | {times} | " + " | ".join(f"{alone / each:.2f}" for each in rest) + f" | {launches} |", flush=True)


heads = [(form, n) for n in counts for form in ("by hand", "threads", "processes")]


def rows(program, best):
    """Four of each program: speed, seconds of a processor, ours by threads by hand."""
    alone = best["sequential", 1]
    print(f"| {program} | {alone[0]:.4f} s | " + " | ".join(f"{alone[0] / best[each][0]:.2f}" for each in heads) + " |")
    print(f"| . processor | {alone[1]:.4f} s | " + " | ".join(f"{best[each][1]:.4f}" for each in heads) + " |")
    for k, name in (0, "by hand = 1"), (2, "medians"):
        print(f"| . {name} | {alone[k]:.4f} s | " + " | ".join(f"{best['by hand', n][k] / best[form, n][k]:.2f}" for form, n in heads) + " |")
    print(end="", flush=True)


if isTest and not options.target:
    compareCosts()
with tempfile.TemporaryDirectory() as temporary:
    place = options.build or options.built or temporary
    if not options.built:
        pathlib.Path(place).mkdir(parents=True, exist_ok=True)
        for each in programs:
            build(place, each)
    if options.target and not options.build:
        names = ["sequential"] + [f"{form} {n}" for n in counts for form in ("by hand", "threads")] + ["device"]
        if not isTest:
            print("| program | " + " | ".join(f"{name}, ms" for name in names) + " | " + " | ".join(names[1:]) + " | launches |")
            print("|---" * (2 * len(names) + 1) + "|")
        for each in programs:
            medians, launches = measureDevice(place, each)
            if not isTest:
                rowOfDevice(each, medians, launches)
    elif not options.build:
        if not isTest:
            print("| program | sequential | " + " | ".join(f"{form} {n}" for form, n in heads) + " |")
            print("|---" * (len(heads) + 2) + "|")
        for each in programs:
            best = measure(place, each)
            if not isTest:
                rows(each, best)
