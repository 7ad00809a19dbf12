# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hpcc layout: the pages are well formed, and each location has the owner and local subscript that its format says; the picture in
docs/tools.md is the one in the page of the command beside it (--write makes it so)."""
import html.parser
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

hpcc = pathlib.Path(sys.argv[1]).resolve()
failures = 0


def check(condition, text):
    global failures
    if not condition:
        print("FAILED:", text)
        failures += 1


def run(*words, code=0):
    done = subprocess.run([hpcc, "layout", *words], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    check(done.returncode == code, f"exit code {done.returncode} instead of {code}: {' '.join(words)}\n{done.stdout}{done.stderr}")
    return done


class Page(html.parser.HTMLParser):
    """Elements that are closed in order; the attributes of those of one name."""

    def __init__(self, text):
        super().__init__()
        self.open, self.found = [], {}
        self.feed(text)
        check(self.open == [], f"elements that are not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        self.found.setdefault(tag, []).append(dict(attributes))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.found.setdefault(tag, []).append(dict(attributes))

    def handle_endtag(self, tag):
        check(self.open and self.open.pop() == tag, f"an end of {tag}")


def picture_of(page):
    """The first picture of a page, as a file of its own."""
    opening, inside = re.search(r"<section.*?<svg ([^>]*)>(.*?)</svg>", page, re.S).groups()
    used = set(re.findall(r'class="(c\d+)"', inside))
    rules = [rule for rule in re.findall(r"^\.(?:c\d+) .*$", page, re.M) if rule.split()[0][1:] in used]
    style = "\n".join([re.search(r"^rect \{.*$", page, re.M)[0], *rules])
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {opening}>\n<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->\n'
            f"<style>\n{style}\n</style>{inside}</svg>\n")


def check_docs(write):
    docs = pathlib.Path(__file__).resolve().parents[2] / "docs"
    words = re.search(r"^\$ hpcc layout (.* --grid .*) -o layout.html$", (docs / "tools.md").read_text(), re.M)[1].split()
    run(*words, "-o", "layout.html")
    picture = picture_of(pathlib.Path("layout.html").read_text())
    xml.etree.ElementTree.fromstring(picture)
    if write:
        (docs / "layout.svg").write_text(picture)
    check((docs / "layout.svg").read_text() == picture, "docs/layout.svg is not what hpcc layout writes: layout.py HPCC --write")


def owner(text, processes, n):
    """Coordinate and local subscript of location n: the formats as the language defines them."""
    kind, size, *more = text.split(":")
    size = int(size)
    if kind in ("block", "ext"):
        block = math.ceil(size / processes)
        return n // block, n % block
    if kind == "cyclic":
        return n % processes, n // processes
    if kind == "blockcyclic":
        block = int(more[0])
        return n // block % processes, n // block // processes * block + n % block
    return 0, n


def check_page(ranges, grid):
    run(*ranges, "--grid", "x".join(map(str, grid)), "-o", "page.html")
    text = pathlib.Path("page.html").read_text()
    check(len(text) < 300_000, f"{len(text)} bytes: {ranges}")
    page = Page(text)
    axes = json.loads(page.found["section"][0]["data-axes"])
    check(len(axes) == min(len(ranges), 2), "axes")
    for axis, words, processes in zip(axes, ranges, grid):
        size = int(words.split(":")[1])
        end = 0
        for first, count, coordinate, local in axis["stretches"]:
            check(first == end and count > 0, f"stretches follow one another: {axis}")
            end = first + count
            for n in {first, first + count // 2, first + count - 1}:
                expected = owner(words, processes, n)
                # With ghost cells below, the block begins behind them or at 0: what counts is the distance within it.
                check(expected[0] == coordinate, f"{words} on {processes}: {n} is of {expected}, not {coordinate}")
                check(expected[1] - owner(words, processes, first)[1] == n - first, f"{words}: local subscripts from {first} on")
            check(words.startswith("ext") or local == owner(words, processes, first)[1], f"{words}: {first} has local subscript {local}")
        check(end == axis["shown"] and (end == size or len(axis["stretches"]) == 64), f"what is shown: {axis['shown']} of {size}")
    stretches = math.prod(len(axis["stretches"]) for axis in axes)
    svg = re.findall(r"<svg viewBox.*?</svg>", text, re.S)
    check(len(svg) == 1 and len(xml.etree.ElementTree.fromstring(svg[0]).findall("rect")) == stretches, f"{stretches} rectangles: {ranges}")
    area = sum(float(rect.get("width")) * float(rect.get("height")) for rect in xml.etree.ElementTree.fromstring(svg[0]).findall("rect"))
    check(abs(area / (640 * (400 if len(ranges) > 1 else 40)) - 1) < 0.01 or stretches == 0, f"the rectangles fill the picture: {area}")
    rows = [row for row in page.found.get("tr", []) if row.get("class") == "process"]
    check(len(rows) == min(64, math.prod(grid)), f"{len(rows)} processes in the table")
    elements = [int(number) for number in re.findall(r"</td><td>(\d+)</td><td class=\"bar\">", text)]
    if len(rows) == math.prod(grid):
        copies = math.prod(p for p, words in zip(grid, [*ranges, *["star:1"] * len(grid)]) if words.startswith("star"))
        check(sum(elements) == copies * math.prod(int(words.split(":")[1]) for words in ranges), f"elements of all processes: {elements}")
    return text


program = r"""#include <hpspmd>
using namespace hpspmd;
int main() {
    Procs2 p;
    on (p) {
        ExtBlockRange x(40, p.dim(0), 1, 1);
        CyclicRange u(12, p.dim(1));
        double [[-,-]] a = new double [[x, u]];
        float [[-]] b = new float [[x]];
        Adlib::writeHalo(a);
        Adlib::writeHalo(b);
        Adlib::writeHalo(b);
    }
}
"""

# showLayout: of an array, of a section, and what cannot be shown.
shown = r"""#include <hpspmd>
using namespace hpspmd;
int main(int, char** argv) {
    Procs2 p(2, 3);
    on (p) {
        ExtBlockRange x(100, p.dim(0), 1, 1);
        CyclicRange u(80, p.dim(1));
        double [[-,-]] a = new double [[x, u]];
        float [[-]] b = new float [[x]];
        double [[]] c = new double [[]];
        const std::string what = argv[1];
        if (what == "array") Adlib::showLayout("array.html", a);
        if (what == "section") Adlib::showLayout("section.html", a[[0 : 98 : 2, 7]]);
        if (what == "float") Adlib::showLayout("float.html", b);
        if (what == "nowhere") Adlib::showLayout("nowhere/a.html", a);
        if (what == "number") Adlib::showLayout("c.html", c);
        Adlib::gprintln("goes on");
    }
}
"""


def check_shown():
    pathlib.Path("shown.hpcpp").write_text(shown)
    subprocess.run([hpcc, "-O0", "shown.hpcpp", "-o", "shown"], check=True)

    def job(what):
        return subprocess.run([hpcc, "run", "--quiet", "-n", "6", "./shown", what], capture_output=True, text=True, timeout=60)

    for what in ("array", "section", "float"):
        done = job(what)
        check(done.returncode == 0 and done.stdout == "goes on\n", f"showLayout of {what}: {done.stdout}{done.stderr}")
    run("ext:100:1:1", "cyclic:80", "--grid", "2x3", "-o", "page.html")
    check(pathlib.Path("array.html").read_text() == pathlib.Path("page.html").read_text(), "showLayout writes what hpcc layout writes")
    text = pathlib.Path("section.html").read_text()
    axes = json.loads(Page(text).found["section"][0]["data-axes"])
    owners = [[stretch[2]] * stretch[1] for stretch in axes[0]["stretches"]]
    check(len(axes) == 1 and sum(owners, []) == [0] * 25 + [1] * 25, f"every second row, half of them in each block: {axes}")
    rows = [row for row in Page(text).found["tr"] if row.get("class") == "process"]
    check(len(rows) == 2, f"column 7 is held by one column of processes: {rows}")
    check("4 bytes to " in pathlib.Path("float.html").read_text(), "elements of 4 bytes")
    for what, code, text in (("nowhere", 85, "showLayout: cannot write 'nowhere/a.html': No such file"), ("number", 83, "rank 0 has no layout")):
        done = job(what)
        check(done.returncode == code and text in done.stderr and "goes on" not in done.stdout, f"{what}: {done.returncode} {done.stderr}")
        check(re.search(r"shown.hpcpp:\d+: ", done.stderr), f"the line of the call: {done.stderr}")
    check(sorted(map(str, pathlib.Path(".").glob("*.tmp*"))) == [], "nothing is left")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    check_docs("--write" in sys.argv)
    for ranges, grid in ((["ext:100:1:1", "cyclic:80"], [2, 3]), (["block:10"], [4]), (["block:3"], [4]), (["cyclic:64", "cyclic:64"], [8, 8]),
                         (["blockcyclic:50:3", "star:7"], [3, 2]), (["ext:1000000:2:1", "ext:1000000:1:1"], [1000, 1000]), (["block:0"], [2]),
                         (["block:5", "block:6", "cyclic:7"], [2, 1, 3]), (["cyclic:1000000"], [1000])):
        text = check_page(ranges, grid)
    halo = check_page(["ext:8:1:2", "star:5"], [4, 1])
    check("80 bytes to 0, 40 bytes to 2" in halo, "what a process sends in writeHalo")
    node = subprocess.run(["sh", "-c", "command -v node"], capture_output=True, text=True).stdout.strip()
    if node:
        pathlib.Path("script.js").write_text(re.search(r"<script>(.*)</script>", halo, re.S)[1])
        check(subprocess.run([node, "--check", "script.js"]).returncode == 0, "the script")
    pathlib.Path("prog.hpcpp").write_text(program)
    subprocess.run([hpcc, "-O0", "prog.hpcpp", "-o", "prog"], check=True)
    subprocess.run([hpcc, "run", "--quiet", "--transport=node", "-n", "4", "--profile=run.json", "./prog"], check=True)
    run("run.json", "-o", "arrays.html")
    check(len(Page(pathlib.Path("arrays.html").read_text()).found["section"]) == 2, "an array of a run once")
    for words in ([], ["block:4"], ["--grid", "2"], ["block:4", "--grid"], ["block:4", "--grid", "0"], ["block:4", "--grid", "99999x99999"],
                  ["block:4", "--colour", "red", "--grid", "2"]):
        check("usage: hpcc layout" in run(*words, code=2).stderr, f"wrong use: {words}")
    for words in (["block:x", "--grid", "2"], ["block", "--grid", "2"], ["blok:4", "--grid", "2"], ["block:-4", "--grid", "2"], ["none.json"],
                  ["block:4", "cyclic:3", "--grid", "2"], ["block:4", "--grid", "2", "-o", "missing/page.html"], ["prog.hpcpp"], ["block:4", "--grid", "x"]):
        check("hpcc: error: " in run(*words, code=1).stderr, f"an error: {words}")
    check("--grid" in run("--help").stdout, "help")
    check_shown()
sys.exit(1 if failures else 0)
