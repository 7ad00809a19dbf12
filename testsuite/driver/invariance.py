# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hpcc test on programs with one fault each, which depend on the number of processes: the statement at fault is named;
and on the same programs without the fault: nothing is. The jobs of every sixth are joined by MPI."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc = sys.argv[1]
processes = "1,3,4"  # a line, and 2 x 2

line = """        ExtBlockRange x(24, p.dim(0), 2, 2);
        double [[-]] a = new double [[x]], b = new double [[x]];
        overall (i = x for :) a[i] = 1.0 + i` * i`;"""
plane = """        ExtBlockRange x(12, q.dim(0), 1, 1), y(10, q.dim(1), 1, 1);
        double [[-,-]] a = new double [[x, y]], b = new double [[x, y]];
        overall (i = x for :, j = y for :) a[i, j] = 1.0 + 10 * i` + j`;"""


def on_line(fault, right, before="", after="overall (i = x for :) a[i] = b[i];"):
    return ("p", line, before, fault, right, after)


def on_plane(fault, right, before="", after="overall (i = x for :, j = y for :) a[i, j] = b[i, j];"):
    return ("q", plane, before, fault, right, after)


cases = []
# Ghost cells that nobody has filled, and that were filled before the elements changed; refreshed() says otherwise.
for shift in ("- 1", "+ 1", "- 2", "+ 2"):
    for text in (f"a[i {shift}]", f"0.5 * (a[i {shift}] + a[i])"):
        cases.append(on_line(f"overall (i = x for 2 : 21) b[i] = {text};",
                             f"Adlib::writeHalo(a); overall (i = x for 2 : 21) b[i] = {text};", "refreshed(a);"))
for text in ("a[i - 1, j]", "a[i + 1, j]", "a[i, j - 1]", "a[i, j + 1]"):
    cases.append(on_plane(f"overall (i = x for 1 : 10, j = y for 1 : 8) b[i, j] = {text};",
                          f"Adlib::writeHalo(a); overall (i = x for 1 : 10, j = y for 1 : 8) b[i, j] = {text};",
                          "refreshed(a);"))
for shift in ("- 1", "+ 1"):
    cases.append(on_line(f"overall (i = x for 2 : 21) b[i] = a[i {shift}];",
                         f"Adlib::writeHalo(a); overall (i = x for 2 : 21) b[i] = a[i {shift}];",
                         "Adlib::writeHalo(a); overall (i = x for :) a[i] = 2 * a[i]; refreshed(a);"))
cases.append(on_plane("overall (i = x for 1 : 10, j = y for :) b[i, j] = a[i - 1, j];",
                      "Adlib::writeHalo(a); overall (i = x for 1 : 10, j = y for :) b[i, j] = a[i - 1, j];",
                      "Adlib::writeHalo(a); overall (i = x for :, j = y for :) a[i, j] = 2 * a[i, j]; refreshed(a);"))
# Where the process stands in the grid, and what it holds.
for value in ("p.dim(0).crd()", "p.rank()", "p.size()", "x.localBlock().count", "x.localBlock().globalBase",
              "a.localExtent(0)", "1.0 / p.size()", "p.dim(0).size()", "x.volume()"):
    cases.append(on_line(f"overall (i = x for :) b[i] = a[i] + {value};", "overall (i = x for :) b[i] = a[i] + 24;",
                         "const double start = 0; (void)start;"))
for value in ("q.dim(0).crd()", "q.dim(1).crd()", "q.rank()", "q.size()", "x.localBlock().count",
              "y.localBlock().globalBase", "q.dim(0).size()"):
    cases.append(on_plane(f"overall (i = x for :, j = y for :) b[i, j] = a[i, j] * (1 + {value});",
                          "overall (i = x for :, j = y for :) b[i, j] = a[i, j] * (1 + y.size());"))
# A value that each process has computed from its own elements.
for start, step in (("0", "mine += a[i]"), ("0", "mine = a[i] > mine ? a[i] : mine"), ("1e9", "mine = a[i] < mine ? a[i] : mine"),
                    ("0", "mine = a[i]"), ("0", "mine += 1"), ("1", "mine *= 1 + a[i] / 1000"), ("0", "mine = i`"),
                    ("0", "mine += a[i] * a[i]")):
    cases.append(on_line("overall (i = x for :) b[i] = a[i] - mine;", "const double all = Adlib::sum(a); overall (i = x for :) b[i] = a[i] - all;",
                         f"double mine = {start}; for (Index k = 0; k < 24; ++k) at (i = x[k]) {{ {step}; }}"))
for value in ("a.localExtent(0) * a.localExtent(1)", "1 + q.rank() % 2", "x.localBlock().count + y.localBlock().count"):
    cases.append(on_plane("overall (i = x for :, j = y for :) b[i, j] = mine * a[i, j];",
                          "overall (i = x for :, j = y for :) b[i, j] = 3 * a[i, j];", f"const double mine = {value};"))
for call in ("Adlib::sum(q.dim(1).crd())", "Adlib::minval(-q.rank())"):
    cases.append(on_plane(f"const double all = {call};", "const double all = Adlib::maxval(a);", "",
                          "overall (i = x for :, j = y for :) b[i, j] = all;"))
# Numbers from a generator that each process has for itself.
for before, value in (("std::mt19937 g(7);", "g() % 1000"), ("std::mt19937 g(7 + p.rank());", "g() % 1000"),
                      ("std::srand(7);", "std::rand() % 1000"), ("int calls = 0;", "++calls"),
                      ("double last = 0;", "(last = 0.5 * last + 1)")):
    cases.append(on_line(f"overall (i = x for :) b[i] = {value};", "overall (i = x for :) b[i] = i` % 1000;", before))
# Results of collectives over one value per process.
for call in ("Adlib::sum(1)", "Adlib::sum(p.rank())", "Adlib::maxval(p.rank())", "Adlib::sum(a.localExtent(0) > 0 ? 1.0 : 0.0)",
             "Adlib::product(2)"):
    cases.append(on_line(f"const double all = {call};", "const double all = Adlib::sum(a);", "",
                         "overall (i = x for :) b[i] = all;"))
# Where and how often something is written.
for place in ("p.size()", "2 * p.size() + 1", "x.localBlock().count - 1"):
    cases.append(on_line(f"at (i = x[{place}]) b[i] = 5;", "at (i = x[7]) b[i] = 5;"))
for count in ("p.size()", "3 * p.size()", "24 / p.size()"):
    cases.append(on_line(f"for (int k = 0; k < {count}; ++k) overall (i = x for :) b[i] = b[i] + 1;",
                         "for (int k = 0; k < 4; ++k) overall (i = x for :) b[i] = b[i] + 1;"))


def program(which):
    """All cases, each a function; the line of each statement `which` (3: the fault, 4: what is right)."""
    text = ["#include <hpspmd>", "#include <cstdlib>", "#include <random>", "using namespace hpspmd;"]
    lines = []
    for k, case in enumerate(cases):
        grid, arrays, before, after = case[0], case[1], case[2], case[5]
        text += [f"static void case{k}() {{", "    Procs1 p;" if grid == "p" else "    Procs2 q;", f"    on ({grid}) {{"]
        text += arrays.split("\n") + ["        " + before, "        " + case[which]]
        lines.append(len(text))
        text += ["        " + after, "    }", "}"]
    text += ["int main(int, char** argv) {", "    void (*const cases[])() = {"]
    text += [f"        case{k}," for k in range(len(cases))]
    text += ["    };", "    cases[std::atoi(argv[1])]();", "}", ""]
    return "\n".join(text), lines


def compiled(folder, name, which):
    text, lines = program(which)
    (folder / f"{name}.hpcpp").write_text(text)
    # Statement by statement; a program whose ghost cells are not checked tells of its collectives only.
    subprocess.run([hpcc, "-w", "-O1", "--backend-O=0", f"{name}.hpcpp", "-o", name], cwd=folder, check=True)
    return lines


def test(folder, name, k):
    return subprocess.run([hpcc, "test", name, "-n", processes, "--", str(k)], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "HPSPMD_TRANSPORT": "mpi" if k % 6 == 0 else "node"})


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    lines = compiled(folder, "faulty", 3)
    named, problems = 0, []
    for k, case in enumerate(cases):
        run = test(folder, "faulty", k)
        if run.returncode not in (0, 1):
            problems.append(f"'{case[3]}': exit code {run.returncode}\n{run.stdout}{run.stderr}")
        found = re.findall(r"(?:first at|note:) faulty\.hpcpp:(\d+)[:,]", run.stdout)
        if run.returncode == 1 and str(lines[k]) in found:
            named += 1
        else:
            print(f"not named: '{case[3]}' in line {lines[k]}:\n{run.stdout}{run.stderr}")
    compiled(folder, "right", 4)
    for k, case in enumerate(cases):
        run = test(folder, "right", k)
        if run.returncode != 0 or " agree (" not in run.stdout:
            problems.append(f"'{case[4]}' is right, but:\n{run.stdout}{run.stderr}")
print(*problems, sep="\n")
print(f"{len(cases)} faults, {named} named; {len(problems)} problems")
sys.exit(1 if problems or named * 20 < len(cases) * 19 else 0)
