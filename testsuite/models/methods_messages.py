# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes of methods at wrong places, and with wrong arguments, are errors, and others are not; what is told of loops; what
becomes of the methods in golden/; how long a call takes, and how many messages a loop sends.

Usage: methods_messages.py <hpcc> <folder of methods.hpcpp> [--regenerate]"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

hpcc, source = sys.argv[1], pathlib.Path(sys.argv[2])
problems = []


def messages(folder, text, *options):
    """The codes that hpcc reports, and its words."""
    file = pathlib.Path(folder, "message.hpcpp")
    file.write_text("#include <vector>\n\n" + text)
    job = subprocess.run([hpcc, "--emit=cpp", *options, str(file)], capture_output=True, text=True, timeout=60)
    return re.findall(r"\[(HP\d+)\]", job.stderr), job.stdout, job.stderr


loop = "for (int i = 0; i < int(a.size()); ++i) a[i] += 1;"
method = "void f([[hpspmd::dist]] std::vector<double>& a) "
flat = "void f([[hpspmd::dist]] std::vector<double>& a, int m, int n) "
rows = "void f([[hpspmd::dist]] std::vector<std::vector<int>>& a) "
both = "void f([[hpspmd::dist]] std::vector<int>& a, [[hpspmd::dist]] const std::vector<int>& b) "
cells = "struct Cell { double x; Link next; }; void f([[hpspmd::dist]] std::vector<Cell>& a) "
ints = "void f([[hpspmd::dist]] std::vector<int>& a) "
strategy = """std::vector<long> halves(long n, int parts) { return std::vector<long>(parts, n / parts); }
struct Halves { int first; std::vector<long> operator()(long n, int parts) const { return std::vector<long>(parts, n / parts); } }; """
seen = method.replace("dist", "dist(view({1, 0}))")[:-2] + ", [[hpspmd::dist]] std::vector<int>& b) "
made = """#include <hpspmd>
using namespace hpspmd;
void f(Procs2 p, Range other, Index n) { BlockRange x(9, p.dim(0)), y(9, p.dim(1)), z(8, p.dim(0)); auto a = Adlib::genarray"""
marked = "void f(std::vector<double>& a, int m) "
member = "struct S { std::vector<double> a; int n; }; "
two = "int g(int a, int b) { return a < b ? a : b; } " + ints
numbered = "#include <hpspmd>\nvoid f([[hpspmd::dist]] std::vector<int>& a, int m) { for (int i = 0; i < 9; ++i) a[i] = m; } "
blocks = "#include <hpspmd>\nvoid f([[hpspmd::dist(dim(0, 1))]] double [[*,*]] a) "
each = "for (int i = 1; i < 9; ++i) for (int j = 0; j < 8; ++j) "
grid = "int main() { std::vector<int> a(9); hpspmd::Procs1 p; on (p) { "
cases = {  # a text, the codes that it provokes; {} is a divided loop of a
    method + "{ {} }": [],
    "void f([[hpspmd::dist]] std::vector<double>& a);": [],
    "struct S { void f([[hpspmd::dist]] std::vector<double>& a) { {} } };": [],
    "[[nodiscard, hpspmd::reduce(+)]] int f([[hpspmd::dist]] std::vector<double>& a) { int k = 0; {} return k; }": [],
    method + "{ [[likely]] {} }": [],
    method + "{ [[hpspmd::overall(2)]] {} [[hpspmd::sync]] {} int k; [[hpspmd::single]] k = 3; a[k] = 0; }": [],
    "int g(int); void f(int n, [[hpspmd::dist(size(n))]] double a[]) { for (int i = 0; i < n; ++i) a[i] = 0; }": [],
    method + "{ for (int i = 0; i < int(a.size()); ++i)\n#if X\n a[i] += 1;\n#endif\n a[0] = 1; }": ["HP2901"],
    "[[hpspmd::dits]] void f();": ["HP1044"],
    "void f([[hpspmd::disk]] std::vector<double>& a) { {} }": ["HP1044"],
    "void f([[hpspmd::reduce(+)]] std::vector<double>& a) { {} }": ["HP2915"],
    "[[hpspmd::dist]] void f(std::vector<double>& a) { {} }": ["HP2915"],
    "[[hpspmd::reduce(+)]] int f(std::vector<double>& a) { {} return 0; }": ["HP2915"],
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
    "{ for (int i = 0; i < 9; ++i) a[i] = b[i]; }": ["HP2903"],
    "void f([[hpspmd::dist(CyclicRange)]] std::vector<int>& a, [[hpspmd::dist(BlockRange)]] std::vector<int>& b) "
    "{ for (int i = 0; i < 9; ++i) a[i] = b[0]; }": ["HP2918"],
    "void f([[hpspmd::dist(CyclicRange)]] std::vector<int>& a, [[hpspmd::dist]] std::vector<int>& b) "
    "{ for (int i = 0; i < 9; ++i) a[i] = b[i]; }": [],
    both + "{ for (int i = 0; i < 9; ++i) for (int j = 0; j < i; ++j) { a[i] += b[j]; a[j] -= b[i]; } }": ["HP2902"],
    both + "{ for (int i = 0; i < 9; ++i) for (int j = 0; j < i; ++j) { a[i] += b[j]; a[b[j]] = 3; } }": ["HP2901"],
    both + "{ for (int i = 0; i < 9; ++i) for (int j = 0; j < i; ++j) a[i] += b[j] * b[i]; }": [],
    both.replace("[[hpspmd::dist]] std::vector<int>& a", "std::vector<int>& a") +
    "{ [[hpspmd::reduce(+ : a)]] for (int i = 0; i < 9; ++i) for (int j = 0; j < i; ++j) { a[i] += b[j]; a[j] -= b[i]; } }": [],
    cells.replace("Link", "Cell*") + "{ for (int i = 0; i < 9; ++i) a[i].x = 1; }": ["HP2911"],
    cells.replace("Link", "double&") + "{ for (int i = 0; i < 9; ++i) a[i].x = 1; }": ["HP2911"],
    "struct Pair { int n; const char* p[2]; }; " + cells.replace("Link", "Pair") + "{ for (int i = 0; i < 9; ++i) a[i].x = 1; }": ["HP2911"],
    cells.replace("Link", "Cell*") + "{ [[hpspmd::single(a[2])]] a[2].x = 1; }": ["HP2911"],
    cells.replace("Link", "int") + "{ for (int i = 0; i < 9; ++i) a[i].x = 1; }": [],
    cells.replace("Link", "static Cell*") + "{ for (int i = 0; i < 9; ++i) a[i].x = 1; }": [],
    cells.replace("Link", "Cell* f(); int") + "{ for (int i = 0; i < 9; ++i) a[i].x = 1; }": [],
    cells.replace("Link", "Cell*").replace("std::vector<Cell>& a", "const std::vector<Cell>& a, [[hpspmd::dist]] std::vector<double>& b") +
    "{ for (int i = 0; i < 9; ++i) b[i] = a[i].x; }": [],
    "void g(std::vector<double>&); " + method + "{ for (int k = 0; k < 9; ++k) { {} g(a); } }": ["HP2912"],
    "void g(std::vector<double>&); " + method + "{ int k = 9; while (k-- > 0) { if (k == 3) g(a); {} } }": ["HP2912"],
    "void g(std::vector<double>&); " + method + "{ {} g(a); }": [],
    "void g(std::vector<double>&); " + method + "{ for (int k = 0; k < 9; ++k) g(a); {} }": [],
    "void g(double); " + method + "{ double s = 0; for (int k = 0; k < 9; ++k) { {} s += a[k]; } g(s); }": [],
    method + "{ for (int k = 0; k < 9; ++k) { {} if (k == 3) return; } }": [],
    method.replace("dist", "dist(CyclicRange)") + "{ for (int i = 0; i < 8; i += 2) { a[i] = 1; a[i + 1] = 2; } }": ["HP2901"],
    method + "{ int k = 0; [[hpspmd::reduce(+ : m)]] {} a[0] = k; }": ["HP2918"],
    method.replace("dist", "dist(dim(1))") + "{ {} }": ["HP2918"],
    method.replace("dist", "dist(dim(0, 1))") + "{ {} }": ["HP2918"],
    method.replace("dist", "dist(view({1, 0}, {1, 1}))") + "{ {} }": ["HP2918"],
    method.replace("dist", "dist(view(:))") + "{ for (int i = 3; i < 9; ++i) a[i] = 2; }": [],
    method.replace("dist", "dist(view())") + "{ {} }": ["HP2918"],
    method.replace("dist", "dist(view(-1))") + "{ {} }": ["HP2918"],
    method.replace("dist", "dist(view({1}))") + "{ {} }": ["HP2918"],
    method.replace("dist", "dist(view(n))") + "{ {} }": ["HP2918"],
    seen + "{ for (int i = 1; i < 9; ++i) b[i] = a[i - 1]; }": [],
    seen + "{ for (int i = 2; i < 9; ++i) b[i] = a[i - 2]; }": ["HP2909"],
    seen + "{ for (int i = 2; i < 9; ++i) b[i] = a[i + 1]; }": ["HP2909"],
    seen + "{ for (int i = 2; i < 9; ++i) b[i] = a[2] + a[b[i]]; }": [],
    seen + "{ for (int i = 2; i < 9; ++i) a[i] = a[b[i]]; }": ["HP2901"],
    marked + "{ [[hpspmd::overall]] {} }": [],
    marked + "{ while (m-- > 0) { [[hpspmd::overall]] {} } }": ["HP2912"],
    marked + "{ if (m) [[hpspmd::overall]] {} else {} }": [],
    marked + "{ [[hpspmd::overall]] for (int i = 1; i < m; ++i) a[i * i] = 1; }": ["HP2901"],
    marked + "{ [[hpspmd::overall]] for (int i = 1; i < m; ++i) a[3] = 1; }": ["HP2901"],
    marked + "{ [[hpspmd::overall]] for (int i = 1; i < m; i *= 2) a[i] = 1; }": ["HP2901"],
    marked + "{ int k = 0; [[hpspmd::overall, hpspmd::reduce(+ : k)]] for (int i = 1; i < m; ++i) { k += i; a[i] = k; } }": ["HP2904"],
    marked + "{ int k = 0; [[hpspmd::reduce(+ : k)]] for (int i = 1; i < m; ++i) k += a[i]; }": ["HP2915"],
    marked + "{ [[hpspmd::overall]] for (int i = 1; i < m; ++i) [[hpspmd::single]] a[i] = 1; }": ["HP2915"],
    marked + "{ auto f = [&] { [[hpspmd::overall]] {} }; f(); }": ["HP2915"],
    marked + "{ [[hpspmd::overall]] a[0] = 1; }": ["HP2915"],
    marked + "{ [[hpspmd::overall(m)]] {} }": ["HP2918"],
    marked + "{ [[hpspmd::overall]] {} } " + grid + "if (p.dim(0).crd() == 0) f(a, 3); } }": ["HP2801"],
    "#include <hpspmd>\n" + grid + "if (p.dim(0).crd() == 0) [[hpspmd::overall]] {} } }": ["HP2801"],
    "#include <hpspmd>\n" + grid + "[[hpspmd::overall]] {} on (hpspmd::targets::threads) { [[hpspmd::overall]] " + loop + " } } }": [],
    method.replace("dist", "dist(Between{a})") + "{ {} }": ["HP2918"],
    strategy + method.replace("dist", "dist(Halves{3})") + "{ {} }": [],
    strategy + method.replace("dist", "dist(halves)") + "{ {} }": [],
    strategy.replace("long n, int parts", "long n") + method.replace("dist", "dist(Halves{3})") + "{ {} }": ["HP2906"],
    strategy.replace("long n, int parts", "long n") + method.replace("dist", "dist(halves)") + "{ {} }": ["HP2906"],
    "struct Halves { int first; }; " + method.replace("dist", "dist(Halves{3})") + "{ {} }": ["HP2906"],
    strategy + "void f([[hpspmd::dist(halves)]] std::vector<int>& a, std::vector<int>& y) { for (int i = 0; i < 9; ++i) y[a[i]] = i; }":
        [],
    strategy + "void f([[hpspmd::dist(halves)]] std::vector<int>& a, std::vector<int>& y) "
    "{ for (int i = 0; i < 9; ++i) y[a[i]] = y[a[i] + 1]; }": ["HP2901"],
    "void f([[hpspmd::dist]] std::vector<int>& a, std::vector<int>& y) { for (int i = 0; i < 9; ++i) y[a[i]] = i; }": ["HP2901"],
    method.replace("dist", "dist(size(3))") + "{ {} }": ["HP2918"],
    method + "{ int k = 0; [[hpspmd::reduce(self : k)]] {} a[0] = k; }": ["HP2918"],
    method + "{ int k = 0; [[hpspmd::reduce(- : k)]] {} a[0] = k; }": ["HP2907"],
    method + "{ int k = 0; [[hpspmd::reduce(g : k)]] {} a[0] = k; }": ["HP2907"],
    "int g(int, int, int) { return 0; } [[hpspmd::reduce(g)]] int f([[hpspmd::dist]] std::vector<int>& a) { int k = 0; return k; }":
        ["HP2907"],
    two + "{ int k = 0; [[hpspmd::reduce(g : k)]] for (int i = 0; i < 9; ++i) k = g(k, a[i]); }": [],
    two + "{ int k = 0; [[hpspmd::reduce(g : k)]] for (int i = 0; i < 9; ++i) k = g(a[i], k); }": ["HP2904"],
    two + "{ int k = 0; [[hpspmd::reduce(g : k)]] for (int i = 0; i < 9; ++i) { k = g(k, a[i]); a[i] = k; } }": ["HP2904"],
    two + "{ std::vector<int> k(3); [[hpspmd::reduce(g : k)]] for (int i = 0; i < 9; ++i) k[1] = g(k[1], a[i]); }":
        ["HP2918", "HP2901"],
    ints + "{ int k = 0; [[hpspmd::reduce(+ : k)]] for (int i = 0; i < 9; ++i) { k += a[i]; a[i] = k; } }": ["HP2904"],
    ints + "{ int k = 0; [[hpspmd::reduce(+ : k)]] for (int i = 1; i < 9; ++i) { k += a[i]; a[i] = a[i - 1]; if (k > 3) ++k; } }":
        ["HP2901"],
    ints + "{ int k = 0; [[hpspmd::reduce(+ : k)]] { for (int i = 0; i < 9; ++i) k += a[i]; for (int i = 0; i < 9; ++i) a[i] = k; } }": [],
    ints + "{ int k = 1; [[hpspmd::reduce(* : k)]] for (int i = 0; i < 9; ++i) k = k * a[i] % 7; }": ["HP2904"],
    ints + "{ std::vector<int> k(3); [[hpspmd::reduce(+ : k)]] for (int i = 0; i < 9; ++i) k[a[i]] += i; }": [],
    ints + "{ std::vector<int> k(3); [[hpspmd::reduce(+ : k)]] for (int i = 0; i < 9; ++i) k[a[i]] += k[0]; }": ["HP2904"],
    ints + "{ std::vector<int> k(3); [[hpspmd::reduce(+ : k)]] for (int i = 0; i < 9; ++i) k[a[i]] *= i; }": ["HP2904"],
    ints + "{ [[hpspmd::reduce(+ : a)]] for (int i = 0; i < 9; ++i) a[a[i]] += i; }": ["HP2918", "HP2901"],
    "[[hpspmd::reduce(self)]] " + ints.replace("void", "int") + "{ int k = 0; for (int i = 0; i < 9; ++i) k += a[i]; return k; }": [],
    "[[hpspmd::reduce(self)]] int f([[hpspmd::dist]] std::vector<int>& a, int) { int k = 0; for (int i = 0; i < 9; ++i) k += a[i]; return k; }": ["HP2918"],
    "[[hpspmd::reduce(self)]] int f([[hpspmd::dist]] const int (&a)[9]) { int k = 0; for (int i = 0; i < 9; ++i) k += a[i]; return k; }":
        ["HP2918"],
    "[[hpspmd::reduce(self)]] " + ints.replace("void", "int") + "{ int k = 0; for (int i = 0; i < 9; ++i) k += a[i]; a[0] = k; return k; }":
        ["HP2904"],
    "[[hpspmd::reduce(self)]] " + ints.replace("void", "int") +
    "{ int k = 0; for (int j = 0; j < 2; ++j) for (int i = 0; i < 9; ++i) k += a[i]; return k; }": ["HP2904"],
    numbered + grid + "f(a, p.dim(0).crd()); } }": ["HP2910"],
    numbered + grid + "f(a, p.dim(0).size()); } }": [],
    numbered.replace("int m)", "int& m)") + grid + "int m = p.dim(0).crd(); f(a, m); } }": [],
    numbered + grid + "if (p.dim(0).crd() == 0) f(a, 3); } }": ["HP2801"],
    numbered + grid + "const bool ok = Adlib::any(p.dim(0).crd() == 0); if (ok) f(a, 3); } }": [],
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
    rows + "{ auto& r = a[0]; for (int i = 0; i < 9; ++i) a[i][0] = r[1]; }": [],
    rows + "{ auto& r = a[0]; for (int i = 0; i < 9; ++i) a[i][0] = r[1]; r.push_back(1); }": ["HP2901"],
    rows + "{ auto& r = a[0]; auto f = [&] { return r[1]; }; for (int i = 0; i < 9; ++i) a[i][0] = r[1]; }": ["HP2901"],
    rows + "{ for (int i = 0; i < 9; ++i) { auto& r = a[i]; for (int j = 0; j < 9; ++j) r[j] = 1; } }": [],
    rows + "{ for (int i = 0; i < 9; ++i) { auto& r = a[i]; std::swap(a[i], a[0]); for (int j = 0; j < 9; ++j) r[j] = 1; } }": ["HP2901"],
    rows + "{ int i = 1; auto& r = a[i]; i = 2; for (int j = 0; j < 9; ++j) r[j] = i; }": ["HP2901"],
    rows + "{ int i = 1; auto& r = a[i]; { int a = 3; r[2] = a; } for (int j = 0; j < 9; ++j) r[j] = i; }": ["HP2901"],
    flat + "{ for (int i = 0; i < m; ++i) { double* r = a.data() + i * n; for (int j = 0; j < n; ++j) r[j] = 1; } }": [],
    flat + "{ for (int i = 1; i < m; ++i) { double* r = a.data() + i * n; for (int j = 0; j < n; ++j) r[j] = r[j - n]; } }": ["HP2901"],
    flat + "{ for (int i = 0; i < m; ++i) { double* r = a.data() + i * n; for (int j = 0; j < n; ++j) *r++ = 1; } }": ["HP2901"],
    flat + "{ double* r = a.data(); for (int i = 0; i < m; ++i) { for (int j = 0; j < n; ++j) r[j] = 1; r += n; } }": ["HP2901"],
    "#define FIRST r[0]\n" + flat + "{ double* r = a.data(); for (int i = 0; i < m; ++i) a[i] = FIRST; r[1] = 2; }": ["HP2901"],
    "#define FIRST s[0]\n" + flat + "{ double* r = a.data(); for (int i = 0; i < m; ++i) a[i] = r[i]; }": [],
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
    "#include <hpspmd>\nvoid f([[hpspmd::dist]] const double [[*]] a) { for (int i = 0; i < 9; ++i) a[i] = 1; }": ["HP2310"],
    method + "{ [[hpspmd::single]] a[0] = 1; {} }": ["HP2916"],
    made + "(overall (i = x for 0 : 3) 1, overall (i = x for 4 :) 2); }": [],
    made + "(overall (i = x for 0 : 3) 1, overall (i = x for 3 :) 2); }": ["HP2913"],
    made + "(overall (i = x for 0 : 8 : 2) 1, overall (i = x for 1 :  8 : 2) 2, overall (i = x for 5 : 7) 2); }": ["HP2913", "HP2913"],
    made + "(overall (i = x for 0 : n) 1, overall (i = x for 3 :) 2); }": [],
    made + "(overall (i = x for :, j = y for 0 : 3) 1, overall (i = x for :, j = y for 4 :) 2); }": [],
    made + "(overall (i = x for 2 :, j = y for 0 : 3) 1, overall (i = x for 0 : 4, j = y for 1 : 1) 2); }": ["HP2913"],
    made + "(overall (i = x for 0 : 3) 1, overall (i = z for 4 : 5) 2); }": ["HP2914"],
    made + "(overall (i = x for 0 : 3) 1, overall (i = other for 4 : 5) 2); }": [],
    made + "(overall (i = x for :) 1); auto b = Adlib::modarray(a, overall (i = z for 4 : 5) 2); }": [],
    made.replace("auto a", "int [[-]] a") + "(overall (i = x for :) 1); BlockRange u(9, p.dim(1)); "
    "int [[-]] c = new int [[x]], b = Adlib::modarray(c, overall (i = u for 4 : 5) 2); }": ["HP2914"],
    method + "{ [[hpspmd::single]] a.resize(3); {} }": ["HP2916"],
    "#include <hpspmd>\n" + method + "{ on (hpspmd::targets::sequential) {} }": [],
    "#include <hpspmd>\n" + method + "{ on (hpspmd::targets::threads.count(2)) { {} } }": [],
    "#include <hpspmd>\n" + method + "{ hpspmd::Procs1 p; on (p) {} }": ["HP2901"],
    "struct S { std::vector<double> a; void f() { [[hpspmd::overall]] {} } };": [],
    member + "void f(S& s) { [[hpspmd::overall]] for (int i = 0; i < 9; ++i) s.a[i] = s.n; }": [],
    "template <class T> void f([[hpspmd::dist]] std::vector<T>& a, T b) { for (int i = 0; i < 9; ++i) a[i] = b * T(i); }": [],
    "template <class T> T g(int i) { return T(i); } " + method + "{ for (int i = 0; i < 9; ++i) a[i] = g<int>(i); }": ["HP2901"],
    member + "void f(S* s) { auto& a = s->a; [[hpspmd::overall]] for (int i = 0; i < 9; ++i) a[i] = 1; }": [],
    member + method[:-2] + ", const S& s) { for (int i = 0; i < 9; ++i) a[i] = s.a[9 - i] + s.n; }": [],
    member + method[:-2] + ", S& s) { S& t = s; for (int i = 0; i < 9; ++i) a[i] = t.a[9 - i]; }": ["HP2901"],
    member + method[:-2] + ", S& s) { [[hpspmd::dist]] auto& b = s.a; for (int i = 0; i < 9; ++i) b[i] = a[i]; }": [],
    member + method[:-2] + ", S* s) { for (int i = 0; i < 9; ++i) a[i] = s->n; }": ["HP2901"],
    blocks + "{ " + each + "a[i, j] = i; }": [],
    blocks + "{ " + each + "a[i, j] = a[i, j - 1]; }": ["HP2901"],
    blocks + "{ " + each + "a[i, j] = a[i - 1, j]; }": ["HP2901"],
    blocks + "{ for (int i = 0; i < 9; ++i) { a[i, 0] = 1; for (int j = 1; j < 8; ++j) a[i, j] = i; } }": ["HP2901"],
    blocks + "{ for (int j = 0; j < 9; ++j) for (int i = 1; i < 8; ++i) a[i, j] = i; }": ["HP2901"],
    blocks.replace("0, 1", "0,1") + "{ for (int i = 0; i < 9; ++i) { { for (int j = 1; j < 8; ++j) a[i, j] = i; } } }": [],
    blocks.replace("0, 1", "1, 0") + "{ " + each + "a[i, j] = i; }": ["HP2918"],
    blocks.replace("0, 1", "0, 2") + "{ " + each + "a[i, j] = i; }": ["HP2918"],
    blocks.replace("1)", "1), CyclicRange") + "{ " + each + "a[i, j] = i; }": ["HP2918"],
    blocks.replace("1)", "1), BlockRange") + "{ " + each + "a[i, j] = i; }": [],
    blocks[:-2] + ", [[hpspmd::dist]] int (&b)[9]) { " + each + "a[i, j] = b[i]; }": ["HP2918"],
    blocks[:-2] + ", const int (&b)[9]) { " + each + "a[i, j] = b[i]; }": [],
    blocks + "{ [[hpspmd::single(a[1])]] a[1, 0] = 1; " + each + "a[i, j] = i; }": ["HP2918"],
    blocks.replace("))", "), view(0, 1))") + "{ " + each + "a[i, j] = a[i, j + 2]; }": ["HP2909"],
    blocks.replace("f(", "f([[hpspmd::dist(dim(0, 1), view(0, 1))]] const double [[*,*]] b, ") +
    "{ " + each + "a[i, j] = b[i, j + 2]; }": ["HP2909"],
    blocks.replace("f(", "f([[hpspmd::dist(dim(0, 1), view(0, 2))]] const double [[*,*]] b, ") +
    "{ " + each + "a[i, j] = b[i, j + 2]; }": [],
    "void f([[hpspmd::dist(dim(0, 1))]] std::vector<std::vector<int>>& a) { " + each + "a[i][j] = i; }": ["HP2918"],
    "void f([[hpspmd::dist(dim(0, 1))]] int (&a)[9][9]) { " + each + "a[i][j] = i; }": [],
    blocks.replace("void", "double g(double a, double b) { return a < b ? a : b; } [[hpspmd::reduce(g)]] double") +
    "{ double k = 0; " + each + "k = g(k, a[i, j]); return k; }": ["HP2901"],
    blocks.replace("void", "[[hpspmd::reduce(+)]] double") +
    "{ double k = 0; " + each + "k += a[i, j]; return k; }": [],
    method + "{ for (unsigned i = 1; i < a.size(); ++i) a[i] += a[i - 1]; }": ["HP2901"],
    method + "{ for (double& each : a) each = 1; for (auto each : a) each = 2; }": [],
    method + "{ for (double& each : a) { auto f = [&] { each = 1; }; f(); } }": ["HP2901"],
    method + "{ double s = 0; for (double& each : a) s += each; }": ["HP2901"],
    method + "{ for (unsigned i = 1; i + 1 < a.size(); ++i) a[i] = i; }": [],
    "void f([[hpspmd::dist]] std::vector<double>& a, unsigned k) { for (unsigned i = k; i + 1 < a.size(); ++i) a[i] = i; }": ["HP2901"],
}

with tempfile.TemporaryDirectory() as folder:
    for text, wanted in cases.items():
        codes, _, words = messages(folder, text.replace("{}", loop, 1) if "{}" in text else text)
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
    for wanted in ("error: loops of f are divided among processes for numbers T only [HP3101]", "for numbers T; with other types it runs whole",
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
    # Strategies that cut a row, and that make no parts of n.
    for made, wanted in {"n / 2, n - n / 2": "multiply: processes 0 and 1 both changed the element [2]",
                         "n / 2, n / 2": "the strategy cut gives 4 of 5 elements to 2 parts",
                         "n + 1, -1": "the strategy cut gives a part of -1 elements",
                         "n": "the strategy cut gives 1 parts of 2"}.items():
        file = pathlib.Path(folder, "wrong.hpcpp")
        file.write_text(f"""#include <vector>
            std::vector<long> cut(long n, int parts) {{ return parts == 1 ? std::vector<long>{{n}} : std::vector<long>{{{made}}}; }}
            void multiply([[hpspmd::dist(cut)]] const std::vector<int>& row, std::vector<double>& y) {{
                for (std::size_t k = 0; k < row.size(); ++k) y[row[k]] += 1;
            }}
            int main() {{
                std::vector<int> row{{0, 2, 2, 3, 4}};
                std::vector<double> y(6);
                multiply(row, y);
            }}""")
        subprocess.run([hpcc, "-O0", str(file), "-o", f"{folder}/wrong"], check=True)
        job = subprocess.run([hpcc, "run", "-n", "2", f"{folder}/wrong"], capture_output=True, text=True, timeout=120)
        if job.returncode != 83 or wanted not in job.stderr:
            problems.append(f"{made}: exit code {job.returncode}, no {wanted}:\n{job.stderr}")
    # What the process in the middle of nine sends in each of five steps: to four neighbours, or eight. At the end of the method
    # all get its elements.
    stencils = {4: "a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]", 8: "a[i - 1, j - 1] + a[i + 1, j + 1]"}
    for neighbours, stencil in stencils.items():
        for messages_allowed, exit_code in {5 * neighbours + 16: 0, 5 * neighbours + 15: 91}.items():
            file = pathlib.Path(folder, "stencil.hpcpp")
            file.write_text("#include <hpspmd>\nusing namespace hpspmd;\n" + f"""
                void relax([[hpspmd::dist(dim(0, 1))]] double [[*,*]] a, [[hpspmd::dist(dim(0, 1))]] double [[*,*]] b) {{
                    for (int step = 0; step < 6; ++step) {{
                        for (int i = 1; i < 17; ++i)
                            for (int j = 1; j < 20; ++j) b[i, j] = {stencil};
                        for (int i = 1; i < 17; ++i)
                            for (int j = 1; j < 20; ++j) a[i, j] = b[i, j];
                    }}
                }}
                int main() {{
                    double [[*,*]] a = new double [[18, 21]], b = new double [[18, 21]];
                    [[hpspmd::budget(messages = {messages_allowed})]] relax(a, b);
                }}""")
            subprocess.run([hpcc, "-O0", str(file), "-o", f"{folder}/stencil"], check=True)
            job = subprocess.run([hpcc, "run", "-n", "9", f"{folder}/stencil"], capture_output=True, text=True, timeout=120)
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
        int main() {
            std::vector<double> a(10);
            double least = 1;
            for (int round = 0; round < 50; ++round) {
                const auto start = std::chrono::steady_clock::now();
                for (int k = 0; k < 1000; ++k) none(a);
                const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
                least = time.count() < least ? time.count() : least;
            }
            std::printf("%.3f", least * 1000);
        }""")
    subprocess.run([hpcc, "-O3", str(file), "-o", f"{folder}/empty"], check=True)
    microseconds = float(subprocess.run([f"{folder}/empty"], capture_output=True, text=True, check=True).stdout)
    if microseconds > 5:  # 0.6, but for a machine that has other work
        problems.append(f"a call of an empty method takes {microseconds} us")
    for options in ["-Werror=HP2901"], []:
        codes = messages(folder, (source / "methods.hpcpp").read_text(), *options)[0]
        if codes != ["HP2901"]:
            problems.append(f"methods.hpcpp {options}: {codes}")
if problems:
    sys.exit("\n".join(problems))
