# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program of methods gives the answer of the same text without attributes, at 1 to 4 processes of 1 and 3 threads, and at
7, if it has no budgets. In its comments may stand `repeated: 100`, the runs of three processes that print the same, `processes: 5 6`, more numbers of them,
`also: OPTIONS`, for one more run, `divided: 7`, the loops of which -Rpartition tells, and `in threads: 7`, those that threads share.
Three processes are joined by MPI, all others by shared memory, which starts in a tenth of the time.

Usage: methods.py <hpcc> <C++ compiler> <program>"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc, compiler, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
exact = "-ffp-contract=off"
threads = ["-O3", "-fopenmp", "-DHPSPMD_LEAST_WORK(threads)=0", "--backend-O=0"]  # what it shows is the translator's
unwarned = [f"-Wno-HP{code}" for code in (2901, 2902, 2911, 2912)]
problems = []


def outputs(program, processes, count="1", transport=None):
    """What each process prints, in a file of its own."""
    place = pathlib.Path(tempfile.mkdtemp(dir=folder))
    job = subprocess.run([hpcc, "run", "-n", str(processes), "sh", "-c", f"{program} > {place}/$$"], capture_output=True,
                         text=True, timeout=120, env={**os.environ, "OMP_NUM_THREADS": count,
                                      "HPSPMD_TRANSPORT": transport or ("mpi" if processes == 3 else "node")})
    if job.returncode != 0:
        problems.append(f"{program} on {processes} processes: exit code {job.returncode}\n{job.stderr[-2000:]}")
    return [path.read_text() for path in place.iterdir()]


def compiled(name, content, *options):
    file = pathlib.Path(folder, name + ".hpcpp")
    file.write_text(content)
    subprocess.run([hpcc, exact, *unwarned, *options, str(file), "-o", f"{folder}/{name}.run"], check=True)
    return f"{folder}/{name}.run"


def sequential(content):
    """What the program prints without attributes: by the C++ compiler, if it has no multiarrays."""
    if "#include <hpspmd>" in content:
        return outputs(compiled("plain", content, "-O0"), 1)[0]
    plain = pathlib.Path(folder, "plain.cpp")
    plain.write_text(content)
    subprocess.run([compiler, "-std=c++17", "-O1", "-Wall", "-Wextra", exact, str(plain), "-o", f"{folder}/plain"], check=True)
    return subprocess.run([f"{folder}/plain"], capture_output=True, text=True, check=True).stdout


with tempfile.TemporaryDirectory() as folder:
    text = source.read_text()
    stripped = re.sub(r"\[\[hpspmd::.*?\]\]", "", text, flags=re.S)
    if "[[hpspmd::" in stripped:
        problems.append("attributes are left")
    wanted = sequential(stripped)
    for level, options in {"o0": ["-O0"], "o3": threads}.items():
        program = compiled(level, text, *options)
        for processes in 1, 2, 3, 4:
            for count in ["1"] if level == "o0" else ["1", "3"]:
                found = outputs(program, processes, count)
                if found != [wanted] * processes:
                    problems.append(f"{level}, {processes} processes of {count} threads:\n{found}\nfor\n{wanted}")
    more = re.search(r"^// processes: (.+)", text, re.M)
    for processes in sorted({7, *map(int, more[1].split())} if more else {7}) if "hpspmd::budget(" not in text else []:
        if outputs(f"{folder}/o0.run", processes) != [wanted] * processes:
            problems.append(f"{processes} processes print something else")
    for what, options, code in (("divided", ["-Rpartition", "--emit=divided"], "HP2917"),
                                ("in threads", ["-O3", "-fopenmp", "-Rpass=threads", "--emit=cpp"], "HP3201")):
        loops = re.search(rf"^// {what}: (\d+)", text, re.M)
        if not loops:
            continue
        told = subprocess.run([hpcc, *unwarned, *options, str(source)], capture_output=True, text=True).stderr
        if told.count(f"[{code}]") != int(loops[1]):
            problems.append(f"{told.count(f'[{code}]')} loops are {what}, rather than {loops[1]}:\n{told}")
    also = re.search(r"^// also: (.+)", text, re.M)
    if also and outputs(compiled("also", text, *also[1].split()), 3) != [wanted] * 3:
        problems.append(f"with {also[1]} three processes print something else")
    repeated = re.search(r"^// repeated: (\d+)", text, re.M)
    for _ in range(int(repeated[1]) if repeated else 0):
        if outputs(f"{folder}/o0.run", 3, transport="node") != [wanted] * 3:
            problems.append("a run of three processes prints something else")
            break
if problems:
    sys.exit("\n".join(problems))
