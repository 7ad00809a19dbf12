"""What is measured: one file of results per case, so that an interrupted run goes on where it was."""
import json
import os
import re
import subprocess
import sys
import time

from harness import build, measure, thesis
from harness.benchmarks import benchmarks, forms, levels, storesProducts

results = build.folder / "results"
start = time.time()


def tell(text, end="\r"):
    line = f"[{time.time() - start:5.0f} s] {text}"
    if end == "\n" or sys.stderr.isatty():
        print(f"{line:<100}", end=end, file=sys.stderr, flush=True)


def case(name, options, take):
    """The result of a case: from its file, or taken now."""
    kind = "full" if options.full else "quick"
    file = results / f"{name}.{kind}.json"
    if file.exists() and not options.fresh:
        return tell(f"{name}: measured before", "\n")
    before = measure.load()
    taken = take()
    entry = {"case": name, "kind": kind, "date": time.strftime("%Y-%m-%d %H:%M"), "load": [before, measure.load()], **taken}
    file.write_text(json.dumps(entry, indent=1))
    tell(f"{name}: done", "\n")


def rivalsOf(benchmark, extent, processes):
    """Commands by name."""
    rivals = {}
    room = measure.availableGigabytes() * 0.8
    for form in forms:
        if processes == 1:
            rivals[form] = measure.launched(build.rival(benchmark.name, form, benchmark.isSplit), 0 if benchmark.isSplit else 1)
        else:
            rivals[form] = measure.launched(build.rival(benchmark.name, form, False), processes)
    if processes == 1 and benchmark.isSplit:
        rivals["mpi"] = measure.launched(build.rival(benchmark.name, "rows", False), 1)
    for level in levels:
        program = build.folder / "bin" / f"{benchmark.name}.ours.{level}"
        rivals[level] = measure.launched(program, processes)
    return {name: command for name, command in rivals.items()
            if not storesProducts(benchmark, name) or benchmark.gigabytes(extent) < room}


def takeCase(benchmark, extent, processes, options):
    rivals = rivalsOf(benchmark, extent, processes)
    rounds = options.rounds or (7 if options.full else 3)
    seconds = 0.3 if options.full else 0.1
    line = measure.cacheLine() if processes > 1 else None
    name = f"{benchmark.name} {extent} on {processes}"
    times = measure.compare(rivals, extent, benchmark.check(extent), rounds, seconds, lambda text: tell(f"{name}: {text}"))
    return {"group": "comparison", "name": benchmark.name, "extent": extent, "processes": processes, "rounds": rounds,
            "cache_line": line, "us": times}


def takeThreads(benchmark, extent, options):
    """One process of n threads, and n processes of one."""
    program = build.ours(benchmark.name, "O3-threads", ["-O3", "--backend-O=3", "-fopenmp"])
    counts = [int(n) for n in options.threads.split(",")]
    rivals = {}
    for n in counts:
        rivals[f"1 x {n}"] = measure.launched(program, 1, threads=n)
        rivals[f"{n} x 1"] = measure.launched(program, n, threads=1)
    rounds, seconds = options.rounds or (7 if options.full else 3), 0.3 if options.full else 0.1
    name = f"{benchmark.name} {extent} in threads"
    times = measure.compare(rivals, extent, benchmark.check(extent), rounds, seconds, lambda text: tell(f"{name}: {text}"))
    return {"group": "threads", "program": benchmark.name, "extent": extent, "counts": counts, "rounds": rounds, "us": times}


def takeExchange():
    measure.cacheLine()  # builds it
    lines = [subprocess.run([*measure.launched(build.folder / "bin" / "exchange", n), "512"], capture_output=True, text=True,
                            env=measure.environment).stdout.strip() for n in (1, 2)]
    return {"group": "exchange", "lines": lines}


def takePrk(processes):
    lines = []
    sizes = {"stencil": [(100, 1000), (10, 4000)], "transpose": [(10, 4000)], "p2p": [(50, 1000)], "nstream": [(50, 10000000)]}
    for name, arguments in sizes.items():
        program = build.ours("prk", f"{name}.O3", ["-O3", "--backend-O=3"], f"{name}.hpcpp")
        for words in arguments:
            for n in processes:
                told = subprocess.run([*measure.launched(program, n), *map(str, words)], capture_output=True, text=True,
                                      env=measure.environment).stdout
                rate = re.search(r"Rate \((\w+)/s\): ([\d.]+)", told)
                lines.append([name, words[1], n, float(rate[2]) / 1000, rate[1].replace("M", "G")])
                tell(f"prk {name} {words[1]} on {n}")
    return {"group": "prk", "lines": lines}


def takeTranslate(rounds):
    """The translator on two files of 50,000 lines, and what <hpspmd> adds to a compilation."""
    lines = []
    for file in ("source", "programs"):
        text = build.folder / f"{file}.hpcpp"
        with open(text, "w") as out:
            subprocess.run([build.root / "bench" / "translate" / f"make_{file}", "50000"], stdout=out, check=True)
        count = sum(1 for _ in open(text))
        for level in ("-O0", "-O2", "-O3"):
            command = [build.hpcc, level, "--emit=cpp", text, "-o", build.folder / "translated.cpp"]
            lines.append([f"make_{file}", count, level, *bestOf(command, rounds)])
    include = build.root / "include"
    added = []
    for text in ('#include <hpspmd>\n', ''):
        source = build.folder / "header.cpp"
        source.write_text(text + "int main() {}\n")
        command = [build.fromCache("HPCPP_MPICXX"), "-std=c++17", "-O0", f"-I{include}/umbrella", f"-I{include}", "-c", source,
                   "-o", build.folder / "header.o"]
        added.append(bestOf(command, rounds)[0])
    return {"group": "translate", "lines": lines, "header_seconds": added[0] - added[1]}


def bestOf(command, rounds):
    """(best seconds, median seconds, peak megabytes)"""
    seconds, peak = [], 0
    for _ in range(rounds):
        begin = time.time()
        process = subprocess.Popen(list(map(str, command)))
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(f"bench/run: {' '.join(map(str, command))} failed")
        seconds.append(time.time() - begin)
        peak = max(peak, usage.ru_maxrss / 1024)
    return min(seconds), sorted(seconds)[rounds // 2], peak


def takeAll(options):
    known = {benchmark.name: benchmark for benchmark in benchmarks}
    others = ["exchange", "prk", "translate", "thesis", "threads"]
    chosen = options.only.split(",") if options.only else [*known, *(others if options.full else ["prk"])]
    for name in chosen:
        if name not in known and name not in others:
            raise SystemExit(f"bench/run: there is no group {name}; there are {', '.join([*known, *others])}")
    processes = [int(n) for n in options.processes.split(",")]
    results.mkdir(parents=True, exist_ok=True)
    build.everything([known[name] for name in chosen if name in known], tell)
    for name in chosen:
        if name in known:
            benchmark = known[name]
            for extent in benchmark.full if options.full else benchmark.quick:
                for n in processes:
                    case(f"{name}.{extent}.{n}", options, lambda: takeCase(benchmark, extent, n, options))
    if "threads" in chosen:
        (build.folder / "bin").mkdir(parents=True, exist_ok=True)
        for benchmark in benchmarks:
            for extent in benchmark.full if options.full else benchmark.quick:
                case(f"threads.{benchmark.name}.{extent}", options, lambda: takeThreads(benchmark, extent, options))
    if "exchange" in chosen:
        case("exchange", options, takeExchange)
    if "prk" in chosen:
        case("prk", options, lambda: takePrk(processes))
    if "translate" in chosen:
        case("translate", options, lambda: takeTranslate(options.rounds or 5))
    if "thesis" in chosen:
        for program in thesis.programs:
            for back in ("1", "3"):
                case(f"thesis.{program.key}.{back}", options, lambda: thesis.take(program, back, processes, options, tell))
