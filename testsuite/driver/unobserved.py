# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program pays for profile, trace, witness and tools that nobody asks for: counted instructions of nests, beside those of the
same program compiled with headers that do not ask for an observer; what it pays for a profile and for the tester's witness; and for a
checkpoint and progress that are not due. valgrind counts."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

hpcc, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(__file__).resolve().parents[2]
source, with_halo = (root / "bench/red_black" / name for name in ("without_halo.hpcpp", "red_black.hpcpp"))
questions = {"if (observer == nullptr || nesting.depth > 1 || tally.counts(nestName, where)) return;": "return;",
             "        if (isTold_ && observer != nullptr) observer->nestEnds();\n": ""}
calls = r"""#include <hpspmd>
#include <cstdlib>
using namespace hpspmd;
int main(int, char** argv) {
    const Index what = std::atoi(argv[1]), steps = 1000 * std::atoi(argv[2]);
    Adlib::Checkpoint state("never.npz");
    Adlib::Progress progress("steps", Index{1} << 60);
    for (Index step = 0; step < steps; ++step)
        if (what == 0)
            state.every(Index{1} << 60);
        else
            progress.at(step, "residual", 0.5);
}
"""


def headers_without(folder):
    shutil.copytree(root / "include", folder)
    header = folder / "hpspmd/ghosts.hpp"
    text = header.read_text()
    for question, instead in questions.items():
        if text.count(question) != 1:
            sys.exit(f"include/hpspmd/ghosts.hpp asks in another way than this test knows: {question}")
        text = text.replace(question, instead)
    header.write_text(text)


def instructions(program, extent, sweeps, **variables):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--toggle-collect=main", "--callgrind-out-file=/dev/null", program,
                           str(extent), str(sweeps)], check=True, capture_output=True, text=True, timeout=300,
                          env={"HPSPMD_TRANSPORT": "node", "PATH": "/usr/bin:/bin", **variables})
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def of_one_sweep(program, extent, **variables):
    few, many = 100, 600
    return (instructions(program, extent, many, **variables) - instructions(program, extent, few, **variables)) / (many - few)


if not shutil.which("valgrind"):
    sys.exit(77)
with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    headers_without(folder / "include")
    (folder / "calls.hpcpp").write_text(calls)
    compiling = [subprocess.Popen([hpcc, "-w", "-march=x86-64-v3", *options, "-o", folder / name])
                 for name, options in (("usual", [source]), ("with_halo", [with_halo]), ("calls", [folder / "calls.hpcpp"]),
                                       ("without", ["-I", folder / "include/umbrella", "-I", folder / "include", source]))]
    if any(each.wait() for each in compiling):
        sys.exit(1)
    for extent in (20, 100):
        usual, without = (of_one_sweep(folder / name, extent) for name in ("usual", "without"))
        print(f"{extent} x {extent}: {usual:.1f} instructions, {without:.1f} where nothing asks: {usual - without:.1f} more")
        # A load, a comparison and a branch at the begin and at the end, whatever the nest does.
        if not 1 <= usual - without <= 13:
            sys.exit("not two questions")
    without, profiled, witnessed = (
        of_one_sweep(folder / "with_halo", 150, **variables)
        for variables in ({}, *({name: os.fspath(folder / "run")} for name in ("HPSPMD_PROFILE", "HPSPMD_WITNESS"))))
    print(f"150 x 150 with writeHalo: {without:.1f} instructions, with a profile {profiled:.1f}: {100 * (profiled / without - 1):.2f} % more")
    # Under valgrind every execution of the nest is slow enough to be timed; else one of 32 is.
    if not profiled < 1.01 * without:
        sys.exit("a profile costs 1 % or more")
    of_element = (witnessed - without) / 150**2
    print(f"with a witness {witnessed:.1f}: {of_element:.1f} more for each element")
    # Two elements are taken at once; one by one each took 19.
    if not of_element < 13:
        sys.exit("an element that is witnessed takes 13 instructions or more")
    for what, name in enumerate(("every", "at")):
        taken = of_one_sweep(folder / "calls", what, HPSPMD_PROGRESS="lines") / 1000
        print(f"{name} where nothing is due: {taken:.1f} instructions")
        if not taken < 100:
            sys.exit("more than 20 ns where nothing is due")
