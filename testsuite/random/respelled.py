#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in other spellings (respellings.py) give one answer at -O0 and -O3, and what compiles at -O0 compiles at -O3.

    respelled.py <hpcc> [--seed S] [--variants N] [--sample K] [--only NAME] [--shrink] [--warnings] [--backend-O n] [FILE ..]

Without files: those of testsuite/nests/programs, testsuite/run and examples; of these K that the seed chooses. What a line
does not compile with at -O0 is left out. --shrink leaves out all that a difference does not need, --warnings tells also of
warnings that only -O3 has, and of those about the language that the program itself does not have."""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import respellings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from answers import isNear

parser = argparse.ArgumentParser()
parser.add_argument("hpcc", type=lambda name: pathlib.Path(name).resolve())
parser.add_argument("files", nargs="*", type=lambda name: pathlib.Path(name).resolve())
parser.add_argument("--seed", default="1")
parser.add_argument("--variants", type=int, default=1)
parser.add_argument("--first", type=int, default=0)
parser.add_argument("--sample", type=int)
parser.add_argument("--only")
parser.add_argument("--kinds")
parser.add_argument("--shrink", action="store_true")
parser.add_argument("--show", action="store_true")
parser.add_argument("--warnings", action="store_true")
parser.add_argument("--backend-O", default="0", dest="backend")
parser.add_argument("--processes", default="1,3")
parser.add_argument("--jobs", type=int, default=2)
parser.add_argument("--limit", type=int, default=60, help="seconds that a program may run")
options = parser.parse_intermixed_args()
root = pathlib.Path(__file__).resolve().parents[2]
environment = {**os.environ, "HPSPMD_TRANSPORT": "node", "OMP_WAIT_POLICY": "passive", "HPSPMD_OVERLAP": "always"}
ways = {"": [], "threads": ["-fopenmp", "-DHPSPMD_LEAST_WORK(threads)=0"], "device": ["--device"]}  # of -O3
settings = {"threads": {"OMP_NUM_THREADS": "3"}, "device": {"HPSPMD_TARGET": "check", "HPSPMD_CHECK_ORDER": "shuffled:5"}}
strict = ["-ffp-contract=off", "-Wall", "-Wextra", "-Wshadow"]


class Spelling:
    """A program with edits, in a folder of its own."""

    def __init__(self, path, folder, number="double", way=""):
        self.path, self.folder, self.text = path, pathlib.Path(folder), re.sub(r"\bdouble\b", number, path.read_text())
        self.way = way
        self.settings = dict(word.split("=", 1) for line in re.findall(r"^// environment: (.*)$", self.text, re.M) for word in line.split())

    def build(self, edits, level, *further):
        """Whether it compiles, and what is said."""
        source = self.folder / self.path.name
        source.write_text(respellings.applied(self.text, edits))
        others = [str(self.path.parent / word) for line in re.findall(r"^// with: (.*)$", self.text, re.M) for word in line.split()]
        further += tuple(ways[self.way] if level == "-O3" else [])
        command = [options.hpcc, level, f"--backend-O={options.backend}", *strict, *further, "-I", self.path.parent, source, *others,
                   "-o", self.program(level)]
        try:
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600, env=environment)
        except subprocess.TimeoutExpired:
            return False, "not compiled in 600 s"
        return done.returncode == 0, done.stderr

    def program(self, level):
        return self.folder / f"{self.path.stem}{level}"

    def run(self, level, processes):
        """Its exit status and what it prints; None if it takes too long."""
        try:
            done = subprocess.run([str(options.hpcc), "run", "-n", processes, str(self.program(level))], capture_output=True, text=True,
                                  timeout=options.limit, env={**environment, **self.settings, **self.onlyFor(level)}, errors="replace")
        except subprocess.TimeoutExpired:
            return None
        return done.returncode, done.stdout

    def onlyFor(self, level):
        return settings.get(self.way, {}) if level == "-O3" else {}

    def compiling(self, edits):
        """Those of the edits with which it compiles at -O0; None if it does not without either."""
        for attempt in range(8):
            isRight, said = self.build(edits, "-O0")
            if isRight or not edits:
                return (edits, said) if isRight else (None, said)
            lines = {int(n) for n in re.findall(rf"{re.escape(self.path.name)}:(\d+):", said)}
            if attempt > 5 or not lines:
                lines = None
            kept = [e for e in edits if lines is not None and self.text.count("\n", 0, e.start) + 1 not in lines]
            edits = kept if len(kept) < len(edits) else edits[::2] if len(edits) > 1 else []
        return None, "does not compile"


def warningsIn(said):
    return set(re.findall(r"\[(-W[\w=-]+|HP\d+)\]", said)) - {"HP3101", "HP3102"}


def problem(spelling, edits, exact):
    """Another answer of -O3, or that it does not compile; None if there is nothing."""
    isRight, said = spelling.build(edits, "-O3", *(["--pass=no-reductions"] if exact else []))
    if not isRight:
        errors = "\n".join(line for line in said.split("\n") if " error: " in line)
        return "does not compile at -O3:\n" + (errors or said)[:1500], said
    for processes in options.processes.split(","):
        expected = spelling.run("-O0", processes)
        if expected is None:
            return None, said
        found = spelling.run("-O3", processes)
        if found is None:
            return f"on {processes} processes: -O3 does not end", said
        left, right = expected[1].split(), found[1].split()
        isSame = expected == found if exact else expected[0] == found[0] and len(left) == len(right) and all(
            isNear(*words, 1e-10, 1e-10) for words in zip(left, right))
        if not isSame:
            return f"on {processes} processes: another answer\n{expected[0]} {expected[1][:600]}\nbut\n{found[0]} {found[1][:600]}", said
    return None, said


def shrunk(spelling, edits, exact, isWrong):
    """As few of the edits as still show it."""
    size = len(edits) // 2 or 1
    while True:
        for first in range(0, len(edits), size):
            fewer = edits[:first] + edits[first + size:]
            isRight, said = spelling.build(fewer, "-O0")
            if isRight and isWrong(fewer, said):
                edits = fewer
                break
        else:
            if size == 1:
                return edits
            size = max(1, size // 2)
            continue
        size = min(size, max(1, len(edits) // 2))
        if not edits:
            return edits


def shown(spelling, edits):
    lines = []
    changed = respellings.applied(spelling.text, edits).split("\n")
    for n, line in enumerate(spelling.text.split("\n")):
        if line != changed[n] and not line.startswith("using namespace hpspmd") and respellings.prelude not in changed[n]:
            lines.append(f"  {n + 1}: {line.strip()}\n    -> {changed[n].strip()}")
    return "\n".join(lines)


def check(path, variant):
    seed = f"{options.seed}/{path.stem}/{variant}"
    report = []
    with tempfile.TemporaryDirectory(prefix="hpspmd_respelled_") as folder:
        number = random.Random(seed).choice(["double"] * 7 + ["float", "long double", "long"])
        way = random.Random(seed + "way").choice(["", "", *ways] if number == "double" else [""])
        spelling = Spelling(path, folder, number, way)
        edits, said = spelling.compiling(respellings.editsOf(spelling.text, seed, options.kinds and options.kinds.split(",")))
        if edits is None:
            return [f"{path.name}, variant {variant}: left out: {said[-300:]}"] if options.show else []
        exact = number == "float" or (not way and random.Random(seed).random() < 0.6)  # threads add in another order
        found, told = problem(spelling, edits, exact)
        if options.show:
            report.append(f"{path.name}, variant {variant}: {number} {way}, {len(edits)} edits\n{shown(spelling, edits)}")
        if found:
            if options.shrink:
                firstLine = re.sub(r"on \d processes", "", found.split("\n")[0])
                edits = shrunk(spelling, edits, exact, lambda few, _: (p := problem(spelling, few, exact)[0]) is not None
                               and re.sub(r"on \d processes", "", p.split("\n")[0]) == firstLine)
            report.append(f"WRONG {path.name}, variant {variant} of seed {options.seed}{' (no reductions)' if exact else ''}, numbers are {number}{way and ', with ' + way}: {found}\n{shown(spelling, edits)}")
        if options.warnings:
            only = warningsIn(told) - warningsIn(said)
            own = {w for w in warningsIn(said) if w.startswith("HP")}
            own -= warningsIn(spelling.build([], "-O0")[1]) if own else set()
            for word in sorted(only | own):
                text = "\n".join(line for line in (said if word in own else told).split("\n") if word in line)
                report.append(f"TOLD {path.name}, variant {variant} of seed {options.seed}: {word}{'' if word in own else ' at -O3'}\n{text[:600]}")
    return report


files = options.files or sorted([*root.glob("testsuite/nests/programs/*.hpcpp"), *root.glob("testsuite/run/*.hpcpp"),
                                 *root.glob("examples/*/*.hpcpp")])
files = [path for path in files if not options.only or path.stem in options.only.split(",")]
if options.sample:
    files = random.Random(options.seed).sample(files, options.sample)
wrong = 0
jobs = [(path, variant) for variant in range(options.first, options.first + options.variants) for path in files]
with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    for done in concurrent.futures.as_completed([pool.submit(check, *job) for job in jobs]):
        for text in done.result():
            print(text, flush=True)
            wrong += text.startswith("WRONG")
print(f"{len(jobs)} spellings of {len(files)} programs: {wrong} with differences")
sys.exit(1 if wrong else 0)
