#!/usr/bin/env python3
"""Random programs give the same answer at every level and with every number of processes.

    run.py <hpcc> <mpiexec> [--seed S] [--programs N] [--per-file K] [--backend-O n] [--jobs J]
    run.py <hpcc> <mpiexec> --seed S --only k [--shrink]      one program, made as small as it fails

A difference is printed with the command that shows it again."""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

import programs

parser = argparse.ArgumentParser()
parser.add_argument("hpcc", type=lambda name: pathlib.Path(name).resolve())
parser.add_argument("mpiexec")
parser.add_argument("--seed", default="1")
parser.add_argument("--programs", type=int, default=100)
parser.add_argument("--per-file", type=int, default=25)
parser.add_argument("--backend-O", default="1", dest="backend")
parser.add_argument("--levels", default="0,1,2,3")
parser.add_argument("--processes", default="1,2,3,4")
parser.add_argument("--jobs", type=int, default=2)
parser.add_argument("--only", type=int)
parser.add_argument("--shrink", action="store_true")
parser.add_argument("--show", action="store_true", help="print the programs and do nothing")
options = parser.parse_args()
levels = options.levels.split(",")
processes = options.processes.split(",")
folder = pathlib.Path(tempfile.mkdtemp(prefix="hpspmd_random_"))


class Failed(Exception):
    """A command that did not end well."""


def command(words, limit):
    done = subprocess.run(words, capture_output=True, text=True, timeout=limit, cwd=folder)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def build(source, level):
    program = source.with_suffix(f".O{level}")
    command([options.hpcc, f"-O{level}", f"--backend-O={options.backend}", "-ffp-contract=off", "-Wall", "-Wextra",
             "-Werror", source, "-o", program], 900)
    return program


def answers(text, name):
    """What a text prints, by level and number of processes."""
    source = folder / f"{name}.hpcpp"
    source.write_text(text)
    result = {}
    for level in levels:
        program = build(source, level)
        for number in processes:
            result[level, number] = command([options.mpiexec, "-n", number, program], 300)
        program.unlink()
    return result


def difference(result):
    """The first (level, processes, line) that differs from the first run; nothing if none does."""
    expected = result[levels[0], processes[0]].splitlines()
    for (level, number), printed in result.items():
        lines = printed.splitlines()
        for k in range(max(len(expected), len(lines))):
            if k >= len(lines) or k >= len(expected) or lines[k] != expected[k]:
                where = (lines[k] if k < len(lines) else expected[k]).split()[0]
                return level, number, int(where)
    return None


def report(what):
    level, number, program = what
    print(f"program {program} of seed {options.seed} differs at -O{level} with {number} processes; again:\n  "
          f"{sys.argv[0]} {options.hpcc} {options.mpiexec} --seed {options.seed} --only {program} "
          f"--levels {levels[0]},{level} --processes {processes[0]},{number} --shrink")


def fails(program, kept):
    try:
        return difference(answers(programs.text([program], kept), "shrink")) is not None
    except Failed:
        return False


def shrunk(program):
    """Leaves out statements while the program still gives different answers."""
    kept = set(range(1, program.positions() + 1))
    for position in sorted(kept, reverse=True):
        if fails(program, kept - {position}):
            kept.discard(position)
    return kept


def checkFile(first):
    some = [programs.Program(options.seed, k) for k in range(first, min(first + options.per_file, options.programs))]
    try:
        return difference(answers(programs.text(some), f"programs{first}"))
    except (Failed, subprocess.TimeoutExpired) as error:
        return f"programs {first} .. of seed {options.seed}: {error}"


def checkAll():
    starts = range(0, options.programs, options.per_file)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = [what for what in pool.map(checkFile, starts) if what]
    for what in found:
        print(what) if isinstance(what, str) else report(what)
    print(f"{options.programs} programs, levels {options.levels}, processes {options.processes}: "
          f"{len(found)} files with differences")
    return 1 if found else 0


def checkOne():
    program = programs.Program(options.seed, options.only)
    what = difference(answers(programs.text([program]), "program"))
    if not what:
        print("no difference")
        return 0
    report(what)
    print(programs.text([program], shrunk(program) if options.shrink else None))
    return 1


if options.show:
    print(programs.text([programs.Program(options.seed, k) for k in range(options.programs)]))
    sys.exit(0)
sys.exit(checkOne() if options.only is not None else checkAll())
