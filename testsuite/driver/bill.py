# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hpcc bill: on the run's own processes the plans of every collective say what was counted; on others they say what a run
there counts. Budgets; a million processes in seconds; bad files and options."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from json_schema import wrong

hpcc = pathlib.Path(sys.argv[1]).resolve()
schema = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs/run.schema.json").read_text())
failures = 0

program = r"""#include <hpspmd>
#include <cstdlib>
#include <functional>
#include <vector>
using namespace hpspmd;

double f(Index k) { return 1.0 / (1 + k % 7); }

int main(int argc, char** argv) {
    const int steps = argc > 1 ? std::atoi(argv[1]) : 3;
    Procs2 p;
    on (p) {
        ExtBlockRange x(37, p.dim(0), 1, 2), y(29, p.dim(1), 2, 1);
        CyclicRange u(37, p.dim(0)), v(29, p.dim(1));
        BlockCyclicRange s(37, p.dim(0), 3), t(29, p.dim(1), 2);
        BlockRange w(37, p.dim(1)), z(29, p.dim(0)), mx(37, p.dim(0)), my(29, p.dim(1));
        ExtBlockRange x2(53, p.dim(0), 1, 1);
        double [[-,-]] c = new double [[x2, y]];
        double [[-,-]] a = new double [[x, y]], a2 = new double [[x, y]];
        float [[-,-]] b = new float [[x, y]];
        double [[-,-]] d = new double [[u, v]], e = new double [[u, v]], g = new double [[s, t]], h = new double [[z, w]];
        double [[-,*]] k = new double [[mx, 29]];
        double [[-]] row = new double [[mx]], row2 = new double [[my]];
        double [[-,*]] cube = new double [[mx, 5003]];
        double [[-,*]] cube2 = new double [[u, 5003]];
        double [[*]] wide = new double [[5003]];
        int [[-]] amounts = new int [[my]];
        double [[-,-]] m = new double [[mx, my]], n = new double [[mx, my]];
        overall (i = x for :, j = y for :) { a[i, j] = f(i` + 3 * j`); b[i, j] = 1; }
        overall (i = mx for :, j = my for :) m[i, j] = f(i` * j`);
        overall (j = my for :) amounts[j] = j` % 5;
        for (int step = 0; step < steps; ++step) {
            Adlib::writeHalo(a);
            Adlib::writeHalo(a, {1, 0}, {0, 1}, {Adlib::Cyclic, Adlib::Edge});
            Adlib::writeHalo(a, a2);
            Adlib::writeHalo(step < 100 || step % 3 > 0 ? a : c);             // EITHER
            Adlib::remap(d, a);
            Adlib::remap(g, a[[:, 0 : 28]]);
            Adlib::remap(a[[1 : 30 : 2, 3 : 20]], d[[0 : 14, 28 : 11 : -1]]);
            Adlib::remap(k, a);
            Adlib::shift(e, d, 2, 0);
            Adlib::cshift(n, m, 3, 1);
            Adlib::transpose(h, a, {1, 0});
            Adlib::copy(n, m);
            static_cast<void>(Adlib::sum(a));
            static_cast<void>(Adlib::maxloc(d));
            static_cast<void>(Adlib::dotProduct(m, n));
            Adlib::sumDim(row, m, 1);
            Adlib::maxvalDim(row2, m, 0);
            static_cast<void>(Adlib::broadcast(step));
            Adlib::scan(n, m, std::plus<>(), 1);
            Adlib::scan(e, d, std::plus<>(), 0);
        }
        Adlib::WriteHalo halo(b);
        for (int step = 0; step < steps + 2; ++step) halo.execute();
        Adlib::Remap there(d, a);
        there.execute();
        Adlib::sumDim(wide, cube, 0);                                    // long values: combined by halves
        Adlib::remap(cube2, cube);                                       // long messages
        at (i = mx[4]) static_cast<void>(Adlib::sum(m[[i, :]]));
        overall (i = mx for 0 : 0) static_cast<void>(Adlib::sum(m[[i, :]]));
        Adlib::cskew(n, m, amounts, 0);                                   // DATA
    }
}
"""


def run(*words, code=0, **variables):
    done = subprocess.run([hpcc, *words], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, **variables))
    check(done.returncode == code, f"exit code {done.returncode} instead of {code}: {' '.join(words)}\n{done.stdout}{done.stderr}")
    return done


def check(condition, text):
    global failures
    if not condition:
        print("FAILED:", text)
        failures += 1


def lines_with(mark):
    return [number for number, line in enumerate(program.splitlines(), 1) if mark in line]


data = lines_with("// DATA")[0]
either = lines_with("// EITHER")[0]      # of one array, and later of another one, too
detours = lines_with("scan(e, d")        # over a range whose elements are not in sequence on several processes
parts = lines_with("sum(m[[i, :]])")    # by the processes of one coordinate, or of several


def record(processes, steps=3, **variables):
    run("run", "--quiet", "--transport=node", "-n", str(processes), f"--profile=run{processes}.json", "./prog", str(steps), **variables)


def bill_of(processes, *options):
    return json.loads(run("bill", f"run{processes}.json", "--json", *options).stdout)


def check_planned(processes, lines):
    for line in lines:
        planned = line["planned"]
        if line["line"] == data:
            check(line["dependsOnData"] == (processes > 1), f"{processes}: the line that depends on data: {line}")
            continue
        check((line["messages"], line["bytes"]) == (planned["messages"], planned["bytes"]) and not line["dependsOnData"],
              f"on {processes} processes {line['what']} at {line['line']} sent {line['messages']}, {line['bytes']} bytes; "
              f"planned are {planned['messages']}, {planned['bytes']}")


def test_own():
    """The plans say what was counted, for each line but the one whose messages depend on data."""
    for processes in (1, 2, 3, 4, 6, 9):
        record(processes)
        check(wrong(recorded := json.loads(pathlib.Path(f"run{processes}.json").read_text()), schema) == [],
              f"the schema: {wrong(recorded, schema)[:3]}")
        lines = bill_of(processes)["lines"]
        check(len({line["what"] for line in lines}) >= 12, "all collectives are there")
        check_planned(processes, lines)
        if processes > 1:
            check(sum(line["messages"] for line in lines) > 100, "messages")
    few = {(line["line"], line["what"]): line for line in bill_of(4)["lines"]}
    record(4, 303)    # most of them are only counted
    check_planned(4, many := bill_of(4)["lines"])
    for line in many:
        before = few[line["line"], line["what"]]
        times = line["executions"] / before["executions"]
        if line["line"] not in (data, either):
            check((line["messages"], line["bytes"]) == (times * before["messages"], times * before["bytes"]),
                  f"{times} times as often {line['what']} at {line['line']} sent {line['messages']}, {line['bytes']} bytes; before {before}")
    record(4)
    record(2, HPSPMD_NODE_MEMORY="off")
    for line in bill_of(2)["lines"]:
        check(line["line"] == data or line["messages"] == line["planned"]["messages"], f"without shared memory: {line}")


def test_elsewhere(recorded=4):
    """What a run on 4 processes says of others is what is counted there."""
    others = [processes for processes in (1, 2, 4, 6, 9) if processes != recorded]
    counts = {processes: bill_of(processes)["lines"] for processes in others}
    for line in bill_of(recorded, "-n", ",".join(map(str, others)))["lines"]:
        for there in line["others"]:
            counted = [each for each in counts[there["processes"]]
                       if (each["line"], each["what"]) == (line["line"], line["what"])][0]
            if line["line"] == data:
                check(("a run on one process" if recorded == 1 else "depend on data") in there["reason"], f"no price: {there}")
                continue
            if recorded == 1 and line["line"] in (*parts, *detours):
                reason = "an 'at' may be for each or for one" if line["line"] in parts else "the way to blocks and back"
                check(reason in there["reason"], f"what one process cannot tell: {there}")
                continue
            check((there.get("messages"), there.get("bytes")) == (counted["messages"], counted["bytes"]),
                  f"{line['what']} at {line['line']} on {there['processes']} processes: {there}, counted are {counted['messages']}, {counted['bytes']}")


def test_elsewhere_alone():
    """A process alone sends nothing, and tells all the same what would be sent on others."""
    test_elsewhere(1)


def test_million():
    begin = os.times().user + os.times().children_user
    text = run("bill", "run4.json", "-n", "1000,1000000", "--scale=weak").stdout
    taken = os.times().user + os.times().children_user - begin
    check("1,000,000" in text.splitlines()[0], text)
    # 25 x 40 processes: what has grown with the rows cannot be transposed into what has grown with the columns.
    check(re.search(r"^note: transpose at prog.hpcpp:\d+: scaled to that many processes, its arrays have different extents$", text, re.M), text)
    print(f"1,000 and 1,000,000 processes: {taken:.1f} s of the processor")
    check(taken < 30, f"a million processes took {taken:.1f} s")   # process by process it would be minutes


def test_text():
    text = run("bill", "run4.json").stdout
    check(re.match(r"prog on 4 processes: [\d,]+ messages, [\d,]+ bytes\n", text), text)
    check(re.search(rf"^note: cskew at prog.hpcpp:{data}: .* depend on data$", text, re.M) and "collectives\n" in text, text)


def test_budget():
    pathlib.Path("budget.json").write_text(json.dumps(
        {f"{line['file']}:{line['line']}": {"messages": 100, "bytes": 10 ** 7} for line in bill_of(4)["lines"]}))
    run("bill", "run4.json", "--budget", "budget.json")
    run("bill", "run4.json", "--budget", "run4.json")
    budget = json.loads(pathlib.Path("budget.json").read_text())
    halo = next(f"{line['file']}:{line['line']}" for line in bill_of(4)["lines"] if line["what"] == "writeHalo")
    for allowed in ({"messages": 1, "bytes": 10 ** 7}, {"messages": 100, "bytes": 10}):
        pathlib.Path("less.json").write_text(json.dumps({**budget, halo: allowed}))
        lines = run("bill", "run4.json", "--budget", "less.json", code=1).stderr.splitlines()
        check(len(lines) == 1 and lines[0].startswith(halo + ": a process sends "), f"the line over the budget: {lines}")
    pathlib.Path("less.json").write_text(json.dumps({os.path.join(os.getcwd(), where): allowed for where, allowed in budget.items()}))
    run("bill", "run4.json", "--budget", "less.json")                # files are named by the ends of their paths
    pathlib.Path("less.json").write_text(json.dumps({"x" + where: allowed for where, allowed in budget.items()}))
    run("bill", "run4.json", "--budget", "less.json", code=1)
    del budget[halo]
    pathlib.Path("less.json").write_text(json.dumps(budget))
    check(halo in run("bill", "run4.json", "--budget", "less.json", code=1).stderr, "a line that no budget names")


small = r"""#include <hpspmd>
#include <cstdlib>
using namespace hpspmd;
int main(int argc, char** argv) {
    Procs1 p;
    on (p) {
        ExtBlockRange x(40, p.dim(0), 1, 1);
        double [[-]] a = new double [[x]];
        for (int k = 0; k < (argc > 1 ? std::atoi(argv[1]) : 3); ++k) Adlib::writeHalo(a);
        Adlib::gprintln("printed");
    }
    if (argc > 2) std::exit(5);
}
"""


def test_program():
    """A source is compiled and run, a program is run; both on four processes, or as many as are asked for."""
    pathlib.Path("small.hpcpp").write_text(small)
    node = {"HPSPMD_TRANSPORT": "node"}
    done = run("bill", "small.hpcpp", **node)
    check(re.match(r"small on 4 processes: 18 messages, 144 bytes\n", done.stdout) and done.stderr == "", f"a source: {done.stdout}{done.stderr}")
    run("small.hpcpp", "-o", "small")
    for name in ("small", "./small"):
        lines = json.loads(run("bill", name, "--run", "2", "--json", "-n", "8", "--", "7", **node).stdout)["lines"]
        check([(line["executions"], line["messages"], line["others"][0]["messages"]) for line in lines] == [(7, 14, 98)], f"{name}: {lines}")
    for allowed, code in ((2, 0), (1, 1)):
        pathlib.Path("less.json").write_text(json.dumps({"small.hpcpp:9": {"messages": allowed, "bytes": 16}}))
        run("bill", "small", "--budget", "less.json", code=code, **node)
    check("'small' ends with exit code 5 on 4 processes" in run("bill", "small", "--", "1", "2", code=1, **node).stderr, "a program that fails")
    pathlib.Path("wrong.hpcpp").write_text("int main() { return none; }\n")
    check("'wrong.hpcpp' cannot be compiled" in run("bill", "wrong.hpcpp", code=1).stderr, "a source with an error")
    run("bill", "small", "--run", "0", code=2)
    run("bill", "small", "--run", "2,3", code=2)


def test_bad():
    check("--budget FILE" in run("bill", "--help").stdout, "help")
    for words in ([], ["a", "b"], ["run4.json", "-n"], ["run4.json", "-n", "0"], ["run4.json", "-n", "2,x"], ["run4.json", "-n", "99999999999"],
                  ["run4.json", "--scale=large"], ["run4.json", "--colour", "x"], ["run4.json", "-n", ""]):
        check("usage: hpcc bill" in run("bill", *words, code=2).stderr, f"wrong use: {words}")
    check("cannot read 'none.json': No such file" in run("bill", "none.json", code=1).stderr, "a file that is not there")
    check("cannot read 'none.json'" in run("bill", "run4.json", "--machine", "none.json", code=1).stderr, "a machine that is not there")
    whole = pathlib.Path("run4.json").read_text()
    for text in ("", "{", "[]", "{}", '{"format": 2}', whole.replace('"complete": true', '"complete": false'), whole[:len(whole) // 2],
                 whole.replace('"BlockRange"', '"OtherRange"', 1), whole.replace('"kind": "combine"', '"kind": 3'),
                 whole.replace('"arrays"', '"arays"'), whole.replace('"axis": 1', '"axis": 7'), whole.replace('"extents": [2, 2]', '"extents": [2]'),
                 whole.replace('"extents": [2, 2]', '"extents": [0, 2]'), whole.replace('"extent": 37', '"extent": -37')):
        pathlib.Path("bad.json").write_text(text)
        done = subprocess.run([hpcc, "bill", "bad.json", "-n", "16"], capture_output=True, text=True, timeout=60)
        check(done.returncode == 1 and "hpcc: error: " in done.stderr or done.returncode == 0 and "note: " in done.stdout,
              f"{text[:60]}: {done.returncode} {done.stdout} {done.stderr}")
    for text in ("[]", "3", '{"a:1": 3}', '{"a:1": {"messages": -1, "bytes": 0}}', '{"a:1": {"bytes": 1}}', '{"a:1": {"messages": 1, "bytes": 1, "time": 1}}'):
        pathlib.Path("bad.json").write_text(text)
        check("'bad.json'" in run("bill", "run4.json", "--budget", "bad.json", code=1).stderr, f"a bad budget: {text}")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    pathlib.Path("prog.hpcpp").write_text(program)
    run("prog.hpcpp", "-O0", "-o", "prog")
    for test in (test_own, test_elsewhere, test_elsewhere_alone, test_million, test_text, test_budget, test_program, test_bad):
        begin = time.time()
        test()
        print(getattr(test, "__name__", "test"), f"{time.time() - begin:.1f} s")
sys.exit(1 if failures else 0)
