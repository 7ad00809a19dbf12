#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hpcc takes time and memory in proportion to the length of a program, whatever is long about it.

    linear.py <hpcc> [--lines N] [--factor F] [shape ..]

Each shape is translated at -O3 with N lines (or units) and with F times as many; the longer one may take F times the
processor time (outside of the kernel, whose time to get new memory is the host's and not the program's) and the memory of
the shorter one, and some more (bound below). Programs with errors take part: then
hpcc must end with 1. `linear.py build/bin/hpcc --lines 62500 --factor 16 functions` goes to 1,000,000 lines."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

head = "#include <hpspmd>\nusing namespace hpspmd;\n"
bound = 1.8          # times the factor
least = 0.05, 30000  # seconds and KiB below which the process itself is measured


def body(lines):
    return head + "void f(Procs1 p, Range x, double [[-]] a, double [[-]] b, int n) {\n" + lines + "}\n"


def nested(opener, inner, closer):
    """Levels do not grow with n: up to 1000 of them, again and again."""
    return lambda n: body(f"{opener * 1000}{inner}{closer * 1000}\n" * (n // 1000 + 1))


def functions(n):
    return head + "".join(f"""// Function {k}
double relax{k}(Procs1 p, const Index n, int sweeps) {{
    double sum = 0;
    on (p) {{
        ExtBlockRange x(n, p.dim(0), 1, 1);
        double [[-]] a = new double [[x]], b = new double [[x]];
        overall (i = x for :) a[i] = i` + {k};
        for (int it = 0; it < sweeps; ++it) {{
            Adlib::writeHalo(a);
            overall (i = x for 1 : n - 2) b[i] = 0.5 * (a[i - 1] + a[i + 1]);
            overall (i = x for 1 : n - 2) a[i] = b[i];
        }}
        sum = Adlib::sum(a[[1 : n - 2]]);
    }}
    return sum;
}}
""" for k in range(n // 16))


shapes = {
    "functions": functions,
    "nests of one function": lambda n: body("    overall (i = x for :) a[i] = b[i] + n;\n" * n),
    "one long line": lambda n: body("overall (i = x for :) a[i] = b[i] + n; " * n),
    "nests in one nest": lambda n: head + "void f(Range x, Range y, double [[-,-]] a) {\n    overall (i = x for :) {\n"
    + "        overall (j = y for :) a[i, j] += 1;\n" * n + "    }\n}\n",
    "statements of one nest": lambda n: body("    overall (i = x for :) {\n" + "".join(
        f"        const double t{k} = b[i] + {k};\n        a[i] += t{k};\n" for k in range(n)) + "    }\n"),
    "arrays of one nest": lambda n: head + "void f(Range x" + "".join(f", double [[-]] a{k}" for k in range(n))
    + ") {\n    overall (i = x for :) {\n" + "".join(f"        a{k}[i] = {k};\n" for k in range(n)) + "    }\n}\n",
    "arrays and ranges": lambda n: body("".join(f"""    BlockRange x{k}(n, p.dim(0));
    double [[-]] c{k} = new double [[x{k}]];
    overall (i = x{k} for :) c{k}[i] = {k};
    Adlib::writeHalo(c{k});
""" for k in range(n // 4))),
    "temporary arrays": lambda n: head + "void f(Range x, double [[-,*]] b, double [[*]] sum) {\n" + "".join(
        f"""    double [[-,*]] t{k} = new double [[x, 4]];
    overall (i = x for :)
        for (int j = 0; j < 4; ++j) t{k}[i, j] = b[i, j];
    Adlib::sumDim(sum, t{k}, 0);
""" for k in range(n // 4)) + "}\n",
    "jumps": lambda n: body("".join(f"""l{k}:
    overall (i = x for :) a[i] = n;
    if (n++ < {k}) goto l{k};
    Adlib::writeHalo(a);
""" for k in range(n // 4))),
    "plain statements": lambda n: body("    n = n * 3 + 1;\n" * n + "    overall (i = x for :) a[i] = n;\n"),
    "loops": lambda n: body("    for (int k = 0; k < n; ++k) n = n - 1;\n" * n + "    overall (i = x for :) a[i] = n;\n"),
    "local variables": lambda n: body("".join(f"    int v{k} = n + {k};\n" for k in range(n))
                                      + "    overall (i = x for :) a[i] = v0;\n"),
    "globals": lambda n: head + "".join(f"int g{k} = {k};\n" for k in range(n))
    + "void f(Range x, double [[-]] a) { overall (i = x for :) a[i] = g0; }\n",
    "classes": lambda n: head + "".join(
        f"class C{k} {{ double [[-]] a; public: void f(Range x) {{ overall (i = x for :) a[i] = {k}; }} }};\n"
        for k in range(n)),
    "calls of calls": lambda n: head + "".join(
        f"void f{k}(Range x, double [[-]] a) {{ "
        + (f"f{k - 1}(x, a);" if k else "overall (i = x for :) a[i] = 1;") + " }\n" for k in range(n)),
    "terms of a sum": lambda n: body(f"    n = n{' + n' * n};\n    overall (i = x for :) a[i] = n;\n"),
    "elements of a list": lambda n: body(f"    int v[] = {{{', '.join(map(str, range(n)))}}};\n"
                                         "    overall (i = x for :) a[i] = v[0];\n"),
    "branches of #if": lambda n: body("#if X\n    n = 1;\n#else\n    n = 2;\n#endif\n" * n
                                      + "    overall (i = x for :) a[i] = n;\n"),
    "errors": lambda n: body("    a[3] = 1;\n" * n),
    "syntax errors": lambda n: body("    overall (i = x for) a[i] = = 1;\n" * n),
    "open brackets": lambda n: "[[" * n,
    "open brackets of all sorts": lambda n: body("a[[(<{" * n),
    "closing brackets": lambda n: body(")" * n),
    "back quotes": lambda n: body("`" * n),
    "blocks in blocks": nested("{", "overall (i = x for :) a[i] = n;", "}"),
    "parentheses in parentheses": nested("n = (", "n", ");"),
    "too many blocks in blocks": lambda n: body("{" * n + "overall (i = x for :) a[i] = n;" + "}" * n),
}


shapes["kernels of one function"] = shapes["nests of one function"]
more = {"kernels of one function": ["--device"]}  # options


def translate(hpcc, name, text):
    """Seconds, KiB, exit code."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.hpcpp"
        path.write_text(text)
        process = subprocess.Popen([hpcc, "--emit=cpp", "-O3", *more.get(name, []), path], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return used.ru_utime, used.ru_maxrss, process.returncode


def check(hpcc, name, lines, factor):
    """Whether the shape is translated in proportion."""
    text = shapes[name](lines * factor)
    for _ in range(3):  # what else the machine does may disturb one of them
        short, long = translate(hpcc, name, shapes[name](lines)), translate(hpcc, name, text)
        ratios = [long[k] / max(short[k], least[k]) for k in range(2)]
        good = max(ratios) <= factor * bound and short[2] in (0, 1) and long[2] in (0, 1)
        if good:
            break
    print(f"{name:28} {text.count(chr(10)):8} lines {short[0]:6.2f} s -> {long[0]:6.2f} s (x{ratios[0]:.1f}) "
          f"{short[1] // 1024:5} MiB -> {long[1] // 1024:5} MiB (x{ratios[1]:.1f})" + ("" if good else "   TOO MUCH"),
          flush=True)
    return good


options = argparse.ArgumentParser(usage=__doc__)
options.add_argument("hpcc")
options.add_argument("shapes", nargs="*")
options.add_argument("--lines", type=int, default=2500)
options.add_argument("--factor", type=int, default=8)
options = options.parse_args()
sys.exit(not all([check(options.hpcc, name, options.lines, options.factor) for name in options.shapes or shapes]))
