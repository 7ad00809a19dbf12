# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes of methods at wrong places, and with wrong arguments, are errors, and others are not; what is told of loops; what
becomes of the methods in golden/; how long a call takes, how many messages a loop sends, and that one process copies nothing.

Usage: methods_messages.py <hpcc> <folder of methods.hpcpp> [--regenerate]"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from methods_cases import blocks, cases, chosen, each, loop, member, method

hpcc, source = sys.argv[1], pathlib.Path(sys.argv[2])
problems = []


def messages(folder, text, *options):
    """The codes that hpcc reports, and its words."""
    file = pathlib.Path(tempfile.mkdtemp(dir=folder), "message.hpcpp")
    file.write_text("#include <vector>\n\n" + text)
    job = subprocess.run([hpcc, "--emit=cpp", *options, str(file)], capture_output=True, text=True, timeout=60)
    return re.findall(r"\[(HP\d+)\]", job.stderr), job.stdout, job.stderr


# The forms of attributes, as the table of docs/models.md has them, and what each is in a program.
forms = {"dist": r"\[\[hpspmd::dist\]\]", "dist(dim(1))": r"dist\(dim\(1\)\)", "dist(dim(0, 1))": r"dist\(dim\(0, 1\)\)",
         "dist(dim(0, 1, 2))": r"dist\(dim\(0, 1, 2\)\)", "dist(size(n))": r"dist\(size\(\w", "dist(view(2))": r"view\(\d\)",
         "dist(view(1, 2))": r"view\(\d, \d\)", "dist(view({2, 0}))": r"view\(\{\d, \d\}", "dist(view(:))": r"view\(:\)",
         "dist(CyclicRange)": r"dist\(.*\bCyclicRange\)", "dist(BlockCyclicRange(8))": r"dist\(.*BlockCyclicRange\(\d",
         "dist(cut)": r"dist\([a-z]\w*\)", "dist(BetweenRows{row})": r"dist\([A-Z]\w*\{", "overall": r"::overall\b(?!\()",
         "overall(n)": r"::overall\(\d", "single": r"::single\]", "single(a[k])": r"::single\(\w+\[", "sync": r"::sync\]",
         "sync(a, b)": r"::sync\(\w+, \w+\)"}
operations = [re.escape(op) for op in ("+", "*", "min", "max", "&&", "||", "&", "|", "^")] + [r"(?!min|max|self)[a-z]\w*"]
several = {"reduce(op)": [rf"reduce\({op}\)" for op in [*operations, "self"]],
           "reduce(op : v, w)": [rf"reduce\({op} : " for op in operations] + [r"reduce\(\S+ : \w+, \w"]}


def formsNotShown(page):
    """What is wrong with the table: a form that is missing, or that is in none of the programs of its line."""
    rows = re.findall(r"^\| (`(?:dist|reduce|overall|single|sync)\b.*?) \| .* \| ([^|]*) \|$", page, re.M)
    found, wrong = set(), []
    for first, last in rows:
        text = "\n".join((source / f"{name}.hpcpp").read_text() for name in re.findall(r"`(\w+)`", last))
        for form in re.findall(r"`(.*?)`", first):
            found.add(form)
            wrong += [f"docs/models.md: none of {last} has {each}" for each in several.get(form) or [forms.get(form, "no such form")]
                      if not re.search(each, text)]
    return wrong + [f"docs/models.md: the table has no {form}" for form in {*forms, *several} - found]


with tempfile.TemporaryDirectory() as folder:
    with concurrent.futures.ThreadPoolExecutor(2) as two:
        told = list(two.map(lambda text: messages(folder, text.replace("{}", loop, 1) if "{}" in text else text), cases))
    for (text, wanted), (codes, _, words) in zip(cases.items(), told):
        if codes != wanted:
            problems.append(f"{text}\n  gives {codes} for {wanted}:\n{words}")
    words = messages(folder, "void f(std::vector<int>& a, std::vector<int>& b) "
                     "{ [[hpspmd::overall]] for (int i = 0; i < 9; ++i) { a[i] = 1; b[3] = i; } }")[2]
    if "'b' is changed in it, and its elements are not those of the loop's variable [HP2901]" not in words:
        problems.append(f"another reason of a loop that is marked outside of methods:\n{words}")
    file = pathlib.Path(folder, "elements.hpcpp")
    file.write_text("#include <complex>\n#include <vector>\ntemplate <class T> " + method.replace("double", "T") + "{ [[hpspmd::single(a[3])]] "
                    "a[3] = T(); " + loop + "} template void f(std::vector<std::complex<double>>& a);")
    words = subprocess.run([hpcc, "-Rpartition", "-c", str(file), "-o", f"{folder}/elements.o"], capture_output=True, text=True).stderr
    words += messages(folder, member + "void f(S* s) { [[hpspmd::overall]] for (int i = 0; i < 9; ++i) if (s) s->a[i] = 1; } " +
                      method[:-2] + ", S& s) { for (int i = 0; i < 9; ++i) s.a[i] = a[i]; for (int i = 0; i < 8; ++i) std::swap(a[i], a[i + 1]); }")[2]
    words += messages(folder, chosen + "{ P best{9, 0}; for (int i = 0; i < 9; ++i) if (a[i] < best.v) { best.v = a[i]; best.i = i; } "
                      "[[hpspmd::reduce(g : best)]] for (int i = 0; i < 9; ++i) best.v += a[i]; }")[2]
    words += messages(folder, "struct B { double x, v; }; void f([[hpspmd::dist]] std::vector<B>& b) "
                      "{ for (int i = 0; i < 9; ++i) { auto& [x, v] = b[i]; x += v; } for (int i = 0; i < 9; ++i) { auto& e = b[i]; e.x = 1; } }")[2]
    for wanted in ("help: name the element where it is used: 'b[i].x', 'b[i].v'", "'best.v' is changed in it: declare 'best' inside, or let reduce combine it by a function of the file, `reduce(f : best)`",
                   "'best.v' is changed in it: write all of 'best', or members of it, anew, or `best = g(best, ..)`",
                   "error: loops of f are divided among processes for numbers T only [HP3101]", "for numbers T; with other types it runs whole",
                   "an iteration changes 'a[i]' and 'a[i + 1]', which others change, too", "name it before, `[[hpspmd::dist]] auto& a = s.a;` [HP2901]",
                   ": 's->a' is a part of an object: name it before, `auto& a = s->a;` [HP2901]"):
        if wanted not in words:
            problems.append(f"nothing tells: {wanted}\n{words}")
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
    remarks = messages(folder, blocks[:-2] + ", [[hpspmd::dist(dim(0, 1))]] double [[*,*]] b) { " + each.replace("int j = 0", "int j = 3") +
                       "b[i, j] = a[i - 1, j] + a[i, j - 3]; " + each + "a[i, j] = b[i, j]; }", "-Rpartition")[2]
    for wanted in ("fetched before it: 1 below and 0 above of 'a' in dimension 0, 3 below and 0 above of 'a' in dimension 1",
                   "'a': own elements, 1 below and 0 above in dimension 0, 3 below and 0 above in dimension 1"):
        if remarks.count(wanted) != 1:
            problems.append(f"-Rpartition does not tell once: {wanted}\n{remarks}")
    subprocess.run([hpcc, "-O0", "-Wno-HP2901", str(source / "methods.hpcpp"), "-o", f"{folder}/methods"], check=True)
    log = subprocess.run([hpcc, "run", "-n", "2", f"{folder}/methods"], capture_output=True, text=True, timeout=120,
                         env={**os.environ, "HPSPMD_LOG": "1"}).stderr
    for wanted in r"hpcpp:\d+ in shifted: arrays share memory: runs whole", r"in saxpy: arrays have different extents":
        if not re.search(wanted, log):
            problems.append(f"HPSPMD_LOG=1 does not tell: {wanted}\n{log}")
    # A program whose loops all run whole has no attributes left, of which a C++ compiler would warn.
    file = pathlib.Path(folder, "whole.hpcpp")
    file.write_text("#include <vector>\nvoid f(std::vector<std::vector<std::vector<int>>>& a, int* p) { [[hpspmd::overall]] for (int i = 0; i < 3; ++i) a[0][0][0] = i; "
                    "[[hpspmd::overall(2)]] for (int i = 0; i < 3; ++i) for (int j = 0; j < 3; ++j) a[i][j][0] = 1; "
                    "[[hpspmd::overall, likely]] for (int i = 0; i < 3; ++i) p[i] = 1; "
                    "int n = 0; [[hpspmd::overall]] [[hpspmd::reduce(+ : n)]] for (int i = 0; i < 3; ++i) { if (p[i]) break; n += 1; } "
                    "if (n > 3)\n[[hpspmd::overall]]\nfor (int i = 0; i < 3; ++i) p[n] = 2; }")
    words = subprocess.run([hpcc, "-Wall", "-Wno-HP2901", "-c", str(file), "-o", f"{folder}/whole.o"], capture_output=True, text=True)
    if words.returncode != 0 or words.stderr:
        problems.append(f"attributes are left in a program whose loops run whole:\n{words.stderr}")
    # Strategies that cut a row, and that make no parts of n.
    file = pathlib.Path(folder, "wrong.hpcpp")
    file.write_text("""#include <cstdlib>
        #include <vector>
        int chosen;
        std::vector<long> cut(long n, int parts) {
            if (parts == 1) return {n};
            return chosen == 0 ? std::vector<long>{n / 2, n - n / 2} : chosen == 1 ? std::vector<long>{n / 2, n / 2}
                 : chosen == 2 ? std::vector<long>{n + 1, -1}        : std::vector<long>{n};
        }
        void multiply([[hpspmd::dist(cut)]] const std::vector<int>& row, std::vector<double>& y) {
            for (std::size_t k = 0; k < row.size(); ++k) y[row[k]] += 1;
        }
        int main(int, char** words) {
            chosen = std::atoi(words[1]);
            std::vector<int> row{0, 2, 2, 3, 4};
            std::vector<double> y(6);
            multiply(row, y);
        }""")
    subprocess.run([hpcc, "-O0", str(file), "-o", f"{folder}/wrong"], check=True)
    for chosen_one, wanted in enumerate(("multiply: processes 0 and 1 both changed the element [2]",
                                         "the strategy cut gives 4 of 5 elements to 2 parts",
                                         "the strategy cut gives a part of -1 elements",
                                         "the strategy cut gives 1 parts of 2")):
        job = subprocess.run([hpcc, "run", "-n", "2", f"{folder}/wrong", str(chosen_one)], capture_output=True, text=True, timeout=120)
        if job.returncode != 83 or wanted not in job.stderr:
            problems.append(f"strategy {chosen_one}: exit code {job.returncode}, no {wanted}:\n{job.stderr}")
    # What the process in the middle of nine sends in each of five steps: to four neighbours, or eight. At the end of the method
    # all get its elements.
    stencils = {4: "a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]", 8: "a[i - 1, j - 1] + a[i + 1, j + 1]"}
    file = pathlib.Path(folder, "stencil.hpcpp")
    file.write_text("#include <hpspmd>\n#include <cstdlib>\nusing namespace hpspmd;\n" + "".join(f"""
        void relax{neighbours}([[hpspmd::dist(dim(0, 1))]] double [[*,*]] a, [[hpspmd::dist(dim(0, 1))]] double [[*,*]] b) {{
            for (int step = 0; step < 6; ++step) {{
                for (int i = 1; i < 17; ++i)
                    for (int j = 1; j < 20; ++j) b[i, j] = {stencil};
                for (int i = 1; i < 17; ++i)
                    for (int j = 1; j < 20; ++j) a[i, j] = b[i, j];
            }}
        }}""" for neighbours, stencil in stencils.items()) + """
        int main(int, char** words) {
            double [[*,*]] a = new double [[18, 21]], b = new double [[18, 21]];
            const Index most = std::atoi(words[2]);
            [[hpspmd::budget(messages = most)]] {
                if (std::atoi(words[1]) == 4) relax4(a, b);
                else relax8(a, b);
            }
        }""")
    subprocess.run([hpcc, "-O0", str(file), "-o", f"{folder}/stencil"], check=True)
    for neighbours, stencil in stencils.items():
        for messages_allowed, exit_code in {5 * neighbours + 16: 0, 5 * neighbours + 15: 91}.items():
            job = subprocess.run([hpcc, "run", "-n", "9", f"{folder}/stencil", str(neighbours), str(messages_allowed)],
                                 capture_output=True, text=True, timeout=120, env={**os.environ, "HPSPMD_TRANSPORT": "node"})
            if job.returncode != exit_code or (exit_code and "rank 4: BudgetExceeded" not in job.stderr):
                problems.append(f"{stencil} with {messages_allowed} messages: exit code {job.returncode}\n{job.stderr}")
    for file in sorted((source / "golden").glob("*.hpcpp")):
        for stage in "divided", "lowered":
            found = subprocess.run([hpcc, "-O0", "--emit", stage, file.name], cwd=file.parent, capture_output=True, text=True).stdout
            golden = file.with_suffix("." + stage)
            if sys.argv[3:] == ["--regenerate"]:
                golden.write_text(found)
            elif found != golden.read_text():
                problems.append(f"{golden.name} is now\n{found}")
    file = pathlib.Path(folder, "empty.hpcpp")
    file.write_text("""#include <chrono>
        #include <cstdio>
        #include <vector>
        void none([[hpspmd::dist]] std::vector<double>& a) { for (std::size_t i = 1; i < 1; ++i) a[i] = 1; }
        // Seconds of one of a hundred calls, if fewer than before.
        template <class Call>
        double least(double before, const Call& call) {
            const auto start = std::chrono::steady_clock::now();
            for (int k = 0; k < 100; ++k) call();
            const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
            return time.count() / 100 < before ? time.count() / 100 : before;
        }
        int main() {
            std::vector<double> a(10);
            unsigned product = 3;
            double call = 1, step = 1;
            for (int round = 0; round < 5000 && (round < 50 || call > 0.9e-6); ++round) {
                call = least(call, [&] { none(a); });
                step = least(step, [&] { for (int k = 0; k < 1000; ++k) asm volatile("" : "+r"(product = product * product)); });
            }
            std::printf("%.3f %.3f", call * 1e6, step * 1e6);
        }""")
    subprocess.run([hpcc, "-O3", str(file), "-o", f"{folder}/empty"], check=True)
    # The least of many short runs, which no other work interrupts. A thousand products, each of the one before, take one
    # microsecond: where they take twice as long, the processor has half its speed, and what a call takes says nothing.
    for attempt in range(5):
        call, products = map(float, subprocess.run([f"{folder}/empty"], capture_output=True, text=True, check=True).stdout.split())
        if call <= 1:
            break
    if call > 1 and products < 2:
        problems.append(f"a call of an empty method takes {call} us, a thousand products {products}")
    # On one process no byte of an array is copied, and no memory of its size taken; the first line shows that both are counted.
    subprocess.run([hpcc, "-O2", str(source / "copies.hpcpp"), "-o", f"{folder}/copies"], check=True)
    lines = subprocess.run([f"{folder}/copies"], capture_output=True, text=True, check=True).stdout.splitlines()
    counts = [tuple(map(int, re.findall(r"\d+", line))) for line in lines]
    if len(lines) != 14 or counts[0] != (720000, 720000) or any(copied > 0 or taken > 3000 for copied, taken in counts[1:]):
        problems.append("copies on one process:\n" + "\n".join(lines))
    problems += formsNotShown((source / "../../docs/models.md").read_text())
    for options in ["-Werror=HP2901"], []:
        codes = messages(folder, (source / "methods.hpcpp").read_text(), *options)[0]
        if codes != ["HP2901"]:
            problems.append(f"methods.hpcpp {options}: {codes}")
if problems:
    sys.exit("\n".join(problems))
