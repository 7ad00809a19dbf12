#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs of nests on the check device: the output must be that of the host, for every number of
processes and order of iterations, and the log must say what comments of the program expect:

    // log: <pattern>      a line of HPSPMD_LOG=1, on one process
    // rule: <function>    under a rule that names it only its nests run there

run.py HPCC PROGRAM.. [--regenerate]      also compares the kernels with PROGRAM.kernels
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ORDERS = ["forwards", "backwards", "shuffled:7"]


def run(command, **environment):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, **environment})


def output(hpcc, program, processes, **environment):
    job = run([hpcc, "run", "-n", str(processes), program], **environment)
    if job.returncode != 0:
        sys.exit(f"{program} on {processes} processes with {environment}: exit code {job.returncode}\n{job.stderr[-3000:]}")
    return job


def kernels(hpcc, source, regenerate):
    """One statement per line, so that a difference can be read."""
    job = run([hpcc, "-O3", "--device", "--emit=kernels", str(source)])
    text = re.sub(r"([;{}]) ", r"\1\n    ", job.stdout)
    golden = source.with_suffix(".kernels")
    if regenerate:
        golden.write_text(text)
    elif text != golden.read_text():
        sys.exit(f"{golden}: the kernels are others:\n{text}")


def obeysRule(program, source, function, hpcc, folder, expected):
    """Whether the nests of the function, and no others, run on the check device."""
    lines = source.read_text().splitlines()
    first = next(k for k, line in enumerate(lines, 1) if re.match(rf"\w.* {function}\(", line))
    last = next(k for k, line in enumerate(lines, 1) if k > first and line == "}")
    rules = folder / "my.rules"
    rules.write_text(f"{function}:check\n")
    job = output(hpcc, program, 1, HPSPMD_RULES=str(rules), HPSPMD_LOG="1")
    launched = [int(line) for line in re.findall(r":(\d+) on check: \d+ launch", job.stderr)]
    return job.stdout == expected and launched and all(first <= line <= last for line in launched)


def test(hpcc, source, folder, regenerate):
    kernels(hpcc, source, regenerate)
    program = str(folder / source.stem)
    build = run([hpcc, "-O3", "--device", "--backend-O", "1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-variable",
                 "-ffp-contract=off", str(source), "-o", program])
    if build.returncode != 0:
        sys.exit(f"{source} does not compile:\n{build.stderr[-5000:]}")
    for processes in (1, 2):
        expected = output(hpcc, program, processes).stdout
        if not expected:
            sys.exit(f"{source} prints nothing")
        for order in ORDERS:
            job = output(hpcc, program, processes, HPSPMD_TARGET="check", HPSPMD_CHECK_ORDER=order, HPSPMD_LOG="1")
            if job.stdout != expected:
                sys.exit(f"{source} on {processes} processes, {order}:\n{job.stdout}\non the host:\n{expected}")
            if processes > 1:
                continue
            for function in re.findall(r"^// rule: (\w+)$", source.read_text(), re.M):
                if not obeysRule(program, source, function, hpcc, folder, expected):
                    sys.exit(f"{source}: the rule for {function} is not obeyed")
            for pattern in re.findall(r"^// log: (.*)$", source.read_text(), re.M):
                if not re.search(pattern, job.stderr):
                    sys.exit(f"{source}: the log has no '{pattern}':\n{job.stderr}")


def main():
    words = [word for word in sys.argv[1:] if word != "--regenerate"]
    with tempfile.TemporaryDirectory() as folder:
        for source in words[1:]:
            test(words[0], pathlib.Path(source), pathlib.Path(folder), "--regenerate" in sys.argv)


main()
