"""Tables and plots of what has been measured."""
import json
import os
import platform
import re
import subprocess
import sys

from harness import build, plots, thesis
from harness.benchmarks import benchmarks, forms, levels

begin, end = "<!-- measured by bench/run -->", "<!-- until here -->"


def entries():
    """All results; those of the full form before quick ones of the same case."""
    found = {}
    for file in sorted((build.folder / "results").glob("*.json"), reverse=True):
        entry = json.loads(file.read_text())
        if entry["case"] not in found or entry["kind"] == "full":
            found[entry["case"]] = entry
    return found


def number(value):
    return "" if value is None else f"{value:.3g}" if value < 100 else f"{value:.0f}"


def ratio(rival, ours):
    return "" if rival is None or ours is None else f"{rival / ours:.2f}"


def row(cells):
    return "| " + " | ".join(cells) + " |"


def header(cells):
    return [row(cells), "|" + "---|" * len(cells)]


def comparison(found):
    """One table per benchmark: microseconds per iteration, and the rivals' times by ours at -O3."""
    lines = []
    for benchmark in benchmarks:
        mine = [e for e in found.values() if e.get("name") == benchmark.name]
        if not mine:
            continue
        lines += ["", f"### {benchmark.title} (`bench/{benchmark.name}`)", ""]
        lines += header(["extent", "np", *forms, "mpi", *levels, *(f"{form}/ours" for form in forms), "mpi/ours", "cache line"])
        for entry in sorted(mine, key=lambda e: (e["extent"], e["processes"])):
            us = entry["us"]
            ours = us.get("O3")
            lines.append(row([str(entry["extent"]), str(entry["processes"]), *(number(us.get(f)) for f in (*forms, "mpi", *levels)),
                              *(ratio(us.get(f), ours) for f in (*forms, "mpi")), number(entry["cache_line"])]))
        lines += ["", f"![{benchmark.title}: speed of each form, the best by hand being 1](bench_{benchmark.name}.svg)"]
        lines += slowRivals(benchmark, mine)
    return lines


def slowRivals(benchmark, mine):
    """Rivals that are slower than is known to be possible; of interest on the machine where that was measured."""
    slow = []
    for entry in mine:
        for form, known in benchmark.known.get(entry["extent"], {}).items():
            time = entry["us"].get(form)
            if entry["processes"] == 1 and time and time > 1.15 * known:
                slow.append(f"{form} {entry['extent']}: {number(time)} (known: {number(known)})")
    return ["", "Rivals slower than known to be possible: " + "; ".join(slow) + "."] if slow else []


def theses(found):
    """The thesis's tables, theirs beside ours."""
    measured = {(e["program"], e["back"]): e["us"] for e in found.values() if e["group"] == "thesis"}
    if not measured:
        return []
    lines = ["", "### The thesis's tables", "",
             "Speedups. *theirs*: HPJava over sequential Java (thesis); *-O1*: ours, the C++ compiler at `-O1`, optimized = the",
             "passes that the thesis measures (`-O1` for the matrix product, `-O2` for the others); *best*: the C++ compiler at",
             "`-O3 -march=native`, optimized = `-O3`. Sequential is plain C++ with the same back end."]
    lines += ["", "**Table 6.2**, one process", ""] + header(["", "", *thesis.programs62])
    for name, theirs in thesis.table62.items():
        lines.append(row([name, "theirs", *map(number, theirs)]))
        for back, label in (("1", "-O1"), ("3", "best")):
            values = [thesis.ratio(measured.get((program, back), {}), name, 1) for program in thesis.programs62]
            lines.append(row(["", label, *map(number, values)]))
    for table in thesis.tables:
        lines += ["", f"**Table {table.number}**, {table.title}", ""] + header(["processes", "", *map(str, table.processes)])
        for name, theirs in table.rows.items():
            lines.append(row([name, "theirs", *map(number, theirs)]))
            for back, label in (("1", "-O1"), ("3", "best")):
                values = [thesis.ratio(measured.get((table.program, back), {}), name, n) for n in table.processes]
                if any(values):
                    lines.append(row(["", label, *map(number, values)]))
    return lines


def others(found):
    lines = []
    if "prk" in found:
        lines += ["", "### Parallel Research Kernels (`bench/prk`, ours at `-O3`)", ""] + header(["kernel", "n", "np", "rate"])
        lines += [row([name, str(n), str(np), f"{rate:.2f} {unit}/s"]) for name, n, np, rate, unit in found["prk"]["lines"]]
    if "exchange" in found:
        lines += ["", "### Exchange (`bench/exchange`), microseconds", "", *(f"* {line}" for line in found["exchange"]["lines"])]
    if "translate" in found:
        lines += ["", "### The translator", ""] + header(["file", "lines", "level", "best, s", "median, s", "peak, MB"])
        lines += [row([file, str(count), level, f"{least:.2f}", f"{median:.2f}", f"{peak:.0f}"])
                  for file, count, level, least, median, peak in found["translate"]["lines"]]
        lines += ["", f"`#include <hpspmd>` adds {found['translate']['header_seconds']:.2f} s to a compilation."]
    return lines


def inThreads(found):
    """One process of n threads beside n processes of one."""
    lines = []
    mine = sorted((e for e in found.values() if e["group"] == "threads"), key=lambda e: (e["program"], e["extent"]))
    if not mine:
        return lines
    lines += ["", "### Threads (ours at `-O3 -fopenmp`), microseconds per iteration", ""]
    lines += header(["program", "extent", "n", "1 process of n threads", "n processes", "speedup by threads", "by processes"])
    for entry in mine:
        alone = entry["us"]["1 x 1"] if "1 x 1" in entry["us"] else None
        for n in entry["counts"]:
            threads, processes = entry["us"][f"1 x {n}"], entry["us"][f"{n} x 1"]
            lines.append(row([entry["program"], str(entry["extent"]), str(n), number(threads), number(processes),
                              ratio(alone, threads), ratio(alone, processes)]))
    return lines


def machine():
    with open("/proc/cpuinfo") as file:
        model = re.search(r"model name\s*: (.*)", file.read())
    compiler = subprocess.run([build.fromCache("HPCPP_MPICXX"), "-dumpfullversion"], capture_output=True, text=True).stdout.strip()
    return {"processor": model[1] if model else platform.processor(), "cores": os.cpu_count(), "compiler": f"g++ {compiler}",
            "flags": " ".join(["-O3", *build.flags])}


def write(intoDocument):
    found = entries()
    if not found:
        sys.exit("bench/run: nothing has been measured yet; run it without --document first")
    told = machine()
    (build.folder / "results.json").write_text(json.dumps({"machine": told, "results": list(found.values())}, indent=1))
    dates = sorted(entry["date"] for entry in found.values())
    loads = [value for entry in found.values() for value in entry["load"]]
    lines = [f"{told['processor']}, {told['cores']} cores, {told['compiler']} with `{told['flags']}`; {dates[0]} to {dates[-1]}, load "
             f"{min(loads):.1f} to {max(loads):.1f}. Medians, microseconds per iteration; *rival/ours* above 1: ours, at `-O3` with all",
             "checks, is faster. *cache line*: microseconds that one took between two cores at the time."]
    lines += comparison(found) + inThreads(found) + theses(found) + others(found)
    text = "\n".join(lines) + "\n"
    (build.folder / "tables.md").write_text(text)
    pictures = {}
    for benchmark in benchmarks:
        mine = sorted((e for e in found.values() if e.get("name") == benchmark.name), key=lambda e: (e["extent"], e["processes"]))
        if mine:
            shown = [(f"{e['extent']}, np {e['processes']}", e["us"]) for e in mine]
            pictures[f"bench_{benchmark.name}.svg"] = plots.bars(benchmark.title, shown)
    for name, picture in pictures.items():
        (build.folder / name).write_text(picture)
    print(text)
    print(f"wrote {build.folder.relative_to(build.root)}/results.json, tables.md and {len(pictures)} plots")
    if intoDocument:
        document(text, pictures)


def document(text, pictures):
    """Into docs/benchmarks.md, between its marks."""
    page = build.root / "docs" / "benchmarks.md"
    before, _, rest = page.read_text().partition(begin)
    after = rest.partition(end)[2]
    page.write_text(f"{before}{begin}\n{text}{end}{after}")
    for name, picture in pictures.items():
        (page.parent / name).write_text(picture)
