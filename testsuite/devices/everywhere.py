#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs on the check device, in three orders of iterations on up to three numbers of processes: each prints what it prints on the host, and
ends with the same exit code. Tests of their own show that this is right.

everywhere.py HPCC FILE.hpcpp..      Of an example the file `args` beside it holds the arguments.
Comments `// run:`, `// with:`, `// options:`, `// transport:` and `// environment:` of a program are those of testsuite/run/run_test.py. Sums are added up in
another order, so of numbers nine digits are compared."""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from answers import isNear

ORDERS = "forwards", "backwards", "shuffled:7"
hpcc = pathlib.Path(sys.argv[1]).resolve()


class Program:
    def __init__(self, source, folder):
        self.source, self.path = source, str(folder / f"{source.parent.name}.{source.stem}")
        self.text = source.read_text()
        self.launches = 0

    def lines(self, key):
        return re.findall(rf"^// {key}: ?(.*)$", self.text, re.M)

    def hpcc(self, *words):
        units = [str(self.source.parent / unit) for unit in " ".join(self.lines("with")).split()]
        options = [word for word in " ".join(self.lines("options")).split() if not re.fullmatch("-O.", word)]
        return subprocess.run([hpcc, "-O3", "--device", *options, *words, str(self.source), *units], capture_output=True, text=True,
                              timeout=900)

    def hasKernels(self):
        kernels = self.hpcc("--emit=kernels")
        return kernels.returncode != 0 or not set(kernels.stdout.splitlines()) <= {"no kernels"}

    def build(self):
        """The problem, or None."""
        build = self.hpcc("--backend-O", "0", "-ffp-contract=off", "-DOMPI_SKIP_MPICXX", "-o", self.path)
        return f"it does not compile:\n{build.stderr[-3000:]}" if build.returncode != 0 else None

    def run(self, processes, target):
        arguments = self.source.parent / "args"
        words = shlex.split(arguments.read_text().replace("OUTPUT", self.path + ".out")) if arguments.exists() else []
        environment = {"HPSPMD_TRANSPORT": (self.lines("transport") or ["node"])[0], **target,
                       **dict(line.split("=", 1) for line in self.lines("environment"))}
        job = subprocess.run([hpcc, "run", "-n", processes, self.path, *words], cwd=self.source.parent, capture_output=True, text=True,
                             timeout=600, env={**os.environ, **environment})
        self.launches += sum(map(int, re.findall(r" on check: (\d+) launch", job.stderr)))
        return job

    def problem(self):
        found = self.build()
        numbers = " ".join(self.lines("run")).split() or ["1", "2", "3"]
        for processes, order in zip(numbers, ORDERS):
            if found:
                return f"{self.source}: {found}"
            host = self.run(processes, {})
            device = self.run(processes, {"HPSPMD_TARGET": "check", "HPSPMD_CHECK_ORDER": order, "HPSPMD_LOG": "1"})
            if (host.returncode, len(host.stdout.split())) != (device.returncode, len(device.stdout.split())) or not all(
                    isNear(*words, 1e-9, 1e-12) for words in zip(host.stdout.split(), device.stdout.split())):
                found = (f"on {processes} processes, {order}: exit code {device.returncode} and\n{device.stdout[-2000:]}{device.stderr[-3000:]}\n"
                         f"on the host {host.returncode} and\n{host.stdout[-2000:]}{host.stderr[-1000:]}")
        return f"{self.source}: {found}" if found else None


with tempfile.TemporaryDirectory() as temporary:
    os.environ["XDG_CACHE_HOME"] = temporary
    sources = [pathlib.Path(file).resolve() for file in sys.argv[2:]]
    # Not examples with a library of their own.
    programs = [Program(source, pathlib.Path(temporary)) for source in sources if not (source.parent / "libraries.cmake").exists()]
    inKernels = list(filter(Program.hasKernels, programs))
    problems = [problem for problem in map(Program.problem, inKernels) if problem]
print(f"{len(programs)} programs, {len(inKernels)} with kernels, {sum(each.launches > 0 for each in programs)} of which have launched kernels on the check device: "
      f"{sum(each.launches for each in programs)} launches")
for each in programs:
    print(f"{each.launches:8d} {each.source}")
if problems:
    sys.exit("\n".join(problems))
