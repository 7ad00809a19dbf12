#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hostile command lines and files for hpcc: each must end as documented, with a message, and leave the files as they were.

    testsuite/driver/hostile.py build/bin/hpcc [--all] [--only WORD] [--list]

A case is a line of the shell in a folder of its own, the exit code and what must stand in the standard error output.
Whatever happens: no signal, no "internal error", no file of the user changed, nothing left in the temporary folder. The
cases come from hostile_cases.py; without --all those are left out that need much time.
"""
import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import hostile_cases


def contents(folder):
    """What each file of the folder holds."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[path] = "-> " + os.readlink(path)
        elif path.is_file():
            found[path] = hashlib.sha256(path.read_bytes()).hexdigest() if path.stat().st_size < 1 << 26 else "large"
    return found


class Runner:
    def __init__(self, hpcc, scratch):
        self.hpcc, self.scratch = hpcc, scratch

    def problem(self, case):
        """Why the case is wrong; None if it is as documented."""
        folder = Path(tempfile.mkdtemp(dir=self.scratch))
        try:
            return self.problem_in(case, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def problem_in(self, case, folder):
        work, temporary = folder / "work", folder / "tmp"
        work.mkdir()
        temporary.mkdir()
        hostile_cases.write_files(work)
        environment = dict(os.environ, HPCC=str(self.hpcc), TMPDIR=str(temporary))
        environment.pop("MAKEFLAGS", None)
        prepared = subprocess.run(["sh", "-ec", case.prepare], cwd=work, env=environment, capture_output=True, text=True)
        if prepared.returncode != 0:
            return "cannot be prepared: " + prepared.stderr
        before = contents(work)
        try:
            done = subprocess.run(["sh", "-c", case.line], cwd=work, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120)
        except subprocess.TimeoutExpired:
            return "has not ended within 120 s"
        said = done.stderr.decode(errors="replace")
        if done.returncode not in case.codes:
            return f"exit code {done.returncode} instead of {case.codes}: {said[:300]}"
        if re.search("internal error: |terminate called|Aborted", said) and not case.compilers:
            return f"says {said[:300]}"
        if done.returncode != 0 and not re.search(case.says, said):
            return f"does not say '{case.says}': {said[:300]}"
        after = contents(work)
        lost = [path.name for path in before if after.get(path) != before[path]]
        added = [path.name for path in after if path not in before]
        if lost:
            return f"changed {lost}"
        if any("hpcc-tmp" in name for name in added) or (added and done.returncode != 0 and not case.writes):
            return f"left {added}"
        left = [path.name for path in temporary.iterdir() if path.name.startswith("hpcc-")]
        return f"left {left} in the temporary folder" if left else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hpcc", type=Path)
    parser.add_argument("--all", action="store_true", help="with those that need much time")
    parser.add_argument("--only", default="", help="cases whose name holds this")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    cases = [case for case in hostile_cases.all_cases() if options.only in case.name and (options.all or not case.slow)]
    if options.list:
        print("\n".join(f"{case.name}: {case.line}" for case in cases))
        return 0
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(options.jobs) as pool:
        problems = list(pool.map(Runner(options.hpcc.resolve(), scratch).problem, cases))
    for case, problem in zip(cases, problems):
        if problem:
            print(f"FAILED {case.name}: {case.line}\n    {problem}")
    failed = sum(problem is not None for problem in problems)
    print(f"{len(cases)} cases, {len(cases) - failed} as documented")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
