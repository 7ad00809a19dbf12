#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sums.py HPCC MPIEXEC: reproducible sums have the same bits over all formats, on any number of processes, at every
level and with any number of threads. A short form runs unless `--all` is given."""
import argparse
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("hpcc")
arguments.add_argument("mpiexec", nargs="+", help="the launcher: what stands before -n")
arguments.add_argument("--all", action="store_true", help="1 to 8 processes, all levels, 1 to 4 threads")
options = arguments.parse_args()

here = pathlib.Path(__file__).resolve().parent
threads = ["-fopenmp", "-DHPSPMD_LEAST_WORK(threads)=0"]
if options.all:
    levels = {**{f"O{k}": [f"-O{k}"] for k in range(4)}, "O3 in threads": ["-O3", *threads]}
    processes, numbers, backends = range(1, 9), (1, 2, 3, 4), ("0", "2")
else:
    levels = {"O3 in threads": ["-O3", *threads]}
    processes, numbers, backends = (1, 2, 5), (1, 3), ("0",)
formats = {"block", "ghosts", "cyclic", "block-cyclic", "irregular", "collapsed", "whole"}
environment = {**os.environ, "OMP_WAIT_POLICY": "passive", "OMPI_ALLOW_RUN_AS_ROOT": "1",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def output(words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=900,
                          env={**environment, **more})
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def told(program, count, number):
    """The bits of each quantity, as each format has them."""
    lines = output([*options.mpiexec, "-n", count, program], OMP_NUM_THREADS=str(number)).splitlines()
    result = collections.defaultdict(dict)
    for quantity, bits, name in map(str.split, lines):
        result[quantity][name] = bits
    return result


def main():
    patterns, runs = collections.defaultdict(dict), 0
    with tempfile.TemporaryDirectory(prefix="hpspmd_sums_") as folder:
        for level, words in levels.items():
            for backend in backends:
                program = pathlib.Path(folder, "sums")
                output([options.hpcc, *words, f"--backend-O={backend}", "-ffp-contract=off", here / "sums.hpcpp", "-o", program])
                for count in processes:
                    for number in numbers if "threads" in level else (1,):
                        runs += 1
                        what = f"{level}, --backend-O={backend}, {count} processes, {number} threads"
                        for quantity, found in told(program, count, number).items():
                            if set(found) != formats:
                                sys.exit(f"{what}: {quantity} is not told over all formats, but {sorted(found)}")
                            for name, bits in found.items():
                                patterns[quantity].setdefault(bits, f"{what}, {name}")
    if len(patterns) != 12:
        sys.exit(f"not all quantities are told: {sorted(patterns)}")
    plain = patterns.pop("plain")
    if len(plain) < 2:
        sys.exit("the sums that are not reproducible do not differ: these numbers show nothing")
    wrong = {quantity: found for quantity, found in patterns.items() if len(found) != 1}
    for quantity, found in wrong.items():
        print(f"{quantity} has {len(found)} values:", *(f"\n    {bits} first with {where}" for bits, where in found.items()))
    print(f"{runs} runs, {len(formats)} formats: {len(patterns) - len(wrong)} of {len(patterns)} reproducible sums have one bit pattern; "
          f"the plain sum has {len(plain)}")
    sys.exit(1 if wrong else 0)


main()
