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


def expect(what, *patterns, **variables):
    job = subprocess.run([hpcc, "devices"], capture_output=True, text=True, env={**os.environ, **variables}, timeout=120)
    missing = [pattern for pattern in patterns if not re.search(pattern, job.stdout, re.MULTILINE)]
    if job.returncode != 0 or missing:
        problems.append(f"{what}: exit code {job.returncode}, missing {missing}:\n{job.stdout}{job.stderr}")


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
if problems:
    sys.exit("\n".join(problems))
