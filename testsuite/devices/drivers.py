# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The drivers that tests use."""
import os
import pathlib
import re
import subprocess


def isThere(hpcc):
    """Whether the table of `hpcc devices` has one that works: with its memory, and no `: problem` behind its name."""
    table = subprocess.run([hpcc, "devices"], capture_output=True, text=True, timeout=120).stdout
    return re.search(r"^opencl:\d+\.\d+ .* GB .*\)$", table, re.M) is not None


def keepCaches(folder):
    """Kernels stay in the folder, those of the library and those of PoCL."""
    for variable in "XDG_CACHE_HOME", "POCL_CACHE_DIR":
        os.environ[variable] = str(pathlib.Path(folder, variable.lower()))
        os.makedirs(os.environ[variable])


def pretendedCuda(folder):
    """The environment in which programs find libcuda.so.1 and libnvrtc.so.13 there, made of fake_cuda.cpp."""
    return {"LD_LIBRARY_PATH": folder, "FAKE_COMPILER": os.environ.get("CXX", "g++")}


def environmentOf(source):
    """Of runs on devices: lines `// environment: NAME=value` of a program."""
    return dict(line.split("=", 1) for line in re.findall("^// environment: (.*)$", pathlib.Path(source).read_text(), re.M))
