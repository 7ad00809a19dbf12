# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hpcc debug: what gdb says of multiarrays, on 1, 2 and 4 processes. Of each array of every format, and of sections of it with
a step, without a dimension and without any, every element that a process holds is right, ghost cells among them, and every
other one is refused."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

hpcc = sys.argv[1]
if not shutil.which("gdb") or "True" not in subprocess.run(
        ["gdb", "-batch", "-ex", "python print(True)"], capture_output=True, text=True).stdout:
    sys.exit(77)

# Name, grid, ranges, array; the elements are 1 + the number in row-major order of the global subscripts.
formats = {
    "block": "BlockRange({n}, p.dim({d}))", "ext": "ExtBlockRange({n}, p.dim({d}), 1, 2)", "cyclic": "CyclicRange({n}, p.dim({d}))",
    "blockcyclic": "BlockCyclicRange({n}, p.dim({d}), 3)", "irreg": "IrregRange(uneven({n}, p.dim({d}).size()), p.dim({d}))",
    "part": "BlockRange({n} * 2 + 3, p.dim({d})).subrange(1, 2 * {n} - 1, 2)",
    "cyclicpart": "CyclicRange({n} + 4, p.dim({d})).subrange(2, {n} + 1)",
}
types = ["double", "int", "float", "long", "unsigned char", "bool", "std::complex<double>", "Pair"]
arrays = []
for k, (name, make) in enumerate(formats.items()):
    arrays.append((f"{name}1", 1, types[k], [(13, make)]))
    arrays.append((f"{name}2", 2, types[(k + 3) % len(types)], [(7, make), (6, list(formats.values())[(k + 2) % len(formats)])]))
    arrays.append((f"{name}row", 2, types[(k + 5) % len(types)], [(9, make), (4, None)]))
arrays.append(("cube", 2, "Pair", [(5, formats["ext"]), (3, None), (4, formats["cyclic"])]))
arrays.append(("four", 2, "double", [(4, formats["block"]), (2, None), (5, formats["ext"]), (2, None)]))
arrays.append(("copies", 2, "float", [(8, formats["ext"])]))



def sections_of(ranges):
    """Their triplets, or numbers, per dimension: every second element, backwards; the last but one of a dimension; one element."""
    whole = [range(n) for n, make in ranges]
    parts = [[range(1, ranges[0][0], 2), *whole[1:]], [*whole[:-1], range(ranges[-1][0] - 1, -1, -1)]]
    if len(ranges) > 1:
        parts += [[ranges[0][0] - 2, *whole[1:]], [*whole[:-1], 1]]
    return parts + [[n // 2 for n, make in ranges]]


text = ["#include <hpspmd>", "#include <complex>", "#include <vector>", "using namespace hpspmd;",
        "struct Pair { int number; double half; };",
        "std::vector<Index> uneven(Index n, Index processes) {",
        "    std::vector<Index> sizes(processes, 0);", "    for (Index k = 0; k < n; ++k) ++sizes[k * k % processes];",
        "    return sizes;", "}",
        "template <class T> T value(Index k) { return static_cast<T>(k); }",
        "template <> Pair value<Pair>(Index k) { return {static_cast<int>(k), 0.5 * k}; }",
        "void stop() {}", "int main() {", "    Procs2 grid;", "    Procs1 line;"]
for name, rank, element, ranges in arrays:
    distributed = [k for k, (n, make) in enumerate(ranges) if make]
    grid = "line" if len(distributed) == 1 and name != "copies" else "grid"
    text += [f"    on ({grid}) {{", f"        auto& p = {grid};"]
    slots, sizes, headers, subscripts, place = [], [], [], [], "0"
    for r, (n, make) in enumerate(ranges):
        slots.append("-" if make else "*")
        sizes.append(f"x{r}" if make else str(n))
        place = f"({place}) * {n} + " + (f"i{r}`" if make else f"i{r}")
        subscripts.append(f"i{r}")
        if make:
            text.append(f"        Range x{r} = {make.format(n=n, d=distributed.index(r))};")
            headers.append(f"overall (i{r} = x{r} for :)")
        else:
            headers.append(f"for (int i{r} = 0; i{r} < {n}; ++i{r})")
    text += [f"        {element} [[{','.join(slots)}]] {name} = new {element} [[{', '.join(sizes)}]];",
             "        " + " ".join(headers), f"            {name}[{', '.join(subscripts)}] = value<{element}>(1 + {place});"]
    if any(make == formats["ext"] for n, make in ranges):
        text.append(f"        Adlib::writeHalo({name});")
    text.append("        stop();")
    for triplets in sections_of(ranges):
        left = [slot for slot, triplet in zip(slots, triplets) if isinstance(triplet, range)]
        shown = [f"{t.start} : {t[-1]} : {t.step}" if isinstance(t, range) else str(t) for t in triplets]
        text.append(f"        {{ {element} [[{','.join(left)}]] part = {name}[[{', '.join(shown)}]]; stop(); }}")
    text.append("    }")
text += ["    double [[]] one = new double [[]];", "    one[] = 1;", "    stop();", "}", ""]

# What gdb does where each program stops: all elements of the array that has just been filled.
commands = """
set pagination off
set breakpoint pending off
break stop
run
python
import itertools, os
told = open("told.%d" % os.getpid(), "w")  # output of several processes gets mixed

def tell(*words):
    print(*words, file=told, flush=True)

def number(value):
    kind = plain(value.type)
    if kind.name == "Pair":
        assert float(value["half"]) == 0.5 * int(value["number"])
        return int(value["number"])
    if kind.name and kind.name.startswith("std::complex"):
        text = str(value)
        return float(re.findall(r"-?[0-9.]+", text)[0])
    return float(value) if kind.code == gdb.TYPE_CODE_FLT else int(value)

def check(label, name, extents, triplets, is_bool):
    gdb.execute("up", to_string=True)
    value = gdb.parse_and_eval(name)
    view = ArrayView(value)
    held = ghosts = 0
    parts = [triplet for triplet in triplets if isinstance(triplet, range)]
    for subscripts in itertools.product(*(range(len(part)) for part in parts)):
        place, left = 0, iter(subscripts)
        for extent, triplet in zip(extents, triplets):
            place = place * extent + (triplet[next(left)] if isinstance(triplet, range) else triplet)
        place += 1
        try:
            element, is_ghost = view.at(list(subscripts))
        except NotHeld:
            continue
        ghosts, held = ghosts + is_ghost, held + (not is_ghost)
        wanted = 1 if is_bool else place % 256 if str(plain(element.type)) == "unsigned char" else place
        if number(element) != wanted:
            tell("WRONG", label, subscripts, element, wanted)
        if number(gdb.parse_and_eval("$at(%s%s)" % (name, "".join(", %d" % n for n in subscripts)))) != wanted:
            tell("WRONG $at", label, subscripts)
    local = 1
    for r in range(len(parts)):
        local *= len(list(view.ranges[r].held()))
    tell("HELD", label, held if view.address else 0, ghosts, local if view.address else 0)
    gdb.execute("hp " + name, to_string=True)
    gdb.execute("continue")
"""
looked = []  # label, elements, is it copied over a dimension of the grid
for name, rank, element, ranges in arrays:
    extents = [n for n, make in ranges]
    for k, triplets in enumerate([[range(n) for n in extents], *sections_of(ranges)]):
        label, total = f"{name}.{k}", 1
        for triplet in triplets:
            total *= len(triplet) if isinstance(triplet, range) else 1
        looked.append((label, total, name == "copies"))
        commands += f"check('{label}', '{'part' if k else name}', {extents}, {triplets}, {element == 'bool'})\n"
commands += "check('one', 'one', [], [], False)\n"
commands += "end\n"

problems, elements = [], 0
with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    (folder / "arrays.hpcpp").write_text("\n".join(text))
    (folder / "commands").write_text(commands)
    subprocess.run([hpcc, "-w", "-g", "arrays.hpcpp", "-o", "arrays"], cwd=folder, check=True)
    for processes in (1, 2, 4):
        run = subprocess.run([hpcc, "debug", "-n", str(processes), "--batch", "commands", "arrays"], cwd=folder,
                             capture_output=True, text=True, timeout=600)
        files = list(folder.glob("told.*"))
        said = run.stdout + run.stderr + "".join(file.read_text() for file in files)
        for file in files:
            file.unlink()
        problems += [f"on {processes}: {found}" for found in re.findall(r"WRONG.*|Python Exception.*|Error.*", said)]
        for label, total, is_copied in [*looked, ("one", processes, False)]:
            lines = re.findall(rf"HELD {re.escape(label)} (\d+) (\d+) (\d+)", said)
            copies = processes // 2 if is_copied and processes == 4 else 1
            held = sum(int(line[0]) for line in lines)
            elements += held
            if len(lines) != processes or held != total * copies or any(line[0] != line[2] for line in lines):
                problems.append(f"{label} on {processes}: {lines}, {total} elements")

    # The language's subscripts, messages and conditions, at a line inside of a nest.
    (folder / "lap.hpcpp").write_text("""#include <hpspmd>
using namespace hpspmd;
int main() {
    Procs1 p;
    on (p) {
        ExtBlockRange x(12, p.dim(0), 1, 1);
        double [[-]] a = new double [[x]], b = new double [[x]];
        overall (i = x for :) a[i] = 10 * i`;
        Adlib::writeHalo(a);
        overall (i = x for 1 : 10) {
            const Index k = i`;
            b[i] = a[i - 1] + k;
        }
        Adlib::gprintln("sum ", Adlib::sum(b));
    }
}
""")
    subprocess.run([hpcc, "-g", "lap.hpcpp", "-o", "lap"], cwd=folder, check=True)

    def said(*lines):
        (folder / "one").write_text("\n".join(lines) + "\n")
        run = subprocess.run([hpcc, "debug", "--batch", "one", "lap"], cwd=folder, capture_output=True, text=True)
        return run.stdout + run.stderr

    start = ("break lap.hpcpp:12 if $at(a, 3) > 0 && k == 7", "run")
    for command, answer in (("hp a[i - 1]", r"^a\[6\] = 60$"), ("hp a[k + 2]", r"^a\[9\] = 90$"), ("hp a[i`]", r"^a\[7\] = 70$"),
                            ("hp a[12]", "subscript 12 of dimension 0 is outside 0 .. 11"), ("hp a[1, 2]", "2 subscripts for an array of rank 1"),
                            ("print i", r"= 7 \(local \d+\) of ExtBlockRange\(12, 1, 1\)"), ("print p", "= 1 processes, this is 0"),
                            ("print x", r"ExtBlockRange\(12, 1, 1\); here 0 : 11; coordinate 0 of 1"),
                            ("print a", r"double \[\[-\]\]; 12; ExtBlockRange\(12, 1, 1\); here \[0 : 11\]"), ("hp k", "is no multiarray")):
        text = said(*start, command)
        if not re.search(answer, text, re.M):
            problems.append(f"{command}:\n{text}")
    # Where its ghost cells are checked a nest has no index yet.
    text = said("break lap.hpcpp:12", "run", "python\ntry:\n    gdb.execute('hp a[i - 1]')\nexcept gdb.error as error:\n    print(error)\nend",
                "continue", "hp a[i - 1]")
    if not re.search(r'^No symbol "i" in current context\. \(before a nest .*^a\[0\] = 0$', text, re.M | re.S):
        problems.append(f"before a nest:\n{text}")
    for words, answer in ((["--attach", "x", "lap"], "takes the number of a process"), (["nothing"], "no file"), ([], "no program given"),
                          (["-n", "0", "lap"], "takes a number of processes"), (["--what", "lap"], "is no option of hpcc debug")):
        run = subprocess.run([hpcc, "debug", *words], cwd=folder, capture_output=True, text=True)
        if run.returncode != 2 or answer not in run.stderr:
            problems.append(f"hpcc debug {words}: {run.returncode} {run.stderr}")

    # What a process that was ended has left, where the system writes that into the folder.
    (folder / "crash.hpcpp").write_text((folder / "lap.hpcpp").read_text().replace(
        "b[i] = a[i - 1] + k;", "if (k == 7) std::raise(SIGQUIT); b[i] = a[i - 1] + k;").replace("using", "#include <csignal>\nusing", 1))
    subprocess.run([hpcc, "-g", "crash.hpcpp", "-o", "crash"], cwd=folder, check=True)
    subprocess.run(["sh", "-c", "ulimit -c unlimited && exec ./crash"], cwd=folder, capture_output=True, timeout=120)
    cores = [core.name for core in folder.glob("core*") if core.is_file()][:1]
    for core in cores:
        (folder / "look").write_text("bt\nframe function main\nhp a[i - 1]\nhp a[9]\nprint k\nprint a\nhp a[12]\n")
        run = subprocess.run([hpcc, "debug", "--core", core, "--batch", "look", "crash"], cwd=folder, capture_output=True, text=True)
        right = sum(1 for answer in (r"^a\[6\] = 60$", r"^a\[9\] = 90$", "subscript 12 of dimension 0 is outside", r"^\$1 = 7$",
                                     r"crash\.hpcpp:13", r"double \[\[-\]\]; 12; .* = \{\[0 : 11\] = 0 10 20 30 40 50 60 70 80 90 100 110\}")
                    if re.search(answer, run.stdout + run.stderr, re.M))
        if right != 6:
            problems.append(f"hpcc debug --core {core} crash: {run.returncode} {run.stdout}{run.stderr}")
    for words, answer in ((["--core", "none", "lap"], "no file 'none'"), (["--core"], "--core needs a value"),
                          (["--core", "lap"], "no program given")):
        run = subprocess.run([hpcc, "debug", *words], cwd=folder, capture_output=True, text=True)
        if run.returncode != 2 or answer not in run.stderr:
            problems.append(f"hpcc debug {words}: {run.returncode} {run.stderr}")
    print(f"{len(cores)} cores looked at")
print(*problems, sep="\n")
print(f"{len(looked) + 1} arrays and sections, {elements} elements looked at, {len(problems)} problems")
sys.exit(1 if problems or elements < 1000 else 0)
