# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each wrong use of patterns in patterns_rejected.cpp is rejected at its line, and first with the words in its comment; the
other lines are not.

Usage: patterns_rejected.py <C++ compiler> <source> <flags>.."""
import re
import subprocess
import sys

compiler, source, *flags = sys.argv[1:]
name = re.escape(source)
is_clang = "clang" in subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout
unlimited = ["-ferror-limit=0"] if is_clang else ["-fmax-errors=0"]
job = subprocess.run([compiler, "-fsyntax-only", "-fno-diagnostics-color", "-ftemplate-backtrace-limit=0", *unlimited, *flags, source],
                     capture_output=True, text=True)

found = {}  # line of the source: its errors


def note(line, text):
    found.setdefault(int(line), []).append(text)


pending = None  # GCC names the line of the source before the error, clang behind it
for text in job.stderr.splitlines():
    error = re.match(r"(.*?):(\d+):\d+: (?:fatal )?error: (.*)", text)
    if error and error[1] == source:
        note(error[2], error[3])
        pending = None
    elif error and is_clang:
        pending = error[3]
    elif error:
        note(pending, error[3])
    elif is_clang and pending:
        place = re.match(name + r":(\d+):\d+: note: in instantiation", text)
        if place:
            note(place[1], pending)
            pending = None
    elif not is_clang:
        place = re.match(name + r":(\d+):\d+:   required from here", text)
        if place:
            pending = place[1]

problems = []
wanted = 0
for number, line in enumerate(open(source).read().splitlines(), 1):
    words = re.search(r"// rejected: (.*)", line)
    errors = found.get(number, [])
    if not words and errors:
        problems.append(f"line {number} must be accepted: {errors[0]}")
    elif words and not errors:
        problems.append(f"line {number} is accepted, but must be rejected: {words[1]}")
    elif words and not (re.search(words[1], errors[0]) and "static" in errors[0]):
        problems.append(f"line {number} does not say first '{words[1]}', but {errors}")
    wanted += words is not None
if problems or wanted < 30:
    sys.exit("\n".join(problems + [f"{wanted} lines"]))
print(f"{wanted} lines rejected, as they should be")
