#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs on a machine where OpenCL is missing, or fails: the right answer by the host, or the documented error.

faults.py HPCC PROGRAM FOLDER_OF_FAKE_LIBRARY [each]: with `each`, only that each call of OpenCL fails in turn. Exit code 77: there
is no device of OpenCL."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import opencl

hpcc, source, fake = sys.argv[1:4]
ANSWER = "first 2\nfirst 4\nsum 2.997e+06\n"
problems = []


def realLibrary():
    listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, timeout=60).stdout
    return re.search(r"libOpenCL\.so\.1 .*=> (\S+)", listed)[1]


def run(program, *arguments, **environment):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "HPSPMD_TARGET": "opencl", "HPSPMD_LOG": "1", **environment})


def expect(what, job, *patterns, code=0):
    """The right answer, or the error with that exit code; and what is logged."""
    missing = [pattern for pattern in patterns if not re.search(pattern, job.stderr)]
    if job.returncode != code or (code == 0 and job.stdout != ANSWER) or missing:
        problems.append(f"{what}: exit code {job.returncode}, missing {missing}:\n{job.stdout}{job.stderr[-2000:]}")


def expectRightOrError(what, job):
    isError = job.returncode == 87 and re.search(r"faults.hpcpp:\d+: .*(DeviceError|TargetUnavailable): ", job.stderr)
    if not isError:
        expect(what, job)
    return bool(isError)


def missing(program, folder):
    """No library, no platform, no such device, no doubles."""
    for name, content in ("absent", "no library"), ("platforms", None):
        (folder / name).mkdir()
        if content:
            (folder / name / "libOpenCL.so.1").write_text(content)
    absent = {"LD_LIBRARY_PATH": str(folder / "absent")}
    nothing = {"OCL_ICD_VENDORS": str(folder / "platforms")}
    expect("no library", run(program, **absent), r"target opencl \(HPSPMD_TARGET\): .*libOpenCL.so.1.*: nests run on the host")
    expect("no library, strict", run(program, HPSPMD_TARGET="opencl!", **absent), "TargetUnavailable: .*libOpenCL.so.1", code=87)
    expect("no platform", run(program, **nothing), "no platform is installed: nests run on the host")
    expect("no platform, strict", run(program, HPSPMD_TARGET="gpu!", **nothing), "TargetUnavailable: ", code=87)
    expect("no such device", run(program, HPSPMD_TARGET="opencl:9.9"), "there is no such device: nests run on the host")
    expect("no doubles", run(program, FAKE_OPENCL_NARROW="1", **FAKE), "has no doubles: nests run on the host")


def cache(program):
    """Kernels are made once, and anew where an entry is damaged."""
    expect("cache", run(program, HPSPMD_TARGET="opencl!"), "0 kernels from the cache, 2 made", "faults.hpcpp:13 on opencl:.*1 launches",
           "faults.hpcpp:16 on opencl:.*: 2 launches")
    kept = "2 kernels from the cache, 0 made"
    expect("cached", run(program, HPSPMD_TARGET="opencl!"), kept)
    entries = sorted(pathlib.Path(os.environ["XDG_CACHE_HOME"], "hpcpp", "kernels").iterdir())
    if len(entries) != 2:
        problems.append(f"entries of the cache: {entries}")
    whole = entries[0].read_bytes()
    middle = len(whole) // 2
    for what, damaged in {"empty": b"", "cut": whole[:-1], "longer": whole + b"x", "head": whole[:30],
                          "changed": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1:],
                          "of another kernel": entries[1].read_bytes(), "text": b"hpspmd kernel 1\nnonsense"}.items():
        entries[0].write_bytes(damaged)
        expect(what, run(program, HPSPMD_TARGET="opencl!"), "1 kernels from the cache, 1 made")
    expect("mended", run(program, HPSPMD_TARGET="opencl!"), kept)
    expect("read only", run(program, HPSPMD_TARGET="opencl!", XDG_CACHE_HOME="/proc"), "0 kernels from the cache, 2 made")


def eachCall(program, folder):
    """The n-th call of OpenCL fails, once or for good."""
    count = folder / "count"
    run(program)  # fills the cache
    expect("fake", run(program, HPSPMD_TARGET="opencl!", FAKE_OPENCL_COUNT=str(count), **FAKE), "2 kernels from the cache")
    calls, errors = int(count.read_text()), 0
    if calls < 50:
        problems.append(f"{calls} calls only")
    faults = [{"FAKE_OPENCL_FAIL": str(number)} for number in range(1, calls + 1)]
    faults += [{**fault, "FAKE_OPENCL_LASTING": "1"} for fault in faults[7::8]]
    with concurrent.futures.ThreadPoolExecutor(4) as jobs:
        for fault, job in zip(faults, jobs.map(lambda fault: run(program, **fault, **FAKE), faults)):
            errors += expectRightOrError(str(fault), job)
    if not 0 < errors < len(faults) / 3:
        problems.append(f"{errors} of {len(faults)} faults are errors")


with tempfile.TemporaryDirectory() as name:
    if not opencl.isThere(hpcc):
        print("there is no device of OpenCL")
        sys.exit(77)
    here = pathlib.Path(name)
    opencl.keepCaches(here)
    FAKE = {"LD_LIBRARY_PATH": fake, "FAKE_OPENCL_REAL": realLibrary()}
    binary = str(here / "faults")
    subprocess.run([hpcc, "-O3", "--device", "--backend-O", "0", source, "-o", binary], check=True, timeout=300)
    if sys.argv[4:] == ["each"]:
        eachCall(binary, here)
    else:
        cache(binary)
        missing(binary, here)
        expect("a fault in a kernel", run(binary, FAKE_OPENCL_FAULT="1", **FAKE),
               r"faults.hpcpp:13: .*DeviceError: the nest has failed on opencl:", code=87)
        # LLVM, of which PoCL makes its kernels, has handlers of its own for these signals.
        expect("a crash", run(binary, "crash", HPSPMD_TARGET="opencl!"), "illegal instruction.*last collective: ", code=132)
if problems:
    sys.exit("\n".join(problems))
