# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that die in all kinds of ways, on two processes: how hpcc run ends, and the line that says where, or why. Each way is a
function of one program; the line marked `// here` in it is the one to be named.

    testsuite/driver/crashes.py build/bin/hpcc [names]
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import time

CRASH = r"process 1 of 2: "
LAST = r"; last collective: sum at ways\.hpcpp:\d+$"
# The way, its text, hpcc run's exit code, and the line that it prints: HERE is ways.hpcpp and the line marked; LAST, the last collective.
WAYS = [
    ("null", "if (last) *nowhere = 1;  // here", 139, "HERE: " + CRASH + r"segmentation fault \(address 0\) in null" + LAST),
    ("wild", "if (last) reinterpret_cast<volatile int*>(~15L << 44)[0] = 1;  // here", 139, "HERE: " + CRASH + "segmentation fault .* in wild" + LAST),
    ("code", "if (last) reinterpret_cast<void (*)()>(zero)();  // here", 139, "HERE: " + CRASH + r"segmentation fault \(address 0\) in code" + LAST),
    ("overflow", "if (last) zero = deeper(1);", 139, r"ways\.hpcpp:\d+: " + CRASH + "segmentation fault .* in deeper.*" + LAST),
    ("abortion", "if (last) std::abort();  // here", 134, "HERE: " + CRASH + "abort in abortion" + LAST),
    ("assertion", "assert(!last);  // here", 134, "HERE: " + CRASH + "abort in assertion" + LAST),
    ("division", "if (last) zero = 7 / zero;  // here", 136, "HERE: " + CRASH + "arithmetic error .* in division" + LAST),
    ("trap", "if (last) __builtin_trap();  // here", 132, "HERE: " + CRASH + "illegal instruction in trap" + LAST),
    ("shrunk", "if (last) *beyondFile() = 1;  // here", 135, "HERE: " + CRASH + "bus error .* in shrunk" + LAST),
    ("twice", "if (last) std::free(twiceFreed());  // here", 134, "^" + CRASH + "abort; the heap is damaged"),
    ("text", 'if (last) throw std::runtime_error("no grid");  // here', 90, "HERE: rank 1: uncaught exception: no grid, thrown in text"),
    ("number", "if (last) throw 7;  // here", 90, "HERE: rank 1: uncaught exception, thrown in number"),
    ("beyond", "if (last) std::vector<int>(3).at(5);  // here", 90, "HERE: rank 1: uncaught exception: .*range_check.*thrown in beyond"),
    ("memory", "if (last) ::operator new(std::size_t(1) << 60);  // here", 90, "HERE: rank 1: uncaught exception: std::bad_alloc, thrown in memory"),
    ("silent", "if (last) [&]() noexcept { throw 1; }();  // here", 90, "HERE: rank 1: uncaught exception, thrown in silent"),
    ("ending", "if (last) std::terminate();  // here", 90, "HERE: rank 1: std::terminate was called, thrown in ending"),
    ("virtual_call", "if (last) Derived();", 90, r"ways\.hpcpp:\d+: rank 1: std::terminate was called, thrown in Base"),
    ("thread", "if (last) std::thread([] { *nowhere = 1; }).join();  // here", 139, "HERE: " + CRASH + r"segmentation fault \(address 0\) in thread"),
    ("thread_throws", 'if (last) std::thread([] { throw std::logic_error("in a thread"); }).join();  // here', 90,
     "HERE: rank 1: uncaught exception: in a thread, thrown in thread_throws"),
    ("element", "BlockRange x(4, p.dim(0)); double [[-]] a = new double [[x]]; Adlib::read(a, \"absent.npy\");  // here", 85,
     r"HERE: .*IoError: read: cannot read 'absent\.npy': No such file"),
    ("place", "if (last) CollapsedRange(3).location(7);  // here", 82, "HERE: rank 1: OutOfBounds: location 7 is outside 0 .. 2"),
    ("grid", "Procs2 q(1000, 1000);  // here", 80, "HERE: rank 0: ProcsArrayTooLarge"),
    ("differing", "if (last) Adlib::sum(1.0); else Adlib::maxval(1.0);  // here", 83, "HERE: .*rank [01]: .*(sum|maxval)"),
    ("message", "int one = 0; if (last) MPI_Send(&one, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);  // here", None, "[Ii]nvalid rank|MPI_ERR_RANK"),
    ("leaves", "if (last) std::exit(5);", 5, "rank 1: left with exit status 5 while other processes were still running"),
    ("vanishes", "if (last) ::_exit(6);", 6, None),
    ("killed", "if (last) ::raise(SIGKILL);", 137, None),
    ("terminated", "if (last) ::raise(SIGTERM);", 143, None),
    ("waits", "int one = 0; if (last) MPI_Recv(&one, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);", 124, "takes more than 2 s"),
    ("nest", "BlockRange x(8, p.dim(0)); overall (i = x for :)\n    if (last) *nowhere = 1;  // here", 139,
     "HERE: " + CRASH + r"segmentation fault \(address 0\) in nest" + LAST),
    ("method", "std::vector<int> a(8); fill(a, last ? zero : 1);", 136, r"ways\.hpcpp:\d+: " + CRASH + "arithmetic error .* in fill"),
    ("kernel", "BlockRange x(8, p.dim(0)); int [[-]] a = new int [[x]]; const int one = last ? zero : 1;\n"
     "    overall (i = x for :) a[i] = 7 / one;  // here", 136, "HERE: " + CRASH + "arithmetic error .* in kernel"),
    ("initialiser", "", 139, r"ways\.hpcpp:\d+: process [01]: segmentation fault \(address 0\) in .*; last collective: none$"),
    ("destructor", "if (last) diesLate = true;", 139, None),
]

BEFORE = """#include <hpspmd>
#include <hpspmd/mpi.hpp>
#include <cassert>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#include <sys/mman.h>
#include <unistd.h>
using namespace hpspmd;
volatile int* nowhere = nullptr;
volatile int zero = 0;
bool diesLate = false;
bool isLast();
int deeper(int n) {
    volatile char room[4096] = {};
    return room[n % 4096] + deeper(n + 1);
}
int* beyondFile() {
    FILE* file = std::tmpfile();
    if (::ftruncate(::fileno(file), 4096) != 0) std::exit(1);
    void* memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ::fileno(file), 0);
    if (::ftruncate(::fileno(file), 0) != 0) std::exit(1);
    return static_cast<int*>(memory);
}
void* twiceFreed() {
    void* volatile memory = std::malloc(100000);
    std::free(memory);
    return memory;
}
struct Base {
    Base() { call(); }
    void call() { work(); }
    virtual void work() = 0;
};
struct Derived : Base { void work() override {} };
void fill([[hpspmd::dist]] std::vector<int>& a, int divisor) {
    for (int i = 0; i < 8; ++i) a[i] = i / divisor;
}
struct Global {
    Global() {
        std::ifstream line("/proc/self/cmdline");
        const std::string all{std::istreambuf_iterator<char>(line), {}};
        if (all.find("initialiser") != std::string::npos) *nowhere = 1;
    }
    ~Global() { if (diesLate) *nowhere = 1; }
} global;
"""

# Out of sight of the checks, which would not let such a program pass.
OTHER = """#include <mpi.h>
bool isLast() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 1;
}
"""


def source():
    text = BEFORE
    for name, body, _, _ in WAYS:
        text += f"void {name}(Procs1 p, bool last) {{\n    {body}\n    static_cast<void>(p), static_cast<void>(last);\n}}\n"
    text += "int main(int, char** argv) {\n    const std::string way = argv[1];\n    Procs1 p;\n    on (p) {\n        Adlib::sum(1);\n"
    text += "        const bool last = isLast();\n"
    for name, *_ in WAYS:
        text += f'        if (way == "{name}") {name}(p, last);\n'
    return text + '        if (way != "destructor") Adlib::sum(1);  // the others wait\n    }\n}\n'


def ended(hpcc, way, folder):
    """What is wrong with how it ends, or None."""
    name, body, code, line = way
    text = source().splitlines()
    start = next(k for k, each in enumerate(text) if each.startswith(f"void {name}("))
    here = next((k + 1 for k in range(start, len(text)) if "// here" in text[k]), 0)
    begin = time.monotonic()
    program = "kernels" if name == "kernel" else "ways"
    job = subprocess.run([hpcc, "run", "--quiet", "--timeout", "2" if name == "waits" else "60", "-n", "2", os.path.join(folder, program), name],
                         capture_output=True, text=True, cwd=folder, timeout=120,
                         env={**os.environ, **({"HPSPMD_TARGET": "check"} if name == "kernel" else {})})
    said = job.stdout + job.stderr
    wrong = []
    if job.returncode != code if code is not None else job.returncode in (0, 124):
        wrong.append(f"exit code {job.returncode} instead of {code}")
    wanted = None if line is None else line.replace("HERE", rf"ways\.hpcpp:{here}")
    if wanted and not re.search(wanted, said, re.MULTILINE):
        wrong.append(f"no line {wanted}")
    if wrong:
        return f"{name}: {'; '.join(wrong)} ({time.monotonic() - begin:.1f} s)\n{said[-1500:]}"
    return None


def ended_at_last(hpcc, way, folder):
    """The same. Of a process that says nothing only mpiexec knows, and MPICH's loses a status now and then."""
    for _ in range(1 if way[3] else 3):
        problem = ended(hpcc, way, folder)
        if not problem:
            break
    return problem


hpcc, chosen = os.path.abspath(sys.argv[1]), sys.argv[2:]
with tempfile.TemporaryDirectory() as folder:
    for name, text in (("ways.hpcpp", source()), ("last.cpp", OTHER)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    compiling = [subprocess.Popen([hpcc, "-w", "-g", *options, "ways.hpcpp", "last.cpp", "-o", program], cwd=folder)
                 for program, options in (("ways", []), ("kernels", ["-O3", "--device", "--backend-O", "1"]))]
    if any([each.wait() for each in compiling]):
        sys.exit("the program does not compile")
    longest = ("twice", "waits")
    with concurrent.futures.ThreadPoolExecutor(2) as two:
        problems = [problem for problem in two.map(lambda way: ended_at_last(hpcc, way, folder),
                                                   sorted((way for way in WAYS if not chosen or way[0] in chosen), key=lambda way: way[0] not in longest))
                    if problem]
    print("\n".join(problems))
    print(f"{len(WAYS)} ways to die, {len(problems)} of them not as they should")
    sys.exit(1 if problems else 0)
