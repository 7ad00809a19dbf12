# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documentation says what is so.

    docs.py <build folder>            checks
    docs.py <build folder> --write    writes the stages and passes shown in architecture.md and
                                      optimizer.md, and the messages of first_mistakes.md, anew

1. language.md lists every diagnostic code and no other, and each example in its tables provokes its code.
2. language.md lists every run-time error with its exit code.
3. architecture.md shows what hpcc --emit prints for its program, optimizer.md what hpcc --print-after prints
   for each of its programs, after passes on whole nests with -O3, after the others with -O2, after
   "threads" what fast-nests makes with -fopenmp, and after "nests" what --emit=nests prints.
4. adlib.md names every function of Adlib.
5. Files that the documents name exist.
6. The programs of adlib.md behind `<!-- run N -->` print on N processes what stands behind them.
7. runtime/variables.def lists every environment variable that is asked for: of others a program says that they mean nothing.
8. Each mistake of first_mistakes.md gets the message behind `<!-- says -->`, and what stands behind `<!-- write -->` none.
9. language.md lists the names that `using namespace hpspmd` brings in."""
import pathlib
import re
import subprocess
import sys
import tempfile

from project import finish, root, text

build = pathlib.Path(sys.argv[1])
hpcc = build / "bin" / "hpcc"
if not hpcc.exists():
    sys.exit(77)
language, architecture, adlib = text("docs/language.md"), text("docs/architecture.md"), text("docs/adlib.md")
scratch = tempfile.TemporaryDirectory()
folder = pathlib.Path(scratch.name)
problems, checked = [], 0


def translate(name, program, *options):
    (folder / name).write_text(program)
    return subprocess.run([hpcc, *options, name], cwd=folder, capture_output=True, text=True)


def same(what, known, documented):
    problems.extend(f"{what} {name} is not documented" for name in sorted(known - documented))
    problems.extend(f"{what} {name} is documented, but does not exist" for name in sorted(documented - known))
    return len(known)


# 1. Diagnostics.
definitions = "".join(text(f"translator/diagnostics/{name}.def") for name in ("syntax", "rules", "driver", "remarks", "vectors"))
codes = {"HP" + code for code in re.findall(r"^DIAGNOSTIC\(\w+, *(\d+)", definitions, re.M)}
checked += same("diagnostic", codes, set(re.findall(r"HP\d{4}", language)))
frame = """#include <hpspmd>
using namespace hpspmd;
using Row = double [[*]];
void clear(double [[*]] b);
void clear(double [[*,*]] b);
void f(Procs2 p, Range x, Range y, double [[-,-]] a, double [[-]] v, double [[*]] s, const double [[-]] c, int n) {
%s
}
"""
for code, quotes, example in re.findall(r"^\| (HP\d{4}) \| (`+) ?(.*?) ?\2 \|", language, re.M):
    found = translate("example.hpcpp", frame % example, "--fsyntax-only", "-Rhalo", "-Rpartition").stderr
    checked += 1
    if f"[{code}]" not in found:
        problems.append(f"language.md: '{example}' does not provoke {code} but:\n{found}")

# 2. Errors at run time.
header = "".join(map(text, ("include/hpspmd/error.hpp", "include/hpspmd/device/error.hpp", "include/adlib/budget.hpp")))
errors = set(re.findall(r"^using (\w+) = detail::Named<[\w:]+, (\d+)>", header, re.M))
checked += same("error", errors, set(re.findall(r"^\| `(\w+)` \| (\d+) \|", language, re.M)))

# 3. The program and its stages.
program = re.search(r"<!-- program (\S+) -->\n```cpp\n(.*?)```", architecture, re.S)


def shown(match):
    global checked
    checked += 1
    level = "-O3" if match[2] == "nests" else "-O2"
    emitted = translate(program[1], program[2], level, f"--emit={match[2]}").stdout
    if match[4] != emitted:
        problems.append(f"architecture.md: --emit={match[2]} prints something else; run docs.py {build} --write")
    return match[1] + match[3] + emitted + "```"


rewritten = re.sub(r"(<!-- emit (\w+) -->\n)(```\w*\n)(.*?)```", shown, architecture, flags=re.S)
if "--write" in sys.argv:
    (root / "docs/architecture.md").write_text(rewritten)

optimizer = text("docs/optimizer.md")
current = None


def passed(match):
    """A program, or the unit after a pass over the program before it."""
    global checked, current
    if match[1] == "program":
        current = match
        return match[0]
    checked += 1
    scalar = match[2] in ("lowered", "unroll", "control", "pre", "strength", "dead")
    level = ["-O2", "--emit=optimized"] if scalar else ["-O3", "--emit=lowered"]
    name = match[2]
    if name == "threads":
        level, name = [*level, "-fopenmp"], "fast-nests"
    if name == "nests":
        printed = translate(current[2], current[4], "-O3", "--emit=nests").stdout
    else:
        printed = translate(current[2], current[4], *level, f"--print-after={name}").stderr
        printed = printed.partition("\n")[2].rpartition("void ")[2]
        printed = "void " + printed if printed else "nothing\n"
    if match[4] != printed:
        problems.append(f"optimizer.md: {current[2]} after {match[2]} is something else; run docs.py {build} --write")
    return f"<!-- {match[1]} {match[2]} -->\n{match[3]}{printed}```"


shownAfter = re.sub(r"<!-- (program|after) (\S+) -->\n(```\w*\n)(.*?)```", passed, optimizer, flags=re.S)
if "--write" in sys.argv:
    (root / "docs/optimizer.md").write_text(shownAfter)

# 4. Functions of Adlib.
functions = set()
for path in sorted((root / "include/adlib").glob("*.hpp")):
    for part in re.findall(r"namespace Adlib \{\n(.*?)\n\}  // namespace Adlib", path.read_text(), re.S):
        functions |= set(re.findall(r"^(?:void|auto|[\w:]+(?:<[^;{}]*?>)?) (\w+)\(", part, re.M))
problems += [f"adlib.md does not name {name}" for name in sorted(functions) if not re.search(rf"\b{name}\b", adlib)]
checked += len(functions)

# 5. Files.
parts = "docs|examples|translator|testsuite|adlib|runtime|include|bench"
for path in sorted((root / "docs").glob("*.md")):
    for name in re.findall(rf"`((?:{parts})/[\w./-]*)`", path.read_text()):
        checked += 1
        if not (root / name).exists():
            problems.append(f"{path.name} names {name}, which does not exist")
    prose = re.sub(r"```.*?```|`[^`\n]*`", "code", path.read_text(), flags=re.S)  # `double [[*]](a)` is no link
    for name in re.findall(r"\]\(([\w./-]+?)(?:#[\w-]*)?\)", prose):
        checked += 1
        if not (path.parent / name).exists():
            problems.append(f"{path.name} links to {name}, which does not exist")

# 6. Programs and what they print.
for processes, source, expected in re.findall(r"<!-- run (\d+) -->\n```cpp\n(.*?)```\n+```\n(.*?)```", adlib, re.S):
    checked += 1
    built = translate("shown.hpcpp", source, "-o", "shown")
    ran = subprocess.run([hpcc, "run", "-n", processes, "shown"], cwd=folder, capture_output=True, text=True)
    if built.returncode != 0 or ran.stdout != expected:
        problems.append(f"adlib.md: a program prints something else:\n{built.stderr}{ran.stderr}{ran.stdout}")

# 7. Environment variables.
listed = set(re.findall(r"HPSPMD_VARIABLE\((\w+),", text("runtime/variables.def")))
asked = {name for place in ("runtime", "adlib", "include", "translator") for path in sorted((root / place).rglob("*.?pp"))
         for name in re.findall(r'"(HPSPMD_[A-Z_]+)"', path.read_text())}
problems += [f"{name} is not in runtime/variables.def" for name in sorted(asked - listed)]
checked += len(asked)

# 8. The first mistakes.
mistakes = text("docs/first_mistakes.md")


def said(match):
    global checked
    checked += 1
    found = translate("example.hpcpp", frame % match[1], "--fsyntax-only").stderr
    message = "".join(re.findall(r"^example\.hpcpp:\d+:\d+: ((?:error|warning): .*\n)|^ +(help: .*\n)", found, re.M)[0][:1])
    if match[3] != message:
        problems.append(f"first_mistakes.md: of '{match[1]}' hpcc says something else; run docs.py {build} --write")
    return f"```cpp\n{match[1]}{match[2]}{message}```"


written = re.sub(r"```cpp\n((?:(?!```).)*)(```\n<!-- says -->\n```\n)(.*?)```", said, mistakes, flags=re.S)
if "--write" in sys.argv:
    (root / "docs/first_mistakes.md").write_text(written)
for right in re.findall(r"<!-- write -->\n```cpp\n(.*?)```", mistakes, re.S):
    checked += 1
    if found := translate("example.hpcpp", frame % right, "--fsyntax-only").stderr:
        problems.append(f"first_mistakes.md: '{right}' is not right:\n{found}")

# 9. Names.
names, declares = set(), re.compile(
    r"^(?:template <.*?> )?(?:class|struct|enum class) (?:\[\[\w+\]\] )?(\w+)(?: final)?(?: [:{].*|;)?$|^using (\w+) =|^(?:\[\[nodiscard\]\] )?(?:inline |constexpr )*"
    r"[\w:]+(?:<[^;{}()]*?>)?(?: const)?[ &*]+(\w+)[({ ]", re.M)
for path in sorted((root / "include/hpspmd").rglob("*.hpp")):
    part = re.sub(r"^namespace [\w:]*(?:detail|targets|Adlib|forks)[\w:]* \{\n.*?^\}  // namespace [\w:]+\n", "", path.read_text(), flags=re.S | re.M)
    part = "\n".join(re.findall(r"^namespace hpspmd \{\n(.*?)^\}  // namespace hpspmd", part, re.S | re.M))
    names |= {name for each in declares.findall(part) for name in each if name}
names -= {"namespace", "template", "requires", "operator", "return", "hpspmd"}
listed = re.search(r"<!-- names -->\n(.*?)\n\n", language + "\n\n", re.S)
checked += same("name of the namespace hpspmd", names, set(re.findall(r"`(\w+)`", listed[1])) if listed else set())

finish(problems, checked)
