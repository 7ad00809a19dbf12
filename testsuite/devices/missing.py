#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The check device finds a question that hpcc has forgotten. Removes the one before a loop: the program must then end with a
message that names the array, where with it, or on the host, it prints the right number. And a program of which one file does not ask
uses no device."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc, source = sys.argv[1:]


def run(*command, **environment):
    job = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, **environment})
    if job.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {job.returncode}\n{job.stderr[-3000:]}")
    return job.stdout


question = "hpspmd::detail::atHome({hpspmd::detail::reads(t)});\n"
with tempfile.TemporaryDirectory() as folder:
    text = run(hpcc, "-O3", "--device", "-P", "--emit=cpp", source)
    if text.count(question) != 1:
        sys.exit(f"the question is not there once:\n{text}")
    hidden = r"segmentation fault .*: elements of the array 't' of \S*missing.cpp:15, which are on check since \S*missing.cpp:13, have been reached at home"
    for name, code in (("asked", text), ("missing", text.replace(question, "\n"))):
        file = pathlib.Path(folder, name + ".cpp")
        file.write_text(code)
        program = str(file.with_suffix(""))
        run(hpcc, "-O3", "--backend-O", "0", "-DHPSPMD_DEVICE", str(file), "-o", program)
        job = subprocess.run([program], capture_output=True, text=True, timeout=60, env={**os.environ, "HPSPMD_TARGET": "check"})
        isRight = job.stdout == "sum 4950\n" if name == "asked" else job.returncode == 139 and re.search(hidden, job.stderr)
        if not isRight:
            sys.exit(f"{name}: exit code {job.returncode}\n{job.stdout}{job.stderr}")
        if run(program) != "sum 4950\n":
            sys.exit(f"{name}: another sum on the host")
    for name in "2d.hpcpp", "-.hpcpp", "heat 2.hpcpp":  # kernels are named after files
        other = pathlib.Path(folder, name)
        other.write_text(pathlib.Path(source).read_text())
        run(hpcc, "-O3", "--device", "-c", "--backend-O", "0", str(other), "-o", str(other) + ".o")
    plain = pathlib.Path(folder, "plain.cpp")
    plain.write_text("#include <hpspmd>\n")
    program = str(pathlib.Path(folder, "mixed"))
    for _ in range(3):  # <hpspmd> is precompiled at the second time
        run(hpcc, "-O3", "--device", "--backend-O", "0", source, str(plain), "-o", program, HPCC_PRECOMPILED=folder + "/precompiled")
    job = subprocess.run([program], capture_output=True, text=True, timeout=60,
                         env={**os.environ, "HPSPMD_TARGET": "check", "HPSPMD_LOG": "1"})
    if job.stdout != "sum 4950\n" or "plain.cpp was not translated by hpcc --device" not in job.stderr.replace(str(folder) + "/", ""):
        sys.exit(f"a file that does not ask: {job.stdout}{job.stderr}")
