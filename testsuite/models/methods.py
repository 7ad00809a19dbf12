# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Methods: programs with attributes give the answer of the same text without them, at 1 to 4 processes of 1 and 3 threads;
attributes at wrong places are errors.

Usage: methods.py <hpcc> <C++ compiler> <folder of methods*.hpcpp>"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc, compiler, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
exact = "-ffp-contract=off"
threads = ["-O3", "-fopenmp", "-DHPSPMD_LEAST_WORK(threads)=0"]
problems = []


def stripped(text):
    return re.sub(r"\[\[hpspmd::.*?\]\]", "", text, flags=re.S)


def outputs(folder, program, processes, count="1", **variables):
    """What each process prints, in a file of its own."""
    place = pathlib.Path(tempfile.mkdtemp(dir=folder))
    job = subprocess.run([hpcc, "run", "-n", str(processes), "sh", "-c", f"{program} > {place}/$$"], capture_output=True,
                         text=True, timeout=120, env={**os.environ, "OMP_NUM_THREADS": count, **variables})
    if job.returncode != 0:
        problems.append(f"{program} on {processes} processes: exit code {job.returncode}\n{job.stderr[-2000:]}")
    return [path.read_text() for path in place.iterdir()], job.stderr


def compile_by_hpcc(folder, name, text, *options):
    file = pathlib.Path(folder, name + ".hpcpp")
    file.write_text(text)
    subprocess.run([hpcc, exact, "-Wno-HP2901", *options, str(file), "-o", f"{folder}/{name}.run"], check=True)
    return f"{folder}/{name}.run"


def same(folder, name, is_plain):
    text = (source / f"{name}.hpcpp").read_text()
    if "[[hpspmd::" in stripped(text):
        problems.append(f"{name}: attributes are left")
    if is_plain:
        plain = pathlib.Path(folder, name + ".cpp")
        plain.write_text(stripped(text))
        subprocess.run([compiler, "-std=c++17", "-O1", "-Wall", "-Wextra", exact, str(plain), "-o", f"{folder}/{name}.plain"],
                       check=True)
        wanted = subprocess.run([f"{folder}/{name}.plain"], capture_output=True, text=True, check=True).stdout
    else:
        wanted = outputs(folder, compile_by_hpcc(folder, name + "_plain", stripped(text), "-O0"), 1)[0][0]
    for level, options in {"o0": ["-O0"], "o3": threads}.items():
        program = compile_by_hpcc(folder, f"{name}_{level}", text, *options)
        for processes in 1, 2, 3, 4:
            for count in ["1"] if level == "o0" else ["1", "3"]:
                found = outputs(folder, program, processes, count)[0]
                if found != [wanted] * processes:
                    problems.append(f"{name} {level}, {processes} processes of {count} threads:\n{found}\nfor\n{wanted}")


def messages(folder, text, *options):
    """The codes that hpcc reports, and its words."""
    file = pathlib.Path(folder, "message.hpcpp")
    file.write_text("#include <vector>\n\n" + text)
    job = subprocess.run([hpcc, "--emit=cpp", *options, str(file)], capture_output=True, text=True, timeout=60)
    return re.findall(r"\[(HP\d+)\]", job.stderr), job.stdout, job.stderr


loop = "for (int i = 0; i < int(a.size()); ++i) a[i] += 1;"
method = "void f([[hpspmd::dist]] std::vector<double>& a) "
flat = "void f([[hpspmd::dist]] std::vector<double>& a, int m, int n) "
cases = {  # a text, the codes that it provokes; {} is a divided loop of a
    method + "{ {} }": [],
    "void f([[hpspmd::dist]] std::vector<double>& a);": [],
    "struct S { void f([[hpspmd::dist]] std::vector<double>& a) { {} } };": [],
    "[[nodiscard, hpspmd::reduce(+)]] int f([[hpspmd::dist]] std::vector<double>& a) { int k = 0; {} return k; }": [],
    method + "{ [[likely]] {} }": [],
    method + "{ [[hpspmd::overall(2)]] {} [[hpspmd::sync]] {} int k; [[hpspmd::single]] k = 3; a[k] = 0; }": [],
    "int g(int); void f(int n, [[hpspmd::dist(size(n))]] double a[]) { for (int i = 0; i < n; ++i) a[i] = 0; }": [],
    "[[hpspmd::dits]] void f();": ["HP1044"],
    "void f([[hpspmd::disk]] std::vector<double>& a) { {} }": ["HP1044"],
    "void f([[hpspmd::reduce(+)]] std::vector<double>& a) { {} }": ["HP2915"],
    "[[hpspmd::dist]] void f(std::vector<double>& a) { {} }": ["HP2915"],
    "[[hpspmd::reduce(+)]] int f(std::vector<double>& a) { {} return 0; }": ["HP2915"],
    "void f(std::vector<double>& a) { [[hpspmd::overall]] {} }": ["HP2915"],
    "void f(std::vector<double>& a) { [[hpspmd::dist]] std::vector<double> b; {} }": ["HP2915"],
    "auto f = []([[hpspmd::dist]] std::vector<double>& a) { {} };": ["HP2915"],
    method + "{ [[hpspmd::overall]] a[0] = 1; {} }": ["HP2915"],
    method + "{ [[hpspmd::reduce(+)]] {} }": ["HP2915"],
    method + "{ int k = 0; [[hpspmd::reduce(+ : k)]] a[0] = k; {} }": ["HP2915"],
    method + "{ [[hpspmd::single]] return; }": ["HP2915"],
    method + "{ switch (1) { case 1: [[hpspmd::single]] a.size(); } }": ["HP2915"],
    "[[hpspmd::reduce(+ : k)]] int f([[hpspmd::dist]] std::vector<double>& a) { int k = 0; {} return k; }": ["HP2915"],
    method + "{ [[hpspmd::overall(n)]] {} }": ["HP2918"],
    method + "{ [[hpspmd::sync(a)]] {} }": ["HP2918"],
    method + "{ [[hpspmd::single(a[2])]] a[2] = 1; {} }": [],
    method + "{ int k = 2; [[hpspmd::single(a[k + 1])]] { a[ k+1 ] = 1; std::swap(a[k + 1], a[k + 1]); } {} }": [],
    method + "{ int k = 2; [[hpspmd::single(a[k])]] { a[k] = 1; k = 3; } {} }": ["HP2918"],
    method + "{ [[hpspmd::single(a[2])]] a[3] = 1; {} }": ["HP2918"],
    method + "{ [[hpspmd::single(a[2])]] { a[3] = 1; a[2] = 1; } {} }": ["HP2916"],
    method + "{ [[hpspmd::single(b[2])]] a[2] = 1; {} }": ["HP2918"],
    method + "{ [[hpspmd::single(a)]] a[2] = 1; {} }": ["HP2918"],
    method + "{ [[hpspmd::single(a[2, 3])]] a[2] = 1; {} }": ["HP2918"],
    method.replace("dist", "dist(CyclicRange)") + "{ {} }": [],
    method.replace("dist", "dist(BlockCyclicRange(4))") + "{ {} }": [],
    method.replace("dist", "dist(BlockCyclicRange)") + "{ {} }": ["HP2918"],
    method.replace("dist", "dist(BlockCyclicRange(k))") + "{ {} }": ["HP2918"],
    method.replace("dist", "dist(BlockCyclicRange(0))") + "{ {} }": ["HP2918"],
    "void f([[hpspmd::dist(CyclicRange)]] std::vector<int>& a, [[hpspmd::dist(BlockCyclicRange(4))]] std::vector<int>& b) "
    "{ for (int i = 0; i < 9; ++i) a[i] = b[i]; }": ["HP2918"],
    method.replace("dist", "dist(CyclicRange)") + "{ for (int i = 0; i < 8; i += 2) { a[i] = 1; a[i + 1] = 2; } }": ["HP2901"],
    method + "{ int k = 0; [[hpspmd::reduce(+ : m)]] {} a[0] = k; }": ["HP2918"],
    method.replace("dist", "dist(dim(1))") + "{ {} }": ["HP2918"],
    method.replace("dist", "dist(dim(0, 1))") + "{ {} }": ["HP2918"],
    method.replace("dist", "dist(view({1, 0}, {1, 1}))") + "{ {} }": ["HP2918"],
    method.replace("dist", "dist(Between{a})") + "{ {} }": ["HP2918"],
    method.replace("dist", "dist(size(3))") + "{ {} }": ["HP2918"],
    method + "{ int k = 0; [[hpspmd::reduce(self : k)]] {} a[0] = k; }": ["HP2907"],
    "[[hpspmd::reduce()]] int f([[hpspmd::dist]] std::vector<double>& a) { {} return 0; }": ["HP2915"],
    "[[hpspmd::reduce(max)]] double f([[hpspmd::dist]] std::vector<double>& a) { {} return a[0]; }": ["HP2905"],
    "void f([[hpspmd::dist]] std::vector<bool>& a) { a[0] = true; }": ["HP2908"],
    "void f([[hpspmd::dist]] std::vector<std::vector<double>>& a) { a[0][0] = 1; }": [],
    "void f([[hpspmd::dist]] int a) { int b[2] = {}; b[0] = a; }": ["HP2908"],
    "void f([[hpspmd::dist]] double* a) { a[0] = 1; }": ["HP2908"],
    "void f([[hpspmd::dist]] double (&a)[2][2]) { a[0][0] = 1; }": [],
    "void f([[hpspmd::dist]] double (&a)[2][2][2]) { a[0][0][0] = 1; }": ["HP2908"],
    "void f([[hpspmd::dist(dim(1))]] std::vector<std::vector<int>>& a) { a[0][0] = 1; }": ["HP2918"],
    "void f([[hpspmd::dist(dim(1))]] int (&a)[2][2]) { for (int i = 0; i < 2; ++i) a[0][i] = i; }": [],
    "void f([[hpspmd::dist]] std::vector<std::vector<int>>& a) { for (int i = 0; i < 9; ++i) a[i][2] = i; }": [],
    "void f([[hpspmd::dist]] std::vector<std::vector<int>>& a) { for (int i = 0; i < 9; ++i) a[i].push_back(i); }": [],
    "void f([[hpspmd::dist]] std::vector<std::vector<int>>& a) { auto& r = a[0]; for (int i = 0; i < 9; ++i) a[i][0] = r[1]; }":
        ["HP2901"],
    "void f([[hpspmd::dist]] std::vector<std::vector<int>>& a) { for (int i = 1; i < 9; ++i) a[i][0] = a[i - 1][0]; }": ["HP2901"],
    "void f([[hpspmd::dist]] std::vector<std::vector<int>>& a) { for (int i = 1; i < 9; ++i) a[i][0] = a[i - 1][1]; }": [],
    method + "{ for (int i = 0; i < 16; i += 4) { a[i] = 1; a[i + 3] = a[i + 2]; } }": [],
    method + "{ for (int i = 2; i < 16; i += 4) { a[i - 2] = 1; a[i + 1] = a[i]; } }": [],
    method + "{ for (int i = 0; i < 16; i += 4) { a[i] = 1; a[i + 3] = a[i + 4]; } }": ["HP2901"],
    method + "{ for (int i = 1; i < 16; i += 4) { a[i] = 1; a[i + 3] = 2; } }": ["HP2901"],
    method + "{ for (int i = 0; i < 16; i += 4) { a[i] = 1; a[i + 4] = 2; } }": ["HP2901"],
    "void f([[hpspmd::dist]] std::vector<int>& a, int k) { for (int i = k; i < 16; i += 4) { a[i] = 1; a[i + 1] = 2; } }": ["HP2901"],
    flat + "{ for (int i = 0; i < m; ++i) for (int j = 0; j < n; ++j) a[i * n + j] = 1; }": [],
    flat + "{ for (int i = 0; i < m; ++i) for (int j = 0; j < n; ++j) a[j + static_cast<std::size_t>(i) * n] += i; }": [],
    flat + "{ const int w = 2 + n; for (int i = 0; i < m; ++i) for (int j = 1; j < w; ++j) { const int k = w * i + j; a[k] = a[k - 1]; } }": [],
    flat + "{ for (int i = 0; i < m; ++i) for (int j = 0; j < n; ++j) a[j * m + i] = 1; }": [],
    flat + "{ for (int i = 0; i < m; ++i) for (int j = 0; j < m; ++j) a[i * n + j] = 1; }": ["HP2901"],
    flat + "{ for (int i = 1; i < m; ++i) for (int j = 0; j < n; ++j) a[i * n + j] = a[i * n - n + j]; }": ["HP2901"],
    flat + "{ a[0] = 1; const int w = n + 2; for (int i = 0; i < m; ++i) for (int j = 1; j < w; ++j) a[i * w + j] = 1; }": ["HP2901"],
    flat + "{ ++n; for (int i = 0; i < m; ++i) for (int j = 1; j < n; ++j) a[i * n + j] = 1; }": ["HP2901"],
    method + "{ [[hpspmd::single]] a[0] = 1; {} }": ["HP2916"],
    method + "{ [[hpspmd::single]] a.resize(3); {} }": ["HP2916"],
    "#include <hpspmd>\n" + method + "{ on (hpspmd::targets::sequential) {} }": [],
    "#include <hpspmd>\n" + method + "{ on (hpspmd::targets::threads.count(2)) { {} } }": [],
    "#include <hpspmd>\n" + method + "{ hpspmd::Procs1 p; on (p) {} }": ["HP2901"],
    method + "{ for (unsigned i = 1; i < a.size(); ++i) a[i] += a[i - 1]; }": ["HP2901"],
    method + "{ for (double& each : a) each = 1; for (auto each : a) each = 2; }": [],
    method + "{ for (double& each : a) { auto f = [&] { each = 1; }; f(); } }": ["HP2901"],
    method + "{ double s = 0; for (double& each : a) s += each; }": ["HP2901"],
    method + "{ for (unsigned i = 1; i + 1 < a.size(); ++i) a[i] = i; }": [],
    "void f([[hpspmd::dist]] std::vector<double>& a, unsigned k) { for (unsigned i = k; i + 1 < a.size(); ++i) a[i] = i; }": ["HP2901"],
}

with tempfile.TemporaryDirectory() as folder:
    for name in "methods", "methods_corners", "methods_more", "methods_rows", "methods_flat", "methods_loops":
        same(folder, name, True)
    same(folder, "methods_grids", False)
    for text, wanted in cases.items():
        codes, _, words = messages(folder, text.replace("{}", loop, 1) if "{}" in text else text)
        if codes != wanted:
            problems.append(f"{text}\n  gives {codes} for {wanted}:\n{words}")
    remarks = messages(folder, method + """{
        const int n = int(a.size());
        for (int i = 1; i < n; i += 2) a[i] = a[i - 1];
        for (int i = 2; i < n; ++i) a[i] = a[1];
        [[hpspmd::overall]] for (int i = 0; i < n; ++i) a[i] = a[n - 1 - i];
        for (int i = 0; i < n; ++i) a[i] = i;
        for (int i = 1; i < n; ++i) a[i] += a[i - 1];
    }""", "-Rpartition")[2]
    for wanted in "1 below and 0 above of 'a' [HP2917]", "line 1 of 'a' [HP2917]", "all of 'a' [HP2917]", "nothing [HP2917]":
        if remarks.count(f"fetched before it: {wanted}") != 1:
            problems.append(f"-Rpartition does not tell once: {wanted}\n{remarks}")
    log = outputs(folder, f"{folder}/methods_o0.run", 2, HPSPMD_LOG="1")[1]
    for wanted in r"hpcpp:\d+ in shifted: arrays share memory: runs whole", r"in saxpy: arrays have different extents":
        if not re.search(wanted, log):
            problems.append(f"HPSPMD_LOG=1 does not tell: {wanted}\n{log}")
    text = (source / "methods.hpcpp").read_text()
    for options in ["-Werror=HP2901"], []:
        codes = messages(folder, text, *options)[0]
        if codes != ["HP2901"]:
            problems.append(f"methods.hpcpp {options}: {codes}")
if problems:
    sys.exit("\n".join(problems))
