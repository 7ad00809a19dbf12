#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs of nests on the check device, on that of OpenCL, and on the GPU that fake_cuda.cpp pretends: the output must be that of the host, for every number of
processes and order of iterations, and the log must say what comments of the program expect:

    // log: <pattern>      a line of HPSPMD_LOG=1, on one process; `on check` stands for the device
    // log 2: <pattern>    the same on two processes
    // log shared: <pattern>  the same where two devices share nests, of which SECOND stands for the second one
    // environment: <variable>=<value>  of the runs on devices
    // rule: <function>    under a rule that names it only its nests run there

A line `bits ..` on stderr must be the same in each run. Of each kind of devices one run of several processes is joined by MPI, all
others by shared memory, which starts in a tenth of the time.

run.py HPCC PROGRAM [--targets=check,opencl,cuda] [--processes=1,2] [--cuda=FOLDER_OF_LIBRARY] [--sanitized[=thread]] [--regenerate]
--sanitized: AddressSanitizer and UndefinedBehaviorSanitizer, or ThreadSanitizer, see into the kernels of the check device;
also compares the kernels with PROGRAM.kernels. Exit code 77: only OpenCL is asked for, and there is no device of it.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import drivers

ORDERS = {"check": ["forwards", "backwards", "shuffled:7"], "opencl": ["forwards"], "cuda": ["forwards"]}
NAMES = {"check": "check", "opencl": r"opencl:\d+\.\d+", "cuda": r"cuda:\d+"}


def run(command, **environment):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, **environment})


def output(hpcc, program, processes, **environment):
    job = run([hpcc, "run", "-n", str(processes), program], **{"HPSPMD_TRANSPORT": "node", **environment})
    if job.returncode != 0:
        sys.exit(f"{program} on {processes} processes with {environment}: exit code {job.returncode}\n{job.stderr[-3000:]}")
    return job


def kernels(hpcc, source, regenerate):
    """One statement per line, so that a difference can be read."""
    job = run([hpcc, "-O3", "--device", "--emit=kernels", "-Rpass=devices", "-Rpass-missed=devices", str(source)])
    if job.returncode != 0:
        sys.exit(f"{source}: hpcc has ended with {job.returncode}:\n{job.stderr[-3000:]}")
    text = re.sub(r"([;{}]) ", r"\1\n    ", job.stdout)
    golden = source.with_suffix(".kernels")
    if regenerate:
        golden.write_text(text)
    elif text != golden.read_text():
        sys.exit(f"{golden}: the kernels are others:\n{text}")


def obeysRule(program, source, function, hpcc, folder, expected, target):
    """Whether the nests of the function, and no others, run on the device."""
    lines = source.read_text().splitlines()
    first = next(k for k, line in enumerate(lines, 1) if re.match(rf"\w.* {function}\(", line))
    last = next(k for k, line in enumerate(lines, 1) if k > first and line == "}")
    rules = folder / "my.rules"
    rules.write_text(f"*:threads\n{function}:{target}\n")  # else a GPU would run the others
    job = output(hpcc, program, 1, HPSPMD_RULES=str(rules), HPSPMD_LOG="1")
    launched = [int(line) for line in re.findall(rf":(\d+) on {NAMES[target]}: \d+ launches of {source.stem}_", job.stderr)]
    return job.stdout == expected and launched and all(first <= line <= last for line in launched)


def sharedByTwo(hpcc, source, program, targets):
    """Nests that two devices share, as far as the program expects something of that."""
    wanted = re.findall("^// log shared: (.*)$", source.read_text(), re.M)
    expected = output(hpcc, program, 1).stdout
    for target in set(targets) & {"check", "cuda"} if wanted else []:
        two = {"check": "check,check", "cuda": "cuda:0,cuda:1"}[target]
        job = output(hpcc, program, 1, HPSPMD_TARGET="devices!", HPSPMD_DEVICES=two, HPSPMD_LOG="1")
        missing = [pattern for pattern in wanted if not re.search(pattern.replace("SECOND", f"{target}:1"), job.stderr)]
        if job.stdout != expected or missing:
            sys.exit(f"{source} on {two}: the log has no {missing}:\n{job.stdout}on the host:\n{expected}\n{job.stderr}")


def test(hpcc, source, folder, targets, allProcesses, flags):
    program = str(folder / source.stem)
    build = run([hpcc, "-O3", "--device", "--backend-O", "0", "-Wall", "-Wextra", "-Werror",
                 "-ffp-contract=off", *flags, str(source), "-o", program])
    if build.returncode != 0:
        sys.exit(f"{source} does not compile:\n{build.stderr[-5000:]}")
    sharedByTwo(hpcc, source, program, targets)
    for processes in allProcesses:
        expected = output(hpcc, program, processes).stdout
        if not expected:
            sys.exit(f"{source} prints nothing")
        for target, order in [(target, order) for target in targets for order in ORDERS[target]]:
            isByMpi = processes > 1 and processes == min(number for number in allProcesses if number > 1) and order == "forwards" and not flags
            job = output(hpcc, program, processes, HPSPMD_TARGET=target, HPSPMD_CHECK_ORDER=order, HPSPMD_LOG="1",
                         HPSPMD_TRANSPORT="mpi" if isByMpi else "node", **drivers.environmentOf(source))
            if job.stdout != expected:
                sys.exit(f"{source} on {processes} processes, {target} {order}:\n{job.stdout}\non the host:\n{expected}")
            heading = "log" if processes == 1 else f"log {processes}"
            wanted = re.findall(rf"^// {heading}((?: [a-z]+)*): (.*)$", source.read_text(), re.M)
            if any("its kernel" in line and not any(re.search(pattern, line) for _, pattern in wanted) for line in job.stderr.splitlines()):
                sys.exit(f"{source} on {processes} processes, {target}: a kernel does not run:\n{job.stderr}")
            for names, pattern in wanted:
                if names and target not in names.split():
                    continue
                if not re.search(pattern.replace("on check", "on " + NAMES[target]), job.stderr):
                    sys.exit(f"{source}: the log of {processes} processes has no '{pattern}':\n{job.stderr}")
            if processes > 1:
                continue
            bits = [re.findall("^bits .*", text, re.M) for text in
                    (job.stderr, output(hpcc, program, processes, HPSPMD_TARGET=target, HPSPMD_CHECK_ORDER=order).stderr)]
            if bits[0] != bits[1]:
                sys.exit(f"{source}, {target} {order}: sums differ from run to run: {bits}")
            for function in re.findall(r"^// rule: (\w+)$", source.read_text(), re.M):
                if not obeysRule(program, source, function, hpcc, folder, expected, target):
                    sys.exit(f"{source}: the rule for {function} is not obeyed")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("hpcc")
    options.add_argument("program", type=pathlib.Path)
    options.add_argument("--targets", default="check", type=lambda words: words.split(","))
    options.add_argument("--processes", default="1,2", type=lambda words: [int(word) for word in words.split(",") if word])
    options.add_argument("--cuda")
    options.add_argument("--sanitized", nargs="?", const="address,undefined")
    options.add_argument("--regenerate", action="store_true")
    asked = options.parse_args()
    kernels(asked.hpcc, asked.program, asked.regenerate)
    if "opencl" in asked.targets and not drivers.isThere(asked.hpcc):
        print("there is no device of OpenCL")
        asked.targets.remove("opencl")
        if not asked.targets:
            sys.exit(77)
    if asked.cuda:
        os.environ.update(drivers.pretendedCuda(asked.cuda))
    with tempfile.TemporaryDirectory() as folder:
        drivers.keepCaches(folder)
        flags = []
        if asked.sanitized:
            # By shared memory only: ThreadSanitizer and the memory hooks below MPI do not go together.
            flags = [f"-fsanitize={asked.sanitized}", "-fno-sanitize-recover=all"]
            os.environ["ASAN_OPTIONS"] = "detect_leaks=0"
        test(asked.hpcc, asked.program, pathlib.Path(folder), asked.targets, asked.processes, flags)


main()
