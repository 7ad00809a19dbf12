# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hpcc devices with drivers that are there, that fail, that crash, and that are damaged.

Usage: devices.py <hpcc> <the pretended libcuda.so.1>"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc, driver = sys.argv[1], pathlib.Path(sys.argv[2])
problems = []


def expect(what, *patterns, words=(), **variables):
    job = subprocess.run([hpcc, "devices", *words], capture_output=True, text=True, env={**os.environ, **variables}, timeout=120)
    missing = [pattern for pattern in patterns if not re.search(pattern, job.stdout, re.MULTILINE)]
    if job.returncode != 0 or missing:
        problems.append(f"{what}: exit code {job.returncode}, missing {missing}:\n{job.stdout}{job.stderr}")
    return job.stdout


host = r"^threads +\d+ cores? +\d+\.\d GB +\d+\.\d GB/s  \S"
with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "libcuda.so.1").symlink_to(driver.resolve())
    there = {"LD_LIBRARY_PATH": folder}
    expect("two GPUs", host, r"^cuda:0 +132 multiprocessors +8\.0 GB +-  Pretended 10 \(sm_90\)",
           r"^cuda:1 .*Pretended 11", "^opencl", **there)
    expect("no GPU", host, r"^cuda +- +- +-  the driver shows no device", PRETENDED_DRIVER="none", **there)
    expect("an error", r"^cuda .*  cuInit: no CUDA-capable device is detected \(100\)", PRETENDED_DRIVER="error", **there)
    expect("a crash", host, r"^cuda .*  the driver crashes: Aborted", "^opencl", PRETENDED_DRIVER="crash", **there)
    expect("an exit", r"^cuda .*  the driver ends the process that asks it", PRETENDED_DRIVER="leave", **there)
    for name in "libcuda.so.1", "libOpenCL.so.1":
        file = pathlib.Path(folder) / name
        file.unlink(missing_ok=True)
        file.write_text("no library")
    expect("damaged libraries", host, r"^cuda .*libcuda.so.1: file too short", r"^opencl .*libOpenCL.so.1: file too short",
           **there)
with tempfile.TemporaryDirectory() as folder:  # a library without the functions
    library = subprocess.run([os.environ.get("CC", "cc"), "-shared", "-x", "c", "/dev/null", "-o", f"{folder}/libcuda.so.1"])
    if library.returncode == 0:
        expect("another library", r"^cuda .*  libcuda.so.1 has no cuInit", LD_LIBRARY_PATH=folder)

with tempfile.TemporaryDirectory() as folder:  # the processes of a job; each has one of the GPUs, which no nest can use
    (pathlib.Path(folder) / "libcuda.so.1").symlink_to(driver.resolve())
    job = {"words": ("-n", "2"), "LD_LIBRARY_PATH": folder, "XDG_CACHE_HOME": folder}
    number, node = r" +\d[.\d]*(?:e-\d+)?", r" +\S+ +"
    lines = [rf"^0{node}threads +\d+ cores? +\d+\.\d GB +1 +-  \S", rf"^1{node}threads .* GB{number} +\d+\.\d GB/s  \S",
             rf"^0{node}cuda:0 +132 multiprocessors +8\.0 GB +- +-  Pretended 10 .*: .", rf"^1{node}cuda:1 .*Pretended 11",
             r"^HPSPMD_SPEEDS=1,\d"]
    first = expect("two processes", *lines, **job)
    second = expect("the same again", *lines, "^measured before", **job)
    if not second.startswith(first):
        problems.append(f"the second table is another one:\n{first}{second}")
    for file in (pathlib.Path(folder) / "hpcpp" / "kernels").iterdir():
        file.write_bytes(file.read_bytes()[:-7])
    for what, words in ("a damaged cache", ("-n", "2")), ("measured anew", ("-n", "2", "--again")):
        if "measured before" in expect(what, *lines, **{**job, "words": words}):
            problems.append(f"{what}: what was measured before is shown")
    expect("three processes", *lines, r"^2 ", **{**job, "words": ("-n", "3", "--transport=node")})
for words, message in ((("-n", "2", "prog"), "hpcc devices runs no program: 'prog'"), (("-n",), "-n needs a value"),
                       (("-n", "0"), "-n takes a number"), (("--agian",), "'--agian' is no option")):
    job = subprocess.run([hpcc, "devices", *words], capture_output=True, text=True, timeout=120)
    if job.returncode != 2 or message not in job.stderr:
        problems.append(f"{words}: exit code {job.returncode}: {job.stderr}")
if problems:
    sys.exit("\n".join(problems))
