# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hpcc test with --ranges and with --threads: the runs that they add, programs that depend on what they vary, and the same programs
without the fault. A fault by the number of threads needs OpenMP."""
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc = pathlib.Path(sys.argv[1]).resolve()
failures = 0

program = r"""#include <hpspmd>
#include <cstdlib>
#include <string>
#ifdef _OPENMP
#include <omp.h>
#endif
using namespace hpspmd;

int main(int, char** argv) {
    const std::string what = argv[1];
    Procs1 p;
    on (p) {
        BlockRange x(24, p.dim(0));
        ExtBlockRange y(24, p.dim(0), 1, 1);
        double [[-]] a = new double [[x]], b = new double [[y]];
        overall (i = x for :) a[i] = i` * i`;
        overall (i = y for :) b[i] = 1;
        // Asks where locations lie: right on any number of processes if they lie in blocks.
        const bool isFirst = what == "place" && x.localBlock().globalStep > 1;
        overall (i = x for :) a[i] = a[i] + (isFirst ? 1 : 0);                          // PLACE
        const bool isGhost = what == "ghosts" && y.localBlock().globalStep > 1;
        overall (i = y for :) b[i] = isGhost ? 2 : b[i];
        int threads = 1;
#ifdef _OPENMP
        if (what == "threads") threads = omp_get_max_threads();
#endif
        const char* const told = std::getenv("OMP_NUM_THREADS");
        if (what == "variable") threads = std::atoi(told ? told : "1");
        overall (i = x for :) a[i] = a[i] * threads;                                    // THREADS
        if (what == "printed") Adlib::gprintln(p.size() > 0 ? (told ? told : "none") : "");
        Adlib::gprintln("sum ", Adlib::sum(a));
    }
}
"""


# Adds up in an order of its own, so that the last digits depend on the number of processes.
rounded = r"""#include <hpspmd>
#include <cmath>
#include <complex>
#include <cstdio>
#include <functional>
#include <string>
using namespace hpspmd;

int main(int, char** argv) {
    const std::string what = argv[1];
    Procs1 p;
    on (p) {
        BlockRange x(240, p.dim(0));
        double [[-]] a = new double [[x]], b = new double [[x]];
        std::complex<double> [[-]] c = new std::complex<double> [[x]];
        overall (i = x for :) a[i] = std::sin(i`);
        const double sum = 3 + Adlib::reduce(a, [](double left, double right) { return left + right; }, 0.0);  // SUM
        const double fault = p.size() == 3 ? 1 + 1e-9 : 1;
        overall (i = x for :) b[i] = a[i] * sum;
        overall (i = x for :) b[i] = b[i] * (what == "element" && i` == 7 ? fault : 1);          // element
        overall (i = x for :) c[i] = {1, b[i] * (what == "complex" && i` == 9 ? fault : 1)};     // complex
        overall (i = x for :) b[i] = i` != 5 ? b[i] : what == "odd" && p.size() == 3 ? INFINITY : NAN;  // odd
        const double total = Adlib::maxval(sum * (what == "result" ? fault : 1));                // result
        if (apg().rank() == 0) std::printf("total %.17g\n", total * (what == "printed" ? fault : 1));
    }
}
"""


def check(condition, text):
    global failures
    if not condition:
        print("FAILED:", text)
        failures += 1


def line_of(mark, text=program):
    return next(k + 1 for k, line in enumerate(text.splitlines()) if "// " + mark in line)


def test(*words, code, name="prog", arguments=()):
    done = subprocess.run([hpcc, "test", name, *words, "--", *arguments], capture_output=True, text=True, cwd=folder, timeout=120)
    check(done.returncode == code, f"exit code {done.returncode} instead of {code}: {words} {arguments}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    (folder / "prog.hpcpp").write_text(program)
    for name, options in (("prog", []), ("threaded", ["-fopenmp"])):
        subprocess.run([hpcc, "-w", *options, "--pass=no-fusion", "prog.hpcpp", "-o", name], cwd=folder, check=True)

    # All runs are named; right programs agree in all of them.
    text = test("-n", "1,2", "--ranges", "--threads", "1,2", code=0, arguments=["right"])
    check(text.count("process") >= 8 and "agree" in text, f"eight runs: {text}")
    check(len(re.findall("cyclic", text, re.I)) == 4, f"four of them with cyclic ranges: {text}")
    check("ghosts" not in text and "cyclic" not in test("-n", "1,2", code=0, arguments=["right"]).lower(), "without --ranges none")
    # The place of locations: only --ranges finds it, and names the statement; ghost cells stay with their blocks.
    test("-n", "1,2,3", code=0, arguments=["place"])
    text = test("-n", "1,2,3", "--ranges", code=1, arguments=["place"])
    check(f"first at prog.hpcpp:{line_of('PLACE')}," in text, f"the statement that asks for the place: {text}")
    check("24 of 24 elements differ" in text or re.search(r"\d+ of 24 elements differ", text), text)
    test("-n", "1,2,3", "--ranges", code=0, arguments=["ghosts"])
    # The number of threads, which the program asks OpenMP, or the environment, for.
    for name, what in (("threaded", "threads"), ("prog", "variable")):
        test("-n", "1,2", "--threads", "2", code=0, name=name, arguments=[what])
        text = test("-n", "2", "--threads", "1,2", code=1, name=name, arguments=[what])
        check(f"first at prog.hpcpp:{line_of('THREADS')}," in text, f"{name}: the statement that depends on the threads: {text}")
        check("2 threads" in text, f"{name}: which run differs: {text}")
    test("-n", "2", "--threads", "1,2", code=0, name="threaded", arguments=["right"])
    # What is only printed differs, too, unless that is not to be looked at.
    check("but not the output" in test("-n", "1", "--threads", "1,2", code=1, arguments=["printed"]), "the output")
    test("-n", "1", "--threads", "1,2", "--ignore-output", code=0, arguments=["printed"])
    # Sums that are near: what differs by rounding only agrees, all else is found.
    (folder / "rounded.hpcpp").write_text(rounded)
    subprocess.run([hpcc, "-w", "--pass=no-fusion", "rounded.hpcpp", "-o", "rounded"], cwd=folder, check=True)
    numbers = ("-n", "1,2,3,4")
    text = test(*numbers, code=1, name="rounded", arguments=["right"])
    check(f"first at rounded.hpcpp:{line_of('SUM', rounded)}," in text, f"other last digits: {text}")
    check("agree" in test(*numbers, "--sums=near", code=0, name="rounded", arguments=["right"]), "near")
    for what in ("element", "complex", "odd", "result"):
        text = test(*numbers, "--sums", "near", code=1, name="rounded", arguments=[what])
        check(f"first at rounded.hpcpp:{line_of(what, rounded)}," in text, f"{what}: {text}")
        check(what == "result" or "1 of 240 elements differ" in text, f"{what}: {text}")
        test(*numbers, "--sums=near:1e-7", code=int(what == "odd"), name="rounded", arguments=[what])
    check("but not the output" in test(*numbers, "--sums=near", code=1, name="rounded", arguments=["printed"]), "the output")
    for words in (["--sums=far"], ["--sums=near:0"], ["--sums=near:x"], ["--sums"], ["--threads"], ["--threads", "0"], ["--threads", "1,x"], ["--threads", ""], ["--ranges=cyclic"]):
        done = subprocess.run([hpcc, "test", "prog", *words], capture_output=True, text=True, cwd=folder)
        check(done.returncode == 2 and "see hpcc test --help" in done.stderr, f"{words}: {done.returncode} {done.stderr}")
sys.exit(1 if failures else 0)
