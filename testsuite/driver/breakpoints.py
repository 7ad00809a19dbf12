#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A breakpoint on each statement of programs compiled with -g: gdb sets it on that line and on no other.

    testsuite/driver/breakpoints.py build/bin/hpcc testsuite/run/*.hpcpp examples/*/*.hpcpp

Programs that do not compile are left out, and told. Statements are told by the look of their lines: they end with a semicolon and
begin behind the end of another one; declarations of classes and their members are none, nor is a return of nothing."""
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

NO_CODE = r"(using|struct|template|static|friend|typedef|constexpr|extern|for|while|else|break|continue|if constexpr)\b|return;"
hpcc, sources = str(pathlib.Path(sys.argv[1]).resolve()), [pathlib.Path(name).resolve() for name in sys.argv[2:]]


def statements(text):
    """The numbers of their first lines."""
    before, class_indent = ";", None
    for number, line in enumerate(text.split("\n"), 1):
        words = re.sub(r"//.*", "", line).strip()
        if not words or re.match(r"(public|private|protected):", words):
            continue
        indent = len(line) - len(line.lstrip())
        if class_indent is not None and indent <= class_indent:
            class_indent = None
        if class_indent is None and re.match(r"(struct|class|enum|union)\b[^;]*$", words):
            class_indent = indent
        if class_indent is None and indent > 0 and before[-1] in ";{}" and words.endswith(";") and re.match(r"[A-Za-z_(+*-]", words) \
                and not re.match(NO_CODE, words):
            yield number
        before = words


def look(source, folder):
    """The statements of a program, and those where a breakpoint stands elsewhere or nowhere; None if it does not compile."""
    program = folder / f"{source.parent.name}_{source.stem}"
    if subprocess.run([hpcc, "-w", "-g", source, "-o", program], capture_output=True).returncode:
        return None
    wanted = list(statements(source.read_text()))
    commands = [word for number in wanted for word in ("-ex", f"break {source.name}:{number}")]
    said = subprocess.run(["gdb", "-batch", "-nx", *commands, "-ex", "info breakpoints", program], capture_output=True, text=True).stdout
    program.unlink()
    lines, breakpoint = {}, 0
    for row in said.split("\n"):
        begin, place = re.match(r"(\d+)(\.\d+)?\s", row), re.search(re.escape(source.name) + r":(\d+)", row)
        breakpoint = int(begin[1]) if begin else breakpoint
        if place:
            lines.setdefault(breakpoint, set()).add(int(place[1]))
    return wanted, [number for k, number in enumerate(wanted, 1) if number not in lines.get(k, ())]


if not shutil.which("gdb"):
    sys.exit(77)
programs = count = 0
missed = []
with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
    for source, result in zip(sources, pool.map(lambda source: look(source, pathlib.Path(scratch)), sources)):
        if result is None:
            print(f"{source.name} does not compile")
            continue
        programs, count = programs + 1, count + len(result[0])
        missed += [f"{source.name}:{number}: {source.read_text().splitlines()[number - 1].strip()}" for number in result[1]]
print(*missed, sep="\n")
print(f"{programs} programs, {count} statements, {len(missed)} missed")
sys.exit(1 if missed or count == 0 else 0)
