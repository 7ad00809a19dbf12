#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the fuzzers; without findings it ends with 0.

    run.py <lexer|parser|translator|all> --fuzzers build/fuzz --seeds build/fuzz_seeds
           [--executions N] [--jobs J] [--seed S] [--corpus DIR] [--findings DIR] [--max-length BYTES]

Each harness gets N executions, dealt to J processes. Inputs that reach new code are kept in DIR/<harness> and are where
the next run goes on. Prints, per harness, the executions, how many of them got through the parser without an error and
through all stages, and the edges of the program's flow graph that have been reached. A finding is left below
--findings; build/fuzz/testsuite/fuzz/fuzz_<harness> <file> runs it again."""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

harnesses = ["lexer", "parser", "translator"]
options = argparse.ArgumentParser(usage=__doc__)
options.add_argument("harness", choices=harnesses + ["all"])
options.add_argument("--fuzzers", type=pathlib.Path, required=True)
options.add_argument("--seeds", type=pathlib.Path, required=True)
options.add_argument("--executions", type=int, default=100000)
options.add_argument("--jobs", type=int, default=1)
options.add_argument("--seed", type=int, default=1)
options.add_argument("--corpus", type=pathlib.Path)
options.add_argument("--findings", type=pathlib.Path)
options.add_argument("--max-length", type=int, default=1000)
options = options.parse_args()
scratch = tempfile.TemporaryDirectory()
findings = options.findings or pathlib.Path(tempfile.mkdtemp(prefix="findings"))
findings.mkdir(parents=True, exist_ok=True)


def start(harness, job):
    fuzzer = next(options.fuzzers.rglob(f"fuzz_{harness}"))
    corpus = (options.corpus or pathlib.Path(scratch.name)) / harness
    corpus.mkdir(parents=True, exist_ok=True)
    log = open(pathlib.Path(scratch.name) / f"{harness}.{job}", "w")
    words = [fuzzer, f"-runs={options.executions // options.jobs}", f"-seed={options.seed + job}",
             f"-max_len={options.max_length}", "-timeout=60", "-rss_limit_mb=4000", "-entropic=0", "-mutate_depth=2", "-cross_over=0", "-print_funcs=0",
             f"-artifact_prefix={findings}/{harness}-{job}-", corpus, options.seeds]
    return subprocess.Popen([str(word) for word in words], stdout=log, stderr=log), pathlib.Path(log.name)


def numbers(pattern, text):
    """Those of the last match; zeros if there is none."""
    last = None
    for last in re.finditer(pattern, text):
        pass
    return [int(number) for number in last.groups()] if last else [0] * re.compile(pattern).groups


def run(harness):
    """Whether nothing was found."""
    jobs = [start(harness, job) for job in range(options.jobs)]
    codes = [process.wait() for process, _ in jobs]
    logs = [path.read_text(errors="replace") for _, path in jobs]
    counts = [numbers(r"inputs: (\d+) executed, (\d+) parsed, (\d+) translated", log) for log in logs]
    executed, parsed, translated = (sum(column) for column in zip(*counts))
    [edges] = max(numbers(r"cov: (\d+)", log) for log in logs)
    [all_edges] = numbers(r"inline 8-bit counters\): (\d+)", logs[0])
    print(f"{harness}: {executed} executions, {parsed} parsed, {translated} translated"
          + (f", {edges} of {all_edges} edges" if all_edges else ""), flush=True)
    for code, log in zip(codes, logs):
        if code:
            print(f"a finding (exit code {code}), in {findings}:\n" + "\n".join(log.splitlines()[-60:]))
    return not any(codes) and executed >= options.executions // options.jobs * options.jobs * 9 // 10


sys.exit(not all([run(harness) for harness in (harnesses if options.harness == "all" else [options.harness])]))
