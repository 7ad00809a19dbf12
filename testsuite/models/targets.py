# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs under targets named by on, HPSPMD_TARGET and HPSPMD_RULES: threads that nests had, what is logged, exit codes.

Usage: targets.py <hpcc> <folder of targets.hpcpp>"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc, source = sys.argv[1], pathlib.Path(sys.argv[2]) / "targets.hpcpp"
problems = []


def run(program, processes=1, rules=None, target=None, **variables):
    environment = {**os.environ, "OMP_NUM_THREADS": "3", **variables}
    if rules is not None:
        file = pathlib.Path(program).parent / "my.rules"
        file.write_text(rules)
        environment["HPSPMD_RULES"] = str(file)
    options = [f"--target={target}"] if target else []
    return subprocess.run([hpcc, "run", "-n", str(processes), *options, program], capture_output=True, text=True, env=environment,
                          timeout=120)


def expect(what, job, code, *patterns):
    """Exit code, and regular expressions that what was printed matches."""
    text = job.stdout + job.stderr
    missing = [pattern for pattern in patterns if not re.search(pattern, text)]
    if job.returncode != code or missing:
        problems.append(f"{what}: exit code {job.returncode} for {code}, missing {missing}:\n{text}")


with tempfile.TemporaryDirectory() as folder:
    built = {}
    for name, options in {"threads": ["-O3", "-fopenmp", "-DHPSPMD_LEAST_WORK(threads)=0"], "alone": ["-O2"]}.items():
        built[name] = f"{folder}/{name}"
        subprocess.run([hpcc, "-Wall", "-Wextra", "-Werror", "-DOMPI_SKIP_MPICXX", *options, str(source), "-o", built[name]],
                       check=True)
    program = built["threads"]
    for processes in 1, 2, 3, 4:
        expect(f"on, {processes} processes", run(program, processes), 0, "default: 3 3 3", "sequential: 1 1", "two: 2 2",
               "two: 2\n", "gpu: 3 3", "mixed: ")
    expect("without threads", run(built["alone"], 2, HPSPMD_LOG="1"), 0, "default: 1 1 1", "two: 1 1", "gpu: 1 1",
           r"targets.hpcpp:40: target gpu \(on\): this program has no kernels: nests run on the host")

    expect("HPSPMD_TARGET", run(program, HPSPMD_TARGET="sequential"), 0, "default: 1 1 1", "two: 2 2", "gpu: 3 3")
    expect("threads:2", run(program, HPSPMD_TARGET="threads:2"), 0, "default: 2 2 2", "sequential: 1 1")
    expect("fallback", run(program, 2, HPSPMD_TARGET="cuda:1", HPSPMD_LOG="1"), 0, "default: 3 3 3",
           r"hpspmd: target cuda:1 \(HPSPMD_TARGET\): this program has no kernels for cuda: nests run on the host",
           r"targets.hpcpp:11 in sweep: target cuda:1 \(HPSPMD_TARGET\): this program .*: runs in 3 threads",
           r"targets.hpcpp:18 in Relaxation::relax: ", r"targets.hpcpp:24 in pattern: ")
    log = run(program, 2, HPSPMD_TARGET="cuda:1", HPSPMD_LOG="1").stderr
    if log.count("targets.hpcpp:11 ") != 1:
        problems.append("not once per nest:\n" + log)
    quiet = run(program, 2, HPSPMD_TARGET="cuda:1", rules="sweep:gpu\n").stderr
    if "target" in quiet or "HPSPMD_" in quiet:
        problems.append("told without being asked:\n" + quiet)

    expect("a function", run(program, 2, rules="relax:sequential\n"), 0, "default: 3 1 3", "sequential: 1 1")
    expect("a function of a class", run(program, rules="Relaxation::relax:sequential\nOther::relax:threads:2\n"), 0,
           "default: 3 1 3")
    expect("no function of that class", run(program, rules="Other::relax:sequential\nOther::sweep:sequential\n"), 0,
           "default: 3 3 3")
    expect("a place", run(program, rules="targets.hpcpp:11:threads:2\nsweep:sequential\n"), 0, "default: 2 3 3",
           "sequential: 2 1", "gpu: 2 3")
    expect("rules before on", run(program, rules="pattern:threads:2\n"), 0, "default: 3 3 2", "sequential: 1 2")
    expect("the last wins", run(program, rules="*:sequential\nsweep:threads:2\n"), 0, "default: 2 1 1", "gpu: 2 1")
    expect("rules before HPSPMD_TARGET", run(program, rules="sweep:threads:2\n", HPSPMD_TARGET="sequential"), 0,
           "default: 2 1 1")

    # Who has chosen a target: each says so in the log, and each is what ran.
    for who, choice, said in [("a place", {"rules": "*:threads\ntargets.hpcpp:11:threads:2\n"}, r"\(line 2 of .*my.rules\)"),
                              ("a function", {"rules": "relax:threads\nsweep:threads:2\n"}, r"\(line 2 of .*my.rules\)"),
                              ("HPSPMD_TARGET", {"HPSPMD_TARGET": "threads:2"}, r"\(HPSPMD_TARGET\)"),
                              ("hpcc run", {"target": "threads:2"}, r"\(HPSPMD_TARGET\)")]:
        expect(who, run(program, HPSPMD_LOG="1", **choice), 0, "default: 2 ",
               r"targets.hpcpp:11 in sweep: target threads:2 " + said + ": runs in 2 threads")
    expect("on", run(program, HPSPMD_LOG="1"), 0, "sequential: 1 1",
           r"targets.hpcpp:11 in sweep: target sequential \(on\): runs in one thread")
    script = subprocess.run([hpcc, "completion", "bash"], capture_output=True, text=True, check=True).stdout
    offered = re.search(r"--target\) values='(.*)'", script)[1].split()
    answers = {target: re.findall("answer: .*", run(program, 2, target=target).stdout) for target in ["threads:2", *offered]}
    if len(set(map(tuple, answers.values()))) != 1 or not answers["gpu"]:
        problems.append(f"other answers: {answers}")

    expect("strict threads", run(built["alone"], HPSPMD_TARGET="threads!"), 87, "the target threads: no nest of this program has threads")
    expect("threads that are not there", run(built["alone"], HPSPMD_TARGET="threads:2", HPSPMD_LOG="1"), 0, "default: 1 1 1",
           r"target threads:2 \(HPSPMD_TARGET\): no nest of this program has threads .*: nests run in one thread")
    expect("strict", run(program, 2, HPSPMD_TARGET="gpu!"), 87, "TargetUnavailable: the target gpu: this program has no kernels")
    expect("a strict rule", run(program, 2, rules="relax:cuda:1!\n"), 87, r"targets.hpcpp:18: .*TargetUnavailable: .*cuda:1")
    expect("a strict rule for nothing", run(program, 1, rules="nowhere:gpu!\n"), 0, "default: 3 3 3")
    expect("no target", run(program, 2, HPSPMD_TARGET="gpus"), 87, "HPSPMD_TARGET: 'gpus' is no target: sequential, threads")
    expect("no rule", run(program, 1, rules="# fine\nsweep=gpu\n"), 87, "my.rules:2: 'sweep=gpu' is no rule: pattern:target")
    expect("no number", run(program, 2, target="opencl:1"), 87, "HPSPMD_TARGET: 'opencl:1': a device of OpenCL is platform.device")
    expect("no number in a rule", run(program, rules="sweep:threads\nrelax:threads:0!\n"), 87,
           "my.rules:2: 'threads:0!': threads are 1 to 4096")
    expect("no file", run(program, 2, HPSPMD_RULES="none.rules"), 85, "HPSPMD_RULES: the file none.rules cannot be read")
if problems:
    sys.exit("\n".join(problems))
