# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adlib::Progress: lines, a line that changes, JSON, silence."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc = pathlib.Path(sys.argv[1]).resolve()
failures = 0


def check(condition, text):
    global failures
    if not condition:
        print("FAILED:", text)
        failures += 1


def run(*words, code=0, **variables):
    done = subprocess.run([hpcc, *words], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, **variables))
    check(done.returncode == code, f"exit code {done.returncode} instead of {code}: {' '.join(words)}\n{done.stdout}{done.stderr}")
    return done


progress = r"""#include <hpspmd>
#include <cmath>
#include <cstdlib>
#include <unistd.h>
using namespace hpspmd;
int main(int argc, char** argv) {
    const Index steps = std::atoi(argv[1]), stride = std::atoi(argv[2]);
    Adlib::Progress progress("re\"lax", argc > 4 ? 0 : steps);
    for (Index step = stride - 1; step < steps; step += stride) {
        if (std::atoi(argv[3]) > 0) ::usleep(std::atoi(argv[3]));
        progress.at(step, "residual", argc > 4 ? NAN : 0.5);
    }
}
"""


def test_progress():
    pathlib.Path("steps.hpcpp").write_text(progress)
    run("steps.hpcpp", "-o", "steps")
    lines = run("run", "--quiet", "-n", "2", "./steps", "200", "1", "2000").stderr.splitlines()
    check(len(lines) == 10 and all(line.startswith('re"lax: ') for line in lines), f"a line for each tenth, of one process: {lines}")
    check(re.match(r're"lax: 200 of 200 \(100 %\), [\d.e+]+/s, \d+ s, residual 0.5$', lines[-1]), f"the last line: {lines[-1]}")
    check(re.search(r" of 200 \(\d+ %\), [\d.e+]+/s, \d+ s left, residual", lines[0]), f"the first line: {lines[0]}")
    for steps, stride in (("10000000", "1"), ("1000", "10"), ("1", "1")):
        last = run("run", "--quiet", "-n", "1", "./steps", steps, stride, "0").stderr.splitlines()[-1]
        done = int(steps) // int(stride) * int(stride)
        check(f": {done} of {steps} " in last, f"the end of {steps} steps by {stride}: {last}")
    check(run("run", "--quiet", "-n", "1", "./steps", "50", "1", "2000", HPSPMD_PROGRESS="off").stderr == "", "off")
    check(run("test", "steps", "-n", "1,2", "--", "50", "1", "0").stderr == "", "hpcc test does not tell how far each run is")
    for line in run("run", "--quiet", "-n", "1", "./steps", "50", "1", "2000", HPSPMD_PROGRESS="json").stderr.splitlines():
        told = json.loads(line)
        check(told["progress"] == 're"lax' and told["steps"] == 50 and told["residual"] == 0.5, f"JSON: {line}")
    text = subprocess.run([hpcc, "run", "--quiet", "-n", "1", "./steps", "300", "1", "2000"], stderr=subprocess.PIPE,
                          env=dict(os.environ, HPSPMD_PROGRESS="terminal"), timeout=60).stderr.decode()
    check(text.count("\r") >= 3 and text.count("\n") == 1 and text.endswith("\n"), f"one line that changes: {text!r}")
    check(run("run", "--quiet", "-n", "1", "./steps", "300", "1", "0", "unknown").stderr == "", "nothing to tell of few unknown steps")
    check("may be off, json" in run("run", "-n", "1", "./steps", "1", "1", "0", code=83, HPSPMD_PROGRESS="loud").stderr, "a wrong value")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    test_progress()
sys.exit(1 if failures else 0)
