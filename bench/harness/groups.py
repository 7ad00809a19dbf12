# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The groups of measurements, and their cases: one file of results per case, so that an interrupted run goes on where it
was."""
import json
import re
import sys
import time

from harness import build, measure, thesis
from harness.benchmarks import benchmarks, forms, kernels, levels, named, otherLevels, storesProducts

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
    if file.exists():
        return tell(f"{name}: measured before", "\n")
    before = measure.load()
    taken = take()
    entry = {"case": name, "kind": kind, "date": time.strftime("%Y-%m-%d %H:%M"), "load": [before, measure.load()], **taken}
    file.write_text(json.dumps(entry, indent=1))
    tell(f"{name}: done", "\n")


def extentsOf(benchmark, options):
    return benchmark.full if options.full else benchmark.quick


def compare(title, rivals, benchmark, extent, options, summary=measure.medians, rounds=None):
    rounds = options.rounds or rounds or (7 if options.full else 3)
    seconds = 0.3 if options.full else 0.1
    times = measure.compare(rivals, extent, benchmark.check, rounds, seconds, lambda text: tell(f"{title}: {text}"))
    return {"extent": extent, "rounds": rounds, "us": summary(times)}


def byHand(benchmark, form, processes):
    """The command of a rival: sequential C++ on one process, if there is such."""
    isSequential = processes == 1 and benchmark.isSplit
    return measure.launched(build.rival(benchmark.name, form, isSequential), 0 if isSequential else processes)


def rivalsOf(benchmark, extent, processes, options):
    """Commands by name."""
    room = measure.availableGigabytes() * 0.8
    rivals = {form: byHand(benchmark, form, processes) for form in forms}
    if processes == 1 and benchmark.isSplit:
        rivals["mpi"] = measure.launched(build.rival(benchmark.name, "rows", False), 1)
    for level in (*levels, *otherLevels) if options.full else levels:
        rivals[level] = measure.launched(build.ours(benchmark.name, level), processes)
    return {name: command for name, command in rivals.items()
            if not storesProducts(benchmark, name) or benchmark.gigabytes(extent) < room}


def takeComparison(benchmark, extent, processes, options):
    line = measure.cacheLine() if processes > 1 else None
    return {"group": "comparison", "name": benchmark.name, "processes": processes, "cache_line": line,
            **compare(f"{benchmark.name} {extent} on {processes}", rivalsOf(benchmark, extent, processes, options), benchmark,
                      extent, options)}


def comparison(benchmark, options):
    build.everything(benchmark, options.full, tell)
    for extent in extentsOf(benchmark, options):
        for n in options.processes:
            case(f"{benchmark.name}.{extent}.{n}", options, lambda: takeComparison(benchmark, extent, n, options))


def takeThreads(benchmark, extent, n, options):
    """One process of n threads beside n processes of one, and one of one."""
    program = build.ours(benchmark.name, "O3-threads")
    rivals = {"alone": measure.launched(program, 1, threads=1), "threads": measure.launched(program, 1, threads=n),
              "processes": measure.launched(program, n, threads=1)}
    return {"group": "threads", "name": benchmark.name, "count": n,
            **compare(f"{benchmark.name} {extent} in {n} threads", rivals, benchmark, extent, options)}


def threads(options):
    for benchmark in benchmarks:
        for extent in extentsOf(benchmark, options):
            for n in options.threads:
                case(f"threads.{benchmark.name}.{extent}.{n}", options, lambda: takeThreads(benchmark, extent, n, options))


def takeHeaders(benchmark, extent, options):
    """Plain C++ with our headers, without hpcc, beside loops over pointers and beside hpcc's output."""
    rivals = {"plain": byHand(benchmark, "plain", 1), "headers": measure.launched(build.headers(benchmark.name, True), 1),
              "unchecked": measure.launched(build.headers(benchmark.name, False), 1),
              "O3": measure.launched(build.ours(benchmark.name, "O3"), 1)}
    return {"group": "headers", "name": benchmark.name,
            **compare(f"{benchmark.name} {extent} by headers", rivals, benchmark, extent, options)}


def headers(options):
    for name, extent in (("red_black", 512), ("matmul_direct", 150), ("q3", 2551)):
        case(f"headers.{name}", options, lambda: takeHeaders(named[name], extent, options))


def costs(times):
    """Of the checks, and of the control, which shows what the machine makes of nothing: medians of the rounds' ratios."""
    ratios = {name: [checked / other - 1 for checked, other in zip(times["checked"], times[name])]
              for name in ("unchecked", "control")}
    return {"unchecked": measure.median(times["unchecked"]), "checks": measure.median(ratios["unchecked"]),
            "control": measure.median(ratios["control"])}


def takeChecks(name, extent, processes, options):
    """Programs with all checks at run time beside the same again and the same without them."""
    checked = measure.launched(build.ours(name, "O3"), processes)
    rivals = {"checked": checked, "control": checked,
              "unchecked": measure.launched(build.ours(name, "O3-unchecked"), processes)}
    return {"group": "checks", "name": name, "processes": processes,
            **compare(f"{name} {extent} on {processes}: checks", rivals, named[name], extent, options, costs, 15)}


def checks(options):
    for name, extent in (("red_black", 150), ("red_black", 512), ("diffusion", 64), ("matmul_direct", 150), ("q3", 2551)):
        for n in options.processes:
            case(f"checks.{name}.{extent}.{n}", options, lambda: takeChecks(name, extent, n, options))


def communication(options):
    """Programs in which Adlib and hand-written MPI take turns."""
    for name in ("exchange", "operations", "remap"):
        for n in options.processes:
            case(f"communication.{name}.{n}", options, lambda: {
                "group": "communication", "name": name, "processes": n,
                "lines": measure.told(measure.launched(build.communication(name), n)).splitlines()})


def rateOf(program, kernel, iterations, extent, n):
    """(rate, its unit), as the program tells them, which has verified its answer."""
    told = measure.told([*measure.launched(program, n), iterations, extent])
    rate = re.search(r"Rate \(M(\w+)/s\): ([\d.]+)", told)
    if not rate:
        raise SystemExit(f"bench/run: {kernel} {extent} on {n}: {told}")
    return float(rate[2]) / 1000, f"G{rate[1]}/s"


def takePrk(kernel, iterations, extent, n, options):
    """Rates of the program by hand and of ours, in turns."""
    programs = {"byHand": build.byHand(f"prk/{kernel}.cpp"), "ours": build.ours("prk", "O3", f"{kernel}.hpcpp")}
    rounds = options.rounds or (7 if options.full else 3)
    rates = {name: [] for name in programs}
    for number in range(rounds):
        tell(f"prk {kernel} {extent} on {n}: round {number + 1} of {rounds}")
        for name, program in programs.items():
            rate, unit = rateOf(program, kernel, iterations, extent, n)
            rates[name].append(rate)
    return {"group": "prk", "kernel": kernel, "extent": extent, "processes": n, "rounds": rounds, "unit": unit,
            **{name: measure.median(taken) for name, taken in rates.items()}}


def prk(options):
    for kernel, runs in kernels.items():
        for iterations, extent in runs:
            for n in options.processes:
                case(f"prk.{kernel}.{extent}.{n}", options,
                     lambda: takePrk(kernel, iterations, extent, n, options))


def takeTranslate(rounds):
    """The translator on two files of 50,000 lines, and what <hpspmd> adds to a compilation."""
    lines = []
    for file in ("source", "programs"):
        text = build.folder / f"{file}.hpcpp"
        text.write_text(measure.told([build.root / "bench" / "translate" / f"make_{file}", 50000]))
        for level in ("-O0", "-O2", "-O3"):
            command = [build.hpcc, level, "--emit=cpp", text, "-o", build.folder / "translated.cpp"]
            lines.append([f"make_{file}", text.read_text().count("\n"), level, *measure.wholeRun(command, rounds)])
    best = []
    for text in ("#include <hpspmd>\n", ""):
        source = build.folder / "header.cpp"
        source.write_text(text + "int main() {}\n")
        command = [build.fromCache("HPCPP_MPICXX"), "-std=c++17", "-O0", *build.includes, "-c", source, "-o",
                   build.folder / "header.o"]
        best.append(measure.wholeRun(command, rounds)[0])
    return {"group": "translate", "lines": lines, "header_seconds": best[0] - best[1]}


def translate(options):
    case("translate", options, lambda: takeTranslate(options.rounds or 5))


def theses(options):
    for program in thesis.programs:
        for back in ("1", "3"):
            for n in options.processes:
                case(f"thesis.{program.key}.{back}.{n}", options, lambda: thesis.take(program, back, n, options, tell))


def takeStyles(family, n, options):
    """Lines of the families of computations: microseconds ours on n processes, plain and best by hand, plain / ours and best / ours, of
    each spelling."""
    program = build.ours("styles", "O3", f"{family}.hpcpp")
    rounds = options.rounds or (9 if options.full else 5)
    told = measure.told([*measure.launched(program, n), "--rounds", rounds])
    rows = [line.split(" | ") for line in told.splitlines()]
    return {"group": "styles", "family": family, "processes": n, "rows": [[*row[:2], *map(float, row[2:])] for row in rows]}


def styles(options):
    for source in sorted((build.root / "bench" / "styles").glob("*.hpcpp")):
        for n in options.processes:
            case(f"styles.{source.stem}.{n}", options, lambda: takeStyles(source.stem, n, options))


others = {"prk": prk, "headers": headers, "communication": communication, "checks": checks, "translate": translate,
          "thesis": theses, "threads": threads, "styles": styles}


def takeAll(options):
    groups = {**{benchmark.name: lambda options, b=benchmark: comparison(b, options) for benchmark in benchmarks}, **others}
    chosen = options.only or (groups if options.full else [*named, "prk"])
    for name in chosen:
        if name not in groups:
            raise SystemExit(f"bench/run: there is no group {name}; there are {', '.join(groups)}")
    if not build.hpcc.exists():
        raise SystemExit(f"bench/run: {build.hpcc} is missing; run ./hpc build first")
    for folder in (results, build.folder / "bin"):
        folder.mkdir(parents=True, exist_ok=True)
    if options.fresh:
        for name in chosen:
            for file in results.glob(f"{name}.*json"):
                file.unlink()
    for name in chosen:
        groups[name](options)
