# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every diagnostic has a page in docs/diagnostics whose programs are what it says they are.

    explanations.py <build folder>            checks
    explanations.py <build folder> --write    writes the index docs/diagnostics/README.md anew

1. There is one page per code and no other, in the form that hpcc --explain shows: a title, a text, ## Wrong, ## Right
   (a remark of a pass: ## With the remark, ## Without it).
2. The wrong program provokes its code and no other, the right one nothing; all right ones together are valid C++.
3. The index lists them.

A block ```cpp is the file program.hpcpp, ```cpp name.hph the file name.hph; a block ```sh is a script that writes
program.hpcpp."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from project import finish, root, text

hpcc = pathlib.Path(sys.argv[1]).resolve() / "bin" / "hpcc"
if not hpcc.exists():
    sys.exit(77)
folder = root / "docs/diagnostics"
problems = []

definitions = "".join(text(f"translator/diagnostics/{name}.def") for name in ("syntax", "rules", "driver", "remarks", "vectors"))
severities, messages = {}, {}
literals = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
for number, severity, parts in re.findall(rf"^DIAGNOSTIC\(\w+,\s*(\d+),\s*(\w+),\s*{literals}\)", definitions, re.M):
    severities["HP" + number] = severity.lower()
    messages["HP" + number] = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', parts))

# 1. The pages.
pages = {path.stem: path.read_text() for path in sorted(folder.glob("HP*.md"))}
problems += [f"{code} has no page in docs/diagnostics" for code in sorted(severities.keys() - pages.keys())]
problems += [f"{code}.md explains no diagnostic" for code in sorted(pages.keys() - severities.keys())]
pages = {code: page for code, page in pages.items() if code in severities}
titles, programs = {}, {}
for code, page in pages.items():
    first, second = ("With the remark", "Without it") if code.startswith("HP32") else ("Wrong", "Right")
    form = re.fullmatch(rf"# {code}: (\S[^\n]*)\n\n(.*?)\n\n## {first}\n\n(.*?)\n\n## {second}\n\n(.*)\n", page, re.S)
    titles[code] = form[1] if form else ""
    if not form:
        problems.append(f"{code}.md is not a title '# {code}: ..', a text, '## {first}' and '## {second}'")
    elif len(page.splitlines()) > 60 or max(map(len, page.splitlines())) > 100:
        problems.append(f"{code}.md has more than 60 lines, or one of more than 100 characters")
    parts = (form[3], form[4]) if form else ("", "")
    programs[code] = [re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", part, re.M | re.S) for part in parts]
    problems += [f"{code}.md: no program" for blocks in programs[code] if not blocks]

# 2. What hpcc says about their programs.
temporary = tempfile.TemporaryDirectory()
scratch = pathlib.Path(temporary.name)


def write(which, code):
    """Lays out the program in a folder of its own; its main file, relative to the scratch folder."""
    place = scratch / ("wrong", "right")[which] / code
    place.mkdir(parents=True)
    for language, name, content in programs[code][which]:
        if language == "sh":
            subprocess.run(["sh", "-c", content], cwd=place, check=True)
        else:
            (place / (name or "program.hpcpp")).write_text(content)
    return str((place / "program.hpcpp").relative_to(scratch))


def found(options, files):
    """What hpcc reports, by page."""
    if not files:
        return {}
    command = [hpcc, "--diagnostics-format=json", *options, *files]
    done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, errors="replace")
    try:
        entries = json.loads(done.stderr)
    except json.JSONDecodeError:
        problems.append(f"hpcc ended with {done.returncode}:\n{done.stderr[:2000]}")
        return {}
    codes = {}
    for entry in entries:
        codes.setdefault(pathlib.Path(entry["file"]).parts[1], []).append(entry)
    return codes


def options(code):
    """What makes hpcc report it."""
    if code.startswith("HP31"):
        return "-fsyntax-only", "-Wall"
    remarks = {"HP2917": "-Rpartition", "HP3201": "-Rpass=fast-nests", "HP3202": "-Rpass-missed=fast-nests"}
    return ("--emit=cpp", "-O3", remarks[code]) if code in remarks else ("--emit=cpp", "-Rhalo")


def told(entries):
    return "".join(f"\n    {e['file']}:{e['range']['begin']['line']}: {e['code']} {e['message']}" for e in entries)


for which, wanted in ((0, True), (1, False)):
    files = {}  # by the options that they need
    for code in pages:
        files.setdefault(options(code), []).append(write(which, code))
    said = {}
    for needed, group in files.items():
        said.update(found(needed, group))
    for code in pages:
        entries = said.get(code, [])
        if {entry["code"] for entry in entries} != ({code} if wanted else set()):
            problems.append(f"{code}.md: the {'wrong' if wanted else 'right'} program gets{told(entries) or ' nothing'}")

# All right programs as one, each in a namespace; headers first.
headers, bodies = set(), []
for code in pages:
    blocks = [content for language, name, content in sorted(programs[code][1], key=lambda block: block[1] == "")
              if language == "cpp"]
    headers |= {line for content in blocks for line in content.splitlines() if line.startswith("#include <")}
    plain = [line for content in blocks for line in content.splitlines()
             if not line.startswith(("#include", "#pragma once"))]
    bodies.append("\n".join([f"namespace {code} {{", *plain, f"}}  // namespace {code}"]))
(scratch / "right.hpcpp").write_text("\n".join([*sorted(headers), *bodies, ""]))
done = subprocess.run([hpcc, "-fsyntax-only", "-Werror=HP3102", "right.hpcpp"], cwd=scratch, capture_output=True, text=True)
if done.returncode:
    problems.append(f"the right programs together are no valid program:\n{done.stderr}")

# 3. The index.
index = ["# Diagnostics of hpcc", "",
         "Every error and warning, with a page that tells cause and remedy; `hpcc --explain HP2201` shows the same",
         "page. Codes are never given another meaning. 1xxx are errors of syntax, 2nxx belong to rule n of",
         "[language.md](../language.md#6-rules-at-compile-time), 3xxx to the driver. `-Wno-HP2604` leaves a warning out,",
         "`-Werror=HP2604` makes it an error, `-Werror` all of them, and `-Wno-error=HP2604` lets one be a warning",
         "nevertheless. (Written by `testsuite/rules/explanations.py --write`.)", "",
         "| code | severity | meaning | message |", "|---|---|---|---|"]
for code in sorted(pages):
    message = messages[code].replace('\\"', '"').replace("{}", "..").replace("|", "\\|")
    shown = f"`` {message} ``" if "`" in message else f"`{message}`"
    index.append(f"| [{code}]({code}.md) | {severities[code]} | {titles[code]} | {shown} |")
written = "\n".join(index) + "\n"
if "--write" in sys.argv:
    (folder / "README.md").write_text(written)
elif not (folder / "README.md").exists() or (folder / "README.md").read_text() != written:
    problems.append(f"docs/diagnostics/README.md is not up to date; run explanations.py {sys.argv[1]} --write")
finish(problems, len(pages))
