#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels made ahead of time, for the GPU that fake_cuda.cpp pretends, an sm_90: where the program runs no compiler of kernels is
needed. Also what hpcc says of architectures that it cannot make kernels for.

ahead.py HPCC FOLDER_OF_FAKE_LIBRARY LIBRARY_OF_ANOTHER_KIND"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import drivers

hpcc, fake, other = sys.argv[1:]
HEADER = """#pragma once
#include <hpspmd>
inline void doubled(double [[-]] a) {
    hpspmd::Range x = a.rng(0);
    overall (i = x for :) a[i] = 2 * a[i] + 1;
}
"""
SOURCE = """#include "doubled.hph"
#include <cmath>
#include <cstdio>
using namespace hpspmd;

// Its kernel is indented.
void first() {
    Procs1 p;
    on (p) {
        BlockRange x(100, p.dim(0));
        double [[-]] a = new double [[x]];
        overall (i = x for :) a[i] = i`;
        Adlib::gprintln(Adlib::maxval(a));
    }
}

// Its kernel for doubles is there, and for ints, with which nobody calls it; that of its root not, since ints have none in it.
template <class T>
T scaled(T [[-]] a, const T by) {
    T least = 0;
    overall (i = a.rng(0) for :) {
        a[i] = by * a[i] + std::sqrt(by);
        least = std::min(least, a[i]);
    }
    return least;
}

#define YES 'y'  // and '\\\\' and "quotes"
int main() {
    first();
    Procs1 p;
    on (p) {
        BlockRange x(1000, p.dim(0));
        double [[-]] a = new double [[x]], b = new double [[x]];
        overall (i = x for :) a[i] = i` % 2 == 0 ? i` : -1.5 + (i` > 'a' ? 1 : '\\\\');
        doubled(a);
        Adlib::shift(b, a, 1, 0);
        double largest = scaled(b, 1.0);
        overall (i = x for :) largest = std::max(largest, b[i]);
        std::printf("%d %g\\n", largest > 0, Adlib::sum(b));
    }
}
"""
problems = []


def compiled(*options, **environment):
    return subprocess.run([hpcc, "--backend-O", "0", "-ffp-contract=off", *options, str(source), *([] if "-o" in options else ["-o", str(source.with_suffix(""))])],
                          capture_output=True, text=True, timeout=300, env={**os.environ, **drivers.pretendedCuda(fake), **environment})


def ran(processes=1, **environment):
    return subprocess.run([hpcc, "run", "--quiet", "-n", str(processes), str(source.with_suffix(""))], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "HPSPMD_TARGET": "cuda!", "HPSPMD_LOG": "1", **environment})


def expect(what, job, code, *patterns, output=None):
    missing = [pattern for pattern in patterns if not re.search(pattern, job.stderr)]
    if job.returncode != code or missing or (output is not None and job.stdout != output):
        problems.append(f"{what}: exit code {job.returncode}, missing {missing}:\n{job.stdout}{job.stderr[-3000:]}")


with tempfile.TemporaryDirectory() as folder:
    drivers.keepCaches(folder)
    source = pathlib.Path(folder, "ahead.hpcpp")
    source.write_text(SOURCE)
    source.with_name("doubled.hph").write_text(HEADER)
    driver = pathlib.Path(folder, "driver")  # without a compiler of kernels
    driver.mkdir()
    (driver / "libcuda.so.1").symlink_to(pathlib.Path(fake, "libcuda.so.1"))
    (driver / "libnvrtc.so.13").symlink_to(other)  # before that of a machine which has one
    whole = drivers.pretendedCuda(fake)
    alone = {"LD_LIBRARY_PATH": str(driver)}

    expect("no compiler there", compiled("--device", "--device-arch=sm_90", LD_LIBRARY_PATH=str(driver)), 4, r"error: --device-arch: .*libnvrtc\.so\.13 has no nvrtcVersion")
    for options, says in [(["--device", "--device-arch=sm90"], "'sm90' is no architecture of CUDA"), (["--device", "--device-arch="], "error: .*'?--device-arch"), (["--device", "--device-arch", ""], "'' is no arch"),
                          (["--device", "--device-arch=sm_80,sm_090"], "'sm_090' is no"), (["--device", "--device-arch=sm_80,"], "'' is no"),
                          (["--device-arch=sm_90"], "that --device writes"), (["--device", "-O1", "--device-arch=sm_90"], "that --device writes, at -O3"),
                          (["--device", "--device-arch=sm_61"], r"error: --device-arch=sm_61: NVRTC 13\.99 makes kernels for sm_75, sm_90")]:
        expect(options, compiled(*options), 2, says)

    expect("made ahead", compiled("--device", "--device-arch=sm_90", "-Wall", "-Wextra", "-Wpedantic", "-Werror"), 0)
    answer = ran(HPSPMD_TARGET="sequential").stdout
    empty = {"XDG_CACHE_HOME": str(pathlib.Path(folder, "empty"))}
    ofProgram = r"pretended GPU \(sm_90\): 8 kernels of the program, 0 from the cache, 0 made"
    for processes in 1, 2:
        expect("without a compiler", ran(processes, **alone, **empty), 0, ofProgram, r"doubled\.hph:5 on cuda:0: 1 launches", output=answer.splitlines(True)[0] + "".join(answer.splitlines(True)[1:]) * processes)
    expect("beside one", ran(**whole, **empty), 0, r"8 kernels of the program, 0 from the cache, 0 made", output=answer)

    # A device of another generation has no use for code, but for text.
    expect("for older ones", compiled("--device", "--device-arch=sm_75"), 0)
    expect("no kernel for it", ran(**alone), 87, r"TargetUnavailable.*libnvrtc\.so\.13 has no nvrtcVersion")
    expect("made where it runs", ran(**whole), 0, r"\(NVRTC 13\.99, sm_90\): \d+ kernels from the cache, \d+ made", output=answer)
    expect("as text", compiled("--device", "--device-arch=sm_75", "--device-arch", "compute_75,compute_75", "-c", "-o", str(source.with_suffix(".o"))), 0)
    expect("linked", subprocess.run([hpcc, str(source.with_suffix(".o")), "-o", str(source.with_suffix(""))], capture_output=True, text=True, timeout=300), 0)
    expect("text without a compiler", ran(**alone), 0, r"\(compute_75\): 8 kernels of the program", output=answer)

    # What --emit=cpp gives stands alone.
    plain = str(source.with_suffix(".cpp"))
    expect("emitted", compiled("--device", "--device-arch=sm_90", "--emit=cpp", f"--headers={folder}/headers", "-o", plain), 0)
    expect("from C++", subprocess.run([hpcc, "-DHPSPMD_DEVICE", "--backend-O", "0", plain, "-o", str(source.with_suffix(""))], capture_output=True, text=True,
                                      timeout=300), 0)
    expect("emitted C++ without a compiler", ran(**alone), 0, ofProgram, output=answer)

    # Kernels that do not compile.
    broken = compiled("--device", "--device-arch=sm_90", FAKE_COMPILER="false", **empty)
    expect("none compiles", broken, 0, r"warning: the kernel ahead_\w+ is not made for sm_90: its kernel does not compile \(error 6 of NVRTC\)")
    expect("none is there", ran(**alone), 87, r"TargetUnavailable.*libnvrtc\.so\.13 has no nvrtcVersion")
if problems:
    sys.exit("\n".join(problems))
