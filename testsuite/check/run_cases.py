#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the programs of cases/ that must be accepted, without a warning, and runs them.

    run_cases.py <hpcc> <mpiexec> <group> [-O 2] [--backend-O 3] [--threads 3] [--only name]

A group is what stands before the first underscore of the names (aligned, flow, halo, independent), or `others`. Each
program is translated by itself; then all of a group are compiled as one, each in a namespace, and run on 1, 2 and 4
processes, each with so many threads for every nest that may be divided, and with exchanges beside nests. A program
has a function main, which says what it must find (`expect.hpp`). In its comments may stand:
    // processes: 4             it needs as many
    // alone: reason            it is compiled and run by itself
    // compiled only: reason    it has no main
    // translated only: reason  .. and is C++ of a later standard"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("hpcc", type=lambda name: pathlib.Path(name).resolve())
parser.add_argument("mpiexec")
parser.add_argument("group")
parser.add_argument("-O", default="2", dest="level")
parser.add_argument("--backend-O", default="3", dest="backend")
parser.add_argument("--threads")
parser.add_argument("--only")
options = parser.parse_args()
threads = ["-fopenmp", "-DHPSPMD_LEAST_WORK(threads)=0"] if options.threads else []
environment = {**os.environ, "OMP_NUM_THREADS": options.threads or "1", "OMP_WAIT_POLICY": "passive",
               "HPSPMD_OVERLAP": "always"}
here = pathlib.Path(__file__).resolve().parent
cases = here / "cases"
groups = ["aligned", "flow", "halo", "independent"]
# Of Open MPI without its own C++ interface, which is not free of warnings.
warnings = ["-Wall", "-Wextra", "-Werror", "-DOMPI_SKIP_MPICXX"]
includes = [f"-I{cases}", f"-I{cases / 'elsewhere'}", f"-I{here}"]
problems = []


class Case:
    def __init__(self, path):
        self.path, self.name, self.text = path, path.stem, path.read_text()
        first = self.name.split("_")[0]
        self.group = first if first in groups else "others"
        self.hasMain = re.search(r"^int main\(", self.text, re.M) is not None
        self.isAlone = bool(self.mark("alone") or re.search(r'#include ".*\.hph"', self.text))
        self.processes = int(self.mark("processes") or 1)

    def mark(self, key):
        found = re.search(rf"^// {key}: (.+)$", self.text, re.M)
        return found and found[1]


def command(words, limit, source=None):
    """What it prints, and its errors; a problem unless it ends well, and silently where a source is translated."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=limit, stdin=subprocess.DEVNULL,
                              cwd=folder, env=environment)
        how, printed, said = f"exit status {done.returncode}", done.stdout, done.stderr
    except subprocess.TimeoutExpired as late:
        how, printed, said = f"not done in {limit} s", (late.stdout or b"").decode(), (late.stderr or b"").decode()
    if how != "exit status 0" or (source and said):
        problems.append(f"{' '.join(map(str, words))}: {how}\n{printed[-1000:]}{said[-6000:]}")
    return printed, said


def translated(case):
    return command([options.hpcc, "--emit=cpp", f"-O{options.level}", *threads, "-Werror", *includes, case.path], 60, case)[0]


def inNamespace(case):
    """The program without what other programs must not see: its headers come first, its macros end with it."""
    text = translated(case)
    macros = re.findall(r"^\s*#\s*define\s+(\w+)", text, re.M)
    return "\n".join(["#pragma GCC diagnostic push", f"namespace {case.name} {{", text, "}",
                      "#pragma GCC diagnostic pop", *(f"#undef {macro}" for macro in macros)])


def together(chosen):
    """One text of all the programs, with a main function of its own."""
    texts = {case: inNamespace(case) for case in chosen}
    headers = sorted({header for case in chosen for header in re.findall(r"^#include <.*>", case.text, re.M)})
    calls = [f'    together::run("{case.name}", {case.name}::main, {case.processes});'
             for case in chosen if case.hasMain]
    return "\n".join(['#include "together.hpp"', *headers, *texts.values(),
                      '#line 1 "together.cpp"', "int main() {", *calls, "}", ""])


def build(source, *output):
    levels = [f"-O{options.level}", f"--backend-O={options.backend}", *threads]
    command([options.hpcc, *levels, *warnings, *includes, source, *output], 600)


def runTogether(chosen, folder):
    source, program = folder / "together.cpp", folder / "together"
    source.write_text(together(chosen))
    build(source, "-o", program)
    for processes in [1, 2, 4] if program.exists() else []:
        printed, errors = command([options.mpiexec, "-n", str(processes), program], 60)
        passed = printed.splitlines()
        missing = [case.name for case in chosen if case.processes <= processes and f"{case.name}: passed" not in passed]
        if missing:
            problems.append(f"{len(missing)} not passed on {processes} processes, the first is {missing[0]}\n"
                            f"{errors[-3000:]}")


def compileTogether(chosen, folder):
    source = folder / "compiled.cpp"
    source.write_text(together(chosen))
    build(source, "-fsyntax-only")


def runAlone(case, folder):
    program = folder / case.name
    build(case.path, "-o", program)
    for processes in [1, 2, 4] if program.exists() else []:
        if case.processes <= processes:
            command([options.mpiexec, "-n", str(processes), program], 60)


chosen = [Case(path) for path in sorted(cases.glob("*.hpcpp")) if not path.stem.startswith("fail_")]
chosen = [case for case in chosen if options.only == case.name or (not options.only and case.group == options.group)]
for case in chosen:
    if case.hasMain == bool(case.mark("compiled only") or case.mark("translated only")):
        problems.append(f"{case.path}: a function main, or a comment '// compiled only: <reason>', but not both")
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    compileTogether([case for case in chosen if case.mark("compiled only")], folder)
    for case in chosen:
        if case.mark("translated only"):
            translated(case)
    runTogether([case for case in chosen if case.hasMain and not case.isAlone], folder)
    for case in chosen:
        if case.isAlone:
            runAlone(case, folder)
print(f"{len(chosen)} programs, of which {sum(case.hasMain for case in chosen)} run")
if problems or not chosen:
    sys.exit("\n".join(problems) or "no such programs")
