# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs whose nests several threads compute, under ThreadSanitizer: no two threads reach an element that one changes.

Usage: race_free.py <hpcc> <file.hpcpp>...
A program with a wrong division shows first that it would be found. Without AVX-512, in which rows of red-black
relaxation store unchanged elements again that other threads read. UCX, where MPI uses it, must not look at the memory."""
import os
import pathlib
import subprocess
import sys
import tempfile

hpcc, sources = sys.argv[1], sys.argv[2:]
racing = """#include <hpspmd>
using namespace hpspmd;

int main() {
    Procs1 p;
    on (p) {
        double value = 0;
        const detail::Run rows(BlockRange(100, p.dim(0)));
        detail::inThreads(detail::Work(rows), [&](const auto &own) { value += double(own.first); }, rows);
        Adlib::gprintln(value);
    }
}
"""
settings = {"OMP_NUM_THREADS": "4", "UCX_MEM_EVENTS": "n", "UCX_MEM_MMAP_HOOK_MODE": "none",
            "TSAN_OPTIONS": "exitcode=66"}


def run(folder, source):
    program = pathlib.Path(folder) / "program"
    command = [hpcc, "-O3", "--backend-O=0", "-march=x86-64-v3", "-fopenmp", "-fsanitize=thread",
               "-DHPSPMD_LEAST_WORK(threads)=0", str(source), "-o", str(program)]
    built = subprocess.run(command, capture_output=True, text=True)
    if "tsan" in built.stderr and built.returncode != 0:
        print("this C++ compiler has no ThreadSanitizer")
        sys.exit(77)
    if built.returncode != 0:
        sys.exit(built.stderr)
    return subprocess.run([program], capture_output=True, text=True, env={**os.environ, **settings})


with tempfile.TemporaryDirectory() as folder:
    control = pathlib.Path(folder) / "racing.hpcpp"
    control.write_text(racing)
    found = run(folder, control)
    if "ThreadSanitizer: " in found.stderr and "data race" not in found.stderr:
        print("ThreadSanitizer does not run on this system:\n" + found.stderr)
        sys.exit(77)
    if found.returncode != 66:
        sys.exit(f"a race is not found: exit code {found.returncode}\n{found.stderr}")
    for source in sources:
        done = run(folder, source)
        if done.returncode != 0:
            sys.exit(f"{source}: exit code {done.returncode}\n{done.stderr[:4000]}")
print(f"{len(sources)} programs without a race")
