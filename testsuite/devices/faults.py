#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs on a machine where OpenCL, or CUDA, is missing, or fails: the right answer by the host, or the documented error.

faults.py HPCC PROGRAM FOLDER_OF_FAKE_LIBRARY opencl|cuda. Exit code 77: there is no device of OpenCL."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import drivers

hpcc, source, fake, target = sys.argv[1:5]
ANSWER = "first 2\nfirst 4\nsum 2.997e+06\nproduct -2.86314e+09 2.84077e+09\n"
KERNELS = {"opencl": 4, "cuda": 5}[target]
problems = []


def realLibrary():
    listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, timeout=60).stdout
    return re.search(r"libOpenCL\.so\.1 .*=> (\S+)", listed)[1]


def run(program, *arguments, **environment):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **BASE, "HPSPMD_TARGET": target, "HPSPMD_LOG": "1", **environment})


def expect(what, job, *patterns, code=0):
    """The right answer, or the error with that exit code; and what is logged."""
    missing = [pattern for pattern in patterns if not re.search(pattern, job.stderr)]
    if job.returncode != code or (code == 0 and job.stdout != ANSWER) or missing:
        problems.append(f"{what}: exit code {job.returncode}, missing {missing}:\n{job.stdout}{job.stderr[-2000:]}")


def missing(program, folder):
    """No library, and what only one kind of driver can lack."""
    library = {"opencl": "libOpenCL.so.1", "cuda": "libcuda.so.1"}[target]
    (folder / "absent").mkdir()
    (folder / "absent" / library).write_text("no library")
    absent = {"LD_LIBRARY_PATH": str(folder / "absent")}
    expect("no library", run(program, **absent), rf"target {target} \(HPSPMD_TARGET\): .*{library}.*: nests run on the host")
    expect("no library, strict", run(program, HPSPMD_TARGET=target + "!", **absent), f"TargetUnavailable: .*{library}", code=87)
    number = {"opencl": "9.9", "cuda": "9"}[target]
    expect("no such device", run(program, HPSPMD_TARGET=f"{target}:{number}"), "there is no such device: nests run on the host")
    if target == "opencl":
        missingOpenCl(program, folder)
    else:
        missingCuda(program, folder)


def missingOpenCl(program, folder):
    (folder / "platforms").mkdir()
    nothing = {"OCL_ICD_VENDORS": str(folder / "platforms")}
    expect("no platform", run(program, **nothing), "no platform is installed: nests run on the host")
    expect("no platform, strict", run(program, HPSPMD_TARGET="opencl!", **nothing), "TargetUnavailable: ", code=87)
    expect("no doubles", run(program, FAKE_NARROW="1", **FAKE), "has no doubles: nests run on the host")


def missingCuda(program, folder):
    expect("no device", run(program, FAKE_DEVICES="0"), "the driver shows no device .*: nests run on the host")
    expect("the first GPU is one of CUDA", run(program, HPSPMD_TARGET="gpu!"), "faults.hpcpp:13 on cuda:0: 1 launches")
    expect("the second one", run(program, HPSPMD_TARGET="cuda:1!"), "faults.hpcpp:13 on cuda:1: 1 launches")
    expect("a compiler that does not know it", run(program, FAKE_OLD="1"), f"compute_80.: 0 kernels from the cache, {KERNELS} made")
    expect("products of a library", run(program), "faults.hpcpp:33 on cuda:0: 1 launches of cuBLAS", "faults.hpcpp:41 on cuda:0: 1 launches of cuBLAS")
    expect("what does not compile", run(program, FAKE_COMPILER="false", XDG_CACHE_HOME=str(folder / "other")),
           r"its kernel does not compile \(error 6 of NVRTC\)")


def cache(program):
    """Kernels are made once, and anew where an entry is damaged."""
    expect("cache", run(program, HPSPMD_TARGET=target + "!"), f"0 kernels from the cache, {KERNELS} made", rf"faults.hpcpp:13 on {target}:.*1 launches",
           rf"faults.hpcpp:16 on {target}:.*: 2 launches")
    kept = f"{KERNELS} kernels from the cache, 0 made"
    expect("cached", run(program, HPSPMD_TARGET=target + "!"), kept)
    entries = sorted(pathlib.Path(os.environ["XDG_CACHE_HOME"], "hpcpp", "kernels").iterdir())
    if len(entries) != KERNELS:
        problems.append(f"entries of the cache: {entries}")
    whole = entries[0].read_bytes()
    middle = len(whole) // 2
    for what, damaged in {"empty": b"", "cut": whole[:-1], "longer": whole + b"x", "head": whole[:30],
                          "changed": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1:],
                          "of another kernel": entries[1].read_bytes(), "text": b"hpspmd kernel 1\nnonsense"}.items():
        entries[0].write_bytes(damaged)
        expect(what, run(program, HPSPMD_TARGET=target + "!"), f"{KERNELS - 1} kernels from the cache, 1 made")
    expect("mended", run(program, HPSPMD_TARGET=target + "!"), kept)
    expect("read only", run(program, HPSPMD_TARGET=target + "!", XDG_CACHE_HOME="/proc"), f"0 kernels from the cache, {KERNELS} made")


with tempfile.TemporaryDirectory() as name:
    here = pathlib.Path(name)
    drivers.keepCaches(here)
    if target == "cuda":
        BASE, FAKE = drivers.pretendedCuda(fake), {}
    elif drivers.isThere(hpcc):
        BASE, FAKE = {}, {"LD_LIBRARY_PATH": fake, "FAKE_REAL": realLibrary()}
    else:
        print("there is no device of OpenCL")
        sys.exit(77)
    binary = str(here / "faults")
    subprocess.run([hpcc, "-O3", "--device", "--backend-O", "0", source, "-o", binary], check=True, timeout=300)
    cache(binary)
    missing(binary, here)
    expect("a fault in a kernel", run(binary, FAKE_FAULT="1", **FAKE), f"DeviceError: .*on {target}:|DeviceError: .* from {target}:", code=87)
    # LLVM, of which PoCL makes its kernels, has handlers of its own for these signals.
    expect("a crash", run(binary, "crash", HPSPMD_TARGET=target + "!"), "illegal instruction.*last collective: ", code=132)
if problems:
    sys.exit("\n".join(problems))
