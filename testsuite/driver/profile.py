# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run records of itself: counts, messages and bytes that are known by hand, and that MPI itself counts; traces;
tools; jobs that die; bad paths."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from json_schema import wrong
from profile_programs import counted, loops, preloaded, program, tool

hpcc, include, mpi = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[3]).resolve(), sys.argv[2] == "ON"
schema = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs/run.schema.json").read_text())
failures = 0
transports = ["mpi", "node"] if mpi else ["node"]


def check(condition, text):
    global failures
    if not condition:
        print("FAILED:", text)
        failures += 1


def line_of(mark):
    return next(k + 1 for k, line in enumerate(program.splitlines()) if "// " + mark in line)


def run(*words, code=0, **variables):
    done = subprocess.run([hpcc, *words], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, **variables))
    check(done.returncode == code, f"exit code {done.returncode} instead of {code}: {' '.join(words)}\n{done.stdout}{done.stderr}")
    return done


def sites_of(profile):
    """By line and operation; what the end of a writeHalo beside a nest sends is nothing."""
    return {(site["line"], site["what"]): site["processes"] for site in profile["sites"]}


def check_counts(profile, processes):
    check(wrong(profile, schema) == [], f"the schema: {wrong(profile, schema)[:3]}")
    check(profile["complete"] and profile["processes"] == processes, "all processes")
    check(profile["recorded"] == list(range(processes)), "recorded processes")
    check(profile["program"] == "prog", "name of the program")
    sites = sites_of(profile)
    for mark, name, count in (("HALO", "writeHalo", 100), ("HALO OF b", "writeHalo", 10), ("NEST", "nest", 100),
                              ("ERROR", "writeHalo", 1), ("MAXVAL", "maxval", 3)):
        parts = sites.get((line_of(mark), name), [])
        check([part["count"] for part in parts] == [count] * processes, f"{mark}: {count} executions: {parts}")
    # Of two processes each has one neighbour: 7 doubles a time, and 2 or 1 floats, as they are needed above or below.
    halo, small = sites[line_of("HALO"), "writeHalo"], sites[line_of("HALO OF b"), "writeHalo"]
    check(all(part["cacheHits"] == 99 for part in halo), f"schedules of writeHalo(a): {halo}")
    plans = next(site["plans"] for site in profile["sites"] if (site["line"], site["what"]) == (line_of("HALO"), "writeHalo"))
    check([plan["count"] for plan in plans] == [100], f"what writeHalo(a) was made of: {plans}")
    if processes == 1:
        check(all(part["messages"] == part["bytes"] == 0 for parts in sites.values() for part in parts), "messages to nobody")
        return
    check([(part["messages"], part["bytes"]) for part in halo] == [(100, 5600)] * 2, f"messages of writeHalo(a): {halo}")
    check([(part["messages"], part["bytes"]) for part in small] == [(10, 80), (10, 40)], f"messages of writeHalo(b): {small}")


def check_times(profile):
    for k, seconds in enumerate(profile["seconds"]):
        inside = sum(parts["processes"][k]["seconds"] for parts in profile["sites"])
        check(abs(inside + profile["outside"][k]["seconds"] - seconds) <= 0.02 * seconds,
              f"times of process {k} add up to {inside} inside and {profile['outside'][k]['seconds']} outside instead of {seconds}")
        for site in profile["sites"]:
            part = site["processes"][k]
            check(0 <= part["waiting"] <= part["seconds"] * 1.001 + 1e-9, f"waiting within the time: {site}")


def check_trace(trace, processes):
    events = trace["traceEvents"]
    check(trace["otherData"]["complete"] is True, "a complete trace")
    names = [event["pid"] for event in events if event["ph"] == "M" and event["name"] == "process_name"]
    check(names == list(range(processes)), f"names of the processes: {names}")
    for process in range(processes):
        own = [event for event in events if event["pid"] == process and event["ph"] == "X"]
        halos = [event for event in own if event["name"] == "writeHalo" and event["args"]["line"] == line_of("HALO")]
        check(len(halos) == 100, f"{len(halos)} times writeHalo in the trace")
        check(sum(event["args"]["bytes"] for event in halos) == (5600 if processes == 2 else 0), "bytes in the trace")
        check(all(0 <= event["ts"] < 1e8 and event["dur"] >= 0 for event in own), "times in the trace")
        open_ends = []  # what begins within another event ends within it
        for event in sorted(own, key=lambda event: (event["ts"], -event["dur"])):
            while open_ends and open_ends[-1] <= event["ts"] + 1e-6:
                open_ends.pop()
            end = event["ts"] + event["dur"]
            check(not open_ends or end <= open_ends[-1] + 0.002, f"an event that leaves the one around it: {event}")
            open_ends.append(end)
        starts = [event["ts"] for event in halos]
        check(starts == sorted(starts), "order in the trace")


def check_messages(trace, processes):
    """Each message that departs arrives later, each end of it within something that the process does."""
    ends = {"s": {}, "f": {}}
    inside = {process: [(event["ts"], event["ts"] + event["dur"]) for event in trace["traceEvents"]
                        if event["ph"] == "X" and event["pid"] == process] for process in range(processes)}
    for event in trace["traceEvents"]:
        if event["ph"] in ends:
            key = event["cat"], event["id"], event["name"]
            check(key not in ends[event["ph"]], f"two ends of {key}")
            ends[event["ph"]][key] = event
            check(any(begin - 0.001 <= event["ts"] <= end + 0.001 for begin, end in inside[event["pid"]]), f"outside of all: {event}")
    check(ends["s"].keys() == ends["f"].keys(), f"arrows without an end: {ends['s'].keys() ^ ends['f'].keys()}")
    for key, begin in ends["s"].items():
        end = ends["f"].get(key, begin)
        check(key[0] == f"from {begin['pid']} to {end['pid']}" and begin["ts"] <= end["ts"], f"from {begin} to {end}")
    return len(ends["s"])


def traced(*options, what="", **settings):
    run("run", "--quiet", *options, "--trace=some.json", "./prog", *([what] if what else []), **settings)
    return json.loads(pathlib.Path("some.json").read_text())


def test_trace_options():
    for transport in transports:
        for settings in ({}, {"HPSPMD_NODE_MEMORY": "off"}, {"HPSPMD_OVERLAP": "always"}):
            trace = traced(f"--transport={transport}", "-n", "2", "--trace-messages", **settings)
            check_trace(trace, 2)
            # 111 of each process in writeHalo, and what maxval sends
            check(222 < (count := check_messages(trace, 2)) < 300, f"{count} messages")
    check(check_messages(traced("-n", "2"), 2) == 0, "no messages unless they are asked for")
    trace = traced("-n", "2", "--trace-messages", f"--trace-from=prog.hpcpp:{line_of('HALO')}:91")
    check_messages(trace, 2)
    for process in range(2):
        names = [event["name"] for event in trace["traceEvents"] if event["ph"] == "X" and event["pid"] == process and event["cat"] != "wait"]
        check((names[0], names.count("nest")) == ("writeHalo", 10), f"what has run from the 91st step on: {names}")
    events = traced("-n", "1", "--trace-from=0.1s", what="sleep")["traceEvents"]
    check(min(event["ts"] for event in events if event["ph"] == "X") >= 1e5, f"from a time on: {events[:2]}")
    for wrong_value in ("1x", "-1", "prog.hpcpp:1", "prog.hpcpp:0:1", "prog.hpcpp:1:1x"):
        done = run("run", "-n", "1", "--trace=some.json", f"--trace-from={wrong_value}", "./prog", code=83)
        check("HPSPMD_TRACE_FROM is" in done.stderr, done.stderr)
    run("run", "--trace-messages", "./prog", code=2)


def test_preloaded_tool():
    pathlib.Path("pmpi.c").write_text(preloaded)
    subprocess.run(["cc", "-shared", "-fPIC", "pmpi.c", "-o", "pmpi.so"], check=True)
    for path in ("pmpi.so", "./pmpi.so"):
        done = run("run", "--quiet", "-n", "2", "--tool", path, "./prog")
        told = [int(count) for count in re.findall(r"^tool: (\d+)$", done.stdout, re.M)]
        check(len(told) == 2 and all(count >= 111 for count in told), f"the tool sees all messages: {done.stdout}")
    for path in ("none.so", "pmpi.c"):
        check(f"no library '{path}'" in run("run", "-n", "1", "--tool", path, "./prog", code=2).stderr, path)
    run("run", "--transport=node", "--tool", "pmpi.so", "./prog", code=2)


def test_counts():
    for transport in transports:
        for processes in (1, 2):
            for settings in ({}, {"HPSPMD_NODE_MEMORY": "off"}, {"HPSPMD_OVERLAP": "always"}):
                run("run", "--quiet", f"--transport={transport}", "-n", str(processes), "--profile=run.json", "--trace=trace.json",
                    "./prog", **settings)
                with open("run.json") as file:
                    profile = json.load(file)
                check_counts(profile, processes)
                check_times(profile)
                with open("trace.json") as file:
                    check_trace(json.load(file), processes)


def test_counts_of_mpi():
    """All that MPI is given is recorded, and nothing else."""
    pathlib.Path("counted.hpcpp").write_text(counted)
    run("counted.hpcpp", "-o", "counted")
    for processes in (1, 2):
        done = run("run", "--quiet", "-n", str(processes), "--profile=run.json", "./counted", HPSPMD_NODE_MEMORY="off")
        profile = json.loads(pathlib.Path("run.json").read_text())
        sent = {int(rank): (int(messages), int(size)) for rank, messages, size in re.findall(r"sent (\d+) (\d+) (\d+)", done.stdout)}
        check(len(sent) == processes, done.stdout)
        for rank in range(processes):
            parts = [site["processes"][rank] for site in profile["sites"]] + [profile["outside"][rank]]
            recorded = (sum(part["messages"] for part in parts), sum(part["bytes"] for part in parts))
            check(recorded == sent[rank], f"process {rank} of {processes} sent {sent[rank]}, recorded are {recorded}")


def test_sampled():
    """Where few executions are timed, the rows add up to the whole, too, and those of a loop take no longer than it."""
    pathlib.Path("loops.hpcpp").write_text(loops)
    run("-O3", "loops.hpcpp", "-o", "loops")
    for processes, steps in ((1, 300000), (2, 1000)):
        for attempt in range(3):  # other work on the machine may fall on what is timed
            done = run("run", "--quiet", "--transport=node", "-n", str(processes), "--profile=run.json", "./loops", str(steps))
            profile = json.loads(pathlib.Path("run.json").read_text())
            check_times(profile)
            halo = next(site for site in profile["sites"] if site["what"] == "writeHalo")
            check([plan["count"] for plan in halo["plans"]] == [steps], f"what writeHalo was made of: {halo['plans']}")
            check(all(part["cacheHits"] == steps - 1 for part in halo["processes"]), f"schedules of writeHalo: {halo['processes']}")
            longer = []
            for rank, taken, worked in re.findall(r"^loop (\d) (\S+) (\S+)$", done.stdout, re.M):
                parts = [site["processes"][int(rank)] for site in profile["sites"] if site["processes"][int(rank)]["count"] == steps]
                sites = sum(part["seconds"] for part in parts)
                check(any(part["sampled"] for part in parts), f"{processes} processes: all {steps} executions are timed")
                if sites > 1.02 * float(taken):
                    longer.append(f"the lines of a loop of {taken} s take {sites} s")
                # Between them stands little else; when the system lets others run tells the processor's time only.
                if processes == 1 and sites < 0.5 * float(worked):
                    longer.append(f"the lines of a loop that worked for {worked} s take {sites} s")
            if not longer:
                break
        check(not longer, f"{processes} processes: {longer}")


def test_table():
    done = run("run", "-n", "2", "--profile", "./prog", "sleep")
    table = done.stderr
    check(re.search(r"^prog on 2 processes: .* computing \d+ %   waiting \d+ %", table, re.M), f"header of the table:\n{table}")
    nest = re.search(rf"^ *[\d.]+ .* 100 .*overall \(i = x for 1 : 22\).*prog.hpcpp:{line_of('NEST')} +([\d.]+)", table, re.M)
    check(nest and float(nest[1]) > 1.5, f"the nest with a sleep in one process is uneven:\n{table}")
    note = f"process 1 has .* the mean of the work at prog.hpcpp:{line_of('NEST')}"
    check(re.search(r"^note: .*writeHalo at .* waits \d+ % of its time: " + note, table, re.M), f"a note of the wait:\n{table}")
    check(re.search(r"^  writeHalo: 111 calls, ", table, re.M), f"the sum over all calls of writeHalo:\n{table}")
    run("run", "--quiet", "-n", "2", "--profile=kept.json", "./prog")
    shown = run("profile", "kept.json").stdout
    check(shown.startswith("prog on 2 processes: "), f"hpcc profile: {shown}")


def test_deaths():
    for transport in transports:
        where = ["run", "--quiet", f"--transport={transport}", "-n", "2", "--profile=dead.json", "--trace=dead_trace.json"]
        for what in ("kill", "exit", "error"):
            done = subprocess.run([hpcc, *where, "./prog", what], capture_output=True, text=True, timeout=120)
            check(done.returncode != 0, f"{what}: exit code 0")
            with open("dead.json") as file:
                profile = json.load(file)
            with open("dead_trace.json") as file:
                trace = json.load(file)
            check(wrong(profile, schema) == [], f"{what}: the schema: {wrong(profile, schema)[:3]}")
            check(profile["complete"] is False and trace["otherData"]["complete"] is False, f"{what}: not complete")
            check("the job" in done.stderr and "'dead_trace.json' is not complete" in done.stderr, f"{what}: {done.stderr}")
            if what == "kill":  # perhaps the other process has found out
                check(profile["recorded"] in ([], [0]) and "nothing is recorded" in done.stderr, f"what was recorded: {done.stderr}")
            if what == "error":  # who ends the job tells what he knows
                check(len(profile["recorded"]) == 1, f"who was recorded: {profile['recorded']}")
                part = sites_of(profile).get((line_of("HALO"), "writeHalo"), [{}])[0]
                check(part.get("count") == 100, f"what it did until then: {part}")


def test_bad_paths():
    # The program finds out at its start, not after hours.
    for option, kind in (("--profile", "profile"), ("--trace", "trace")):
        done = run("run", "-n", "2", f"{option}=missing/run.json", "./prog", code=85)
        check(re.search(rf"cannot write '.*missing/run.json', the {kind} \(HPSPMD_{kind.upper()}\): No such file", done.stderr), done.stderr)
        run("run", f"{option}=.", "./prog", code=2)
        run("run", f"{option}=", "./prog", code=2)
    run("run", "--trace", code=2)
    pathlib.Path("script").write_text("#!/bin/sh\nexit 0\n")
    os.chmod("script", 0o755)
    pathlib.Path("run.json").write_text("another run's")
    done = run("run", "-n", "1", "--profile=run.json", "./script")
    check("has written no profile" in done.stderr, done.stderr)
    run("profile", code=2)
    run("profile", "-x", code=2)
    check("cannot read 'none.json': No such file" in run("profile", "none.json", code=1).stderr, "a profile that is not there")
    for text in ("", "{", "[]", "{}", '{"format": 1, "complete": true}', '{"format": 2}',
                 '{"format": 1, "complete": true, "program": 3, "processes": 1, "recorded": [0], "seconds": [1], "outside": [], "sites": []}',
                 '{"format": 1, "complete": true, "program": "p", "processes": 2, "recorded": [0, 1], "seconds": [1], "outside": [], "sites": [{"processes": []}]}'):
        pathlib.Path("bad.json").write_text(text)
        done = run("profile", "bad.json", code=1)
        check("'bad.json' is" in done.stderr, f"{text}: {done.stderr}")


def test_tools():
    pathlib.Path("tool.c").write_text(tool)
    subprocess.run(["cc", "-Wall", "-I", include, "-shared", "-fPIC", "tool.c", "-o", "tool.so"], check=True)
    # Beside a profile: both are told.
    done = run("run", "--quiet", "-n", "2", "--profile=run.json", "./prog", HPSPMD_TOOLS="./tool.so")
    for process in range(2):
        found = re.search(rf"tool {process}: 111 halos, depth 0, waits 0, (\d+) messages, 0 arrays", done.stdout)
        check(found and int(found[1]) >= 111, f"what the tool was told: {done.stdout}")
    check_counts(json.loads(pathlib.Path("run.json").read_text()), 2)
    for path, text in (("./none.so", "cannot use the tool './none.so'"), ("./tool.c", "cannot use the tool")):
        check(text in run("run", "-n", "1", "./prog", code=85, HPSPMD_TOOLS=path).stderr, path)
    pathlib.Path("empty.c").write_text("int nothing;\n")
    subprocess.run(["cc", "-shared", "-fPIC", "empty.c", "-o", "empty.so"], check=True)
    check("defines no hpspmdToolStart" in run("run", "-n", "1", "./prog", code=85, HPSPMD_TOOLS="./empty.so").stderr, "no start")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    pathlib.Path("prog.hpcpp").write_text(program)
    run("prog.hpcpp", "-o", "prog")
    shorter = (test_counts, test_sampled, test_table, test_bad_paths, test_tools, test_trace_options, *([test_preloaded_tool] if mpi else []))
    longer = (*([test_counts_of_mpi] if mpi else []), test_deaths)
    for test in longer if sys.argv[4:] == ["longer"] else shorter:
        begin = time.time()
        test()
        print(getattr(test, "__name__", "test"), f"{time.time() - begin:.1f} s")
sys.exit(1 if failures else 0)
