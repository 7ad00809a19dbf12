# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs translated, built and run in every configuration, and what differs."""
import os
import pathlib
import re
import subprocess
import tempfile

import programs

# Where nests run: those of a machine without OpenCL, or CUDA, on the host.
targets = {"check": "check", "opencl": "opencl", "cuda": "cuda"}
# Of every nest that may be divided, each of three threads gets a part.
configurations = {"O0": ["-O0"], "O1": ["-O1"], "O2": ["-O2"], "O3": ["-O3"], "O3-unchecked": ["-O3", "--no-checks"],
                  "O3-threads": ["-O3", "-fopenmp", "-DHPSPMD_LEAST_WORK(threads)=0"],
                  **{target: ["-O3", "--device"] for target in targets}}
settings = {"OMP_NUM_THREADS": "3", "OMP_WAIT_POLICY": "passive"}
strict = ["-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]


class Failed(Exception):
    """A command that did not end well, and all that it said."""

    def __init__(self, what, said=""):
        super().__init__(what)
        self.said = said


class Difference:
    """A program whose answer in one configuration is not that of the first."""

    def __init__(self, number, configuration, processes, what):
        self.number, self.configuration, self.processes, self.what = number, configuration, processes, what


class Trials:
    def __init__(self, hpcc, mpiexec, backend, names, processes):
        self.hpcc, self.mpiexec, self.backend = hpcc, mpiexec, backend
        self.names, self.processes = names, processes
        self.temporary = tempfile.TemporaryDirectory(prefix="hpspmd_random_")
        self.folder = pathlib.Path(self.temporary.name)

    def narrowed(self, difference):
        """The same with the first configuration and that of a difference only."""
        names = list(dict.fromkeys([self.names[0], difference.configuration or self.names[0]]))
        processes = list(dict.fromkeys([self.processes[0], difference.processes or self.processes[0]]))
        return Trials(self.hpcc, self.mpiexec, self.backend, names, processes)

    def command(self, words, limit, target=""):
        environment = {**os.environ, **settings, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                       "OMPI_MCA_rmaps_base_oversubscribe": "1", "HPSPMD_OVERLAP": "always",
                       **({"HPSPMD_TARGET": target} if target else {}), "HPSPMD_CHECK_ORDER": "shuffled:5",
                       "XDG_CACHE_HOME": str(self.folder / "kernels"), "POCL_CACHE_DIR": str(self.folder / "pocl")}
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=limit, cwd=self.folder, env=environment)
        except subprocess.TimeoutExpired as error:
            raise Failed(f"{' '.join(map(str, words))}: more than {limit} seconds") from error
        if done.returncode != 0:
            raise Failed(f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stderr[-2000:]}", done.stderr)
        return done.stdout

    def build(self, source, name):
        """Those of which only the target differs are one program."""
        program = source.with_suffix(f".{'device' if name in targets else name}")
        if not program.exists():
            self.command([self.hpcc, *configurations[name], f"--backend-O={self.backend}", *strict, source, "-o", program], 900)
        return program

    def differences(self, some):
        """Of programs that are built as one; of each the first. If they cannot be built as one, without those that the
        compiler speaks of; if it names none, or they cannot be run as one, of the halves."""
        source = self.folder / f"programs{some[0].number}.hpcpp"
        source.write_text(programs.text(some))
        source.with_suffix(".device").unlink(missing_ok=True)  # of another text
        expected, found, configuration, processes = None, {}, None, None
        try:
            for configuration in self.names:
                processes = None
                program = self.build(source, configuration)
                for processes in self.processes:
                    answers = byProgram(self.command([self.mpiexec, "-n", processes, program], 300,
                                                     targets.get(configuration, "")))
                    expected = expected or answers
                    for number in expected.keys() | answers.keys():
                        if answers.get(number) != expected.get(number) and number not in found:
                            found[number] = Difference(number, configuration, processes, "another answer")
                if configuration not in targets:
                    program.unlink()
        except Failed as error:
            if len(some) == 1:
                return [Difference(some[0].number, configuration, processes, str(error))]
            guilty = spokenOf(source, error.said)
            if 0 < len(guilty) < len(some):
                rest = self.differences([each for each in some if each.number not in guilty])
                return rest + [Difference(n, configuration, processes, str(error)) for n in sorted(guilty)]
            half = len(some) // 2
            return self.differences(some[:half]) + self.differences(some[half:])
        return [found[number] for number in sorted(found)]


def spokenOf(source, said):
    """The numbers of the programs in whose lines of a text errors are."""
    text = source.read_text()
    starts = [(text.count("\n", 0, found.start()) + 1, int(found[1]))
              for found in re.finditer(r"^void program(\d+)\(", text, re.M)]
    first, last = starts[0][0], text.count("\n", 0, text.rindex("int main("))
    errors = re.findall(rf"^(?:\S*/)?{re.escape(source.name)}:(\d+):(?:\d+:)? error", said, re.M)
    return {max(start for start in starts if start[0] <= line)[1] for line in map(int, errors) if first <= line <= last}


def byProgram(printed):
    """The lines of each program: they begin with its number."""
    answers = {}
    for line in printed.splitlines():
        number, _, rest = line.partition(" ")
        answers.setdefault(int(number), []).append(rest)
    return answers
