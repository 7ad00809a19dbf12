#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs give one answer at every level, with and without checks, with every number of processes.

    run.py <hpcc> <mpiexec> [--seed S] [--programs N] [--per-file K] [--backend-O n] [--jobs J]
    run.py <hpcc> <mpiexec> --seed S --only k [--shrink]      one program, made as small as it fails
    run.py <hpcc> --prepare FILE.tar.gz [--seed S] [--programs N]
        translates only; what is in the file is built and run on another machine by elsewhere.sh

A difference is printed with the command that shows it again."""
import argparse
import concurrent.futures
import pathlib
import sys

import prepare
import programs
import shrink
import trials

parser = argparse.ArgumentParser()
parser.add_argument("hpcc", type=lambda name: pathlib.Path(name).resolve())
parser.add_argument("mpiexec", nargs="?", default="mpiexec")
parser.add_argument("--seed", default="1")
parser.add_argument("--programs", type=int, default=100)
parser.add_argument("--per-file", type=int, default=25)
parser.add_argument("--backend-O", default="1", dest="backend")
parser.add_argument("--configurations", default=",".join(name for name in trials.configurations if name not in trials.targets))
parser.add_argument("--processes", default="1,2,3,4")
parser.add_argument("--jobs", type=int, default=2)
parser.add_argument("--only", type=int)
parser.add_argument("--shrink", action="store_true")
parser.add_argument("--show", action="store_true", help="print the programs and do nothing")
parser.add_argument("--prepare", type=pathlib.Path)
options = parser.parse_args()
names = options.configurations.split(",")
everything = trials.Trials(options.hpcc, options.mpiexec, options.backend, names, options.processes.split(","))


def report(difference):
    where = f"at {difference.configuration} with {difference.processes or '-'} processes"
    narrow = everything.narrowed(difference)
    print(f"program {difference.number} of seed {options.seed} {where}: {difference.what}\nagain:\n  "
          f"{sys.argv[0]} {options.hpcc} {options.mpiexec} --seed {options.seed} --only {difference.number} "
          f"--configurations {','.join(narrow.names)} --processes {','.join(narrow.processes)} "
          f"--backend-O {options.backend} --shrink")


def groups():
    for first in range(0, options.programs, options.per_file):
        yield [programs.Program(options.seed, k) for k in range(first, min(first + options.per_file, options.programs))]


def checkAll():
    differing = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(everything.differences, groups()):
            for difference in found:
                report(difference)
            differing += len(found)
    print(f"{options.programs} programs, {' '.join(names)}, processes {options.processes}: {differing} with differences")
    return 1 if differing else 0


def checkOne():
    program = programs.Program(options.seed, options.only)
    found = everything.differences([program])
    if not found:
        print("no difference")
        return 0
    report(found[0])
    if options.shrink:
        program = shrink.shrunk(program, everything.narrowed(found[0]), found[0])
    print(programs.text([program]))
    return 1


if options.show:
    print(programs.text([programs.Program(options.seed, k) for k in range(options.programs)]))
    sys.exit(0)
if options.prepare:
    prepare.write(options.prepare, options.hpcc, names, groups(), options.jobs)
    sys.exit(0)
sys.exit(checkOne() if options.only is not None else checkAll())
