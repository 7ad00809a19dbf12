# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs that the publications on methods and parallel loops run on GPUs, beside CUDA by hand (seeds.cu).

Usage: seeds.py FOLDER CLASS [runs [methods]]

FOLDER has crypt.device and the like, cluster, and seeds. All forms in turns; milliseconds, medians of the runs: of one call with all
copies, the first of its program, of later ones, and of one whose arrays are there. By hand with memory that the driver copies first,
and with pinned memory; ours by the better of both. Ends with 1 if an answer is wrong."""
import os
import re
import statistics
import subprocess
import sys

folder, size = sys.argv[1:3]
runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
methods = ["crypt", "series", "sor", "sparsematmult"]
loops = ["edge", "matmul", "nest", "black_scholes", "sfe"]
kinds = ["first", "again", "there"]


surroundings = {name: value for name, value in os.environ.items() if name != "HPSPMD_LOG"}  # which takes time
surroundings.setdefault("HPSPMD_TARGET", "cuda!")


def run(command):
    job = subprocess.run(command, capture_output=True, text=True, timeout=100, env=surroundings)
    if job.returncode != 0:
        sys.exit(f"{command}: exit code {job.returncode}\n{job.stdout}\n{job.stderr[-2000:]}")
    first = re.search(r"took (\S+) s", job.stderr)[1]
    again, there = re.search(r"again (\S+) s, there (\S+) s", job.stderr).groups()
    return float(job.stdout.split()[1]), dict(zip(kinds, (1000 * float(each) for each in (first, again, there))))


print("| program | " + " | ".join(f"{kind}: ours | pageable | pinned | by hand / ours" for kind in kinds) + " |")
print("|---" * (1 + 4 * len(kinds)) + "|")
failed = False
for program in methods if sys.argv[4:] == ["methods"] else methods + loops:
    isLoop = program in loops
    words = [program] if isLoop else [program, size]
    forms = {
        "ours": [f"{folder}/cluster", program] if isLoop else [f"{folder}/{program}.device", size],
        "pageable": [f"{folder}/seeds", *words],
        "pinned": [f"{folder}/seeds", "--pinned", *words],
    }
    times = {form: {kind: [] for kind in kinds} for form in forms}
    try:
        for _ in range(runs):
            wanted = None
            for form, command in forms.items():
                answer, found = run(command)
                wanted = answer if wanted is None else wanted
                if abs(answer - wanted) > 1e-9 * abs(wanted):
                    sys.exit(f"{command}: {answer} for {wanted}")
                for kind in kinds:
                    times[form][kind].append(found[kind])
    except (SystemExit, subprocess.TimeoutExpired, TypeError, AttributeError) as problem:
        print(f"{program}: {problem}", flush=True)
        failed = True
        continue
    cells = []
    for kind in kinds:
        medians = [statistics.median(times[form][kind]) for form in forms]
        cells += [f"{each:.3f}" for each in medians] + [f"{min(medians[1:]) / medians[0]:.2f}"]
    print(f"| {program} | " + " | ".join(cells) + " |", flush=True)
sys.exit(failed)
