"""Translates one program at -O0 and at -O3 and compares what it prints on several numbers of processes.

Usage: same_answer.py <hpcc> <file.hpcpp>. The file may say, in comments:
    // run: 1 2 4           numbers of processes (default 1 2 4 6)
    // exit: 82             exit code of the job; then the error text is compared, too
    // passes: fast-nests   passes that must have changed something
The C++ compiler may not contract a * b + c, so that answers are equal to the last bit."""
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc, source = sys.argv[1], pathlib.Path(sys.argv[2])
text = source.read_text()


def words(key, default):
    return " ".join(re.findall(rf"^// {key}: ?(.*)$", text, re.M) or [default]).split()


def build(level, folder):
    program = f"{folder}/{source.stem}{level}"
    command = [hpcc, level, "--backend-O=2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror",
               str(source), "-o", program]
    if subprocess.run(command).returncode != 0:
        sys.exit("the program does not compile: " + " ".join(command))
    return program


def run(program, processes):
    job = subprocess.run([hpcc, "run", "-n", processes, program], capture_output=True, text=True, timeout=120)
    errors = sorted(set(line for line in job.stderr.splitlines() if source.name in line))
    return job.returncode, job.stdout, errors if job.returncode else []


def printed(*options):
    return subprocess.run([hpcc, "-P", "--emit=cpp", *options, str(source)], capture_output=True, text=True).stdout


for name in words("passes", "fast-nests"):
    if printed("-O3") == printed("-O3", "--pass=no-" + name):
        sys.exit(f"the pass {name} changes nothing here")
with tempfile.TemporaryDirectory() as folder:
    plain, fast = build("-O0", folder), build("-O3", folder)
    for processes in words("run", "1 2 4 6"):
        expected, found = run(plain, processes), run(fast, processes)
        if expected[0] != int(words("exit", "0")[0]):
            sys.exit(f"on {processes} processes: exit code {expected[0]}\n{expected[1]}{expected[2]}")
        if expected != found:
            sys.exit(f"on {processes} processes: -O0 gives\n{expected}\nbut -O3 gives\n{found}")
