# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables and plots of what has been measured."""
import json
import os
import platform
import re
import subprocess
import sys

from harness import build, plots, thesis
from harness.benchmarks import benchmarks, forms, levels, otherLevels

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


def sortedGroup(found, group, *keys):
    """The entries of a group in the order of these keys."""
    return sorted((e for e in found.values() if e["group"] == group), key=lambda e: [e[key] for key in keys])


def table(title, columns, rows):
    """Nothing if there are no rows."""
    return ["", title, "", *header(columns), *map(row, rows)] if rows else []


def comparison(found):
    """Two tables per benchmark, microseconds per iteration: the rivals and our levels, with the rivals' times by ours at
    -O3; and our levels without the checks at run time."""
    lines, rivals = [], (*forms, "mpi")
    for benchmark in benchmarks:
        mine = [e for e in sortedGroup(found, "comparison", "extent", "processes") if e["name"] == benchmark.name]
        if not mine:
            continue
        rows = []
        for entry in mine:
            us = entry["us"]
            rows.append([str(entry["extent"]), str(entry["processes"]), *(number(us.get(f)) for f in (*rivals, *levels)),
                         *(ratio(us.get(f), us.get("O3")) for f in rivals), number(entry["cache_line"])])
        lines += table(f"### {benchmark.title} (`bench/{benchmark.name}`)",
                       ["extent", "np", *rivals, *levels, *(f"{form}/ours" for form in rivals), "cache line"], rows)
        rows = [[str(e["extent"]), str(e["processes"]), *(number(e["us"].get(level)) for level in otherLevels),
                 number(e["us"].get("O3-unchecked"))] for e in mine if otherLevels[0] in e["us"]]
        lines += table("Without the checks at run time:", ["extent", "np", "O0", "O1", "O2", "O3"], rows)
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
    measured = {}
    for entry in sortedGroup(found, "thesis", "program"):
        measured.setdefault((entry["program"], entry["back"]), {}).update(entry["us"])
    if not measured:
        return []
    lines = ["", "### The thesis's tables", "",
             "Speedups. *theirs*: HPJava over sequential Java (thesis); *-O1*: ours, the C++ compiler at `-O1`, optimized = the",
             "passes that the thesis measures (`-O1` for the matrix product, `-O2` for the others); *best*: the C++ compiler at",
             "`-O3 -march=native`, optimized = `-O3`. Sequential is plain C++ with the same back end."]
    beside = [("-O1", "1"), ("best", "3")]
    rows = []
    for name, theirs in thesis.table62.items():
        rows.append([name, "theirs", *map(number, theirs)])
        for label, back in beside:
            rows.append(["", label, *(number(thesis.ratio(measured.get((program.key, back), {}), name, 1))
                                      for program in thesis.programs62)])
    lines += table("**Table 6.2**, one process", ["", "", *(program.key for program in thesis.programs62)], rows)
    for one in thesis.tables:
        rows = []
        for name, theirs in one.rows.items():
            rows.append([name, "theirs", *map(number, theirs)])
            for label, back in beside:
                values = [thesis.ratio(measured.get((one.program.key, back), {}), name, n) for n in one.processes]
                if any(values):
                    rows.append(["", label, *map(number, values)])
        lines += table(f"**Table {one.number}**, {one.title}", ["processes", "", *map(str, one.processes)], rows)
    return lines


def others(found):
    """The groups with a table of their own."""
    lines = table("### Parallel Research Kernels (`bench/prk`, ours at `-O3`)", ["kernel", "n", "np", "unit", "by hand", "ours", "ours/by hand"],
                  [[e["kernel"], str(e["extent"]), str(e["processes"]), e["unit"], f"{e['byHand']:.2f}", f"{e['ours']:.2f}",
                    ratio(e["ours"], e["byHand"])]
                   for e in sortedGroup(found, "prk", "kernel", "extent", "processes")])
    lines += table("### Headers without hpcc (`bench/*/headers.cpp`), one process, microseconds per iteration",
                   ["program", "extent", "plain", "headers", "headers, unchecked", "O3", "plain/headers", "plain/unchecked",
                    "plain/O3"],
                   [[e["name"], str(e["extent"]), *(number(e["us"][f]) for f in ("plain", "headers", "unchecked", "O3")),
                     *(ratio(e["us"]["plain"], e["us"][f]) for f in ("headers", "unchecked", "O3"))]
                    for e in sortedGroup(found, "headers", "name")])
    lines += table("### What the checks at run time cost (ours at `-O3`), microseconds per iteration",
                   ["program", "extent", "np", "unchecked", "cost of the checks", "control"],
                   [[e["name"], str(e["extent"]), str(e["processes"]), number(e["us"]["unchecked"]),
                     *(f"{100 * e['us'][f]:.1f} %" for f in ("checks", "control"))]
                    for e in sortedGroup(found, "checks", "name", "extent", "processes")])
    for entry in sortedGroup(found, "communication", "name", "processes"):
        lines += ["", f"### Communication (`bench/{entry['name']}`), np {entry['processes']}", ""]
        lines += ["```", *entry["lines"], "```"]
    for entry in sortedGroup(found, "translate"):
        lines += table("### The translator", ["file", "lines", "level", "best, s", "median, s", "peak, MB"],
                       [[file, str(count), level, f"{least:.2f}", f"{middle:.2f}", f"{peak:.0f}"]
                        for file, count, level, least, middle, peak in entry["lines"]])
        lines += ["", f"`#include <hpspmd>` adds {entry['header_seconds']:.2f} s to a compilation."]
    return lines


def inStyles(found):
    """Each spelling beside plain C++ and the best by hand; then each computation, of which the best and the worst spelling count."""
    rows = [[*row, entry["processes"]] for entry in sortedGroup(found, "styles", "family", "processes") for row in entry["rows"]]
    times = {}
    for computation, _, ours, _, best, _, _, n in rows:
        times.setdefault((computation, n), (best, []))[1].append(ours)
    lines = table("### Spellings (`bench/styles`, ours at `-O3`), microseconds per iteration",
                  ["computation", "spelling", "np", "ours", "plain", "best", "plain/ours", "best/ours"],
                  [[computation, spelling, str(n), number(ours), number(plain), number(best), f"{by:.2f}", f"{byBest:.2f}"]
                   for computation, spelling, ours, plain, best, by, byBest, n in rows])
    return lines + table("### Computations (`bench/styles`): the best by hand, and the best and the worst of our spellings",
                         ["computation", "np", "best", "best spelling", "worst spelling", "best/best spelling", "worst/best spelling"],
                         [[computation, str(n), number(best), number(min(taken)), number(max(taken)), ratio(best, min(taken)),
                           ratio(max(taken), min(taken))] for (computation, n), (best, taken) in times.items()])


def inThreads(found):
    """One process of n threads beside n processes of one."""
    rows = []
    for entry in sortedGroup(found, "threads", "name", "extent", "count"):
        alone, inOne, processes = (entry["us"][kind] for kind in ("alone", "threads", "processes"))
        rows.append([entry["name"], str(entry["extent"]), str(entry["count"]), number(alone), number(inOne), number(processes),
                     ratio(alone, inOne), ratio(alone, processes)])
    return table("### Threads (ours at `-O3 -fopenmp`), microseconds per iteration",
                 ["program", "extent", "n", "1 thread", "1 process of n threads", "n processes", "speedup by threads",
                  "by processes"], rows)


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
    lines = [f"{told['processor']}, {told['cores']} cores, {told['compiler']} with `{told['flags']}`; {dates[0]} to {dates[-1]},",
             f"load {min(loads):.1f} to {max(loads):.1f}. Medians, microseconds per iteration; *rival/ours* above 1: ours, at `-O3`",
             "with all checks, is faster. *cache line*: microseconds that one took between two cores at the time."]
    lines += comparison(found) + inThreads(found) + inStyles(found) + theses(found) + others(found)
    text = "\n".join(lines) + "\n"
    (build.folder / "tables.md").write_text(text)
    pictures = {}
    for benchmark in benchmarks:
        mine = [e for e in sortedGroup(found, "comparison", "extent", "processes") if e["name"] == benchmark.name]
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
