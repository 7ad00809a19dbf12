# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong uses of index vectors and packs of slots, each beside one like it that is right; once per line, whatever the rank.

    vectors.py <hpcc> <clean program>"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc, clean = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
scratch = tempfile.TemporaryDirectory()
folder = pathlib.Path(scratch.name)
head = "#include <hpspmd>\nusing namespace hpspmd;\nAdlib::Shape<2> offset();\nint distance(int);\n"
arrays = "void f(double [[-,-]] a, double [[-,-]] b, double [[-]] c, double [[-,*]] d, Range x, Index n) {\n"
loop = "overall (v = a for 1 : shape(a) - 2) "
generic = "template <class T, class... S>\nvoid g(T [[S...]] a, T [[S...]] b) {\n"

# Statements of a function with these arrays: what is told at which line.
inside = {
    loop + "b[v] = a[v + unit(1)];": [],
    loop + "auto w = v;": ["HP2919:6"],
    loop + "b[v] = distance(v);": ["HP2919:6"],
    loop + "b[v] = v`[0] + v`[1];": [],
    loop + "b[v] = v`[2];": ["HP2921:6"],
    loop + "c[v] = 0;": ["HP2920:6"],
    loop + "a[v, 0] = 0;": ["HP2920:6"],
    "overall (v = c for :) d[v, 0] = c[v];": [],
    "overall (v = c for :) d[v] = c[v];": ["HP2920:6"],
    "overall (v = c for :) b[v, 0] = c[v];": ["HP2201:6"],
    loop + "b[v] = a[v + Shape{1, 0}];": [],
    loop + "b[v] = a[v + Shape{1, 0, 0}];": ["HP2921:6"],
    "const Shape<3> s{1, 0, 0};\n" + loop + "b[v] = a[v + s];": ["HP2921:7"],
    "const Shape<2> s{1, 0};\n" + loop + "b[v] = a[v + s];": [],
    loop + "b[v] = a[v + unit(2)];": ["HP2921:6"],
    "overall (v = a for : shape(c) - 2) b[v] = 0;": ["HP2921:6"],
    loop + "b[v] = a[v + distance(1)];": ["HP2922:6"],
    loop + "b[v] = a[v + offset()];": ["HP2922:6"],
    "const Shape<2> s = offset();\n" + loop + "b[v] = a[v + s];": [],
    "overall (v = a[[1 : n, :]] for :) n += 1;": ["HP2922:6"],
    "overall (v = n for :) n += 1;": ["HP2322:6"],
    # Rule 5 and rule 7 see the elements of all dimensions.
    loop + "a[v] = a[v + unit(0)];": ["HP2503:6"],
    loop + "a[v] = a[v] + b[v + unit(0)];": [],
    loop + "a[v + unit(1)] = 0;": ["HP2208:6"],
    "overall (v = a for :) a[v] = 1;\n" + loop + "b[v] = a[v + unit(1)];": ["HP2701:7"],
    "overall (v = a for :) a[v] = 1;\nAdlib::writeHalo(a);\n" + loop + "b[v] = a[v + unit(1)];": [],
    "overall (v = a for :) a[v] = 1;\n" + loop + "b[v] = a[v];": [],
}
# Functions of any rank: an error is told once, at its line.
functions = {
    generic + "overall (v = a for 1 : shape(a) - 2)\nb[v] = a[v - unit(0)];\n}": [],
    generic + "overall (v = a for 1 : shape(a) - 2)\na[v] = a[v - unit(0)];\n}": ["HP2503:8"],
    generic + "overall (v = a for :) a[v] = 1;\noverall (v = a for 1 : shape(a) - 2)\nb[v] = a[v - unit(0)];\n}": ["HP2701:9"],
    generic + "}\nvoid h(double [[-]] a, double [[-,-]] b) { g(a, a); g(b, b); }": [],
    "template <class T, class... S>\nstruct Field { T [[S...]] a; };": ["HP2923:6"],
    "template <class T>\nstruct Field { template <class... S> static void f(T [[S...]] a) {} };": [],
    "int rank(double [[S...]] a);": ["HP1030:5"],
    "template <class... S>\nvoid g(double [[S...]] a) { distance(S()...); }": ["HP2924:6"],
    "template <class... S>\nint g(double [[S...]] a) { return sizeof...(S); }": [],
    "template <class S>\nvoid g(double [[S,*]] a) { overall (i = a.rng(0) for :) a[i, 0] = 1; }": [],
    "template <class T, class... S>\nconst T [[S...]] same(const T [[S...]] a) { return a; }\n"
    "void h(double [[*]] s, double [[-]] c) { const double [[*]] t = same(s); const double [[-]] u = same(c); }": [],
    "template <class T, class... S>\nconst T [[S...]] same(const T [[S...]] a) { return a; }\n"
    "void h(double [[-]] c) { const double [[*]] u = same(c); }": ["HP2305:7"],
    "template <class T, class... S>\nconst T [[S...]] same(const T [[S...]] a) { return a; }\n"
    "void h(double [[-,-]] a) { const double [[-]] u = same(a); }": ["HP2303:7"],
}

problems = []
programs = {head + arrays + text + "\n}\n": codes for text, codes in inside.items()}
programs |= {head + text + "\n": codes for text, codes in functions.items()}
for number, (program, codes) in enumerate(programs.items()):
    (folder / f"p{number}.hpcpp").write_text(program)
names = [f"p{number}.hpcpp" for number in range(len(programs))]
done = subprocess.run([hpcc, "--emit=checked", "--diagnostics-format=json", *names], cwd=folder, capture_output=True, text=True)
found = {}
for entry in json.loads(done.stderr):
    found.setdefault(entry["file"], []).append(f"{entry['code']}:{entry['range']['begin']['line']}")
for number, (program, codes) in enumerate(programs.items()):
    if found.get(f"p{number}.hpcpp", []) != codes:
        problems.append(f"{program}: {found.get(f'p{number}.hpcpp', [])} rather than {codes}")

# Each line of the C++ says which line of the program it is, in the functions of all ranks.
emitted = subprocess.run([hpcc, "-O0", "--emit=cpp", clean], capture_output=True, text=True, check=True).stdout
line, marked = 0, 0
for text in emitted.splitlines():
    if told := re.match(r"#line (\d+)", text):
        line = int(told[1])
        continue
    if re.match(r".*> looped\(", text):
        marked += 1
        if "looped" not in clean.read_text().splitlines()[line - 1]:
            problems.append(f"{text} is not line {line}")
    line += 1
if marked != 4:
    problems.append(f"{marked} functions instead of 4")
print("\n".join(problems) or f"{len(programs)} programs")
sys.exit(bool(problems))
