# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""HPSPMD_CHECK=races finds loops that break the promise because of which they were divided, names array, element, iterations and
place, and says nothing of those that keep it, nor in programs that run without it. So it is with nests that are declared independent,
whatever functions reach elements; a function that it does not look into is told.

Usage: races.py <hpcc> <races.hpcpp>"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc, source = sys.argv[1], pathlib.Path(sys.argv[2])
problems = []
element = {"marked": "[2]", "shifted": "[2]", "rows": "[2, 0]", "flat": "[2, 0]", "pointer": "[2]", "columns": "[0, 2]",
           "blocks": "[2, N]", "pairs": "[2]"}


def message(kind, line):
    """What is said of a broken promise, on any number of processes; N is a number."""
    if kind == "view":
        text = f"iteration i = N reads element [N] of 'a' (line {line}), 3 below its own, and the view is 2"
    elif kind == "strategy":
        text = (f"iteration k = N in part N writes element [N] of 'y' (line {line}), "
                f"which iteration k = N in part N writes (line {line})")
    else:
        index = "j" if kind == "columns" else "i"
        number = 3 if kind == "shifted" else 2
        more = ", j = N" if kind == "blocks" else ""
        text = (f"iteration {index} = {number}{more} writes element {element[kind]} of 'a' (line {line}), "
                f"which iteration {index} = 8{more} reads (line {line})")
    return re.escape(text).replace("N", "[0-9]+")


with tempfile.TemporaryDirectory() as folder:
    program = f"{folder}/races"
    subprocess.run([hpcc, "-O1", "-Wno-HP2912", str(source), "-o", program], check=True)

    def run(how, processes, check="races"):
        return subprocess.run([hpcc, "run", "-n", str(processes), program, how], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "HPSPMD_CHECK": check})

    wanted = run("kept", 1, "").stdout
    if wanted.count(": nothing\n") != 11:
        problems.append(f"kept, unchecked:\n{wanted}")
    lines = source.read_text().splitlines()
    for processes in 1, 3:
        for check in "races", "independence":
            job = run("kept", processes, check)
            if job.returncode != 0 or sorted(job.stdout.splitlines()) != sorted((wanted * processes).splitlines()):
                problems.append(f"kept, {processes} processes, {check}: {job.returncode}\n{job.stderr}{job.stdout}\nfor\n{wanted}")
        job = run("broken", processes)
        said = job.stdout.splitlines()
        if job.returncode != 0 or len(said) != 11 * processes or said.count("count: nothing") != processes:
            problems.append(f"broken, {processes} processes: {job.returncode}\n{job.stderr}{job.stdout}")
        for kind in ["strategy", *element, "view"]:
            line = next(k for k, each in enumerate(lines, 1) if each.endswith(f"// {kind}"))
            right = [each for each in said if re.fullmatch(rf"{kind}: .*{message(kind, line)}", each)]
            if len(right) != processes:
                problems.append(f"{kind}, {processes} processes: not {message(kind, line)} in\n{job.stdout}")
            job_of_one = run(kind, processes) if kind in ("strategy", "blocks") else None
            place = f"{source.name}:{line - (2 if kind == 'blocks' else 0)}: "
            if job_of_one and (job_of_one.returncode != 82 or place not in job_of_one.stderr):
                problems.append(f"{kind} alone, {processes} processes: {job_of_one.returncode}, not {place}\n{job_of_one.stderr}")
    kinds = re.findall(r'"((?:kept )?by [a-z ]+|unseen[a-z ]*)"[,}]', source.read_text())
    inside = {"by a constructor of a constructor": "by a constructor", "by a constructor that converts": "by a constructor",
              "by a destructor of a part": "by a destructor"}
    for processes in 1, 3:
        job = run("nests", processes)
        said = job.stdout.splitlines()
        for kind in kinds:
            isUnseen = kind.startswith(("unseen", "kept"))
            line = 0 if isUnseen else next(k for k, each in enumerate(lines, 1) if each.endswith(f"// {inside.get(kind, kind)}"))
            broken = re.compile(rf"{kind}: .*iteration i` = \d+ writes element \[0\] of '.*' \(line {line}\), which iteration i` = .*")
            right = [each for each in said if each == f"{kind}: nothing"], [each for each in said if broken.fullmatch(each)]
            if [len(each) for each in right] != ([2 * processes, 0] if isUnseen else [processes, processes]):
                problems.append(f"{kind}, {processes} processes: {job.returncode}\n{job.stdout}{job.stderr}")
        told = re.findall(r"races.hpcpp:(\d+): not looked into is .*: (.*)", job.stderr)
        untold = [(next(k for k, each in enumerate(lines, 1) if each.endswith(f"// {kind}")) - above, what)
                  for kind, above, what in (("unseen end", 1, "~Behind"), ("unseen", 0, "elsewhere"))]
        # Of which class T is, is not asked.
        untold.insert(0, (next(k for k, each in enumerate(lines, 1) if "grow(a[" in each), "operator+"))
        if len(kinds) != 26 or [(int(at), what) for at, what in told] != untold:
            problems.append(f"nests, {processes} processes: {kinds}, {told}, not {untold}\n{job.stderr}")
    if run("broken", 1, "").stdout.count(": nothing\n") != 11:
        problems.append("checked without being asked to")
if problems:
    sys.exit("\n".join(problems))
