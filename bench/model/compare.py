#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The times of collectives that hpcc bill works out, beside measured ones, without the time that a process has waited for others. The
prices of the machine are taken from the marked lines of model.hpcpp in the same runs, the other lines are compared.

    bench/model/compare.py build/bin/hpcc [--processes 2] [--times 200] [--runs 7] [--run "run --transport=node" | --recorded FOLDER]

With --recorded the runs are those whose profiles are in FOLDER (bench/elsewhere.sh), run0.json and so on, of as many processes. Each run is compared
with its own prices, as it has its cores for itself; of each line the median of the runs counts."""
import argparse
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("hpcc")
parser.add_argument("--processes", type=int, default=2)
parser.add_argument("--times", type=int, default=200)
parser.add_argument("--runs", type=int, default=7)
parser.add_argument("--run", default="run --transport=node", help="how hpcc starts it")
parser.add_argument("--recorded", type=pathlib.Path)
options = parser.parse_args()
hpcc = str(pathlib.Path(options.hpcc).resolve())
source = pathlib.Path(__file__).resolve().parent / "model.hpcpp"
marks = {mark: next(k for k, line in enumerate(source.read_text().splitlines(), 1) if "// " + mark in line)
         for mark in ("LATENCY", "PACKED", "STRIDED", "BANDWIDTH", "COPY", "SPREAD", "TURNED")}


def run(folder, k):
    """The profile of a run."""
    profile = folder / f"run{k}.json"
    subprocess.run([hpcc, *shlex.split(options.run), "--quiet", "-n", str(options.processes), folder / "model", str(options.times)],
                   check=True, env={**os.environ, "HPSPMD_PROFILE": str(profile)})
    return profile


def measured(profile):
    """Seconds of one execution, messages and bytes of one process, by line."""
    sites = json.loads(profile.read_text())["sites"]
    return {site["line"]: (site["what"], max(part["seconds"] - part["waiting"] for part in site["processes"]) / options.times,
                           max(part["messages"] for part in site["processes"]) / options.times,
                           max(part["bytes"] for part in site["processes"]) / options.times)
            for site in sites if site["processes"][0]["count"] == options.times}


def bill(folder, profile, machine):
    (folder / "machine.json").write_text(json.dumps(machine))
    done = subprocess.run([hpcc, "bill", profile, "--json", "--machine", folder / "machine.json"], check=True,
                          capture_output=True, text=True)
    return {line["line"]: line["planned"]["seconds"] / options.times for line in json.loads(done.stdout)["lines"]}


def prices(times):
    small, packed, strided, large, copy, spread, turned = (times[marks[mark]] for mark in marks)
    latency = small[1] / max(small[2], 1)
    held = 8 * 1024 * 1024 / options.processes

    def bandwidth(line):
        return line[3] / max(line[1] - latency * line[2], 1e-9)

    # A column of doubles: no two of them lie in one line.
    lone = max((strided[1] - latency * strided[2] - strided[3] / bandwidth(packed)) / (strided[3] / 8), 1e-12)
    print(f"elements in lines of their own: {bandwidth(strided):.3g}; every second one {0.5 * held / spread[1]:.3g}")
    return {"nodeLatency": latency, "packedBandwidth": bandwidth(packed), "nodeBandwidth": bandwidth(large), "copyBandwidth": held / copy[1],
            "turnedBandwidth": held / turned[1], "loneLatency": lone}


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        if options.recorded:
            profiles = sorted(options.recorded.glob("run*.json"))
        else:
            subprocess.run([hpcc, "-w", source, "-o", folder / "model"], check=True)
            profiles = [run(folder, k) for k in range(options.runs)]
        compared = {}  # by line: what, and of each run the model's and the measured seconds
        for profile in profiles:
            times = measured(profile)
            machine = prices(times)
            print(", ".join(f"{name} {value:.3g}" for name, value in machine.items()))
            for line, model in bill(folder, profile, machine).items():
                if line in times and line not in marks.values():
                    compared.setdefault(line, (times[line][0], []))[1].append((model, times[line][1]))
        ratios = []
        for line, (what, pairs) in compared.items():
            each = [model / time for model, time in pairs]
            ratios.append(statistics.median(each))
            model, time = (1e6 * statistics.median(pair[k] for pair in pairs) for k in (0, 1))
            print(f"{line:4} {what:10} model {model:9.1f} us  measured {time:9.1f} us  {ratios[-1]:5.2f}  ({min(each):.2f} to {max(each):.2f})")
        print(f"within 25 %: {sum(0.75 <= ratio <= 1.25 for ratio in ratios)} of {len(ratios)}")


main()
