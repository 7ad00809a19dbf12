# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Translates one test program and runs it on several numbers of processes.

Usage: run_test.py [--run "1 2 4"] [--levels "3"] <hpcc> <file.hpcpp> [word ..]. Further words go to hpcc; --run names the numbers of
processes for a file that does not name them, --levels the levels, instead of the file's. The file says what to expect, in comments:
    // run: 1 2 4           numbers of processes (default 1 2 3 4 6)
    // options: -O0         further options of hpcc
    // environment: X=1     a variable of the environment when it runs
    // transport: mpi        all by MPI, as the program calls it, say
    // levels: 0 3          built and run with -O0 and -O3 (default: as hpcc does without)
    // with: units/a.hpcpp  further files of the program, beside this one
    // expect: text         the lines of the standard output, in their order, the same for every number
    // seconds: 600         the longest that a run may take (default 120)
    // exit: 82             exit code of the job; a file that has one is named fail_..
    // error: pattern       regular expression that the standard error output matches
The processes of one number, of programs that must fail, and of those that are given words for hpcc, are joined by MPI, else
by shared memory, which starts in a tenth of the time. All programs are compiled with -Wall -Wextra, and -Werror but for a sanitizer."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

arguments = sys.argv[1:]
numbers = "1 2 3 4 6"
if arguments[0] == "--run":
    numbers = arguments[1]
    arguments = arguments[2:]
levels = None
if arguments[0] == "--levels":
    levels = arguments[1].split()
    arguments = arguments[2:]
hpcc, source, further = arguments[0], pathlib.Path(arguments[1]), arguments[2:]
text = source.read_text()


def lines(key):
    return re.findall(rf"^// {key}: ?(.*)$", text, re.M)


def words(key, default):
    return " ".join(lines(key) or [default]).split()


def transportFor(processes):
    several = [number for number in words("run", numbers) if number != "1"]
    byMpi = "3" if "3" in several else (several or ["1"])[0]
    return "mpi" if processes == byMpi or codes or further else words("transport", "node")[0]


def run(program, processes, code):
    """The problems of one run."""
    job = subprocess.run([hpcc, "run", "-n", processes, program], capture_output=True, text=True,
                         timeout=int(words("seconds", "120")[0]),
                         env={**os.environ, "HPSPMD_TRANSPORT": transportFor(processes),
                              **dict(line.split("=", 1) for line in lines("environment"))})
    problems = []
    if job.returncode != code:
        problems.append(f"exit code {job.returncode} instead of {code}")
    if job.stdout.splitlines() != lines("expect") and code == 0:
        problems.append("expected:\n" + "\n".join(lines("expect")))
    problems += [f"no '{pattern}' in the errors" for pattern in lines("error") if not re.search(pattern, job.stderr)]
    return [f"on {processes} processes: {problem}\n{job.stdout[-2000:]}{job.stderr[-2000:]}" for problem in problems]


codes = lines("exit")
if bool(codes) != source.name.startswith("fail_"):
    sys.exit(f"{source}: a program that must fail, and no other, is named fail_..")
# What a sanitizer checks in the condition of a loop takes the loop its annotation, which is a warning without a name.
errors = [] if any("-fsanitize" in word for word in further) else ["-Werror"]
found = []
with tempfile.TemporaryDirectory() as folder:
    program = folder + "/" + source.stem
    files = [str(source), *(str(source.parent / other) for other in words("with", ""))]
    for level in ["-O" + level for level in levels or words("levels", "")] or [None]:
        options = words("options", "") + ([level] if level else [])
        command = [hpcc, "-Wall", "-Wextra", *errors, "-DOMPI_SKIP_MPICXX", *options, *files, *further, "-o", program]
        if subprocess.run(command).returncode != 0:
            sys.exit("the program does not compile: " + " ".join(command))
        for processes in words("run", numbers):
            problems = run(program, processes, int(codes[0]) if codes else 0)
            found += [f"{level or ''} {problem}" for problem in problems]
if found:
    sys.exit("\n".join(found))
